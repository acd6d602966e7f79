/**
 * The values of a record in their internal form: keyed by the dotted names of the fields, with ids as uuids. This form is
 * between the JSON of requests and the columns of tables.
 */

import type { Field } from '../resources/fields.ts';
import { resourceByName } from '../resources/index.ts';
import { flattenFields, isGroup, type Resource } from '../resources/resource.ts';
import { encodeId } from '../values/ids.ts';
import { deepEqual } from '../values/merge-patch.ts';
import { pointerOf } from '../values/paths.ts';

/** Values by dotted field name, e.g. `articleData.slug`, of any resource; `ValuesOf` has those of one. */
export type Values = Record<string, unknown>;

/** A record as it is stored. Instants are RFC 3339 texts, ids uuids. */
export interface StoredRecord<V extends object = Values> {
  readonly id: string;
  readonly parentId: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
  readonly values: V;
}

/** The id prefix of users, who are not a resource of the API but appear in records. */
export const userPrefix = 'user';

/** Prefix of the ids of a referenced resource. */
export function prefixOf(resourceName: string): string {
  if (resourceName === 'users') return userPrefix;
  return resourceByName(resourceName).idPrefix;
}

/** The title of a record: its title field, or the first title fallback that is not null. */
export function titleOf({ titleField, titleFallbacks = [] }: Resource, values: Values): string {
  const name = [titleField, ...titleFallbacks].find((field) => (values[field] ?? null) !== null);
  return name === undefined ? '' : String(values[name]);
}

/** The names of the fields whose values differ, in declared order. */
export function changedFields(resource: Resource, before: Values, after: Values): string[] {
  return flattenFields(resource)
    .map(([name]) => name)
    .filter((name) => !deepEqual(before[name] ?? null, after[name] ?? null));
}

type Render = (value: unknown) => unknown;
interface FieldPlan {
  readonly name: string;
  readonly stored: string;
  readonly render: Render | null;
}
interface MemberPlan {
  readonly name: string;
  readonly group: readonly FieldPlan[] | null;
  readonly single: FieldPlan | null;
}

const plans = new WeakMap<Resource, readonly MemberPlan[]>();

/** A record as the API returns it: ids encoded, groups nested, common members first. */
export function renderRecord(resource: Resource, record: StoredRecord): Record<string, unknown> {
  const { values } = record;
  const out: Record<string, unknown> = { id: encodeId(resource.idPrefix, record.id) };
  if (resource.parent !== null && record.parentId !== null) {
    out[resource.parent.parameter] = encodeId(prefixOf(resource.parent.resource), record.parentId);
  }
  for (const member of planOf(resource)) {
    if (member.group !== null) {
      const group: Record<string, unknown> = {};
      for (const field of member.group) group[field.name] = renderField(field, values);
      out[member.name] = group;
    } else if (member.single !== null) {
      out[member.name] = renderField(member.single, values);
    }
  }
  out.version = record.version;
  out.createdAt = record.createdAt;
  out.updatedAt = record.updatedAt;
  out.createdBy = record.createdBy === null ? null : encodeId(userPrefix, record.createdBy);
  out.updatedBy = record.updatedBy === null ? null : encodeId(userPrefix, record.updatedBy);
  return out;
}

function renderField(plan: FieldPlan, values: Values): unknown {
  const value = values[plan.stored] ?? null;
  return plan.render === null || value === null ? value : plan.render(value);
}

function planOf(resource: Resource): readonly MemberPlan[] {
  const known = plans.get(resource);
  if (known !== undefined) return known;
  const made = Object.entries(resource.fields).map(([name, member]): MemberPlan => {
    if (isGroup(member)) {
      const group = Object.entries(member.fields).map(([inner, field]) =>
        planField(inner, `${name}.${inner}`, field),
      );
      return { name, group, single: null };
    }
    return { name, group: null, single: planField(name, name, member) };
  });
  plans.set(resource, made);
  return made;
}

function planField(name: string, stored: string, field: Field): FieldPlan {
  return { name, stored, render: renderValue(field) };
}

/** How a value of a field becomes what the API returns, where that is not the value itself: ids are encoded. */
export function renderValue(field: Field): Render | null {
  if (field.reference !== null) {
    const prefix = prefixOf(field.reference.resource);
    return field.kind === 'uuids'
      ? (value) => (value as string[]).map((id) => encodeId(prefix, id))
      : (value) => encodeId(prefix, value as string);
  }
  const inner = innerReferences(field);
  if (inner.length === 0) return null;
  return (value) =>
    (value as Record<string, unknown>[]).map((item) => {
      const copy = { ...item };
      for (const { key, resource } of inner) {
        const id = copy[key];
        copy[key] = typeof id === 'string' ? encodeId(prefixOf(resource), id) : null;
      }
      return copy;
    });
}

/** An id in a record, with its place. */
export interface ReferenceUse {
  readonly resource: string;
  readonly sameParent: boolean;
  readonly id: string;
  readonly pointer: string;
}

/** The ids of other records in the values of a record. */
export function referencesIn(resource: Resource, values: Values): ReferenceUse[] {
  const use = (resource: string, sameParent: boolean, id: unknown, pointer: string) =>
    typeof id === 'string' ? [{ resource, sameParent, id, pointer }] : [];
  return flattenFields(resource).flatMap(([name, field]) => {
    const value = values[name];
    const pointer = pointerOf(name);
    if (field.reference !== null) {
      const { resource, sameParent } = field.reference;
      return Array.isArray(value)
        ? value.flatMap((id, index) => use(resource, sameParent, id, `${pointer}/${index}`))
        : use(resource, sameParent, value, pointer);
    }
    const inner = innerReferences(field);
    if (inner.length === 0 || !Array.isArray(value)) return [];
    return value.flatMap((item: Record<string, unknown>, index) =>
      inner.flatMap(({ key, resource }) => use(resource, false, item[key], `${pointer}/${index}/${key}`)),
    );
  });
}

/** The values without references to certain records: a field is cleared, an id or an object with it leaves its list. */
export function withoutReferences(resource: Resource, values: Values, ids: ReadonlySet<string>): Values {
  const isGone = (id: unknown) => typeof id === 'string' && ids.has(id);
  const changed: Values = {};
  for (const [name, field] of flattenFields(resource)) {
    const value = values[name];
    if (field.reference !== null) {
      if (Array.isArray(value)) changed[name] = value.filter((id) => !isGone(id));
      else if (isGone(value)) changed[name] = null;
      continue;
    }
    const inner = innerReferences(field);
    if (inner.length > 0 && Array.isArray(value))
      changed[name] = value.filter((item) => !inner.some(({ key }) => isGone(item[key])));
  }
  return { ...values, ...changed };
}

/** The members with ids of the objects in a list; their schemas are annotated with `x-reference`. */
export function innerReferences(field: Field): { key: string; resource: string }[] {
  const items = (field.schema as { items?: { properties?: Record<string, { 'x-reference'?: string }> } })
    .items;
  return Object.entries(items?.properties ?? {}).flatMap(([key, schema]) => {
    const resource = schema['x-reference'];
    return resource === undefined ? [] : [{ key, resource }];
  });
}
