/**
 * Finds the record of a row. The order is the same for all rows and all runs: by its id, its key, a unique value such as an e-mail
 * address, the row itself as an earlier import had it, and by fields that identify a record. Nothing is written until it is decided.
 */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { foldText } from '@trellis/schema/values/text.ts';
import type { ApiRecord, Body } from './api.ts';
import type { Collection } from './collection.ts';
import { importOf } from './destinations.ts';
import { PendingReference, RowRejected } from './errors.ts';
import { filterOf, isDerivedKey, listUniqueValues } from './identity.ts';
import { deriveExternalId } from './keys.ts';
import { findResembling } from './resemblance.ts';

/** What identifies the record of a row. */
export interface RowIdentity {
  /** An id of this organization, or of the one that was exported; null without one. */
  readonly givenId: string | null;
  /** The externalId that the row or its source gives; null without one. */
  readonly key: string | null;
  /** For a row that is a file: its path, and the name of the parent, of which the key is made; null for other rows. */
  readonly file: { readonly path: string; readonly parentName: string } | null;
  /** The slug that the record has unless another one has it; null without one. */
  readonly slug: string | null;
  /** The externalId of a record that is created without a key. */
  readonly rowKey: string;
  /** The values of the row without references. */
  readonly body: Body;
}

/** A record that exists, and what it was found by: `id`, `externalId`, a unique value such as `ISSN`, or one of the others below. */
export interface Found {
  readonly record: ApiRecord;
  readonly by: string;
}

/** What is known of the run besides the row. */
export interface SearchContext {
  /** The beginning of the importId of all imports of this file. */
  readonly lineage: string;
  /** Whether all other rows have been looked for. */
  readonly isLast: boolean;
  /** Whether a record belongs to another row. */
  readonly isClaimed: (recordId: string) => boolean;
}

/** What a record is found by, besides id, externalId and unique values. */
export const foundBy = {
  row: 'the whole row, as it was imported before',
  file: 'file, as it was imported from another folder',
  earlierRow: 'an earlier row of the file',
  lineage: 'name, among the records of an earlier import of this file',
} as const;

/** How many folders above a file may have been added since the last import. */
const mostFolders = 8;

/** Finds the record of a row; null when there is none. @throws RowRejected, PendingReference, ProblemError, ImportStopped */
export async function findRecord(
  collection: Collection,
  row: RowIdentity,
  context: SearchContext,
): Promise<Found | null> {
  const named = await findNamed(collection, row);
  if (named !== null) return named;
  if (row.file !== null) return findMovedFile(collection, row, row.file, context);
  const same = await collection.first({ externalId: row.rowKey });
  return same === null ? findSimilar(collection, row, context) : { record: same, by: foundBy.row };
}

/** Whether an import may set the key of a row on a record that was found. Keys of others are never overwritten. */
export function adoptsKey({ key }: RowIdentity, { record, by }: Found): boolean {
  const { externalId } = record;
  return key !== null && (by === 'id' || externalId === null || isDerivedKey(externalId));
}

/** By id, key and unique values, which have to agree. */
export async function findNamed(collection: Collection, row: RowIdentity): Promise<Found | null> {
  const { resource } = collection;
  const { givenId, key, file } = row;
  const found: (Found & { readonly value: string })[] = [];
  const byId = givenId === null ? null : await collection.read(givenId);
  if (byId !== null) found.push({ record: byId, by: 'id', value: byId.id });
  const formerKey = key ?? givenId;
  if (formerKey !== null && found[0]?.record.externalId !== formerKey && !(byId !== null && key === null)) {
    const record = await collection.first({ externalId: formerKey });
    if (record !== null) found.push({ record, by: 'externalId', value: formerKey });
  }
  for (const { name, word, value } of listUniqueValues(resource, row.body)) {
    const filter = filterOf(resource, name);
    const first = found[0]?.record;
    const isKnown =
      first !== undefined && listUniqueValues(resource, first).some((one) => one.value === value);
    const record = filter === null || isKnown ? null : await collection.first({ [filter]: value });
    if (record === null) continue;
    if (found.length === 0 && file !== null && !isSameFile(resource, row, record)) continue;
    if (found.length === 0) checkKey(resource, row, record, word, value);
    found.push({ record, by: word, value });
  }
  const [first] = found;
  const other = found.find(({ record }) => record.id !== first?.record.id);
  if (first === undefined || other === undefined) return first ?? null;
  throw new RowRejected([
    `Matches two records: ${nameOf(resource, first.record)} by its ${first.by} "${first.value}", and ${nameOf(resource, other.record)} by its ${other.by} "${other.value}". Correct the row.`,
  ]);
}

/** @throws RowRejected when a record that has a value of the row has another key than the row */
function checkKey(
  resource: Resource,
  { key, file }: RowIdentity,
  record: ApiRecord,
  word: string,
  value: string,
): void {
  const { externalId } = record;
  if (key === null || file !== null || externalId === null || isDerivedKey(externalId)) return;
  throw new RowRejected([
    `The ${word} "${value}" belongs to ${nameOf(resource, record)}, whose externalId is "${String(externalId)}", not "${key}". Leave the externalId out to change that record.`,
  ]);
}

/** Finds what a file became when it was imported as a part of another folder, or another folder as a part of this one. */
async function findMovedFile(
  collection: Collection,
  row: RowIdentity,
  { path, parentName }: NonNullable<RowIdentity['file']>,
  { isClaimed }: SearchContext,
): Promise<Found | null> {
  const { resource } = collection;
  const parts = path.split('/').slice(-mostFolders);
  const queries = parts.slice(1).map((_, index) => ({
    externalId: deriveExternalId(parentName, parts.slice(index + 1).join('/')),
  }));
  const { slug } = resource;
  const title = valueAt(row.body, slug?.from ?? resource.titleField);
  const slugFilter = slug === undefined ? null : filterOf(resource, slug.field);
  if (slugFilter !== null && typeof title === 'string') {
    const slugs = [valueAt(row.body, slug?.field ?? ''), row.slug].filter((one) => isText(one));
    const candidates = [...queries, ...slugs.map((one) => ({ [slugFilter]: one }))];
    for (const query of candidates) {
      const record = await collection.first(query);
      if (record !== null && !isClaimed(record.id) && isSameFile(resource, row, record))
        return { record, by: foundBy.file };
    }
  }
  return null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Whether a record is that of a file: their paths end alike and they have the same title, or only the content says so. */
function isSameFile(resource: Resource, { body, file, key }: RowIdentity, record: ApiRecord): boolean {
  const name = resource.slug?.from ?? resource.titleField;
  const hasTitle = fold(valueAt(body, name)) === fold(valueAt(record, name));
  const path = pathOf(file, record.externalId);
  if (path !== null && file !== null && (path.endsWith(`/${file.path}`) || file.path.endsWith(`/${path}`)))
    return hasTitle || hasSameText(resource, body, record);
  const isOfOthers = isText(record.externalId) && record.externalId !== key && path !== null;
  return !isOfOthers && hasTitle;
}

/** The path of the file that a record was made of; null when it was made otherwise. */
function pathOf(file: RowIdentity['file'], externalId: unknown): string | null {
  const prefix = `${file?.parentName ?? ''}/`;
  return isText(externalId) && externalId.startsWith(prefix) ? externalId.slice(prefix.length) : null;
}

/** Whether all long texts of a row are those of the record. */
function hasSameText(resource: Resource, body: Body, record: ApiRecord): boolean {
  const name = importOf(resource).posts?.body ?? '';
  const text = valueAt(body, name);
  return isText(text) && text === valueAt(record, name);
}

function fold(value: unknown): string {
  return typeof value === 'string' ? foldText(value) : '';
}

/** By fields that identify a record, or by its name alone where an earlier import of this file has made it. */
async function findSimilar(
  collection: Collection,
  row: RowIdentity,
  { lineage, isLast, isClaimed }: SearchContext,
): Promise<Found | null> {
  const { resource } = collection;
  const { same, namesakes } = await findResembling(collection, row.body);
  const hasKey = (record: ApiRecord) => record.externalId !== null && !isDerivedKey(record.externalId);
  // A row with a key is no record that has another one.
  const isPossible = (record: ApiRecord) => row.key === null || !hasKey(record);
  const [first, second] = same.filter(({ record }) => isPossible(record));
  if (first !== undefined && second !== undefined) {
    throw ambiguous(resource, [first.record, second.record]);
  }
  if (first !== undefined) return { record: first.record, by: first.fields.map(lastPart).join(', ') };
  const possible = namesakes.filter(isPossible);
  const imported = possible.filter(({ importId }) => isText(importId) && importId.startsWith(`${lineage}-`));
  if (imported.length > 0 && !isLast) {
    throw new PendingReference(['Another row may stand for the record with this name.']);
  }
  const [left, another] = imported.filter(({ id }) => !isClaimed(id));
  if (left !== undefined && another !== undefined) throw ambiguous(resource, [left, another]);
  if (left !== undefined) return { record: left, by: foundBy.lineage };
  const isIdentified = row.key !== null || listUniqueValues(resource, row.body).length > 0;
  const others = possible.filter((record) => !imported.includes(record));
  if (isIdentified || others.length === 0) return null;
  throw ambiguous(resource, others);
}

function ambiguous(resource: Resource, records: readonly ApiRecord[]): RowRejected {
  const names = records.slice(0, 3).map((record) => nameOf(resource, record));
  return new RowRejected([
    `May stand for a record that exists: ${names.join(', ')}. Give its id if it does, or an externalId if it does not.`,
  ]);
}

/** A record for people: `Ada Lovelace (con_…)`. */
function nameOf({ titleField, titleFallbacks = [] }: Resource, record: ApiRecord): string {
  const title = [titleField, ...titleFallbacks].map((name) => valueAt(record, name)).find(isText);
  return `${title ?? 'another record'} (${record.id})`;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
