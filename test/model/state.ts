/**
 * The state of the model: what an organization must contain after a sequence of commands, as a map of records in the form
 * of the API. It is written from the specification, without SQL.
 */

import { resources } from '@trellis/schema/resources/index.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isVisible } from './files.ts';
import type { Organization, User } from './organizations.ts';

/** Values by dotted field name, as the API shows them. */
export type Fields = Readonly<Record<string, unknown>>;

/** Placeholder in a record for the time of the write, until the response gives it. */
export const instantOfWrite = Symbol('the instant of the write');

export interface ModelRecord {
  readonly resource: Resource;
  /** As the API shows it; '' until the response gives it. */
  readonly id: string;
  readonly parentId: string | null;
  readonly version: number;
  /** RFC 3339; '' until a response gives it. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly fields: Fields;
  /** Of an article: the `versionData.…` fields of the versions before the working one, by number. */
  readonly versions: ReadonlyMap<number, Fields>;
}

/** An event that must be in the outbox. */
interface ModelEvent {
  readonly type: string;
  readonly subject: string;
  readonly version: number;
  readonly actor: string;
  readonly changedFields: readonly string[];
}

/** The response stored under an idempotency key. */
export interface StoredResponse {
  readonly fingerprint: string;
  readonly status: number;
  readonly text: string;
  readonly etag: string | null;
  readonly location: string | null;
  /** Id of the record in the response; null for a response without a body. */
  readonly shown: string | null;
}

/** Everything that an organization must contain. */
export interface State {
  readonly organization: Organization;
  /** The present country of phone numbers without one; ISO 3166-1. */
  country: string | null;
  readonly records: Map<string, ModelRecord>;
  /** Every state of the records, by id, from version 1. */
  readonly past: Map<string, ModelRecord[]>;
  readonly events: ModelEvent[];
  /** By user and key. */
  readonly responses: Map<string, StoredResponse>;
}

export function emptyState(organization: Organization): State {
  const { country } = organization;
  return { organization, country, records: new Map(), past: new Map(), events: [], responses: new Map() };
}

/** The records of a resource (below a parent, unless undefined), oldest first. */
export function recordsOf(state: State, resource: string, parentId?: string | null): ModelRecord[] {
  return [...state.records.values()].filter(
    (record) => record.resource.name === resource && (parentId === undefined || record.parentId === parentId),
  );
}

/** A record as the API returns it. */
export function render(record: ModelRecord): Record<string, unknown> {
  const { resource, parentId } = record;
  const shown: Record<string, unknown> = { id: record.id };
  if (resource.parent !== null) shown[resource.parent.parameter] = parentId;
  for (const [name] of flattenFields(resource)) setAt(shown, name, record.fields[name] ?? null);
  const { version, createdAt, updatedAt, createdBy, updatedBy } = record;
  return { ...shown, version, createdAt, updatedAt, createdBy, updatedBy };
}

/** Sets a member by its dotted name. */
export function setAt(target: Record<string, unknown>, name: string, value: unknown): void {
  const [head = '', inner] = name.split('.');
  if (inner === undefined) target[head] = value;
  else target[head] = { ...(target[head] as object | undefined), [inner]: value };
}

/** Path of a collection. */
export function collectionPath(resource: Resource, parentId: string | null): string {
  const { parent, path } = resource;
  return `/v1${parent === null ? path : path.replace(`{${parent.parameter}}`, parentId ?? '')}`;
}

/** An id in a record or body, and its place. */
export interface ReferenceUse {
  readonly resource: string;
  readonly sameParent: boolean;
  readonly id: string;
  readonly pointer: string;
}

/** Every reference in the fields, as the resource declares them. */
export function referencesIn(resource: Resource, fields: Fields): ReferenceUse[] {
  return flattenFields(resource).flatMap(([name, field]): ReferenceUse[] => {
    const value = fields[name] ?? null;
    const pointer = `/${name.replaceAll('.', '/')}`;
    if (value === null) return [];
    if (field.reference !== null) {
      const { reference } = field;
      if (typeof value === 'string') return [{ ...reference, id: value, pointer }];
      return (value as string[]).map((id, index) => ({ ...reference, id, pointer: `${pointer}/${index}` }));
    }
    const members = Object.entries((field.schema as JsonSchema).items?.properties ?? {});
    return (Array.isArray(value) ? value : []).flatMap((item: Record<string, unknown>, index) =>
      members.flatMap(([member, schema]) => {
        const target = schema['x-reference'];
        const id = item[member];
        if (typeof target !== 'string' || typeof id !== 'string') return [];
        return [{ resource: target, sameParent: false, id, pointer: `${pointer}/${index}/${member}` }];
      }),
    );
  });
}

/** Whether a record (below the parent) may refer to an id, when the user writes it. */
export function isFound(state: State, user: User, use: ReferenceUse, parentId: string | null): boolean {
  if (use.resource === 'users') return state.organization.users.some(({ id }) => id === use.id);
  const found = state.records.get(use.id);
  if (found?.resource.name !== use.resource || !isVisible(user, found)) return false;
  return !use.sameParent || found.parentId === parentId;
}

/** The records that refer to a record or are below it: their number by resource. */
export function usersOf(state: State, target: ModelRecord): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { resource, parentId, fields, versions } of state.records.values()) {
    // Old versions keep their references.
    const shown = [fields, ...versions.values()].flatMap((each) => referencesIn(resource, each));
    const uses = parentId === target.id || shown.some(({ id }) => id === target.id);
    if (uses) counts.set(resource.name, (counts.get(resource.name) ?? 0) + 1);
  }
  return counts;
}

/** The resource with its parent and the resources that it refers to, recursively. */
export function closureOf(resource: Resource): Resource[] {
  const found = new Set<Resource>([resource]);
  for (const { parent, fields } of found) {
    const referred = flattenFields({ fields }).flatMap(([, field]) => {
      const members = Object.values((field.schema as JsonSchema).items?.properties ?? {});
      return [field.reference?.resource, ...members.map((schema) => schema['x-reference'])];
    });
    for (const name of [parent?.resource, ...referred]) {
      const other = resources.find((candidate) => candidate.name === name);
      if (other !== undefined) found.add(other);
    }
  }
  return [...found];
}
