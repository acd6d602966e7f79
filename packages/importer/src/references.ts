/**
 * Resolves references of rows to ids of this organization: from names, from the keys of the source, or from the ids of the
 * organization that was exported. Nothing is guessed.
 */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { innerReferences, prefixOf, userPrefix } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { BuiltRecord } from './build-record.ts';
import type { Collection } from './collection.ts';
import { importOf } from './destinations.ts';
import { PendingReference, RowRejected } from './errors.ts';
import type { Members } from './members.ts';
import type { Named } from './name-lookup.ts';
import { idInName } from './tables/cells.ts';

/** The record with the references, and where they are looked up. */
export interface Referrer {
  readonly collection: Collection;
  /** Whether the row comes from another organization, whose ids it has. */
  readonly isForeign: boolean;
  /** Finds the id of a record by its name. */
  readonly find: (collection: Collection, name: Named) => Promise<string>;
  /** Finds the id of a record by its name; null when there is none. */
  readonly peek: (collection: Collection, name: Named) => Promise<string | null>;
  readonly members: Members;
  /** Finds the id of a record by its slug; undefined without one. */
  readonly findBySlug: (collection: Collection, slug: string) => Promise<string | undefined>;
  /** Ids in this organization by the ids in the exported file. */
  readonly idsByFormer: ReadonlyMap<string, string>;
  /** Receives the references that were dropped, for the report. */
  readonly repairs: string[];
}

/**
 * Replaces names in the values of a record with ids.
 * @throws RowRejected for an unknown name; PendingReference when the record may still be imported
 */
export async function resolveReferences(referrer: Referrer, { values, names }: BuiltRecord): Promise<void> {
  const named = await resolveNames(referrer, names);
  for (const [name, ids] of named) values.set(name, ids);
  for (const [name, field] of flattenFields(referrer.collection.resource)) {
    const value = values.get(name) ?? null;
    if (value === null || named.has(name)) continue;
    if (field.reference !== null) {
      const target = field.reference.resource;
      const ids = Array.isArray(value)
        ? await Array.fromAsync(value, (item) => resolveId(referrer, name, target, item))
        : await resolveId(referrer, name, target, value);
      if (ids === undefined) values.delete(name);
      else values.set(name, Array.isArray(ids) ? ids.filter((id) => id !== undefined) : ids);
    } else if (Array.isArray(value) && innerReferences(field).length > 0) {
      values.set(name, await Array.fromAsync(value, (item) => resolveItem(referrer, name, field, item)));
    }
  }
}

/** The ids of named records, by field. */
async function resolveNames(
  { collection, find }: Referrer,
  names: BuiltRecord['names'],
): Promise<Map<string, string[]>> {
  const fields = new Map(flattenFields(collection.resource));
  const lookups = Object.entries(importOf(collection.resource).lookups ?? {}).flatMap(([input, declared]) => {
    const given = names.get(input);
    return given === undefined ? [] : [{ input, given, ...declared }];
  });
  // Checked first, so that nothing is created for a row with too many names.
  const faults = lookups.flatMap(({ input, given, field }) => {
    const most = Number((fields.get(field)?.schema as JsonSchema | undefined)?.maxItems);
    return given.length > most ? [`${input}: Must have at most ${most} items.`] : [];
  });
  if (faults.length > 0) throw new RowRejected(faults);
  const found = new Map<string, string[]>();
  for (const { given, field, resource } of lookups) {
    const target = collection.of(resourceByName(resource));
    const ids = await Array.fromAsync(given, (name) => find(target, name));
    found.set(field, [...new Set(ids)]);
  }
  return found;
}

/** Resolves the ids in the members of a list item. */
async function resolveItem(referrer: Referrer, list: string, field: Field, item: unknown): Promise<unknown> {
  if (!isPlainObject(item)) return item;
  const copy: Record<string, unknown> = { ...item };
  await resolveNamedMembers(referrer, list, copy);
  for (const { key, resource: target } of innerReferences(field)) {
    if (typeof copy[key] === 'string') {
      copy[key] = await resolveId(referrer, `${list}.${key}`, target, copy[key]);
    }
    if (copy[key] === undefined) delete copy[key];
  }
  return copy;
}

/** Resolves the name in an item, such as that of a company, unless the item has an id. */
async function resolveNamedMembers(
  { collection, find }: Referrer,
  list: string,
  item: Record<string, unknown>,
): Promise<void> {
  for (const [input, { resource, field }] of Object.entries(importOf(collection.resource).lookups ?? {})) {
    if (!input.startsWith(`${list}.`)) continue;
    const [nameKey, idKey] = [input.slice(list.length + 1), field.slice(list.length + 1)];
    const name = item[nameKey];
    if (typeof name !== 'string' || item[idKey] !== undefined) continue;
    delete item[nameKey];
    item[idKey] = await find(collection.of(resourceByName(resource)), name);
  }
}

/** Resolves one id; undefined when the reference is dropped. */
async function resolveId(referrer: Referrer, name: string, target: string, text: unknown): Promise<unknown> {
  const declared = resources.find((resource) => resource.name === target);
  const isExportable = declared !== undefined && importOf(declared).withoutContent !== true;
  const isMember = target === 'users' && typeof text === 'string';
  if (isMember && decodeId(userPrefix, text) === null) return referrer.members.find(name, text);
  if (referrer.isForeign && !isExportable) {
    referrer.repairs.push(`${name} dropped: exports do not contain ${target}`);
    return undefined;
  }
  if (typeof text !== 'string') return text;
  const known = referrer.idsByFormer.get(text);
  if (known !== undefined) return known;
  return isExportable ? findId(referrer, name, declared, text) : text;
}

async function findId(
  { collection, isForeign, findBySlug, peek }: Referrer,
  name: string,
  target: Resource,
  text: string,
): Promise<string> {
  const { resource } = collection;
  const isId = decodeId(prefixOf(target.name), text) !== null;
  if (isId && !isForeign) return text;
  const named = idInName(text, prefixOf(target.name));
  if (named !== null) return named;
  // Records of another parent than the row's cannot be listed here.
  if (target.parent !== null && target.parent.resource !== resource.parent?.resource) {
    if (isId) return text;
    throw new RowRejected([`${name}: "${text}" is not an id of ${target.name}.`]);
  }
  const targets = collection.of(target);
  const found = (await targets.first({ externalId: text }))?.id ?? (await findBySlug(targets, text));
  if (found !== undefined) return found;
  if (isId && (await targets.read(text)) !== null) return text;
  const titled = isId ? null : await peek(targets, text);
  if (titled !== null) return titled;
  const reason = `${name}: "${text}" is neither the id, the externalId, the slug nor the name of a record of ${target.name} here.`;
  throw target.name === resource.name ? new PendingReference([reason]) : new RowRejected([reason]);
}
