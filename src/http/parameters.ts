/** Why: a misspelt or repeated query parameter is an error, because ignoring it would answer another question. */
import { parseInstant, toInstant } from '../lib/clock.ts';
import { type Fault, Problem } from '../lib/problem.ts';
import { codePointLength, findForbiddenCharacter, nearestName, normalizeText } from '../lib/text.ts';
import type { JsonSchema } from '../pipeline/body-schemas.ts';
import { formats, normalizeFormat } from '../pipeline/formats.ts';
import type { QueryParameter } from './operation.ts';

/** Values as texts, normalized; absent parameters are absent. */
export type Parameters = Readonly<Record<string, string>>;

/**
 * Reads a query string strictly.
 * @throws Problem unknown_parameter, invalid_parameter, with every fault at once
 */
export function readParameters(query: string, known: readonly QueryParameter[]): Parameters {
  const unknown: Fault[] = [];
  const invalid: Fault[] = [];
  const values: Record<string, string> = {};
  for (const [name, raw] of parseQuery(query, invalid)) {
    const parameter = known.find((candidate) => candidate.name === name);
    if (parameter === undefined) {
      unknown.push(unknownParameter(name, known));
    } else if (Object.hasOwn(values, name)) {
      invalid.push({ parameter: name, code: 'repeated', detail: 'Give this parameter only once.' });
    } else {
      const typed = parameter.schema.format === 'phone' ? withPlus(raw) : raw;
      const value = isFreeText(parameter.schema) ? normalizeText(typed) : raw;
      const detail = checkParameter(parameter.schema, value);
      if (detail !== null) invalid.push({ parameter: name, code: 'invalid', detail });
      values[name] = detail === null ? toStoredForm(parameter.schema, value) : value;
    }
  }
  for (const { name, required } of known) {
    if (required && !Object.hasOwn(values, name)) {
      invalid.push({ parameter: name, code: 'required', detail: 'This parameter is required.' });
    }
  }
  if (unknown.length > 0) {
    throw new Problem('unknown_parameter', unknown.map(({ detail }) => detail).join(' '), {
      errors: [...unknown, ...invalid],
    });
  }
  if (invalid.length > 0) {
    const detail = invalid.map((fault) => `${fault.parameter}: ${fault.detail}`).join(' ');
    throw new Problem('invalid_parameter', detail, { errors: invalid });
  }
  return values;
}

function parseQuery(query: string, invalid: Fault[]): [string, string][] {
  if (query === '') return [];
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const [rawName = '', ...rest] = part.split('=');
      const name = decode(rawName);
      const value = decode(rest.join('='));
      if (name === null || value === null) {
        const parameter = name ?? rawName;
        invalid.push({ parameter, code: 'encoding', detail: 'Is not percent-encoded UTF-8.' });
      }
      return [name ?? rawName, value ?? rest.join('=')];
    });
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** The plus sign that a phone number begins with means a space in a query, unless it was written as %2B. */
function withPlus(number: string): string {
  return number.replace(/^ (?=[\d(])/, '+');
}

function unknownParameter(name: string, known: readonly QueryParameter[]): Fault {
  const nearest = nearestName(
    name,
    known.map((parameter) => parameter.name),
  );
  const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
  return { parameter: name, code: 'unknown_parameter', detail: `Unknown parameter "${name}".${hint}` };
}

/** Numbers, switches, choices and instants are written exactly; only a text may have white space to lose. */
function isFreeText({ type, enum: choices, format }: JsonSchema): boolean {
  return type === 'string' && choices === undefined && format !== 'date-time';
}

/** A text in the form in which records keep it. Instants in UTC: PostgreSQL does not know all offsets of RFC 3339. */
function toStoredForm({ format }: JsonSchema, value: string): string {
  const instant = format === 'date-time' ? parseInstant(value) : null;
  return instant === null ? normalizeFormat(format, value) : toInstant(instant);
}

/** What is wrong with a value, or null. */
function checkParameter(schema: JsonSchema, value: string): string | null {
  if (schema.type === 'integer') {
    const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    const { minimum, maximum } = schema as { minimum: number; maximum: number };
    return number >= minimum && number <= maximum
      ? null
      : `Must be a whole number from ${minimum} to ${maximum}.`;
  }
  if (schema.type === 'boolean')
    return value === 'true' || value === 'false' ? null : 'Must be true or false.';
  if (findForbiddenCharacter(value) >= 0) return 'Must not contain control characters.';
  if (schema.enum !== undefined) {
    return schema.enum.includes(value) ? null : `Must be one of ${schema.enum.join(', ')}.`;
  }
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as {
    minLength?: number;
    maxLength?: number;
  };
  const length = codePointLength(value);
  if (length < minLength || length > maxLength) return `Must have ${minLength} to ${maxLength} characters.`;
  const format = schema.format === undefined ? undefined : formats[schema.format];
  return format === undefined || format.accepts(value) ? null : format.detail;
}
