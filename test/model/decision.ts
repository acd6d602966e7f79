/**
 * Decides the outcome of a write on the model alone: the changed records with their events, or the valid refusals. When a
 * request has several faults and the specification does not say which is reported, each is valid.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Action, flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { beginArticle, patchArticle } from './article.ts';
import { beginFile, isFile, isVisible, mayChangeReaders, readerFields } from './files.ts';
import type { User } from './organizations.ts';
import { rulesOf } from './rules.ts';
import { slugOf } from './samples.ts';
import {
  type Fields,
  isFound,
  type ModelRecord,
  recordsOf,
  referencesIn,
  type State,
  usersOf,
} from './state.ts';

/** An error response. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Members of the problem with their values; undefined for a member that it must not have. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Exactly the pointers that `errors` must have, in any order. */
  readonly pointers?: readonly string[];
}

/** The change of one record. */
export interface Change {
  readonly before: ModelRecord | null;
  /** Null when it is deleted. */
  readonly after: ModelRecord | null;
  /** Last part of the event's type. */
  readonly event: string;
  readonly changedFields: readonly string[];
}

/** The valid refusals, or the changes. The last change is that of the call's own record. */
export type Decision = { readonly refusals: readonly Refusal[] } | { readonly changes: readonly Change[] };

const invalid: Refusal = { status: 422, code: 'validation_failed' };

/** The refusal for a user without the permission, or null. */
export function findDenial(
  user: User,
  resource: Resource,
  action: Action,
  record?: ModelRecord,
): Refusal | null {
  const right = action === 'read' || action === 'publish' ? action : 'write';
  if (!user.scopes.has(`${resource.scope}:${right}`)) return { status: 403, code: 'insufficient_scope' };
  const denied: Refusal = { status: 403, code: 'permission_denied' };
  const grant = resource.grants[user.role][action];
  if (grant === undefined) return denied;
  return grant === 'all' || record === undefined || record.createdBy === user.id ? null : denied;
}

/** Decides a create. The response gives the id and the times of the new record. */
export function decideCreate(
  state: State,
  user: User,
  resource: Resource,
  parent: ModelRecord | null,
  given: Fields,
): Decision {
  const unfound = findMissingReferences(state, user, resource, given, parent?.id ?? null);
  if (unfound !== null) return { refusals: [unfound] };
  const rules = rulesOf(resource);
  const filled: Record<string, unknown> = {};
  for (const [name, field] of flattenFields(resource)) {
    filled[name] = name in given ? complete(field.schema as JsonSchema, given[name]) : field.defaultValue;
  }
  if (resource.name === 'articles') filled['versionData.locale'] ??= parent?.fields.defaultLocale;
  if (rules.slug !== undefined) {
    const title = String(filled[rules.slug.from]);
    filled[rules.slug.field] ??= freeSlug(state, resource, parent, rules.slug.field, title);
  }
  const begun =
    resource.versions !== undefined
      ? beginArticle(filled)
      : isFile(resource)
        ? beginFile(filled, given, user)
        : filled;
  const fields = rules.derive?.(begun, state.country) ?? begun;
  const after: ModelRecord = {
    resource,
    id: '',
    parentId: parent?.id ?? null,
    version: 1,
    createdAt: '',
    updatedAt: '',
    createdBy: user.id,
    updatedBy: user.id,
    fields,
    versions: new Map(),
  };
  const refusals = [
    ...refuseFaults(after),
    ...refuseTree(state, after),
    ...refusePublisherFields(user, resource, null, given),
  ];
  const { status } = rules;
  if (status !== null && !status.transitions.initial.includes(String(fields[status.field])))
    refusals.push(invalid);
  if (refusals.length > 0) return { refusals };
  const clashes = findConflicts(state, user, after);
  if (clashes.length > 0) return { refusals: clashes };
  const changedFields = Object.keys(fields).filter((name) => fields[name] !== null);
  return { changes: [{ before: null, after, event: 'created', changedFields }] };
}

/** Refuses a changed value that only publishers may change. @param before null for a new record */
function refusePublisherFields(
  user: User,
  resource: Resource,
  before: Fields | null,
  given: Fields,
): Refusal[] {
  const isChanged = flattenFields(resource).some(
    ([name, field]) =>
      field.isForPublishers && name in given && given[name] !== (before === null ? null : before[name]),
  );
  const denied = isChanged ? findDenial(user, resource, 'publish') : null;
  return denied === null ? [] : [denied];
}

/** Decides a merge patch. */
export function decideUpdate(state: State, user: User, before: ModelRecord, given: Fields): Decision {
  const { resource } = before;
  const unfound = findMissingReferences(state, user, resource, given, before.parentId);
  if (unfound !== null) return { refusals: [unfound] };
  const rules = rulesOf(resource);
  const merged: Record<string, unknown> = { ...before.fields };
  const refusals = refusePublisherFields(user, resource, before.fields, given);
  for (const [name, field] of flattenFields(resource)) {
    if (!(name in given)) continue;
    const schema = field.schema as JsonSchema;
    const patched = mergePatch(before.fields[name], given[name]);
    merged[name] = complete(schema, patched);
    const lacks = (member: string) => (patched as Fields | null)?.[member] === undefined;
    if (schema.type === 'object' && patched !== null && schema.required?.some(lacks)) refusals.push(invalid);
  }
  let after: ModelRecord = {
    ...before,
    fields: rules.derive?.(merged, state.country) ?? merged,
  };
  const saysReaders = isFile(resource) && readerFields.some((name) => name in given);
  if (saysReaders && !mayChangeReaders(user, before))
    refusals.push({ status: 403, code: 'permission_denied' });
  let event = 'updated';
  const also: Change[] = [];
  if (resource.versions !== undefined) {
    const patched = patchArticle(before, given, after.fields, findDenial(user, resource, 'publish'), user.id);
    refusals.push(...patched.refusals);
    after = { ...after, fields: patched.fields, versions: patched.versions };
    event = patched.event;
  } else {
    refusals.push(...refuseTransition(before, after));
    const reached = rules.status === null ? null : after.fields[rules.status.field];
    if (rules.status !== null && reached !== before.fields[rules.status.field])
      event = rules.status.transitions.events[String(reached)] ?? event;
    if (
      resource.name === 'issues' &&
      after.fields.status === 'PUBLISHED' &&
      before.fields.status !== 'PUBLISHED'
    ) {
      const published = publishContents(state, user, after);
      refusals.push(...published.refusals);
      also.push(...published.changes);
      event = 'published';
    }
  }
  refusals.push(...refuseFaults(after), ...refuseTree(state, after));
  if (refusals.length > 0) return { refusals };
  const change = changeOf(user, before, after, event);
  if (change.length === 0) return { changes: [] };
  const clashes = findConflicts(state, user, after);
  return clashes.length > 0 ? { refusals: clashes } : { changes: [...also, ...change] };
}

/** Decides a deletion. */
export function decideDelete(state: State, user: User, before: ModelRecord): Decision {
  const { unlinks } = rulesOf(before.resource);
  if (before.resource.versions !== undefined && before.fields.publishedVersionNumber !== null) {
    const denied = findDenial(user, before.resource, 'publish');
    if (denied !== null) return { refusals: [denied] };
  }
  const users = [...usersOf(state, before)].filter(([resource]) => resource !== unlinks?.resource);
  if (users.length > 0) {
    const usedBy = users.map(([resource, count]) => ({ resource, count }));
    return { refusals: [{ status: 409, code: 'in_use', members: { usedBy } }] };
  }
  const linked = unlinks === undefined ? [] : recordsOf(state, unlinks.resource);
  const also = linked.flatMap((record) => {
    const { field, member } = unlinks ?? { field: '', member: '' };
    const kept = (record.fields[field] as Fields[]).filter((item) => item[member] !== before.id);
    return changeOf(user, record, { ...record, fields: { ...record.fields, [field]: kept } }, 'updated');
  });
  const isSeen =
    before.fields.status === 'PUBLISHED' || (before.fields.publishedVersionNumber ?? null) !== null;
  const isEnded = isSeen && Object.hasOwn(before.resource.events ?? {}, 'unpublished');
  const gone = (event: string): Change => ({ before, after: null, event, changedFields: [] });
  return { changes: [...also, ...(isEnded ? [gone('unpublished')] : []), gone('deleted')] };
}

/** The change with its version and fields; none when nothing differs. */
function changeOf(user: User, before: ModelRecord, after: ModelRecord, event: string): Change[] {
  const changedFields = Object.keys(after.fields).filter(
    (name) => !isDeepStrictEqual(before.fields[name], after.fields[name]),
  );
  if (changedFields.length === 0) return [];
  const next = { ...after, version: before.version + 1, updatedBy: user.id, updatedAt: '' };
  return [{ before, after: next, event, changedFields }];
}

/** Publishes the APPROVED articles of an issue; refuses when another one is not PUBLISHED. */
function publishContents(
  state: State,
  user: User,
  issue: ModelRecord,
): { refusals: Refusal[]; changes: Change[] } {
  const refusals: Refusal[] = [];
  const changes = (issue.fields.contents as Fields[]).flatMap(({ articleId }): Change[] => {
    const article = state.records.get(String(articleId));
    const status = article?.fields['versionData.status'];
    if (article === undefined || status === 'PUBLISHED') return [];
    if (status !== 'APPROVED') refusals.push({ status: 409, code: 'invalid_transition' });
    const given = { 'versionData.status': 'PUBLISHED' };
    const denied = findDenial(user, article.resource, 'publish');
    const patched = patchArticle(article, given, { ...article.fields, ...given }, denied, user.id);
    refusals.push(...patched.refusals);
    const { fields, versions, event } = patched;
    return changeOf(user, article, { ...article, fields, versions }, event);
  });
  return { refusals, changes };
}

function refuseTransition(before: ModelRecord, after: ModelRecord): Refusal[] {
  const { status } = rulesOf(before.resource);
  if (status === null) return [];
  const [from, to] = [String(before.fields[status.field]), String(after.fields[status.field])];
  if (from === to) return [];
  const allowed = status.transitions.allowed[from] ?? [];
  return allowed.includes(to) ? [] : [{ status: 409, code: 'invalid_transition', members: { allowed } }];
}

function refuseFaults({ resource, fields }: ModelRecord): Refusal[] {
  return (rulesOf(resource).faults?.(fields) ?? []).length > 0 ? [invalid] : [];
}

/** Refuses cycles and too many levels. */
function refuseTree(state: State, record: ModelRecord): Refusal[] {
  const { tree } = rulesOf(record.resource);
  if (tree === undefined) return [];
  const above: string[] = [];
  let next = record.fields[tree.field];
  while (typeof next === 'string') {
    if (next === record.id || above.includes(next)) return [invalid];
    above.push(next);
    next = state.records.get(next)?.fields[tree.field];
  }
  const height = (id: string): number =>
    1 +
    Math.max(
      0,
      ...recordsOf(state, record.resource.name)
        .filter(({ fields }) => id !== '' && fields[tree.field] === id)
        .map((child) => height(child.id)),
    );
  return above.length > 0 && above.length + height(record.id) > tree.levels ? [invalid] : [];
}

function findMissingReferences(
  state: State,
  user: User,
  resource: Resource,
  given: Fields,
  parentId: string | null,
): Refusal | null {
  const pointers = referencesIn(resource, given)
    .filter((use) => !isFound(state, user, use, parentId))
    .map(({ pointer }) => pointer);
  return pointers.length === 0 ? null : { status: 422, code: 'reference_not_found', pointers };
}

/** The conflicts for values of the record that another one has. */
function findConflicts(state: State, user: User, record: ModelRecord): Refusal[] {
  const { resource } = record;
  const others = recordsOf(state, resource.name).filter(({ id }) => id !== record.id);
  const mine = new Map(uniquesOf(record));
  return others.flatMap((other) =>
    uniquesOf(other).flatMap(([key]): Refusal[] => {
      const field = mine.get(key);
      if (field === undefined) return [];
      const isKnown = findDenial(user, resource, 'read') === null && isVisible(user, other);
      const existingId = isKnown ? other.id : undefined;
      return [{ status: 409, code: 'conflict', members: { field, existingId } }];
    }),
  );
}

/** The record's unique values, with the field that a conflict names. */
function uniquesOf({ resource, fields, parentId }: ModelRecord): [key: string, field: string][] {
  const single = Object.keys(resource.unique).flatMap((name): [string, string][] => {
    const value = fields[name] ?? null;
    const scope = name === 'externalId' ? null : parentId;
    return value === null ? [] : [[JSON.stringify([name, scope, value]), name]];
  });
  const together = Object.values(resource.uniqueTogether ?? {}).map((names): [string, string] => [
    JSON.stringify([names, parentId, names.map((name) => fields[name])]),
    names.at(-1) ?? '',
  ]);
  const own = rulesOf(resource).uniques(fields);
  return [
    ...single,
    ...together,
    ...own.map(([field, key]): [string, string] => [JSON.stringify([key]), field]),
  ];
}

/** The slug of the title, numbered when it is taken; made from the resource's name for a title without letters. */
function freeSlug(
  state: State,
  resource: Resource,
  parent: ModelRecord | null,
  field: string,
  title: string,
): string {
  const base = slugOf(title) || resource.singular;
  const taken = recordsOf(state, resource.name, parent?.id).map(({ fields }) => fields[field]);
  const numbered = [base, ...[2, 3, 4, 5, 6, 7, 8, 9].map((count) => `${base}-${count}`)];
  return numbered.find((slug) => !taken.includes(slug)) ?? '';
}

/** RFC 7396, section 2. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged: Record<string, unknown> = { ...(isObject(target) ? target : {}) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds the missing members of objects: their default, or null. */
function complete(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => complete(schema.items ?? {}, item));
  if (!isObject(value)) return value;
  const members = Object.entries(schema.properties ?? {}).filter(([, member]) => member.readOnly !== true);
  return Object.fromEntries(members.map(([name, member]) => [name, value[name] ?? member.default ?? null]));
}
