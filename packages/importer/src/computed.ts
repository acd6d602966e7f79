/** Fields computed from several cells of a row: the ISBN-13, which a spreadsheet may have damaged, and the parts of a name. */
import type { ComputedInput } from '@trellis/schema/resources/import.ts';
import { isbn10To13, normalizeIsbn13 } from '@trellis/schema/values/isbn.ts';
import { readFlag } from './convert.ts';

interface Findings {
  readonly repairs: string[];
  readonly faults: string[];
}

/** Replaces the values that an input determines. @param values by name of field and input; changed in place */
export function computeInput(input: ComputedInput, values: Map<string, unknown>, findings: Findings): void {
  if (input.rule === 'isbn') computeIsbn(input, values, findings);
  else if (input.rule === 'permission') computePermission(input, values, findings);
  else computeNames(input, values, findings);
}

function computeIsbn({ from, to }: ComputedInput, values: Map<string, unknown>, findings: Findings): void {
  const textOf = (name: string) => {
    const value = values.get(name);
    return value === undefined || value === null ? undefined : String(value).trim();
  };
  for (const field of to) {
    const [thirteen, other] = [textOf(field), textOf(from)];
    if (thirteen === undefined && other === undefined) continue;
    const { value, repairs, fault } = repairIsbn(pickIsbn(thirteen), pickIsbn(other));
    findings.repairs.push(...repairs);
    if (fault !== null) findings.faults.push(fault);
    values.set(field, value);
  }
}

/** The full name is used if neither the first nor the last name is given. */
function computeNames({ from, to }: ComputedInput, values: Map<string, unknown>, findings: Findings): void {
  const full = values.get(from);
  if (typeof full !== 'string' || to.some((field) => values.has(field))) return;
  const names = splitFullName(full);
  for (const [index, field] of to.entries()) {
    if (names[index] !== '') values.set(field, names[index]);
  }
  if (!names.includes('')) findings.repairs.push('full names split into first and last name');
}

/** Without permission, the flags are set; a permission leaves them as they are. */
function computePermission(
  { from, to }: ComputedInput,
  values: Map<string, unknown>,
  { faults }: Findings,
): void {
  const given = values.get(from);
  if (given === undefined) return;
  const permission = readFlag(given);
  if (permission === undefined)
    faults.push(`${from}: "${String(given).slice(0, 40)}" is neither yes nor no.`);
  if (permission === false) for (const flag of to) values.set(flag, true);
}

/** `Ada Lovelace` and `Lovelace, Ada`; the last word is the last name. */
function splitFullName(text: string): [string, string] {
  const [last = '', first] = text.split(',').map((part) => part.trim());
  if (first !== undefined) return [first, last];
  const words = text.trim().split(/\s+/);
  return words.length === 1 ? ['', words[0] ?? ''] : [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
}

/** What StoryGraph has in place of an ISBN. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The first valid ISBN among the words of a cell, as in `9780141439471 (pbk.) : $9.95` or one with thirteen and ten digits; the cell itself
 * where none is, and undefined for a placeholder such as `N/A`.
 */
function pickIsbn(text: string | undefined): string | undefined {
  if (
    text === undefined ||
    uuid.test(text) ||
    /^(?:n\.?\/?a\.?|[-–—]+|none|null|unknown|unbekannt)$/i.test(text)
  )
    return undefined;
  const words = text.replace(/^'/, '').split(/[\s,;|]+/);
  return words.find((word) => normalizeIsbn13(word) !== null || isbn10To13(word) !== null) ?? text;
}

/** The result of combining the ISBN columns. */
export interface RepairedIsbn {
  readonly value: string | undefined;
  readonly repairs: readonly string[];
  /** Why the row cannot be used, or null. */
  readonly fault: string | null;
}

const scientific = /^\d(?:[.,]\d+)?e\+?\d{1,2}$/i;
/** A shorter number is not an ISBN that lost its leading zeros. */
const fewestDigits = 6;

/**
 * The ISBN-13 of a row. A spreadsheet turns an ISBN-13 into `9.78043902348E+12`, which loses its last digits, and the ISBN-10
 * 0439023483 into 439023483. The latter can be restored, and the former computed from it.
 *
 * @param thirteen the value of the column for ISBN-13, or undefined
 * @param other the value of a column named ISBN or ISBN-10, or undefined
 */
export function repairIsbn(thirteen: string | undefined, other: string | undefined): RepairedIsbn {
  const plain = (text: string) => text.replace(/\.0+$/, '');
  for (const text of [thirteen, other]) {
    const isbn = text === undefined ? null : normalizeIsbn13(plain(text));
    // One of ten digits is the second choice, and a repair.
    if (isbn !== null && digitsOf(plain(text ?? '')).length > 10)
      return { value: isbn, repairs: [], fault: null };
  }
  for (const text of [other, thirteen]) {
    if (text === undefined) continue;
    const digits = digitsOf(plain(text));
    if (digits.length < fewestDigits || digits.length > 10) continue;
    const isbn = isbn10To13(digits.padStart(10, '0'));
    if (isbn === null) continue;
    return {
      value: isbn,
      repairs: describeComputed(isbn, digits, text === other ? thirteen : undefined),
      fault: null,
    };
  }
  return judgeIsbn(thirteen ?? other, thirteen === undefined ? undefined : other);
}

function digitsOf(text: string): string {
  return text.replace(/[^0-9Xx]/g, '');
}

/** The repairs of an ISBN-13 that was computed. @param thirteen the value that it replaces */
function describeComputed(isbn: string, digits: string, thirteen: string | undefined): string[] {
  const completed = digits.length < 10 ? ['ISBN-10 completed with its lost leading zeros'] : [];
  return [describeReplaced(isbn, thirteen), ...completed];
}

function describeReplaced(isbn: string, thirteen: string | undefined): string {
  if (thirteen === undefined) return 'ISBN-13 computed from the ISBN-10';
  if (!scientific.test(thirteen)) return 'invalid ISBN-13 replaced with the one computed from the ISBN-10';
  const significant = thirteen.replace(/e.*$/i, '').replace(/[.,]/, '').slice(0, -1);
  return isbn.startsWith(significant)
    ? 'ISBN-13 in scientific notation computed from the ISBN-10'
    : 'ISBN-13 in scientific notation that contradicts the ISBN-10, computed from the ISBN-10';
}

function judgeIsbn(text: string | undefined, other: string | undefined): RepairedIsbn {
  if (text === undefined) return { value: undefined, repairs: [], fault: null };
  const shown = text.slice(0, 40);
  const what = scientific.test(text)
    ? `isbn13: "${shown}" is in scientific notation, so its last digits are lost`
    : `isbn13: "${shown}" is neither an ISBN-13 nor an ISBN-10 with a valid check digit`;
  const beside =
    other === undefined
      ? ', and the row has no ISBN-10 to compute it from'
      : `, and "${other.slice(0, 40)}" is not an ISBN-10 to compute it from`;
  const fault = `${what}${beside}. Correct a cell, or empty all cells with the ISBN.`;
  return { value: undefined, repairs: [], fault };
}
