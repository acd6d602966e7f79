/**
 * The client of the API. `call` sends an operation by its name, with types; `request` sends a method and a path, for
 * programs that learn from declarations what there is.
 */

import { type Content, digestOf, isContent } from './content.ts';
import { EventStream, type EventStreamOptions } from './event-stream.ts';
import { type Operations, operations } from './generated/operations.ts';
import { makeIdempotencyKey } from './keys.ts';
import { isObject, ProblemError } from './problem.ts';
import { type ApiResponse, type BodyKind, readResponse } from './response.ts';
import { type ClientOptions, Transport } from './transport.ts';

/** Name of an operation, as in the OpenAPI document: `listBooks`, `createBook` … */
export type OperationName = keyof Operations;

/** What every call may have besides the parameters of its operation. */
export interface CallOptions {
  /** Ends the call, and the waiting between its attempts. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of attempts of this call. */
  readonly attempts?: number | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The scopes that a client with the cookie of a session needs: `drafts` for those to save drafts alone. A token has its own scopes. */
  readonly sessionScopes?: 'drafts' | undefined;
}

/** What a write may have besides that. */
export interface WriteOptions extends CallOptions {
  /**
   * All requests with the same key are one write, also those of a later run of the program. A new random key when absent,
   * made before the first attempt.
   */
  readonly idempotencyKey?: string | undefined;
  /** ETag of the version that the record must still have; otherwise the response is `version_mismatch`. */
  readonly ifMatch?: string | undefined;
}

/** A member of the input, optional where all of it is. */
type Part<Name extends string, T> = [T] extends [null]
  ? unknown
  : Record<never, never> extends T
    ? { readonly [N in Name]?: T }
    : { readonly [N in Name]: T };

type Writes = {
  [K in OperationName]: (typeof operations)[K]['method'] extends 'GET' ? never : K;
}[OperationName];

/** Operations that change nothing. */
export type ReadName = Exclude<OperationName, Writes>;

/** Path parameters, query parameters and body of an operation, with the options of the call. */
export type Input<K extends OperationName> = Part<'path', Operations[K]['path']> &
  Part<'query', Operations[K]['query']> &
  Part<'body', Operations[K]['body']> &
  (K extends Writes ? WriteOptions : CallOptions);

/** The input, which may be left out where nothing in it is required. */
export type Arguments<K extends OperationName> =
  Record<never, never> extends Input<K> ? [input?: Input<K>] : [input: Input<K>];

/** What an operation returns. */
export type Result<K extends OperationName> = Operations[K]['result'];

/** What an operation returns when the parameter `fields` selects members: those only. */
export type Selected<K extends OperationName> = Operations[K]['selection'];

/** Input with the parameter `fields`. */
export type Selecting<K extends OperationName> = Input<K> & { readonly query: { readonly fields: string } };

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly nextCursor: string | null; readonly hasNextPage: boolean };
}

/** Operations that return pages. */
export type ListName = {
  [K in OperationName]: Operations[K]['result'] extends Page<unknown> ? K : never;
}[OperationName];

/** Operations with the parameter `fields`. */
export type SelectableName = {
  [K in OperationName]: [Operations[K]['selection']] extends [null] ? never : K;
}[OperationName];

type ItemOf<R> = R extends Page<infer Item> ? Item : never;

/** A request by method and path. */
export interface PlainRequest extends WriteOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the origin, without a query: `/v1/books`. */
  readonly path: string;
  /** Several values of a parameter are sent in a parameter for each: some have commas. */
  readonly query?:
    | Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
    | undefined;
  /** Sent as JSON, unless it is content. */
  readonly body?: object | Content | null;
}

declare const bodyOfResponse: unique symbol;

/** The request of an operation, which knows the type of the body of its response. */
export interface OperationRequest<Body> extends PlainRequest {
  readonly [bodyOfResponse]?: Body;
}

/** Parameters of any operation: what `call` knows when it no longer knows the operation. */
interface PlainInput extends WriteOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: PlainRequest['query'];
  readonly body?: object | Content | null;
}

/** A client of one server, for one token or session. */
export class ApiClient {
  private readonly transport: Transport;

  constructor(options: ClientOptions) {
    this.transport = new Transport(options);
  }

  /**
   * Calls an operation. Temporary failures are repeated: network failures, 408, 409 `idempotency_in_progress`, 429 and 5xx,
   * after the delay that the server asks for; a write is done once, because all attempts have the same key.
   * @throws ProblemError; the reason of the signal when it is aborted
   */
  call<K extends SelectableName>(name: K, input: Selecting<K>): Promise<ApiResponse<Selected<K>>>;
  call<K extends OperationName>(name: K, ...input: Arguments<K>): Promise<ApiResponse<Result<K>>>;
  async call(name: OperationName, input: PlainInput = {}): Promise<ApiResponse<unknown>> {
    return await this.send(toRequest(name, input), operations[name].returns);
  }

  /**
   * Calls a read for what has changed since.
   * @param etag of the copy that the caller has
   * @returns null when the copy is current (304)
   * @throws ProblemError; the reason of the signal when it is aborted
   */
  readIfChanged<K extends SelectableName>(
    name: K,
    etag: string,
    input: Selecting<K>,
  ): Promise<ApiResponse<Selected<K>> | null>;
  readIfChanged<K extends ReadName>(
    name: K,
    etag: string,
    ...input: Arguments<K>
  ): Promise<ApiResponse<Result<K>> | null>;
  async readIfChanged(
    name: OperationName,
    etag: string,
    input: PlainInput = {},
  ): Promise<ApiResponse<unknown> | null> {
    const headers = { ...input.headers, 'if-none-match': etag };
    const response = await this.send(toRequest(name, { ...input, headers }), operations[name].returns);
    return response.status === 304 ? null : response;
  }

  /**
   * The pages of a list, from the first or from `query.cursor`. `pageInfo.nextCursor` is where to continue later.
   * @throws ProblemError; the reason of the signal when it is aborted
   */
  pages<K extends ListName & SelectableName>(name: K, input: Selecting<K>): AsyncGenerator<Selected<K>>;
  pages<K extends ListName>(name: K, ...input: Arguments<K>): AsyncGenerator<Result<K>>;
  async *pages(name: OperationName, input: PlainInput = {}): AsyncGenerator<unknown> {
    yield* this.pagesOf(toRequest(name, input));
  }

  /** The items of a list, page by page. @throws ProblemError; the reason of the signal when it is aborted */
  iterate<K extends ListName & SelectableName>(
    name: K,
    input: Selecting<K>,
  ): AsyncGenerator<ItemOf<Selected<K>>>;
  iterate<K extends ListName>(name: K, ...input: Arguments<K>): AsyncGenerator<ItemOf<Result<K>>>;
  async *iterate(name: OperationName, input: PlainInput = {}): AsyncGenerator<unknown> {
    yield* this.itemsOf(toRequest(name, input));
  }

  /** Sends a request by method and path, with the same rules. The response must be JSON or empty. @throws ProblemError */
  request(request: PlainRequest): Promise<ApiResponse<unknown>> {
    return this.send(request, 'json');
  }

  /** The pages of the list at a path. */
  async *pagesOf(
    request: Omit<PlainRequest, 'method'>,
  ): AsyncGenerator<Page<Readonly<Record<string, unknown>>>> {
    let cursor = request.query?.cursor;
    for (;;) {
      const query = { ...request.query, cursor };
      const { body } = await this.send({ ...request, query, method: 'GET' }, 'json');
      const page = toPage(body);
      yield page;
      // The log of events has a cursor after its last page as well.
      if (!page.pageInfo.hasNextPage || page.pageInfo.nextCursor === null) return;
      cursor = page.pageInfo.nextCursor;
    }
  }

  /** The items of the list at a path. */
  async *itemsOf(request: Omit<PlainRequest, 'method'>): AsyncGenerator<Readonly<Record<string, unknown>>> {
    for await (const { items } of this.pagesOf(request)) yield* items;
  }

  /** The events of the organization as they happen, each once and in order, however often the connection breaks. */
  events(options: EventStreamOptions = {}): EventStream {
    return new EventStream(this.transport, options);
  }

  /** Notes that something was changed by others, which the next reads must see wherever the server reads it. */
  noteChange(): void {
    this.transport.readAfter.noteChange();
  }

  private async send(request: PlainRequest, kind: BodyKind): Promise<ApiResponse<unknown>> {
    const { method, path, query, body = null, signal, attempts, ifMatch, sessionScopes } = request;
    const isRead = method === 'GET';
    const hasKey = !isRead && path !== operations.identifyVisitor.path;
    const headers: Record<string, string> = { accept: kind === 'bytes' ? '*/*' : 'application/json' };
    if (body !== null) headers['content-type'] = mediaTypeOf(method, body);
    if (hasKey) headers['idempotency-key'] = request.idempotencyKey ?? makeIdempotencyKey();
    if (ifMatch !== undefined) headers['if-match'] = ifMatch;
    const digest = isContent(body) ? await digestOf(body) : null;
    if (digest !== null) headers['content-digest'] = digest;
    const response = await this.transport.send({
      method,
      target: `${path}${renderQuery(query)}`,
      headers: { ...headers, ...request.headers },
      body: body === null || isContent(body) ? body : JSON.stringify(body),
      isRepeatable: isRead || hasKey,
      isStreamed: kind === 'bytes',
      signal,
      attempts,
      sessionScopes,
    });
    return readResponse(response, kind);
  }
}

/** The request of an operation, for programs that keep it before they send it with `request`. */
export function requestOf<K extends SelectableName>(
  name: K,
  input: Selecting<K>,
): OperationRequest<Selected<K>>;
export function requestOf<K extends OperationName>(
  name: K,
  ...input: Arguments<K>
): OperationRequest<Result<K>>;
export function requestOf(name: OperationName, input: PlainInput = {}): PlainRequest {
  return toRequest(name, input);
}

function toRequest(name: OperationName, { path = {}, ...others }: PlainInput): PlainRequest {
  const { method, path: template } = operations[name];
  return { ...others, method, path: fillPath(template, path) };
}

/** Content is always sent as bytes: the server recognizes its type, and would take a file of JSON for a description of one. */
function mediaTypeOf(method: string, body: object): string {
  if (isContent(body)) return 'application/octet-stream';
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

/** @throws TypeError for a parameter that is missing or would lead to another path than the intended one */
function fillPath(template: string, parameters: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = parameters[name];
    if (value === undefined || /^\.{0,2}$/.test(String(value))) {
      throw new TypeError(`The parameter "${name}" of ${template} is missing.`);
    }
    return encodeURIComponent(value);
  });
}

function renderQuery(query: PlainRequest['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of typeof value === 'object' ? value : value === undefined ? [] : [value])
      parameters.append(name, String(one));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** @throws ProblemError `unexpected_response`: what is no page must not pass for an empty list */
function toPage(body: unknown): Page<Readonly<Record<string, unknown>>> {
  const { items, pageInfo } = isObject(body) ? body : {};
  if (!Array.isArray(items) || !isObject(pageInfo)) {
    const detail = 'The server returned something other than a page. Check the path.';
    throw new ProblemError({ code: 'unexpected_response', status: 200, detail });
  }
  const { nextCursor, hasNextPage } = pageInfo;
  return {
    ...(isObject(body) ? body : {}),
    items: items.filter(isObject),
    pageInfo: {
      ...pageInfo,
      nextCursor: typeof nextCursor === 'string' ? nextCursor : null,
      hasNextPage: hasNextPage === true,
    },
  };
}
