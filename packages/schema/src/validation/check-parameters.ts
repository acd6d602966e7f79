/**
 * Strict checks of query strings: unknown and repeated parameters are faults, because ignoring them would change the result. Requests are
 * checked by it, and what is stored to be sent as a query later.
 */

import { type Fault, maxFaults } from '../problem.ts';
import { limits } from '../resources/limits.ts';
import { parseInstant, toInstant } from '../values/clock.ts';
import {
  codePointLength,
  findForbiddenCharacter,
  foldText,
  hasExcessiveMarks,
  isFarTooLong,
  nearestName,
  normalizeText,
  quoteName,
} from '../values/text.ts';
import type { JsonSchema } from './body-schemas.ts';
import { marksDetail } from './check-body.ts';
import { cleanFormat, explainFormat, formats, normalizeFormat } from './formats.ts';

/** A parameter that a query string may have, once, or for each of its values. */
export interface KnownParameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** A checked query string. The values must not be used if there are faults. */
export interface CheckedParameters {
  /** The normalized values of the given parameters, as texts, by name. Several values of one are separated as `splitValues` reads them. */
  readonly values: Readonly<Record<string, string>>;
  /** Faults of parameters that are not known. */
  readonly unknown: readonly Fault[];
  /** Faults of parameters that are known. There are at most {@link maxFaults} of both, apart from those that are required. */
  readonly invalid: readonly Fault[];
}

/** Checks a query string, without the question mark. */
export function checkParameters(query: string, known: readonly KnownParameter[]): CheckedParameters {
  const unknown: Fault[] = [];
  const invalid: Fault[] = [];
  const given = new Map<KnownParameter, string[]>();
  for (const part of query.split('&')) {
    if (unknown.length + invalid.length >= maxFaults) break;
    if (part === '') continue;
    const [name, raw] = splitParameter(part, invalid);
    const parameter = known.find((candidate) => candidate.name === name);
    if (parameter === undefined) unknown.push(unknownParameter(name, known));
    else if (!given.has(parameter)) given.set(parameter, [raw]);
    // Clients that do not know `explode: false` repeat a parameter for each of its values.
    else if (parameter.schema.type === 'array') given.get(parameter)?.push(raw);
    else invalid.push({ parameter: name, code: 'repeated', detail: 'Give this parameter only once.' });
  }
  const values: Record<string, string> = {};
  for (const [{ name, schema }, raw] of given) {
    if (unknown.length + invalid.length >= maxFaults) break;
    const { value, detail } = readValues(schema, raw);
    if (detail !== null) invalid.push({ parameter: name, code: 'invalid', detail });
    values[name] = value;
  }
  if (given.size > limits.queryParameters) {
    const detail = `Give at most ${limits.queryParameters} parameters in one request.`;
    invalid.push({ parameter: [...given.keys()].at(-1)?.name ?? '', code: 'too_many', detail });
  }
  for (const parameter of known) {
    if (parameter.required && !given.has(parameter))
      invalid.push({ parameter: parameter.name, code: 'required', detail: 'This parameter is required.' });
  }
  return { values, unknown, invalid };
}

/** Name and value of one `name=value`, decoded. */
function splitParameter(part: string, invalid: Fault[]): [name: string, value: string] {
  const equals = part.indexOf('=');
  const rawName = equals < 0 ? part : part.slice(0, equals);
  const rawValue = equals < 0 ? '' : part.slice(equals + 1);
  const name = decode(rawName);
  const value = decode(rawValue);
  if (name === null || value === null) {
    const parameter = shorten(name ?? rawName);
    invalid.push({ parameter, code: 'encoding', detail: 'Is not percent-encoded UTF-8.' });
  }
  return [name ?? rawName, value ?? rawValue];
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Restores the plus sign of a phone number: in a query it means a space unless it is written as %2B. */
function withPlus(number: string): string {
  return number.replace(/^ (?=[\d(])/, '+');
}

function unknownParameter(name: string, known: readonly KnownParameter[]): Fault {
  const nearest = nearestName(
    name,
    known.map((parameter) => parameter.name),
  );
  const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
  const detail = `Unknown parameter ${quoteName(name)}.${hint}`;
  return { parameter: shorten(name), code: 'unknown_parameter', detail };
}

/** The name of an unknown parameter, cut to a maximum length. */
function shorten(name: string): string {
  return name.length > 64 ? name.slice(0, 64).toWellFormed() : name;
}

interface ReadValue {
  readonly value: string;
  readonly detail: string | null;
}

/** No value has NUL, which is what separates those that may have commas. */
const separatorOf = (schema: JsonSchema): string => (isRepeated(schema) ? '\0' : ',');

/** Whether each value is given in a parameter of its own, because values may have commas. */
function isRepeated(schema: JsonSchema): boolean {
  return schema['x-repeated'] === true;
}

/** The values of a checked parameter: one, or those of a list. */
export function splitValues(schema: JsonSchema, value: string): string[] {
  return schema.type === 'array' ? value.split(separatorOf(schema)) : [value];
}

/** The values of a parameter that may have several, each only once, with the first fault. */
function readValues(schema: JsonSchema, given: readonly string[]): ReadValue {
  const [first = ''] = given;
  if (schema.type !== 'array') return readValue(schema, schema.format === 'phone' ? withPlus(first) : first);
  const { items = {}, maxItems = 1 } = schema as { readonly items?: JsonSchema; readonly maxItems?: number };
  const parts = isRepeated(schema) ? given : given.join().split(',', maxItems + 1);
  if (parts.length > maxItems) {
    const detail = isRepeated(schema)
      ? `Must have at most ${maxItems} values, each in a parameter of its own.`
      : `Must have at most ${maxItems} values, separated by commas.`;
    return { value: '', detail };
  }
  const read = parts.map((part) => readValue(items, part));
  const detail = read.find((one) => one.detail !== null)?.detail ?? null;
  return {
    value: detail === null ? [...new Set(read.map(({ value }) => value))].join(separatorOf(schema)) : '',
    detail,
  };
}

/** A value in the form in which records store it, and its fault or null. */
function readValue(schema: JsonSchema, typed: string): ReadValue {
  const { maxLength } = schema;
  if (typeof maxLength === 'number' && isFarTooLong(typed, maxLength))
    return { value: '', detail: describeLength(schema) };
  if (hasExcessiveMarks(typed)) return { value: '', detail: marksDetail };
  const value = isFreeText(schema) ? normalizeText(cleanFormat(schema.format, typed)) : typed;
  const detail = checkParameter(schema, value);
  return { value: detail === null ? toStoredForm(schema, value) : value, detail };
}

/** Whether white space around a value is removed: only in free text, not in numbers, booleans, choices and instants. */
function isFreeText({ type, enum: choices, format }: JsonSchema): boolean {
  return type === 'string' && choices === undefined && format !== 'date-time';
}

/** A text in the form in which records store it. Instants in UTC, because PostgreSQL does not know all offsets of RFC 3339. */
function toStoredForm({ format }: JsonSchema, value: string): string {
  const instant = format === 'date-time' ? parseInstant(value) : null;
  return instant === null ? normalizeFormat(format, value) : toInstant(instant);
}

/** The fault of a value, or null. */
function checkParameter(schema: JsonSchema, value: string): string | null {
  if (schema.type === 'integer' && schema.enum === undefined) {
    const number = /^(?!-0)-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    const { minimum, maximum } = schema as { minimum: number; maximum: number };
    return number >= minimum && number <= maximum
      ? null
      : `Must be a whole number from ${minimum} to ${maximum}.`;
  }
  if (schema.type === 'boolean')
    return value === 'true' || value === 'false' ? null : 'Must be true or false.';
  if (findForbiddenCharacter(value) >= 0) return 'Must not contain control characters.';
  if (schema.enum !== undefined) {
    return schema.enum.some((choice) => String(choice) === value)
      ? null
      : `Must be one of ${schema.enum.join(', ')}.`;
  }
  const { minLength, maxLength } = lengthsOf(schema);
  const length = codePointLength(value);
  if (length < minLength || length > maxLength) return describeLength(schema);
  const mostFolded = schema['x-max-folded-length'];
  if (typeof mostFolded === 'number' && foldText(value).length > mostFolded)
    return `Is too long: must have at most ${mostFolded} characters after signs that stand for several letters, such as ﷺ, are written out.`;
  if (schema.format === undefined || formats[schema.format]?.accepts(value) !== false) return null;
  return explainFormat(schema.format, value);
}

function lengthsOf({ minLength, maxLength }: JsonSchema): { minLength: number; maxLength: number } {
  return { minLength: Number(minLength ?? 0), maxLength: Number(maxLength ?? Number.POSITIVE_INFINITY) };
}

function describeLength(schema: JsonSchema): string {
  const { minLength, maxLength } = lengthsOf(schema);
  return `Must have ${minLength} to ${maxLength} characters.`;
}
