/**
 * Descriptions of the faults of a body: the location, what is expected, and the nearest name of an unknown field. The
 * validator's errors only have keywords of JSON Schema.
 */
import type { ErrorObject } from 'ajv';
import { type Fault, Problem } from '../problem.ts';
import { segmentsOf, valueAtPointer } from '../values/paths.ts';
import { nearestName, quoteName } from '../values/text.ts';
import type { JsonSchema } from './body-schemas.ts';
import { explainFormat } from './formats.ts';

/** The part of a nullable schema that describes a value. */
export function unwrap(schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema?.anyOf?.find((option) => option.type !== 'null') ?? schema;
}

/** Escapes a member's name as a segment of a JSON pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The problem of a body that breaks a rule. */
export function invalid(...faults: readonly Fault[]): Problem {
  return new Problem('validation_failed', undefined, { errors: faults });
}

/** Codes of faults that are also the code of the problem when a body has only such faults. */
const ownCodes = ['unknown_field', 'reference_not_found', 'empty_patch'] as const;

/** The problem of a body with faults: unknown_field, reference_not_found, empty_patch, validation_failed; null without any. */
export function problemOf(faults: readonly Fault[]): Problem | null {
  if (faults.length === 0) return null;
  const code = ownCodes.find((own) => faults.every((fault) => fault.code === own));
  return new Problem(code ?? 'validation_failed', undefined, { errors: faults });
}

/** Refuses a body with faults. @throws Problem as from `problemOf` */
export function refuseFaults(faults: readonly Fault[]): void {
  const problem = problemOf(faults);
  if (problem !== null) throw problem;
}

/** Longer names are left out of the pointer, which then names the containing object. */
const longestNameInPointer = 200;

/** The fault of an unknown member. `known`: the names of the known ones. */
export function unknownField(pointer: string, name: string, known: readonly string[]): Fault {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
  return {
    pointer: name.length > longestNameInPointer ? pointer : `${pointer}/${escapePointer(name)}`,
    code: 'unknown_field',
    detail: `Unknown field ${quoteName(name)}.${hint}`,
  };
}

/** The fault of a read-only member in a body. */
export function readOnlyField(pointer: string, name: string): Fault {
  return {
    pointer: `${pointer}/${escapePointer(name)}`,
    code: 'unknown_field',
    detail: `The field "${name}" is read-only; leave it out.`,
  };
}

/** The fault of a value that exceeds one of the schema's limits, by the limit's keyword. */
export function limitFault(pointer: string, keyword: string, limit: number): Fault {
  return { pointer, code: keyword, detail: describeLimit(keyword, limit) };
}

/** The faults for a validator's errors. Unknown members are reported elsewhere, before validation. */
export function describeErrors(errors: readonly ErrorObject[], schema: JsonSchema, body: unknown): Fault[] {
  return errors.flatMap((error): Fault[] => {
    const pointer = error.instancePath;
    switch (error.keyword) {
      case 'required':
        return [
          {
            pointer: `${pointer}/${escapePointer(String(error.params.missingProperty))}`,
            code: 'required',
            detail: 'This field is required.',
          },
        ];
      case 'minProperties':
        return [{ pointer, code: 'empty_patch', detail: 'Must have at least one supported field.' }];
      // The branches of a nullable schema report their own errors.
      case 'anyOf':
        return [];
      case 'type':
        if (error.params.type === 'null') return [];
        return [
          {
            pointer,
            code: 'type',
            detail: `Must be ${typeName(error, schema)}, not ${nameOf(valueAtPointer(body, pointer))}.`,
          },
        ];
      case 'enum':
        return [
          {
            pointer,
            code: 'enum',
            detail: `Must be one of ${(error.params.allowedValues as string[]).join(', ')}.`,
          },
        ];
      default:
        return [
          { pointer, code: error.keyword, detail: detailOf(error, schema, valueAtPointer(body, pointer)) },
        ];
    }
  });
}

function detailOf(error: ErrorObject, schema: JsonSchema, value: unknown): string {
  switch (error.keyword) {
    case 'uniqueItems':
      return `Items ${error.params.j} and ${error.params.i} are equal.`;
    case 'pattern':
      return explainPattern(schemaAt(schema, error.instancePath));
    case 'format':
      return explainFormat(String(error.params.format), String(value));
    default:
      return typeof error.params.limit === 'number'
        ? describeLimit(error.keyword, error.params.limit)
        : `${error.message ?? 'Is not valid'}.`;
  }
}

/** Says by an example what a pattern expects; regular expressions are for programs. */
function explainPattern(schema: JsonSchema | undefined): string {
  return `Must look like the example "${schema?.examples?.[0]}".`;
}

function describeLimit(keyword: string, limit: number): string {
  switch (keyword) {
    case 'minLength':
      return limit === 1 ? 'Must not be empty.' : `Must have at least ${limit} characters.`;
    case 'maxLength':
      return `Must have at most ${countOf(limit, 'character')}.`;
    case 'x-max-bytes':
      return `Must have at most ${countOf(limit, 'byte')} of UTF-8.`;
    case 'minimum':
      return `Must be at least ${limit}.`;
    case 'minItems':
      return `Must have at least ${countOf(limit, 'item')}.`;
    case 'maxItems':
      return `Must have at most ${countOf(limit, 'item')}.`;
    default:
      return `Must be at most ${limit}.`;
  }
}

/** A count with its noun, which has a regular plural. */
function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

function typeName(error: ErrorObject, schema: JsonSchema): string {
  const type = String(error.params.type);
  const nullable = schemaAt(schema, error.instancePath, true)?.anyOf !== undefined;
  return nullable ? `${type} or null` : type;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function schemaAt(schema: JsonSchema, pointer: string, wrapped = false): JsonSchema | undefined {
  let found: JsonSchema | undefined = schema;
  for (const key of segmentsOf(pointer)) found = unwrap(found)?.properties?.[key] ?? unwrap(found)?.items;
  return wrapped ? found : unwrap(found);
}

/** Drops the other faults of values of a wrong type, because the type explains them. */
export function dropImplied(faults: readonly Fault[]): Fault[] {
  const mistyped = new Set(faults.flatMap(({ pointer, code }) => (code === 'type' ? [pointer] : [])));
  return faults.filter(({ pointer, code }) => code === 'type' || !mistyped.has(pointer));
}

/** Drops the fault of an empty object in a PATCH if it is empty only because its members were refused. */
export function dropEmpty(faults: readonly Fault[]): readonly Fault[] {
  const others = faults.filter(({ code }) => code !== 'empty_patch');
  return others.length === 0 ? faults : others;
}

/** Keeps one fault per location and code: a nullable schema may report the same one from two branches. */
export function dropRepeated(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  return faults.filter(({ pointer, code, detail }) => {
    const key = `${pointer} ${code} ${detail}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
