/** What identifies the record of a row: a derived externalId, and values that must be unique. */

import { findPlace, memberSchemas, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { comparisonKey } from '@trellis/schema/validation/formats.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { foldText } from '@trellis/schema/values/text.ts';
import type { Body } from './api.ts';
import { valueAt } from './body.ts';
import { importOf, listImportOf } from './destinations.ts';
import { shortHash } from './keys.ts';

/**
 * The externalId of a row without one: a hash of its identifying fields, of the resource and of the parent.
 * @param body in stored form
 * @returns null when the row has none of the identifying fields
 */
export function deriveRowKey(resource: Resource, parentId: string, body: Body): string | null {
  const sets = importOf(resource).identity ?? [[resource.titleField]];
  for (const names of sets) {
    const values = names.map((name) => identifyingPart(resource, name, valueAt(body, name)));
    if (values.every(isGiven)) {
      return `import-${shortHash(canonicalizeJson([resource.name, parentId, names, values]))}`;
    }
  }
  return null;
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Letter case is ignored; of lists of objects only the main members are compared. */
function identifyingPart(resource: Resource, name: string, value: unknown): unknown {
  if (!Array.isArray(value)) return simplify(value);
  const { main, identifiedByFirst } = listImportOf(resource, name) ?? {};
  const items = identifiedByFirst === true ? value.slice(0, 1) : value;
  return items.map((item) => simplify(main === undefined ? item : (item?.[main] ?? item)));
}

function simplify(value: unknown): unknown {
  return typeof value === 'string' ? foldText(value) : (value ?? null);
}

/** A value that no other record may have. */
interface UniqueValue {
  /** Dotted name of the field, list, or member of a list's items. */
  readonly name: string;
  /** What it is, for people: `e-mail address`. */
  readonly word: string;
  /** In the form in which values are compared. */
  readonly value: string;
}

/** The values of a body that must be unique, without the externalId. */
export function listUniqueValues(resource: Resource, body: Body): UniqueValue[] {
  const declared = Object.keys(resource.unique).filter((name) => name !== 'externalId');
  const words = { ...Object.fromEntries(declared.map((name) => [name, name])), ...importOf(resource).unique };
  return Object.entries(words).flatMap(([name, word]) =>
    comparedValues(resource, body, name).map((value) => ({ name, word, value })),
  );
}

/** Values that must be unique, as texts such as `isbn13 "9780141439471"`. */
export function uniqueValues(resource: Resource, parentId: string, body: Body): string[] {
  const suffix = resource.parent === null ? '' : ` in ${parentId}`;
  return listUniqueValues(resource, body).map(({ word, value }) => `${word} "${value}"${suffix}`);
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
