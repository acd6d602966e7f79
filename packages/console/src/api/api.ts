/** The requests to `/v1`, for the organization and the user that the tab works for, by the client that programs use, too. */

import {
  ApiClient,
  type Arguments,
  type OperationRequest,
  type Page,
  type PlainRequest,
  type ReadName,
  type Result,
  requestOf,
  type SelectableName,
  type Selected,
  type Selecting,
} from '@trellis/client/api-client.ts';
import type { EventStream, EventStreamOptions } from '@trellis/client/event-stream.ts';
import type { Me } from '@trellis/client/generated/types.ts';
import type { ApiResponse } from '@trellis/client/response.ts';
import type { Grant } from '@trellis/schema/resources/grants.ts';
import type { Action } from '@trellis/schema/resources/resource.ts';
import { workSignal } from './expected-user.ts';
import { AccessEnded, isProblem } from './problem.ts';
import { signInApi } from './sign-in.ts';

/** A record as the API returns it. */
export type ApiRecord = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

export type { Me, Page };

/** Somebody waits for the response, and can try again. */
const attempts = { read: 3, write: 5 } as const;

/** Tells the other tabs that something was written, so that they see it when somebody switches to them. */
let tabs: BroadcastChannel | null = null;

export class Api {
  private readonly client: ApiClient;
  private readonly organizationId: string;
  private entering: Promise<void> | null = null;

  /** @param userId the user whom the tab works for; nothing is sent when it no longer does */
  constructor(organizationId: string, userId: string) {
    this.organizationId = organizationId;
    const working = workSignal();
    tabs ??= new BroadcastChannel('trellis writes');
    this.client = new ApiClient({
      baseUrl: '',
      organization: organizationId,
      user: userId,
      onWrite: () => tabs?.postMessage(null),
      fetch: (url, init) => {
        const signals = init.signal == null ? [working] : [working, init.signal];
        return fetch(url, { ...init, signal: AbortSignal.any(signals) });
      },
    });
    // Of the organization that was chosen last.
    tabs.onmessage = () => this.client.noteChange();
  }

  /** Calls an operation that reads. @returns the body of the response @throws ProblemError */
  read<K extends ReadName & SelectableName>(name: K, input: Selecting<K>): Promise<Selected<K>>;
  read<K extends ReadName>(name: K, ...input: Arguments<K>): Promise<Result<K>>;
  async read<K extends ReadName>(name: K, ...input: Arguments<K>): Promise<Result<K>> {
    const request = { attempts: attempts.read, ...requestOf(name, ...input) };
    const { body } = await this.entered(() => this.client.request(request));
    return body as Result<K>;
  }

  /** Reads at a path that follows from a declaration. @returns the body of the response @throws ProblemError */
  async get<Body>(path: string, signal?: AbortSignal): Promise<Body> {
    const request = { method: 'GET', path, attempts: attempts.read, signal } as const;
    const { body } = await this.entered(() => this.client.request(request));
    return body as Body;
  }

  /** Sends a request as often as it says. @throws ProblemError */
  request(request: PlainRequest): Promise<ApiResponse<unknown>> {
    return this.entered(() => this.client.request(request));
  }

  /** The events of the organization. Ends with `token_invalid` when the organization must be entered again, by any other call. */
  events(options: EventStreamOptions): EventStream {
    return this.client.events(options);
  }

  /** Writes once, however often the request is sent. @returns the body of the response; null without one @throws ProblemError */
  async write<Body>(request: OperationRequest<Body> & { readonly idempotencyKey: string }): Promise<Body> {
    const { body } = await this.entered(() => this.client.request({ attempts: attempts.write, ...request }));
    return body as Body;
  }

  /** Gives access to what the client offers beyond JSON: contents of files. @throws ProblemError */
  use<T>(action: (client: ApiClient) => Promise<T>): Promise<T> {
    return this.entered(() => action(this.client));
  }

  /** Sends, and once more if the session's token for the organization has expired and was renewed. */
  private async entered<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!isProblem(error, 'token_invalid')) throw error;
      await this.enter();
      return send();
    }
  }

  /** Enters the organization; calls at the same time share one request. @throws AccessEnded */
  private enter(): Promise<void> {
    this.entering ??= signInApi
      .enterOrganization(this.organizationId)
      .catch((error: unknown) => {
        // That the organization is not found for a person says nothing about the record that is asked for.
        throw isProblem(error, 'not_found') ? new AccessEnded() : error;
      })
      .finally(() => {
        this.entering = null;
      });
    return this.entering;
  }
}

/** The grant of an action among those of a role; null if it has none. */
export function grantAmong({ role }: Me, resource: string, action: Action): Grant | null {
  const found = role.grants.find((grant) => grant.resource === resource && grant.action === action);
  return found === undefined ? null : found.own === true ? 'own' : 'all';
}
