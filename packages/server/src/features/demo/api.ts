/** Sends the requests that create the demo. Keys are derived from the content, so that it can be run again. */
import { createHash } from 'node:crypto';
import { ApiClient, type PlainRequest } from '@trellis/client/api-client.ts';
import type { Content } from '@trellis/client/content.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import type { CommonMembers } from '@trellis/schema/resources/resource.ts';

/** The fields of a record that a body may set. */
export type Given<R extends CommonMembers> = Readonly<Partial<Omit<R, keyof CommonMembers>>>;

/** The sandbox's error for a duplicate id. */
const duplicatePlant = '"error":1004';

/** One interface of this server: `/v1` or `/sandbox`. */
export class DemoApi {
  private readonly client: ApiClient;
  private readonly prefix: string;

  constructor(baseUrl: string, prefix: string, token: string) {
    this.client = new ApiClient({ baseUrl, token });
    this.prefix = prefix;
  }

  /** Creates a record; returns its id. */
  async create(path: string, body: object): Promise<string> {
    return String((await this.send('POST', path, body)).id);
  }

  async patch(path: string, body: object): Promise<void> {
    await this.send('PATCH', path, body);
  }

  /** Makes status transitions in the given order. */
  async move(path: string, statuses: readonly string[]): Promise<void> {
    for (const status of statuses) await this.patch(path, { status });
  }

  /** Uploads a file. */
  async upload(path: string, fileName: string, content: Content): Promise<void> {
    await this.send('PUT', path, content, { fileName });
  }

  /** Creates a plant, unless it already exists. */
  async createPlant(plant: object): Promise<void> {
    try {
      await this.send('POST', '/plants', plant);
    } catch (error) {
      if (!(error instanceof ProblemError) || !error.message.includes(duplicatePlant)) throw error;
    }
  }

  private async send(
    method: PlainRequest['method'],
    path: string,
    body: object | Content,
    query: PlainRequest['query'] = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const bytes = body instanceof Uint8Array ? body : JSON.stringify(body);
    const key = createHash('sha256').update(`demo ${method} ${path} `).update(bytes).digest('hex');
    const request = { method, path: `${this.prefix}${path}`, query, body, idempotencyKey: key };
    return (await this.client.request(request)).body as Readonly<Record<string, unknown>>;
  }
}
