/**
 * The types of operations. For each interface, one list of operations drives the routes, the OpenAPI document and the tests that
 * enumerate all operations; it has no other routes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ProblemCode } from '@trellis/schema/problem.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import type { WalPosition } from '../database/wal-position.ts';
import type { Requirement } from '../identity/actor.ts';
import type { Credentials } from '../identity/authenticator.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A parameter of the query string. It may be given once only, and is never coerced. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** Of several values: a list. */
  readonly example: string | number | boolean | readonly string[];
}

/** A parameter in the path: an id of a resource, or a version number. */
export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string | number;
  /** The resource of the id; null for a number. */
  readonly resource: string | null;
}

/** The body of a request; the names are those of the document's components. */
interface RequestBody {
  /** What it is, where the document says so. */
  readonly description?: string;
  readonly schemaName: string;
  readonly schema: JsonSchema;
  /** The schema in the document, where that refers to other components. */
  readonly documented?: JsonSchema;
  readonly mediaTypes: readonly string[];
  readonly example: unknown;
}

/** The declared media types of raw bytes. Any other type that is none of JSON or a form is taken as bytes as well. */
export const contentTypes: readonly string[] = ['multipart/form-data', 'application/octet-stream'];

/** A successful response. */
interface Success {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** Of an operation that creates (201) or changes (200): the description of the latter. */
  readonly changed?: string;
  /** Component of the document; null for a response without a body. */
  readonly schemaName: string | null;
  readonly headers: readonly ('ETag' | 'Location' | 'Idempotent-Replayed' | 'Preference-Applied')[];
  /** Whether the body is the content of a file, whole or in part (RFC 9110, 14), instead of JSON. */
  readonly isContent?: boolean;
  /** Whether the body is a stream of server-sent events. */
  readonly isEventStream?: boolean;
}

/** What every operation says about itself, whatever its interface. */
export interface OperationDescription {
  readonly operationId: string;
  readonly method: Method;
  /** Path below the origin, parameters in braces: `/v1/sites/{siteId}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly PathParameter[];
  readonly queryParameters: readonly QueryParameter[];
  readonly body: RequestBody | null;
  /** Whether the body is raw bytes, which the handler reads as a stream; `body` is null then. */
  readonly acceptsContent?: boolean;
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly description: string };
}

/** An operation of the tenant API. */
export interface Operation extends OperationDescription {
  readonly requirement: Requirement;
  readonly success: Success;
  /**
   * Whether it returns pages of which an export is made, so that the guard of exports counts their records. Streams, which have no pages,
   * are no listings.
   */
  readonly isListing?: boolean;
  /** Whether `If-None-Match` is supported. */
  readonly conditional: boolean;
  /** Error codes besides those that every operation, or every write, can return. */
  readonly problems: readonly ProblemCode[];
  readonly handle: (call: Call) => Promise<OperationResponse>;
}

/** A request as it was received: its parameters and its body are not read yet. */
export interface ReceivedRequest {
  readonly requestId: string;
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Query as sent, without the question mark. */
  readonly query: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
}

/** A request of the tenant API after authentication, as handlers see it. */
export interface Call extends ReceivedRequest {
  readonly operation: Operation;
  readonly credentials: Credentials;
  /** For a read: the position that a replica must have seen to serve it; absent if the primary has to (see `Scope`). */
  readonly readAfter?: WalPosition | undefined;
  /** Counts further requests against the rate limits, for a call that does the work of several. @throws Problem rate_limited */
  readonly countFurther: (requests: number) => Promise<void>;
  /** The body as a stream, if the operation takes content; otherwise null. */
  readonly content: Readable | null;
}

export interface OperationResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as text or bytes, or a stream of bytes whose type is in the headers. */
  readonly body: string | Buffer | Readable | null;
  /** The position behind the commit of a write, from which on replicas show it; absent or null if it is not known. */
  readonly position?: WalPosition | null;
  /** What tells the records of a page of a list apart, for the guard of exports. */
  readonly keys?: readonly string[];
  /** Called once, when the response has been sent or its connection has ended. */
  readonly onClose?: () => void;
}

/** Whether the operation is a write, which needs an Idempotency-Key. */
export function isWrite(operation: Pick<Operation, 'method'>): boolean {
  return operation.method !== 'GET';
}
