/** The API client that creates the demo. Keys are derived from the content, so that it can be run again. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommonMembers } from '@trellis/schema/resources/resource.ts';

/** The fields of a record that a body may set. */
export type Given<R extends CommonMembers> = Readonly<Partial<Omit<R, keyof CommonMembers>>>;

const mostAttempts = 20;

/** The sandbox's error for a duplicate id. */
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

  /** Makes status transitions in the given order. */
  async move(path: string, statuses: readonly string[]): Promise<void> {
    for (const status of statuses) await this.patch(path, { status });
  }

  /** Uploads bytes unchanged. */
  async put(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.send('PUT', path, bytes, { mediaType: 'application/octet-stream' });
  }

  /** Creates a plant, unless it already exists. */
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
    // Retried while the server is busy, or still processes the request of an earlier start that was killed.
    for (let attempt = 1; response.headers.has('retry-after') && attempt < mostAttempts; attempt += 1) {
      await response.arrayBuffer();
      await sleep(Number(response.headers.get('retry-after')) * 1_000);
      response = await fetch(`${this.baseUrl}${path}`, { method, headers, body });
    }
    const text = await response.text();
    // Created by an earlier start that was interrupted, and deleted since.
    if (response.status === 404 && response.headers.get('idempotent-replayed') === 'true')
      return { id: JSON.parse(text).recordId };
    const { acceptedError } = options;
    if (!response.ok && (acceptedError === undefined || JSON.parse(text).error !== acceptedError)) {
      throw new Error(`The demo content could not be created: ${method} ${path} responded with ${text}`);
    }
    return JSON.parse(text);
  }
}
