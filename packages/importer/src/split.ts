/** Splits a cell into several values. The separators depend on the kind of value, since names contain commas. */
import type { ListImport } from '@trellis/schema/resources/import.ts';

/** Splits a text as the declaration of its list says. */
export function splitText(text: string, split: ListImport['split'] = 'items'): string[] {
  if (split === 'nowhere') return [text];
  if (split === 'names') return splitNames(text);
  // Phone numbers and street lines may contain commas.
  return split === 'lines' ? splitAt(text, /;|\r?\n/) : splitList(text);
}

/** Reads a list, or splits a text. Empty items are dropped. */
export function readList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== '');
  return typeof value === 'string' ? splitList(value) : [value];
}

/** Splits a cell at commas and semicolons. */
export function splitList(text: string): string[] {
  return splitAt(text, /[,;]/);
}

/** A part after a comma that belongs to the name before it. */
const nameSuffix = /^(jr|sr|junior|senior|i{2,3}|iv|ph\.?\s?d|m\.?\s?d|esq|m\.?a|b\.?a)\.?$/i;

/**
 * Splits the names in a cell: at semicolons if there are any; otherwise at commas. `Rowling, J.K.` and `King, Stephen` (a
 * single word before the only comma, and a single word or initials after it) and `Kurt Vonnegut, Jr.` are one name each.
 * Semicolons are unambiguous.
 */
export function splitNames(text: string): string[] {
  if (text.includes(';')) return splitAt(text, /;/);
  const parts: string[] = [];
  for (const part of splitAt(text, /,(?=\s|$)/)) {
    const previous = parts.at(-1);
    if (previous !== undefined && nameSuffix.test(part)) parts[parts.length - 1] = `${previous}, ${part}`;
    else parts.push(part);
  }
  const [first = '', second = ''] = parts;
  const isInverted = parts.length === 2 && !/\s/.test(first) && /^(\S+|(\p{Lu}\.?\s*)+)$/u.test(second);
  return isInverted ? [text.trim()] : parts;
}

function splitAt(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
