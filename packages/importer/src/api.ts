/**
 * What the importer asks of the API. A failure that would meet every row, such as a server that cannot be reached or a token
 * without a scope, becomes `ImportStopped`; what concerns one request stays a `ProblemError`.
 */

import type { ApiClient } from '@trellis/client/api-client.ts';
import type { BatchOutcome } from '@trellis/client/generated/types.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { etagOf } from '@trellis/client/response.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { Creations } from './creations.ts';
import { ImportStopped } from './errors.ts';
import type { Journal } from './journal.ts';

/** An object of a request or response. */
export type Body = Readonly<Record<string, unknown>>;

/** A record as the API returns it. */
export type ApiRecord = Body & { readonly id: string; readonly version: number };

/** A record that was written. */
export interface WrittenRecord {
  readonly record: ApiRecord;
  /** Whether it is the stored response of an earlier request with the same key. */
  readonly replayed: boolean;
  /** Whether it took more than one request; a replay is then most likely of the first one of this call. */
  readonly retried: boolean;
}

/** A create, or a change with the version that the record must still have. */
export interface RecordWrite {
  readonly method: 'POST' | 'PATCH' | 'PUT';
  /** Below `/v1`. */
  readonly path: string;
  readonly query?: Query;
  /** Bytes are sent as they are; null for no body. */
  readonly body: object | null;
  readonly idempotencyKey: string;
  readonly ifVersion?: number;
}

/** What the importer uses of the client; the console sends such requests in its own way. */
export type ImportClient = Pick<ApiClient, 'request' | 'itemsOf'>;

export type Query = Readonly<Record<string, string>>;

/** The API, for an import. All methods throw ProblemError and ImportStopped. */
export class Api {
  /** Keeps the writes of an import; null where they are not kept. */
  readonly journal: Journal | null;
  /** Whether records are created in batches. */
  readonly hasBatches: boolean;
  private readonly client: ImportClient;
  private readonly creations = new Creations<ApiRecord>({
    write: (path, items) => this.writeBatch(path, items),
    readAll: (path, ids) => this.readAll(path, ids),
  });

  constructor(client: ImportClient, journal: Journal | null = null, hasBatches = false) {
    this.client = client;
    this.journal = journal;
    this.hasBatches = hasBatches;
  }

  /** Creates a record together with others that are created at the same time. */
  create(path: string, body: object): Promise<ApiRecord> {
    return this.creations.create(path, body as Body).catch(stopUnlessRefused);
  }

  /** The record at a path. */
  async read(path: string): Promise<ApiRecord> {
    const response = await this.client
      .request({ method: 'GET', path: `/v1${path}` })
      .catch(stopUnlessRefused);
    return toRecord(response.body);
  }

  /** The items of a list that has no pages. */
  async readItems(path: string): Promise<readonly Body[]> {
    const { body } = await this.client
      .request({ method: 'GET', path: `/v1${path}` })
      .catch(stopUnlessRefused);
    return isPlainObject(body) && Array.isArray(body.items) ? body.items.filter(isPlainObject) : [];
  }

  /** The country of the organization, ISO 3166-1; null when it has none. */
  async readCountry(): Promise<string | null> {
    const { body } = await this.client.request({ method: 'GET', path: '/v1/me' }).catch(stopUnlessRefused);
    const organization = isPlainObject(body) ? body.organization : null;
    const country = isPlainObject(organization) ? organization.defaultCountry : null;
    return typeof country === 'string' ? country : null;
  }

  /** Writes exactly once per key, however often it is sent. */
  async write({ path, ifVersion, ...call }: RecordWrite): Promise<WrittenRecord> {
    const ifMatch = ifVersion === undefined ? undefined : etagOf(ifVersion);
    const request = { ...call, path: `/v1${path}`, ifMatch };
    const response = await this.client.request(request).catch(stopUnlessRefused);
    return { record: toRecord(response.body), replayed: response.replayed, retried: response.attempts > 1 };
  }

  private async writeBatch(path: string, items: readonly Body[]): Promise<readonly BatchOutcome[]> {
    const { body } = await this.client
      .request({ method: 'POST', path: `/v1${path}/batch`, body: { items } })
      .catch(stopUnlessRefused);
    const outcomes = isPlainObject(body) ? body.items : null;
    if (Array.isArray(outcomes)) return outcomes as BatchOutcome[];
    throw new ImportStopped(
      'The response has no outcomes. Check that the address is that of a Trellis server.',
    );
  }

  private async readAll(path: string, ids: readonly string[]): Promise<readonly ApiRecord[]> {
    const records: ApiRecord[] = [];
    for await (const item of this.list(path, { ids: ids.join(), limit: String(ids.length) }))
      records.push(toRecord(item));
    return records;
  }

  /** Moves a record to the trash if it still has this version, once per key. */
  async remove(path: string, version: number, idempotencyKey: string): Promise<void> {
    const request = {
      method: 'DELETE',
      path: `/v1${path}`,
      idempotencyKey,
      ifMatch: etagOf(version),
    } as const;
    await this.client.request(request).catch(stopUnlessRefused);
  }

  /** All items of a list, page by page. */
  async *list(path: string, query: Query): AsyncGenerator<Body> {
    try {
      yield* this.client.itemsOf({ path: `/v1${path}`, query });
    } catch (error) {
      stopUnlessRefused(error);
    }
  }
}

/** The value as a record. @throws ImportStopped when it is not one */
export function toRecord(body: unknown): ApiRecord {
  if (isPlainObject(body) && typeof body.id === 'string' && typeof body.version === 'number') {
    return { ...body, id: body.id, version: body.version };
  }
  throw new ImportStopped(
    'The response contains no record. Check that the address is that of a Trellis server.',
  );
}

/** @throws ImportStopped for a failure that would meet every row; otherwise the error itself */
function stopUnlessRefused(error: unknown): never {
  const sentence = error instanceof ProblemError ? describeStop(error) : null;
  throw sentence === null ? error : new ImportStopped(sentence, { cause: error });
}

/** Why the import cannot continue; null for a refusal of one request. */
function describeStop({ code, status, message }: ProblemError): string | null {
  if (code === 'unreachable') return `${message} Check that the server is running.`;
  if (code === 'unexpected_response' || code === 'wrong_user') return message;
  if (status === 401 || status === 403) return message;
  const isUnavailable = status === 429 || status === 502 || status === 503 || status === 504;
  return isUnavailable ? `The server remained unavailable (${status}): ${message}` : null;
}
