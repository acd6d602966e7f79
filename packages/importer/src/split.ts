/** Splits a cell into several values. The separators depend on the kind of value, since names contain commas. */
import type { ListImport } from '@trellis/schema/resources/import.ts';

/** Splits a text as the declaration of its list says. */
export function splitText(text: string, split: ListImport['split'] = 'items'): string[] {
  switch (split) {
    case 'names':
      return splitNames(text);
    case 'lines':
      return splitLines(text);
    case 'nowhere':
      return [text];
    default:
      return splitList(text);
  }
}

/** Reads a list, or splits a text. Empty items are dropped. */
export function readList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== '');
  return typeof value === 'string' ? splitList(value) : [value];
}

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
    if (previous !== undefined && isSuffix(part)) parts[parts.length - 1] = `${previous}, ${part}`;
    else parts.push(part);
  }
  const [first = '', second = ''] = parts;
  const isInverted = parts.length === 2 && !/\s/.test(first) && /^(\S+|(\p{Lu}\.?\s*)+)$/u.test(second);
  return isInverted ? [text.trim()] : parts;
}

/** Whether a part after a comma belongs to the name before it. */
function isSuffix(part: string): boolean {
  return /^(jr|sr|junior|senior|i{2,3}|iv|ph\.?\s?d|m\.?\s?d|esq|m\.?a|b\.?a)\.?$/i.test(part);
}

/** Splits a cell at commas and semicolons. */
export function splitList(text: string): string[] {
  return splitAt(text, /[,;]/);
}

/** Splits a cell at semicolons and line breaks, since phone numbers and street lines may contain commas. */
export function splitLines(text: string): string[] {
  return splitAt(text, /;|\r?\n/);
}

function splitAt(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
