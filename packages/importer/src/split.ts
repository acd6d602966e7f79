/** Splits a cell into several values. The separators depend on the kind of value, since names contain commas. */
import type { ListImport } from '@trellis/schema/resources/import.ts';
import { betweenColons, splitAt, splitNamesAtCommas, splitQuoted, withoutMarks } from './separators.ts';

/** Splits a text as the declaration of its list says. */
export function splitText(text: string, split: ListImport['split'] = 'items'): string[] {
  if (split === 'nowhere') return [text];
  if (split === 'names') return splitNames(text);
  // Names of companies may contain any other mark.
  if (split === 'records') return splitAt(text, betweenColons);
  // Phone numbers and street lines may contain commas.
  return split === 'lines' ? splitAt(text, /;|\r?\n|\s:::\s/).flatMap(splitNumbers) : splitList(text);
}

/** A phone number that can stand alone. */
const wholeNumber = /^[+(0-9][\d\s()./-]{5,}$/;

/** Splits "030 1234567 / 0170 7654321" and not "030 / 1234567", whose first part is too short for a number. */
function splitNumbers(text: string): string[] {
  const parts = splitAt(text, /\s\/\s/);
  return parts.every((part) => wholeNumber.test(part) && part.replace(/\D/g, '').length > 5) ? parts : [text];
}

/** Reads a list, or splits a text. Empty items are dropped. */
export function readList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== '');
  return typeof value === 'string' ? splitList(value) : [value];
}

/** Splits a cell at commas, semicolons and bars, except between quotation marks, and at the separators of Google Contacts. */
export function splitList(text: string): string[] {
  return splitAt(text, betweenColons)
    .flatMap((part) => splitQuoted(part, ',;|'))
    .map(withoutMarks)
    .filter((part) => part !== '');
}

/** Splits the names in a cell that no column says more about: at semicolons if there are any; otherwise at commas. */
export function splitNames(text: string): string[] {
  return text.includes(';') ? splitAt(text, /;/) : splitNamesAtCommas(text);
}
