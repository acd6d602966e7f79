/**
 * The texts by which a record is found: short ones (names, titles, numbers, addresses, summaries) and long ones (bodies, descriptions).
 * The analyzer makes what the index has of them.
 */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Field } from '@trellis/schema/resources/fields.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import type { Model, SearchForms } from '../model.ts';
import { foldReadable } from './analyzer/lexemes.ts';
import { languageOfTag } from './analyzer/stems.ts';

/** Characters of a text that are indexed as words. */
export const wordCharacters = 131_072;

/** The short texts of a record, folded. */
export interface ShortTexts {
  /** Names and titles, one per line. */
  readonly names: string;
  /** All others of which any part is found, one per line: numbers and addresses, with other notations. */
  readonly others: string;
  /** The texts to index as words, by weight A, B and D. */
  readonly words: readonly [a: string, b: string, d: string];
}

/**
 * A text as it is indexed: folded, at most three times as long. No letter of a language becomes more than three; a few signs
 * become up to eighteen (U+FDFA), which the index of a long row of them does not know to the end.
 */
export function foldIndexed(text: string): string {
  return foldReadable(text)
    .slice(0, 3 * text.length + mostOfSigns)
    .toWellFormed();
}

/** What few signs in a short text may become besides. */
const mostOfSigns = 64;

/** Whether the field's texts are long. */
export function isLong({ schema, searchableMember }: Field): boolean {
  const { maxLength } = schema as { maxLength?: number };
  return searchableMember === null && maxLength !== undefined && maxLength > limits.shortText;
}

const noForms: SearchForms = { words: [], texts: [] };

/** The short texts of a record. */
export function shortTextsOf({ resource, rules }: Model, values: Values): ShortTexts {
  const byWeight: Record<'A' | 'B' | 'C' | 'D', string[]> = { A: [], B: [], C: [], D: [] };
  const names: string[] = [];
  const others: string[] = [];
  for (const [name, field] of flattenFields(resource)) {
    if (field.searchable === null || isLong(field)) continue;
    const folded = textsOf(field, values[name]).map(foldIndexed);
    byWeight[field.searchable].push(...folded);
    if (!field.prose) (field.searchable === 'A' ? names : others).push(...folded);
  }
  const { words, texts } = rules.recordForms?.(values) ?? noForms;
  const { A, B, C, D } = byWeight;
  return {
    names: names.join('\n'),
    others: [...others, ...texts.map(foldIndexed)].join('\n'),
    words: [A.join('\n'), [...B, ...C].join('\n'), [...words.map(foldIndexed), ...D].join('\n')],
  };
}

/** The original long texts of a record, one per line. */
export function longTextOf(resource: Resource, values: Values): string {
  return flattenFields(resource)
    .flatMap(([name, field]) => (isLong(field) ? textsOf(field, values[name]) : []))
    .join('\n');
}

/** The indexed beginning of the long texts of a record, folded; '' without any. */
export function foldedLongText(resource: Resource, values: Values): string {
  return foldIndexed(longTextOf(resource, values).slice(0, wordCharacters)).slice(0, wordCharacters);
}

/** A searchable text of a record as it was written. */
export interface SearchableText {
  readonly field: string;
  readonly text: string;
  readonly long: boolean;
  /** Whether it is a number or another identifier, which often repeats a title. */
  readonly isIdentifier: boolean;
}

/** The original searchable texts of a record in declared order, for snippets. */
export function searchableTexts(resource: Resource, record: StoredRecord): SearchableText[] {
  return flattenFields(resource).flatMap(([name, field]) => {
    const text = textsOf(field, record.values[name]).join(', ');
    const long = isLong(field);
    const isIdentifier = field.searchable === 'D' && !long && !field.prose;
    return text === '' ? [] : [{ field: name, text, long, isIdentifier }];
  });
}

/** The texts in a value of a searchable field. */
function textsOf(field: Field, value: unknown): string[] {
  if (field.searchable === null) return [];
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  const member = field.searchableMember;
  return value.map((item) => String(member === null ? item : item[member]));
}

/** Characters folded in one turn: some 2 ms if every letter has an accent. */
const pieceCharacters = 16_384;

/** Folds the indexed beginning of a long text, in several turns. */
export async function foldLongText(text: string): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for (let start = 0; start < text.length && length < wordCharacters; ) {
    const end = endOfPiece(text, start + pieceCharacters);
    const folded = foldIndexed(text.slice(start, end));
    pieces.push(folded);
    length += folded.length;
    start = end;
    await turn();
  }
  return pieces.join('').slice(0, wordCharacters);
}

/** Characters behind the end of a piece in which a better end is looked for. */
const slack = 256;

/** The end of a piece that separates no word; if there is none nearby, one that separates no character from its marks. */
function endOfPiece(text: string, from: number): number {
  let end = Math.min(from, text.length);
  const space = text.slice(end, end + slack).search(/[ \n]/);
  if (space !== -1) return end + space;
  while (end < text.length && /^[\p{M}\udc00-\udfff]/u.test(text.charAt(end))) end += 1;
  return end;
}

/** The language whose stems a record's texts are found by; null if it is unknown, or has no stemmer. */
export function languageOf(resource: Resource, values: Values): string | null {
  const field = resource.languageField;
  const tag = field === undefined ? null : values[field];
  return typeof tag === 'string' ? languageOfTag(tag) : null;
}

const ownPlaces = new Map<string, string>();

/**
 * The parent id in search: the record's parent, or for resources without one an id derived from the type. It uses md5
 * because SQL can compute the same uuid; its strength does not matter.
 */
export function searchParent({ singular }: Resource, parentId: string | null): string {
  if (parentId !== null) return parentId;
  const known = ownPlaces.get(singular);
  if (known !== undefined) return known;
  const made = createHash('md5')
    .update(singular)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  ownPlaces.set(singular, made);
  return made;
}
