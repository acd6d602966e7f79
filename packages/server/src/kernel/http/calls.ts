/**
 * The steps that handle a call: authenticate, authorize, read the parameters, then do the work. Most unauthorized calls were
 * refused before their body was received. A write is authorized again by current state in its transaction, and a malformed
 * write before its faults are returned.
 */

import { maxFaults, Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { refuseFaults, unknownField } from '@trellis/schema/validation/faults.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import { prefixOf } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { MalformedJsonError, parseJsonInSlices } from '@trellis/schema/values/json.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Scope } from '../database/scope.ts';
import type { Actor } from '../identity/actor.ts';
import { permit } from '../identity/actor.ts';
import type { CursorBinding, Position } from '../pipeline/cursor.ts';
import { type Preconditions, readPreconditions } from '../pipeline/entity-tags.ts';
import { joinParts, listParts, type RenderedItem } from '../pipeline/page-budget.ts';
import { fingerprintOf, readIdempotencyKey } from '../pipeline/write/idempotency/idempotency.ts';
import type {
  Plan,
  TokenRequest,
  TokenWriteContext,
  UpsertPlan,
  WriteResult,
} from '../pipeline/write/plan.ts';
import { authorizeOnly } from '../pipeline/write/steps/authorize.ts';
import { write } from '../pipeline/write/write.ts';
import { readContentType } from './content-type.ts';
import type { HttpContext } from './context.ts';
import type { Call, OperationResponse } from './operation.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { isUnchanged } from './preconditions.ts';
import { preferenceOf } from './preferences.ts';
import { int32Max } from './schemas.ts';

/** Bytes above which a body is processed in slices; smaller ones take a millisecond or two. */
const largeBodyBytes = 65_536;

/**
 * Maximum number of array items and object members that are kept when a body is parsed. No schema permits as many
 * (`test/http/contract/body-sizes.test.ts`), so a body with more is refused in any case.
 */
export const mostKept = 1_000;

/**
 * Handles a read: authorize (state at most two seconds old), read the parameters, then the work. Sessions get only so many records by
 * lists and searches without a recent sign-in.
 */
export async function handleRead(
  context: HttpContext,
  call: Call,
  work: (actor: Actor, parameters: Parameters) => Promise<OperationResponse>,
): Promise<OperationResponse> {
  const actor = await context.authenticator.actorForRead(call.credentials, 'api');
  permit(actor, call.operation.requirement);
  const parameters = readParameters(call.query, call.operation.queryParameters);
  const response = await work(actor, parameters);
  if (call.operation.isListing !== true) return response;
  const { keys } = response;
  if (keys === undefined) throw new Error(`${call.operation.operationId} does not name its records`);
  const resource = call.operation.requirement.permission?.resource ?? null;
  context.exports.note(
    actor,
    { resource, keys, continues: parameters.cursor !== undefined },
    performance.now(),
  );
  return response;
}

/** The organization and user that a call reads as, and how current it has to be. */
export function scopeOfRead({ credentials: { organizationId, userId }, readAfter }: Call): Scope {
  return { organizationId, userId, readAfter };
}

/** The parts of a request that a write is planned from. */
export interface WriteParts {
  readonly parameters: Parameters;
  /** Parsed JSON; of operations that take no body an empty object, or undefined when none was sent. */
  readonly body: unknown;
  readonly preconditions: Preconditions;
  readonly minimal: boolean;
}

/** A planned write, or one whose plan is chosen in its transaction. */
type WritePlan = Plan | UpsertPlan;

/** Handles a write: checks everything that needs no transaction, then runs the pipeline. */
export async function handleWrite(
  context: HttpContext,
  call: Call,
  plan: (parts: WriteParts) => WritePlan | Promise<WritePlan>,
): Promise<OperationResponse> {
  const received = await receiveWrite(context, call, async (parts) => {
    const made = await plan(parts);
    if (made.kind === 'create') refuseVersion(parts.preconditions);
    return made;
  });
  const { made: planned, writes, token, minimal } = received;
  const { credentials, requestId } = call;
  const request = { scope: credentials, requestId, token };
  const result = await (planned.kind === 'upsert'
    ? write(writes, { ...request, plan: planned })
    : write(writes, { ...request, plan: planned }));
  if (planned.model.resource.givesAccess === true) {
    context.authenticator.forgetOrganization(credentials.organizationId);
    context.accessNotifier?.notify(credentials.organizationId);
  }
  return toResponse(result, minimal);
}

/** A write whose request has been read. */
interface ReceivedWrite<T> {
  /** What was made of its body. */
  readonly made: T;
  readonly writes: TokenWriteContext;
  readonly token: TokenRequest;
  readonly minimal: boolean;
}

/** Reads the request of a write. What is wrong with it is told only to those who may send it. @throws Problem */
export async function receiveWrite<T>(
  context: HttpContext,
  call: Call,
  make: (parts: WriteParts) => T | Promise<T>,
): Promise<ReceivedWrite<T>> {
  const { operation, credentials } = call;
  const base = { credentials, audience: 'api', requirement: operation.requirement } as const;
  const startedAtMs = performance.now();
  const writes: TokenWriteContext = {
    ...context.writes,
    noteUse: (actor, identity) =>
      context.authenticator.noteIdentity(credentials, actor, identity, startedAtMs),
  };
  const pause = () => context.database.turns.enter(credentials.organizationId);
  const prepared = await prepare(call, make, pause).catch(async (defect: unknown) => {
    await authorizeOnly(context.database, base);
    throw defect;
  });
  const { made, minimal, ...conditions } = prepared;
  return { made, minimal, writes, token: { ...base, ...conditions, context: writes } };
}

/** The outcome of a write as a response. */
export function toResponse(result: WriteResult, minimal: boolean): OperationResponse {
  const headers: Record<string, string> = {};
  if (result.location !== null) headers.location = result.location;
  if (result.etag !== null) headers.etag = result.etag;
  if (result.replayed) headers['idempotent-replayed'] = 'true';
  // A replay returns what was stored, whatever `Prefer` says now.
  if (minimal && result.body === null) headers['preference-applied'] = 'return=minimal';
  return { status: result.status, headers, body: result.body, position: result.position };
}

async function prepare<T>(
  call: Call,
  make: (parts: WriteParts) => T | Promise<T>,
  pause: () => Promise<void> | undefined,
) {
  const { operation, headers } = call;
  const { key, preconditions, minimal } = readWriteHeaders(call);
  const parameters = readParameters(call.query, operation.queryParameters);
  const body = await (operation.body === null ? readNoBody(call, pause) : readBody(call, pause));
  const isLarge = (call.body?.length ?? 0) > largeBodyBytes;
  if (isLarge) await pause();
  // The plan comes first, because a refused body needs no fingerprint, which takes longer than parsing.
  const made = await make({ parameters, body, preconditions, minimal });
  if (isLarge) await pause();
  const fingerprint = fingerprintOf({
    method: call.method,
    path: call.path,
    query: call.query,
    body,
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
  });
  if (isLarge) await pause();
  return { key, preconditions, fingerprint, minimal, made };
}

/** A collection has no version, and the record that is to be created has none yet. @throws Problem version_mismatch */
export function refuseVersion({ ifMatch }: Preconditions): void {
  if (ifMatch === undefined || ifMatch.any) return;
  throw new Problem(
    'version_mismatch',
    'A record that is to be created has no version that `If-Match` could name.',
  );
}

/** Reads the headers of a write. @throws Problem idempotency_key_required, idempotency_key_invalid, invalid_header */
export function readWriteHeaders({ headers }: Call) {
  const key = readIdempotencyKey(single(headers['idempotency-key']));
  const preconditions = readPreconditions(headers);
  const minimal = preferenceOf('return', single(headers.prefer) ?? '') === 'minimal';
  return { key, preconditions, minimal };
}

/** Parses the body strictly. @throws Problem unsupported_media_type, malformed_json */
function readBody(call: Call, pause: () => Promise<void> | undefined): Promise<unknown> {
  return parseBody(call, call.operation.body?.mediaTypes ?? [], limits.bodyDepth, pause);
}

/**
 * Reads the body of an operation that takes none: nothing, or an empty object. Anything else is refused, because it would
 * have no effect.
 * @throws Problem unsupported_media_type, malformed_json, unknown_field
 */
export async function readNoBody(
  call: Pick<Call, 'headers' | 'body'>,
  pause: () => Promise<void> | undefined,
): Promise<unknown> {
  if (call.body === undefined || call.body.length === 0) return undefined;
  const body = await parseBody(call, ['application/json'], limits.bodyDepth, pause);
  const members = isPlainObject(body) ? Object.keys(body) : null;
  const detail = 'This operation takes no body.';
  const faults =
    members === null
      ? [{ pointer: '', code: 'unknown_field', detail }]
      : members.slice(0, maxFaults).map((name) => ({ ...unknownField('', name, []), detail }));
  if (faults.length > 0) throw new Problem('unknown_field', detail, { errors: faults });
  return body;
}

/**
 * Parses a body strictly.
 * @param maxDepth levels of nesting
 * @param pause called between slices while a large body is parsed, see `parseJsonInSlices`
 * @throws Problem unsupported_media_type, malformed_json
 */
export async function parseBody(
  { headers, body }: Pick<Call, 'headers' | 'body'>,
  mediaTypes: readonly string[],
  maxDepth: number,
  pause: () => Promise<void> | undefined,
): Promise<unknown> {
  const { mediaType, isUtf8 } = readContentType(headers['content-type']);
  const bytes = body ?? Buffer.alloc(0);
  if (!mediaTypes.includes(mediaType) && !(mediaType === '' && bytes.length === 0)) {
    throw new Problem('unsupported_media_type', `Send ${mediaTypes.join(' or ')}.`);
  }
  if (!isUtf8) throw new Problem('unsupported_media_type', 'Send UTF-8; no other charset is supported.');
  try {
    return await parseJsonInSlices(bytes, { maxDepth, mostKept }, pause);
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    throw new Problem('malformed_json', `Line ${error.line}, column ${error.column}: ${error.reason}.`, {
      members: { position: error.position, line: error.line, column: error.column },
    });
  }
}

/** Refuses a body with faults. @throws Problem unknown_field, reference_not_found, empty_patch, validation_failed */
export function acceptInput(input: Input): Input {
  refuseFaults(input.faults);
  return input;
}

/** An id from the path as a uuid. @throws Problem not_found for a malformed id, as for an id of no record */
export function pathId(call: Call, name: string, resource: string): string {
  const uuid = decodeId(prefixOf(resource), call.params[name] ?? '');
  if (uuid === null) throw new Problem('not_found');
  return uuid;
}

/** An integer from 1 in the path, as its digits. @throws Problem not_found for anything else, as for a number of no version */
export function pathNumber(call: Call, name: string): string {
  const text = call.params[name] ?? '';
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > int32Max) throw new Problem('not_found');
  return text;
}

/** A JSON response, or 304 when the caller's copy is current. @throws Problem version_mismatch, invalid_header */
export function respondWithJson(
  call: Call,
  etag: string | null,
  body: () => string | Buffer,
): OperationResponse {
  const headers: Record<string, string> = etag === null ? {} : { etag };
  if (isUnchanged(call, etag)) return { status: 304, headers, body: null };
  return { status: 200, headers, body: body() };
}

/** A page of a list or search. @param keys what tells its records apart @param included see `readIncluded` */
export function respondWithPage(
  call: Call,
  items: readonly RenderedItem[],
  keys: readonly string[],
  nextCursor: string | null,
  included: readonly RenderedItem[] | null = null,
): OperationResponse {
  return respondWithItems(call, items, keys, { nextCursor, hasNextPage: nextCursor !== null }, included);
}

/** Items with their `pageInfo`. */
export function respondWithItems(
  call: Call,
  items: readonly RenderedItem[],
  keys: readonly string[],
  pageInfo: object,
  included: readonly RenderedItem[] | null = null,
): OperationResponse {
  const beside = included === null ? [] : [',"included":', ...included];
  const end = `,"pageInfo":${JSON.stringify(pageInfo)}}`;
  const response = respondWithJson(call, null, () =>
    joinParts(['{"items":', ...listParts(items), ...beside, end]),
  );
  return { ...response, keys: keys.slice(0, items.length) };
}

/**
 * The cursor after a number of items of a page; null if the list ends with them.
 * @param page the fetched rows, not all of which may fit into the response
 */
export function nextCursorOf(
  context: HttpContext,
  binding: CursorBinding,
  { positions, next }: { readonly positions: readonly Position[]; readonly next: Position | null },
  shown: number,
): string | null {
  const position = shown === positions.length ? next : (positions[shown - 1] ?? null);
  return position === null ? null : context.cursors.seal(binding, position);
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
