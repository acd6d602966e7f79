/** The client by which the demo is made: each call has a key derived from what it makes, so that it can be run again. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommonMembers } from '@trellis/schema/resources/resource.ts';

/** What a body may set of a record of this type. */
export type Given<R extends CommonMembers> = Readonly<Partial<Omit<R, keyof CommonMembers>>>;

const mostAttempts = 20;

/** The sandbox's error for an id that is taken. */
const duplicatePlant = 1004;

/** A client of one interface of this server. */
export class DemoApi {
  private readonly baseUrl: string;
  private readonly token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  /** Creates a record; returns its id. */
  async create(path: string, body: object): Promise<string> {
    const { id } = (await this.send('POST', path, JSON.stringify(body))) as { id: string };
    return id;
  }

  async patch(path: string, body: object): Promise<void> {
    await this.send('PATCH', path, JSON.stringify(body));
  }

  /** Moves a record from status to status, in the order given. */
  async move(path: string, statuses: readonly string[]): Promise<void> {
    for (const status of statuses) await this.patch(path, { status });
  }

  /** Uploads bytes as they are. */
  async put(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.send('PUT', path, bytes, { mediaType: 'application/octet-stream' });
  }

  /** Creates a plant; one that is there already is left as it is. */
  async createPlant(plant: object): Promise<void> {
    await this.send('POST', '/plants', JSON.stringify(plant), { acceptedError: duplicatePlant });
  }

  private async send(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    options: { mediaType?: string; acceptedError?: number } = {},
  ): Promise<unknown> {
    const key = createHash('sha256').update(`demo ${method} ${path} `).update(body).digest('hex');
    const headers = {
      authorization: `Bearer ${this.token}`,
      'content-type': options.mediaType ?? 'application/json',
      'idempotency-key': key,
    };
    let response = await fetch(`${this.baseUrl}${path}`, { method, headers, body });
    // A server on a busy machine, or one that still works on the call of a start that was killed, says when to come again.
    for (let attempt = 1; response.headers.has('retry-after') && attempt < mostAttempts; attempt += 1) {
      await response.arrayBuffer();
      await sleep(Number(response.headers.get('retry-after')) * 1_000);
      response = await fetch(`${this.baseUrl}${path}`, { method, headers, body });
    }
    const answer = await response.text();
    // Made by a start that was cut short, and deleted by somebody since.
    if (response.status === 404 && response.headers.get('idempotent-replayed') === 'true')
      return { id: JSON.parse(answer).recordId };
    const { acceptedError } = options;
    if (!response.ok && (acceptedError === undefined || JSON.parse(answer).error !== acceptedError)) {
      throw new Error(`The demo content could not be created: ${method} ${path} answered ${answer}`);
    }
    return JSON.parse(answer);
  }
}
