/** Fields computed from several cells of a row. */
import type { ComputedInput } from '@trellis/schema/resources/import.ts';
import { repairIsbn } from './isbn.ts';

interface Findings {
  readonly repairs: string[];
  readonly faults: string[];
}

/** Replaces the values that an input determines. @param values by name of field and input; changed in place */
export function computeInput(input: ComputedInput, values: Map<string, unknown>, findings: Findings): void {
  if (input.rule === 'isbn') computeIsbn(input, values, findings);
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
    const { value, repairs, fault } = repairIsbn(thirteen, other);
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

/** `Ada Lovelace` and `Lovelace, Ada`; the last word is the last name. */
function splitFullName(text: string): [string, string] {
  const [last = '', first] = text.split(',').map((part) => part.trim());
  if (first !== undefined) return [first, last];
  const words = text.trim().split(/\s+/);
  return words.length === 1 ? ['', words[0] ?? ''] : [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
}
