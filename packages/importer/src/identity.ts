/** What identifies the record of a row: unique values, identifying fields, and the row as it came. */

import { findPlace, memberSchemas } from '@trellis/schema/resources/places.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { comparisonKey } from '@trellis/schema/validation/formats.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { foldText, normalizeText } from '@trellis/schema/values/text.ts';
import type { Body } from './api.ts';
import { importOf, listImportOf } from './destinations.ts';
import { shortHash } from './keys.ts';

/**
 * The externalId of the record of a row without a key: a hash of the row as it came, of the resource and of the parent. It does
 * not depend on the mapping, so that a file whose mapping was corrected finds the same records.
 */
export function deriveRowKey(
  resource: Resource,
  parentId: string,
  fields: ReadonlyMap<string, unknown>,
): string {
  const cells = [...fields]
    .map(([column, value]) => [column, typeof value === 'string' ? normalizeText(value) : (value ?? null)])
    .sort(([left], [right]) => (String(left) < String(right) ? -1 : 1));
  return `import-${shortHash(canonicalizeJson([resource.name, parentId, cells]))}`;
}

/** Whether an externalId was derived by an import, so that it is nobody's key. */
export function isDerivedKey(externalId: unknown): boolean {
  return typeof externalId === 'string' && /^import-[0-9a-f]{32}$/.test(externalId);
}

/** Sets of fields that identify a record. */
export function identifyingSets(resource: Resource): readonly (readonly string[])[] {
  return importOf(resource).identity ?? [[resource.titleField]];
}

/** The first identifying or similar set whose fields are all given, with their values in a form to compare; '' without one. */
export function describeIdentity(resource: Resource, body: Body): string {
  for (const names of [...identifyingSets(resource), ...(importOf(resource).namesakes ?? [])]) {
    const values = names.map((name) => identifyingPart(resource, name, valueAt(body, name)));
    if (values.every(isGiven)) return canonicalizeJson([names, values]);
  }
  return '';
}

/** Whether a value of a set is given. */
export function isGiven(value: unknown): boolean {
  return value != null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Letter case is ignored; of lists of objects only the main members are compared. */
function identifyingPart(resource: Resource, name: string, value: unknown): unknown {
  const { identifiedByFirst } = listImportOf(resource, name) ?? {};
  const texts = comparableTexts(resource, name, value);
  if (!Array.isArray(value)) return texts[0] ?? null;
  return identifiedByFirst === true ? texts.slice(0, 1) : texts;
}

/** The texts of a value of a set, of which lists of objects have one for each item. */
export function comparableTexts(resource: Resource, name: string, value: unknown): unknown[] {
  const { main } = listImportOf(resource, name) ?? {};
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => simplify(main === undefined ? item : (item?.[main] ?? item))).filter(isGiven);
}

function simplify(value: unknown): unknown {
  return typeof value === 'string' ? foldText(value) : (value ?? null);
}

/** A value that no other record may have. */
export interface UniqueValue {
  /** Dotted name of the field, list, or member of a list's items. */
  readonly name: string;
  /** What it is, for people: `e-mail address`. */
  readonly word: string;
  /** In the form in which values are compared. */
  readonly value: string;
}

/** The fields whose values must be unique, without the externalId, with what they are called. */
export function uniqueWords(resource: Resource): Readonly<Record<string, string>> {
  const declared = Object.keys(resource.unique).filter((name) => name !== 'externalId');
  const words = declared.map((name) => [name, name.slice(name.lastIndexOf('.') + 1)]);
  return { ...Object.fromEntries(words), ...importOf(resource).unique };
}

/** The values of a body that must be unique, without the externalId. */
export function listUniqueValues(resource: Resource, body: Body): UniqueValue[] {
  return Object.entries(uniqueWords(resource)).flatMap(([name, word]) =>
    comparedValues(resource, body, name).map((value) => ({ name, word, value })),
  );
}

/** Values that must be unique, as texts such as `isbn13 "9780141439471"`. */
export function uniqueValues(resource: Resource, parentId: string, body: Body): string[] {
  const suffix = resource.parent === null ? '' : ` in ${parentId}`;
  return listUniqueValues(resource, body).map(({ word, value }) => `${word} "${value}"${suffix}`);
}

/** The filter that finds the record with a unique value; null where there is none. */
export function filterOf({ filters, sideTables = {} }: Resource, name: string): string | null {
  const found = Object.entries(filters).find(([, filter]) => {
    if (filter.kind === 'text') return filter.field === name;
    return filter.kind === 'via' && sideTables[filter.table]?.values.includes(name);
  });
  return found?.[0] ?? null;
}

/** The values of a field, list, or member of a list's items, in the form in which they are compared. */
function comparedValues(resource: Resource, body: Body, path: string): string[] {
  const place = findPlace(resource, path);
  if (place === null) return [];
  const { name, field, member } = place;
  const { items, format } = field.schema as JsonSchema;
  const formatOfItem = member === null ? (items?.format ?? format) : memberSchemas(field)[member]?.format;
  const value = valueAt(body, name);
  return (Array.isArray(value) ? value : [value])
    .map((item) => (member === null ? item : item?.[member]))
    .filter((item) => typeof item === 'string')
    .map((text) => comparisonKey(formatOfItem, text, null) ?? text);
}
