/** Splits one cell into several values. What separates them depends on what they are: names contain commas. */
import type { ListImport } from '@trellis/schema/resources/import.ts';

/** The items of a text, as the list that it goes to is declared. */
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

/** A list, or the items of a text. Empty items are none. */
export function readList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== '');
  return typeof value === 'string' ? splitList(value) : [value];
}

/**
 * The names in a cell: at semicolons if there are any; otherwise at commas. One name and not two are `Rowling, J.K.`
 * and `King, Stephen` (a single word before the only comma, and a single word or initials after it) and
 * `Kurt Vonnegut, Jr.`; whoever wants to be sure writes semicolons.
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

/** The items of a cell, at commas and semicolons. */
export function splitList(text: string): string[] {
  return splitAt(text, /[,;]/);
}

/** The items of a cell, at semicolons and line breaks: phone numbers and street lines may contain commas. */
export function splitLines(text: string): string[] {
  return splitAt(text, /;|\r?\n/);
}

function splitAt(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
