/** The requests to `/v1`, for the organization and the user that the tab works for, by the client that programs use, too. */
import { type Answer, etagOf } from '@trellis/client/answer.ts';
import { ApiClient, type PlainRequest } from '@trellis/client/api-client.ts';
import type { EventStream, EventStreamOptions } from '@trellis/client/event-stream.ts';
import type { Grant } from '@trellis/schema/resources/grants.ts';
import type { Action } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { workSignal } from './meant-user.ts';
import { isProblem } from './problem.ts';
import { signInApi } from './sign-in.ts';

/** A record as the API returns it. */
export type ApiRecord = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** One page of a list or of results. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly nextCursor: string | null; readonly hasNextPage: boolean };
}

export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the origin: `/v1/…`. */
  readonly path: string;
  readonly body?: object;
  /** Version that the record must still have. */
  readonly ifVersion?: number;
  readonly idempotencyKey: string;
}

/** What `GET /v1/me` says about the person, as far as the console uses it. */
export interface Me {
  readonly tokenId: string;
  readonly role: {
    readonly id: string;
    readonly name: string;
    readonly grants: readonly {
      readonly resource: string;
      readonly action: Action;
      readonly own?: boolean;
    }[];
  };
  readonly scopes: readonly string[];
  readonly modules: readonly string[];
}

/** Somebody waits for the answer, and can try again. */
const attempts = { read: 3, write: 5 } as const;

export class Api {
  private readonly client: ApiClient;
  private readonly organizationId: string;
  private entering: Promise<void> | null = null;

  /** @param userId the user whom the tab works for; nothing is sent when it no longer does */
  constructor(organizationId: string, userId: string) {
    this.organizationId = organizationId;
    const working = workSignal();
    this.client = new ApiClient({
      baseUrl: '',
      organization: organizationId,
      user: userId,
      fetch: (url, init) => {
        const signals = init.signal == null ? [working] : [working, init.signal];
        return fetch(url, { ...init, signal: AbortSignal.any(signals) });
      },
    });
  }

  /** Reads. @throws ProblemError */
  async get<Body>(path: string, signal?: AbortSignal): Promise<Body> {
    const request = { method: 'GET', path, attempts: attempts.read, signal } as const;
    const { body } = await this.entered(() => this.client.request(request));
    return body as Body;
  }

  /** Sends a request as often as it says. @throws ProblemError */
  request(request: PlainRequest): Promise<Answer<unknown>> {
    return this.entered(() => this.client.request(request));
  }

  /** The events of the organization. Ends with `token_invalid` when the organization must be entered anew, by any other call. */
  events(options: EventStreamOptions): EventStream {
    return this.client.events(options);
  }

  /** Writes once, however often it is sent. @returns what is answered; undefined after a deletion @throws ProblemError */
  async write<Body extends object = ApiRecord>({ ifVersion, ...write }: Write): Promise<Body | undefined> {
    const ifMatch = ifVersion === undefined ? undefined : etagOf(ifVersion);
    const request = { ...write, attempts: attempts.write, ifMatch };
    const { body } = await this.entered(() => this.client.request(request));
    return isPlainObject(body) ? (body as Body) : undefined;
  }

  /** Does what the client offers beyond JSON: contents of files. @throws ProblemError */
  use<T>(action: (client: ApiClient) => Promise<T>): Promise<T> {
    return this.entered(() => action(this.client));
  }

  /** Sends, and again if the organization was not used for so long that it must be entered anew. */
  private async entered<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!isProblem(error, 'token_invalid')) throw error;
      await this.enter();
      return send();
    }
  }

  /** Enters the organization; calls at the same time share one request. */
  private enter(): Promise<void> {
    this.entering ??= signInApi.enterOrganization(this.organizationId).finally(() => {
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
