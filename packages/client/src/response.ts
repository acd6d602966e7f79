/** Successful responses. */
import { isObject, ProblemError } from './problem.ts';
import type { IncomingResponse } from './transport.ts';

/** A successful response. */
export interface ApiResponse<Body> {
  /** The parsed JSON, or a stream of bytes; null without a body. */
  readonly body: Body;
  readonly status: number;
  /** Names the version of the record, for `ifMatch` and `readIfChanged`; null where the operation has none. */
  readonly etag: string | null;
  /** Path of a record that was created. */
  readonly location: string | null;
  /** Whether this is the response of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  /** Number of requests that it took. After more than one, a replay is most likely of the first of them. */
  readonly attempts: number;
  readonly headers: Headers;
}

/** How the body of a response is read. */
export type BodyKind = 'json' | 'bytes' | 'nothing';

/** Reads the body of a response. @throws ProblemError `unexpected_response` when it is not what the operation returns */
export function readResponse(
  { response, text, attempts }: IncomingResponse,
  kind: BodyKind,
): ApiResponse<unknown> {
  const { status, headers } = response;
  return {
    body: readBody(response, text, kind),
    status,
    etag: headers.get('etag'),
    location: headers.get('location'),
    replayed: headers.get('idempotent-replayed') === 'true',
    attempts,
    headers,
  };
}

function readBody(response: Response, text: string, kind: BodyKind): unknown {
  if (kind === 'nothing' || response.status === 204 || response.status === 304) return null;
  if (kind === 'bytes')
    return response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return body;
  } catch {
    // Reported below, as for any other body that is no object.
  }
  const detail = `The server responded with ${response.status} in an unexpected form. Check that it is a Trellis server.`;
  throw new ProblemError({ code: 'unexpected_response', status: response.status, detail });
}

/** The ETag of a version of a record. */
export function etagOf(version: number): string {
  return `"${version}"`;
}
