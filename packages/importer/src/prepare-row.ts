/** Prepares a row: converts its cells to values, determines what identifies it, and checks it by the rules of the API. */

import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { renderValue } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { isSlug } from '@trellis/schema/values/slug.ts';
import { normalizeText } from '@trellis/schema/values/text.ts';
import { checkBody, nest } from './body.ts';
import { type BuiltRecord, buildRecord, withItemDefaults } from './build-record.ts';
import { idInput, importOf } from './destinations.ts';
import { RowRejected } from './errors.ts';
import { changeInput, readChange } from './existing.ts';
import type { RowIdentity } from './find-record.ts';
import { deriveRowKey, describeIdentity, uniqueValues } from './identity.ts';
import { deriveExternalId } from './keys.ts';
import type { MappedRow, Mapping } from './mapping.ts';
import { leaveOut, type OmittedValue } from './omit.ts';
import { clockOf, type Parent } from './parents.ts';
import { readPost } from './posts.ts';
import { addressColumn, type SourceRow } from './source.ts';

export interface PrepareOptions {
  /** Whether rows are posts of a site generator. */
  readonly isPosts: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A row with everything that can be determined without the server. */
export interface PreparedRow {
  readonly built: BuiltRecord;
  /** The target status; null when the row has none. */
  readonly status: string | null;
  readonly identity: RowIdentity;
  /** What no other row of the source may have: its key, or else what identifies its record. */
  readonly own: string;
  readonly unique: readonly string[];
  readonly omitted: readonly OmittedValue[];
  /** When the row was last changed where it comes from, RFC 3339; null where it does not say so. */
  readonly changedAt: string | null;
  /** The slug that the row does not give itself: the last part of the address that the post had; null without one. */
  readonly suggestedSlug: string | null;
}

/** How often values are left out of a row: a check may find further faults once the first ones are gone. */
export const mostAttempts = 20;

/**
 * Determines what is possible without the server. Invalid values are left out where that was chosen.
 * @throws RowRejected with all faults of the row
 */
export function prepareRow(
  resource: Resource,
  mapping: Mapping,
  row: SourceRow,
  parent: Parent,
  options: PrepareOptions,
): PreparedRow {
  const mapped = mapping.map(row, row.exportedAs === resource.name);
  const built = buildRecord(resource, mapped, options.isPosts, clockOf(resource, parent), parent.language);
  built.repairs.push(...(row.notes ?? []));
  const suggestedSlug = takeSuggestedSlug(resource, mapped, row, built);
  const changedAt = readChange(mapped.values.get(changeInput), clockOf(resource, parent));
  const omitted: OmittedValue[] = [];
  for (let attempts = 1; ; attempts += 1) {
    try {
      const prepared = prepareBuilt(resource, mapped, built, row, parent, options);
      // It is not one of the values, but applied by transitions.
      built.values.delete(statusOf(resource)?.field ?? '');
      const identity = { ...prepared.identity, slug: suggestedSlug };
      return { ...prepared, omitted, changedAt, suggestedSlug, identity };
    } catch (error) {
      const mayOmit = error instanceof RowRejected && attempts < mostAttempts;
      const left = mayOmit ? leaveOut(resource, mapping, row, built, error.reasons) : null;
      if (left === null) throw error;
      omitted.push(...left);
    }
  }
}

function prepareBuilt(
  resource: Resource,
  mapped: MappedRow,
  built: BuiltRecord,
  row: SourceRow,
  parent: Parent,
  { isPosts, now }: PrepareOptions,
): Omit<PreparedRow, 'omitted' | 'suggestedSlug' | 'changedAt'> {
  const { values } = built;
  // Those of the conversion are about values that are left out before the next attempt.
  const faults = built.faults.splice(0);
  const { posts } = importOf(resource);
  const status =
    isPosts && posts !== undefined
      ? readPost(posts, mapped.values, { ...built, faults }, { now, clock: clockOf(resource, parent) })
      : readStatus(resource, values, faults);
  const givenId = readId(resource, mapped.values.get(idInput), faults);
  const given = values.get('externalId');
  const isGiven = typeof given === 'string' && given.trim() !== '';
  const file = isGiven || row.key === null ? null : { path: row.key, parentName: parent.name };
  const keyOfSource = file === null ? null : deriveExternalId(file.parentName, file.path);
  const key = isGiven ? normalizeText(given) : keyOfSource;
  // Ids are checked after they were resolved.
  const withoutIds = flattenFields(resource).filter(
    ([name, field]) => name !== statusOf(resource)?.field && values.has(name) && renderValue(field) === null,
  );
  const checked = new Map(withoutIds.map(([name]) => [name, values.get(name)]));
  const missing: string[] = [];
  const body = checkBody(resource, nest(withItemDefaults(resource, checked)), faults, missing);
  const described = describeIdentity(resource, body);
  // Without anything that identifies a record, there is none that has what is missing.
  if (key === null && givenId === null && described === '') faults.push(...missing);
  if (faults.length > 0) throw new RowRejected(faults, key, values);
  const rowKey = deriveRowKey(resource, parent.id, row.fields);
  const identity = { givenId, key, file, slug: null, rowKey, body };
  const own = key ?? givenId ?? (described || rowKey);
  const ids = givenId === null ? [] : [`${idInput} "${givenId}"`];
  const unique = [...ids, ...uniqueValues(resource, parent.id, body)];
  return { built, status, identity, own: `${parent.id} ${own}`, unique };
}

/**
 * Takes the slug that comes from the address of a post out of its values: it is used for a new record only, whose address may be taken by
 * another one.
 */
function takeSuggestedSlug(
  { slug }: Resource,
  mapped: MappedRow,
  { fields }: SourceRow,
  { values }: BuiltRecord,
): string | null {
  const address = fields.get(addressColumn);
  if (slug === undefined || address === undefined || mapped.values.get(slug.field) !== address) return null;
  const suggested = values.get(slug.field);
  values.delete(slug.field);
  return typeof suggested === 'string' && isSlug(suggested) ? suggested : null;
}

/** The id in a row. Any other text is a fault. */
function readId({ idPrefix, name }: Resource, value: unknown, faults: string[]): string | null {
  if (value === undefined || value === null) return null;
  const id = String(value).trim();
  if (decodeId(idPrefix, id) !== null) return id;
  faults.push(`${idInput}: "${id}" is not an id of ${name}.`);
  return null;
}

/** The status in the values of a row. An unknown one is a fault. */
function readStatus(
  resource: Resource,
  values: ReadonlyMap<string, unknown>,
  faults: string[],
): string | null {
  const declared = statusOf(resource);
  if (declared === null) return null;
  const status = values.get(declared.field);
  if (typeof status !== 'string') return null;
  if (!(status in declared.transitions.allowed)) {
    const known = Object.keys(declared.transitions.allowed).join(', ');
    faults.push(`${declared.field}: "${status}" is not one of ${known}.`);
    return null;
  }
  return status;
}
