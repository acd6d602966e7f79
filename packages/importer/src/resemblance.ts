/**
 * Looks for the record of a row that neither a key nor a unique value identifies, among those with the same name or title. What
 * is ambiguous is refused: a second record of the same person could not be told from the first, and a wrong one would be changed.
 */

import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { findPlace } from '@trellis/schema/resources/places.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { comparisonKey } from '@trellis/schema/validation/formats.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord, Body, Query } from './api.ts';
import type { Collection } from './collection.ts';
import { importOf, listImportOf } from './destinations.ts';
import { comparableTexts, filterOf, identifyingSets, isGiven, uniqueWords } from './identity.ts';

/** How many records with the name of a row are looked at. */
const mostCandidates = 100;

/** Records that resemble a row. */
export interface Resembling {
  /** They agree with it in fields that identify a record, by name. */
  readonly same: readonly { readonly record: ApiRecord; readonly fields: readonly string[] }[];
  /** They agree with it in fields in which different records may agree. */
  readonly namesakes: readonly ApiRecord[];
}

/** Finds records that resemble a row. @throws ProblemError, ImportStopped */
export async function findResembling(collection: Collection, body: Body): Promise<Resembling> {
  const { resource } = collection;
  const same: { record: ApiRecord; fields: readonly string[] }[] = [];
  const namesakes: ApiRecord[] = [];
  const query = queryFor(resource, body);
  if (query === null) return { same, namesakes };
  let looked = 0;
  for await (const record of collection.records({ ...query, limit: String(mostCandidates) })) {
    looked += 1;
    if (!contradicts(resource, body, record)) {
      const agrees = (names: readonly string[]) =>
        names.every((name) => compare(resource, name, body, record) === 'equal');
      const fields = identifyingSets(resource).find(agrees);
      if (fields !== undefined) same.push({ record, fields });
      else if ((importOf(resource).namesakes ?? []).some(agrees)) namesakes.push(record);
    }
    if (looked === mostCandidates) break;
  }
  return { same, namesakes };
}

/** A list that has every record that agrees with a row in a set; null when the row has no name to look for. */
function queryFor(resource: Resource, body: Body): Query | null {
  const sets = [...(importOf(resource).namesakes ?? []), ...identifyingSets(resource)];
  const words = uniqueWords(resource);
  for (const names of sets.toSorted((left, right) => right.length - left.length)) {
    const values = names.map((name) => [name, valueAt(body, name)] as const);
    if (values.some(([name, value]) => !isGiven(value) || name in words)) continue;
    const filters = values.flatMap(([name, value]) => {
      const filter = filterByField(resource, name);
      return filter === null || Array.isArray(value) ? [] : [[filter, String(value)] as const];
    });
    if (filters.length > 0) return Object.fromEntries(filters);
    const texts = values.map(([, value]) => value).filter((value) => typeof value === 'string');
    const search = Array.from(texts.join(' ')).slice(0, limits.searchText.max).join('').trim();
    if (Array.from(search).length >= limits.searchText.min) return { search };
  }
  return null;
}

/** The filter over a field that holds one value, such as the year of an issue. */
function filterByField(resource: Resource, name: string): string | null {
  const found = Object.entries(filtersOf(resource)).find(
    ([, filter]) => filter.kind === 'integer' && filter.field === name,
  );
  return found?.[0] ?? filterOf(resource, name);
}

/** Whether a record has another value in a field that tells records apart. */
function contradicts(resource: Resource, body: Body, record: ApiRecord): boolean {
  const names = new Set([...identifyingSets(resource), ...(importOf(resource).namesakes ?? [])].flat());
  return [...names].some((name) => {
    // A person may have a second e-mail address, and a company a second domain.
    const isUniqueList = Array.isArray(valueAt(record, name)) && isUnique(resource, name);
    return !isUniqueList && compare(resource, name, body, record) === 'different';
  });
}

function isUnique(resource: Resource, name: string): boolean {
  return Object.keys(uniqueWords(resource)).some((path) => path === name || path.startsWith(`${name}.`));
}

/** How a row and a record compare in a field; 'absent' where one of them has no value. */
function compare(
  resource: Resource,
  name: string,
  body: Body,
  record: ApiRecord,
): 'equal' | 'different' | 'absent' {
  const [given, kept] = [valueAt(body, name), valueAt(record, name)];
  if (!isGiven(given) || !isGiven(kept)) return 'absent';
  const theirs = new Set(textsOf(resource, name, kept));
  const isFound = textsOf(resource, name, given).some((text) => theirs.has(text));
  return isFound ? 'equal' : 'different';
}

/** The texts by which a value is compared: as they are written, and in the forms in which the API compares them, such as E.164. */
function textsOf(resource: Resource, name: string, value: unknown): unknown[] {
  const main = listImportOf(resource, name)?.main;
  const schema = findPlace(resource, name)?.field.schema as JsonSchema | undefined;
  const members = Object.entries(schema?.items?.properties ?? {});
  const items: unknown[] = Array.isArray(value) ? value : [];
  const forms = items.filter(isPlainObject).flatMap((item) =>
    members.map(([member, { format, readOnly }]) => {
      const text = item[member];
      if (readOnly === true) return text;
      return member === main && typeof text === 'string' ? comparisonKey(format, text, null) : null;
    }),
  );
  return [...comparableTexts(resource, name, value), ...forms.filter(isGiven)];
}
