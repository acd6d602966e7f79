/**
 * Decides the expected response to a write, with the checks in the order of the specification: permission, body,
 * idempotency key, record, If-Match, and then the change itself.
 */
import { createHash } from 'node:crypto';
import {
  type Change,
  type Decision,
  decideCreate,
  decideDelete,
  decideUpdate,
  findDenial,
  type Refusal,
} from './decision.ts';
import { isVisible } from './files.ts';
import type { User } from './organizations.ts';
import { pathOf, type WriteRequest } from './requests.ts';
import { instantOfWrite, type ModelRecord, type State, type StoredResponse } from './state.ts';

/** The expected response to a write. */
export type Verdict =
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'replayed'; readonly response: StoredResponse }
  | { readonly kind: 'done'; readonly changes: readonly Change[]; readonly before: ModelRecord | null };

const notFound: Refusal = { status: 404, code: 'not_found' };

/** Decides the expected response by the model. */
export function judge(state: State, request: WriteRequest): Verdict {
  const { user, method, resource, parentId, id, body, ifMatch } = request;
  const action = method === 'POST' ? 'create' : method === 'PATCH' ? 'update' : 'delete';
  const denied = findDenial(user, resource, action);
  if (denied !== null) return refuse(denied);
  if (body !== null && body.refusals.length > 0) return refuse(...body.refusals);
  const response = state.responses.get(responseKey(request));
  if (response !== undefined) {
    if (response.fingerprint !== fingerprintOf(request))
      return refuse({ status: 422, code: 'idempotency_key_reused' });
    // A replay is refused when the record is now hidden from the caller, but not when it was deleted.
    const written = state.records.get(id ?? response.location?.split('/').at(-1) ?? '');
    if (written !== undefined && !isVisible(user, written)) return refuse(notFound);
    // What shows a record is refused when it was deleted; otherwise it is the same, whatever has changed since.
    return response.shown === null || state.records.has(response.shown)
      ? { kind: 'replayed', response }
      : refuse(notFound);
  }
  if (id === null) {
    const parent = parentId === null ? null : state.records.get(parentId);
    if (parent === undefined) return refuse(notFound);
    return toVerdict(decideCreate(state, user, resource, parent, body?.given ?? {}), null);
  }
  const record = findRecord(state, user, request);
  if (record === undefined) return refuse(notFound);
  const foreign = findDenial(user, resource, action, record);
  if (foreign !== null) return refuse(foreign);
  if (!matches(ifMatch, record.version)) {
    return refuse({ status: 412, code: 'version_mismatch', members: { currentVersion: record.version } });
  }
  const decision =
    body === null ? decideDelete(state, user, record) : decideUpdate(state, user, record, body.given);
  return toVerdict(decision, record);
}

/** Applies a change to the model, with the new record's id and the time of the write from the response. */
export function applyChange(
  state: State,
  { before, after, event, changedFields }: Change,
  userId: string,
): void {
  const subject = after ?? before;
  if (subject === null) throw new Error('a decision has at least one change');
  if (after === null) state.records.delete(subject.id);
  else {
    state.records.set(after.id, after);
    state.past.set(after.id, [...(state.past.get(after.id) ?? []), after]);
  }
  const version = after?.version ?? subject.version + 1;
  const type = `${subject.resource.singular}.${event}`;
  state.events.push({ type, subject: subject.id, version, actor: userId, changedFields });
}

/** Completes the record with the values that only the response has. */
export function settle(
  record: ModelRecord,
  returned: Pick<ModelRecord, 'id' | 'createdAt' | 'updatedAt'>,
): ModelRecord {
  const fields = Object.entries(record.fields).map(([name, value]) => [
    name,
    value === instantOfWrite ? returned.updatedAt : value,
  ]);
  return { ...record, ...returned, fields: Object.fromEntries(fields) };
}

/** The record at a path, if the user may see it and it is below the parent in the path. */
export function findRecord(
  state: State,
  user: User,
  { resource, parentId, id }: Pick<WriteRequest, 'resource' | 'parentId' | 'id'>,
): ModelRecord | undefined {
  const record = state.records.get(id ?? '');
  if (record?.resource.name !== resource.name || record.parentId !== parentId) return undefined;
  return isVisible(user, record) ? record : undefined;
}

/** The idempotency key together with the user whose key it is. */
export function responseKey({ user, key }: WriteRequest): string {
  return `${user.id} ${key}`;
}

/** The fingerprint of a request. */
export function fingerprintOf(request: WriteRequest): string {
  const { method, body, ifMatch } = request;
  const parts = [method, pathOf(request), sorted(body?.sent ?? null), ifMatch];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}

/** RFC 9110, 13.1.1: strong comparison. */
function matches(ifMatch: string | null, version: number): boolean {
  if (ifMatch === null || ifMatch === '*') return true;
  // What a proxy makes of the tag of a version means the version.
  const versions = ifMatch.split(', ').map((tag) => /^(?:W\/)?"(\d+)(?:-gzip)?"$/.exec(tag)?.[1]);
  return versions.includes(String(version));
}

function toVerdict(decision: Decision, before: ModelRecord | null): Verdict {
  return 'refusals' in decision
    ? refuse(...decision.refusals)
    : { kind: 'done', changes: decision.changes, before };
}

function refuse(...refusals: Refusal[]): Verdict {
  return { kind: 'refused', refusals };
}
