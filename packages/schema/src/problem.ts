/**
 * The catalogue of all errors that the API returns (RFC 9457). It is the single source of the server, the OpenAPI
 * document, the pages under /docs/errors and the tests.
 */

/** An entry of the catalogue: the status a code is sent with, and its meaning. */
export interface ProblemDefinition {
  readonly status: number;
  readonly title: string;
  /** The cause and what to do about it: the text of the page under /docs/errors/{code}. */
  readonly help: string;
}

export const problemCatalogue = {
  malformed_request: {
    status: 400,
    title: 'The request cannot be read',
    help: 'The received bytes are not an HTTP/1.1 request (RFC 9112): the request line, a header or the framing of the body is malformed, or `Content-Length` and `Transfer-Encoding` are both given. The connection is closed.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    help: 'The body could not be read as strict JSON (RFC 8259). The detail names the line and column. Besides syntax errors this covers invalid UTF-8, a key given twice in one object, nesting deeper than 32 levels, NUL characters, lone surrogates and numbers too large for a double.',
  },
  malformed_form: {
    status: 400,
    title: 'The form cannot be read',
    help: 'A body of the type `multipart/form-data` (RFC 7578) lacks its boundary or ends before it. HTTP libraries set `Content-Type` with the boundary themselves, so a program should not set it.',
  },
  digest_mismatch: {
    status: 400,
    title: 'The content differs from its digest',
    help: 'The received bytes have another digest than `Content-Digest` or `Repr-Digest` announces (RFC 9530): they were changed on the way, or the digest is of something else. It is that of the whole body, of a form also of what is around the file. Nothing was changed. Send the same request again with the same Idempotency-Key.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A parameter has an invalid value',
    help: 'A query parameter has a value outside its documented range or form, or is given more than once. `errors[].parameter` names it.',
  },
  unknown_parameter: {
    status: 400,
    title: 'A query parameter is not known here',
    help: 'The operation does not have this query parameter. Unknown parameters are never ignored, because a misspelt filter would return the wrong records. The detail names the nearest valid one.',
  },
  cursor_invalid: {
    status: 400,
    title: 'The cursor cannot be read',
    help: 'Pass `pageInfo.nextCursor` of the preceding response unchanged. Cursors are sealed: they cannot be constructed, edited, or used on another route or by another organization. Start again without a cursor.',
  },
  cursor_mismatch: {
    status: 400,
    title: 'The cursor belongs to another query',
    help: 'A cursor continues exactly the list it came from: the same filters, search text and sort. Only `limit` and `fields` may change between pages. Start again without a cursor.',
  },
  idempotency_key_required: {
    status: 400,
    title: 'The Idempotency-Key header is missing',
    help: 'Every POST, PATCH, PUT and DELETE needs an `Idempotency-Key`, so that a request that timed out can be sent again without being carried out twice. Use a new random value (a UUID) for each intended write, and the same value for its retries.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key header is malformed',
    help: 'A key has 1 to 255 visible ASCII characters (0x21 to 0x7E). The quoted form of a structured field string is accepted too.',
  },
  invalid_header: {
    status: 400,
    title: 'A request header has an invalid value',
    help: 'The header named in `errors[].header` cannot be understood, is missing, or is given more than once although it has one value. `If-Match` and `If-None-Match` take `*` or a list of quoted entity tags.',
  },
  token_missing: {
    status: 401,
    title: 'A bearer token is required',
    help: 'Send `Authorization: Bearer <token>`. An operator creates tokens with `trellis token create`.',
  },
  token_invalid: {
    status: 401,
    title: 'The bearer token is not valid here',
    help: 'The token is malformed, unknown, expired or revoked, its user or client is no longer active, or it was created for another interface (a token of the sandbox is not valid for the tenant API, nor the other way round).',
  },
  sign_in_failed: {
    status: 401,
    title: 'The sign-in was refused',
    help: 'The credentials are wrong; the response does not say whether an account with that e-mail address exists. After several failures the next attempt has to wait, longer each time. `POST /auth/password-resets` sends a link to set a new password, and an operator can create a link that signs in with `trellis user sign-in-link EMAIL`.',
  },
  session_invalid: {
    status: 401,
    title: 'You are not signed in',
    help: 'The cookie of the session is missing, or the session has ended: by signing out, because it was not used for too long (by default an hour), or at the end of its lifetime. Sign in again.',
  },
  insufficient_user_authentication: {
    status: 401,
    title: 'A fresh or stronger sign-in is needed',
    help: 'The operation requires a more recent or stronger sign-in (RFC 9470). If `WWW-Authenticate` has `max_age`, the sign-in may be at most that many seconds old: sign in again with `POST /auth/session/step-up`. Otherwise the organization requires two factors: sign in with a passkey, or with a password and a code of an authenticator app.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request was not made by a page of this server',
    help: 'A request with the cookie of a session must come from a page of the same origin, which the browser states in `Sec-Fetch-Site` or `Origin`. Programs use bearer tokens instead.',
  },
  wrong_user: {
    status: 400,
    title: 'Somebody else is signed in',
    help: 'The session of the cookie is not that of the user whom the request names in `Trellis-User`: somebody else has signed in with this browser since the page was loaded. Nothing was changed. `GET /auth/session` returns the user who is signed in.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The token lacks a scope',
    help: 'The operation requires scopes that the token does not have. `WWW-Authenticate` and the detail list all of them. Create a new token with these scopes.',
  },
  module_disabled: {
    status: 403,
    title: 'The module is switched off',
    help: 'The organization has switched this part of the product off. An operator switches it on with `trellis organization modules KEY --enable MODULE`.',
  },
  permission_denied: {
    status: 403,
    title: 'The role does not permit this',
    help: "The user's role in the organization does not allow the action. See the table of roles in the documentation.",
  },
  organization_suspended: {
    status: 403,
    title: 'The organization is suspended',
    help: 'An operator has suspended the organization. Nothing can be read or written until it is active again.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'The page may not use this publishable key',
    help: 'A publishable key works on the pages of certain origins only, compared character by character: scheme, host and port. An operator creates one for your site with `trellis client create NAME --organization KEY --kind BROWSER --site KEY --origin https://www.example.com`; `trellis client list` shows the origins of each.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    help: 'There is no such route or record. A malformed id, an id of another organization and a record that you may not see get exactly the same response.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    help: 'The route exists but does not support this method. The `Allow` header lists the methods it supports.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    help: 'The headers must arrive within 10 seconds and a JSON body within 30; an upload must not pause for longer than 30 seconds. Nothing was changed. Send the same request again with the same Idempotency-Key.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'A request with this key is still running',
    help: 'Another request with the same Idempotency-Key has not finished yet. Wait as `Retry-After` says and send the same request again to get its response.',
  },
  conflict: {
    status: 409,
    title: 'A unique value is already taken',
    help: 'Another record of the organization already has this value. `field` names it; `existingId` is the other record, if you may read it.',
  },
  ambiguous_match: {
    status: 409,
    title: 'Several records match',
    help: 'The values of the body belong to different records, so it is not clear which one to change: a contact with two e-mail addresses of two contacts, for example. `existingIds` names them, if you may read them. Nothing was changed. Match by `externalId`, change one of the records by its id, or give only the values of one.',
  },
  reference_gone: {
    status: 409,
    title: 'What the record refers to no longer exists',
    help: 'The record cannot be restored from the trash, because the record above it was deleted, or records that it refers to are in the trash as well. `errors` names each of them. Restore those in the trash first.',
  },
  invalid_transition: {
    status: 409,
    title: 'The status cannot change that way',
    help: 'There is no transition from the current status of the record to the requested one. `allowed` lists the statuses that it can change to.',
  },
  in_use: {
    status: 409,
    title: 'Other records refer to this record',
    help: 'The record cannot be deleted while others refer to it. The detail says which kinds and how many, and `uses` names those that you may read. Remove those references first.',
  },
  last_owner: {
    status: 409,
    title: 'The organization would be without an owner',
    help: 'An organization keeps at least one active member with the role OWNER. Give that role to somebody else first.',
  },
  last_console: {
    status: 409,
    title: 'The organization would have no console client',
    help: 'An organization keeps at least one active client of the kind CONSOLE, to which the sessions of its members belong. Create another one first, with `POST /v1/clients`.',
  },
  quota_reached: {
    status: 409,
    title: 'The maximum number of these records is reached',
    help: 'The organization already has the maximum number of records of this kind. The detail states the maximum. Delete records that are no longer needed.',
  },
  link_invalid: {
    status: 410,
    title: 'The link is no longer valid',
    help: 'A link works once, and for ten minutes (an invitation for seven days). Request a new one: `POST /auth/password-resets` mails a link that sets a new password, and an operator creates a sign-in link with `trellis user sign-in-link EMAIL`.',
  },
  challenge_invalid: {
    status: 410,
    title: 'The challenge is no longer valid',
    help: 'The `challenge` was used before, is more than ten minutes old, or belongs to a different operation. Start again.',
  },
  version_mismatch: {
    status: 412,
    title: 'The record has changed',
    help: 'The `If-Match` header names another version than the current one: somebody changed the record since you read it. Read it again, apply your change to the current version, and send its ETag.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    help: 'The body exceeds the documented limit: 1 MiB for JSON, 100 MiB for the content of a file unless the operator has set another limit.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range is outside the content',
    help: 'The `Range` header names no byte of the content. `Content-Range` has the length of the content.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    help: 'The content of a file is sent as the only part of `multipart/form-data`, or as `application/octet-stream`. Other operations: POST and PUT take `application/json`; PATCH takes `application/merge-patch+json` or `application/json`. The character encoding is always UTF-8: any other `charset` in `Content-Type` is refused.',
  },
  validation_failed: {
    status: 422,
    title: 'The body breaks a rule',
    help: '`errors` lists every fault at once, each with a JSON pointer to the value and what is expected.',
  },
  unknown_field: {
    status: 422,
    title: 'The body has a field that is not known here',
    help: 'Unknown fields are rejected at every depth, because a misspelt field would be lost silently. Read-only fields (`id`, `version`, `createdAt` and the like) count as unknown in a body: leave them out. The detail names the nearest valid field.',
  },
  empty_patch: {
    status: 422,
    title: 'The PATCH body has no field',
    help: 'A PATCH needs at least one supported field, and so does every object in it: absent members stay unchanged, so an empty object changes nothing. `errors[].pointer` says which object is empty.',
  },
  reference_not_found: {
    status: 422,
    title: 'A referenced record is not found',
    help: 'An id in the body does not name a record of this organization (and, where applicable, of this site) that you may see. `errors[].pointer` says which.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    help: 'A key identifies one request: the same method, path, query, body and If-Match. Use a new key for a different request, and for each time that a request is meant: with a key that is made of the content alone, the third of the changes A → B → A gets the response of the first and changes nothing.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'The token or the organization has used up its requests, or has too many streams open. Wait as `Retry-After` says. The `RateLimit` header shows the remaining quota.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    help: 'The request line and the headers may have at most 16 KiB and 200 lines. Long filters and many cookies are the usual causes.',
  },
  internal_error: {
    status: 500,
    title: 'The server failed',
    help: 'An unexpected error. Nothing was changed. Send the same request again with the same Idempotency-Key; if it fails again, give the `requestId` to the operator.',
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation cannot be met',
    help: 'The header `Expect` may only have the value `100-continue` (RFC 9110, 10.1.1).',
  },
  unsupported_transfer_coding: {
    status: 501,
    title: 'The transfer coding is not supported',
    help: 'A body must be sent with `Content-Length` or with `Transfer-Encoding: chunked`; no other transfer coding is supported.',
  },
  overloaded: {
    status: 503,
    title: 'The server is overloaded',
    help: 'The server cannot keep up with its requests, or clients of the organization have left too many responses unread. Nothing was changed. Wait as `Retry-After` says and send the same request again with the same Idempotency-Key.',
  },
  external_unavailable: {
    status: 503,
    title: 'The sign-in provider cannot be reached',
    help: 'The OpenID Connect provider of this server does not respond. Wait as `Retry-After` says, or sign in another way.',
  },
  storage_unavailable: {
    status: 503,
    title: 'The storage of file contents cannot be reached',
    help: 'Nothing was changed. Wait as `Retry-After` says and send the same request again with the same Idempotency-Key.',
  },
  database_unavailable: {
    status: 503,
    title: 'The database cannot be reached',
    help: 'Wait as `Retry-After` says and send the same request again with the same Idempotency-Key: if the write had been carried out, its response is returned.',
  },
} as const satisfies Record<string, ProblemDefinition>;

/** A stable error code: part of the contract, never renamed. */
export type ProblemCode = keyof typeof problemCatalogue;

/** One fault in a request, located by exactly one of pointer (RFC 6901), parameter or header. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly code: string;
  readonly detail: string;
}

/** The maximum number of faults in a response: a hostile request can have hundreds of thousands. */
export const maxFaults = 100;

/** The number of faults that `detail` repeats as text. */
const describedFaults = 5;

/** The first faults as text with their locations, for the `detail` of a response. */
export function describeFaults(faults: readonly Fault[]): string {
  return faults
    .slice(0, describedFaults)
    .map(({ pointer, parameter, header, detail }) => {
      const place = pointer === '' ? 'body' : (pointer ?? parameter ?? header ?? 'request');
      return `${place}: ${detail}`;
    })
    .join(' ');
}

/** Additional members of a problem, and headers of its response. */
export interface ProblemOptions {
  /** Only the first {@link maxFaults} are listed. */
  readonly errors?: readonly Fault[];
  /** Additional members of the body, such as `field` or `allowed`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error that the caller sees. Any other error becomes `internal_error`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly errors: readonly Fault[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail what happened; by default the text of the faults for a 422, otherwise the title of the code */
  constructor(code: ProblemCode, detail?: string, options: ProblemOptions = {}) {
    const definition = problemCatalogue[code];
    const errors = (options.errors ?? []).slice(0, maxFaults);
    const said = definition.status === 422 && errors.length > 0 ? describeFaults(errors) : undefined;
    super(detail ?? said ?? `${definition.title}.`, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = definition.status;
    this.title = definition.title;
    this.errors = errors;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }
}
