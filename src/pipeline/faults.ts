/** Why: a validator speaks in keywords; callers are told which place is wrong, what it must be, and the likely name. */
import type { ErrorObject } from 'ajv';
import { type Fault, Problem } from '../lib/problem.ts';
import { nearestName } from '../lib/text.ts';
import type { JsonSchema } from './body-schemas.ts';
import { formats } from './formats.ts';

/** The part of a nullable schema that describes a value. */
export function unwrap(schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema?.anyOf?.find((option) => option.type !== 'null') ?? schema;
}

/** A member's name as a segment of a JSON pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The refusal of a body that breaks a rule. */
export function invalid(...faults: readonly Fault[]): Problem {
  return new Problem('validation_failed', undefined, { errors: faults });
}

/** A fault for every value that an earlier place has already. `detail`: for the place of that number. */
export function findRepeated(
  values: readonly { readonly value: string; readonly pointer: string }[],
  detail: (index: number) => string,
): Fault[] {
  const seen = new Set<string>();
  return values.flatMap(({ value, pointer }, index) => {
    if (seen.has(value)) return [{ pointer, code: 'repeated', detail: detail(index) }];
    seen.add(value);
    return [];
  });
}

/** What a validator found, for people and machines. */
export function describeErrors(errors: readonly ErrorObject[], schema: JsonSchema, body: unknown): Fault[] {
  return errors.flatMap((error): Fault[] => {
    const pointer = error.instancePath;
    switch (error.keyword) {
      case 'additionalProperties': {
        const name = String(error.params.additionalProperty);
        const known = Object.keys(schemaAt(schema, pointer)?.properties ?? {});
        const nearest = nearestName(name, known);
        return [
          {
            pointer: `${pointer}/${escapePointer(name)}`,
            code: 'unknown_field',
            detail:
              nearest === null
                ? `Unknown field "${name}".`
                : `Unknown field "${name}". Did you mean "${nearest}"?`,
          },
        ];
      }
      case 'required':
        return [
          {
            pointer: `${pointer}/${escapePointer(String(error.params.missingProperty))}`,
            code: 'required',
            detail: 'This field is required.',
          },
        ];
      // An empty PATCH has an error of its own, and the branches of a nullable schema report for themselves.
      case 'minProperties':
      case 'anyOf':
        return [];
      case 'type':
        if (error.params.type === 'null') return [];
        return [
          {
            pointer,
            code: 'type',
            detail: `Must be ${typeName(error, schema)}, not ${nameOf(valueAt(body, pointer))}.`,
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
        return [{ pointer, code: error.keyword, detail: detailOf(error) }];
    }
  });
}

function detailOf(error: ErrorObject): string {
  const limit = error.params.limit;
  switch (error.keyword) {
    case 'minLength':
      return limit === 1 ? 'Must not be empty.' : `Must have at least ${limit} characters.`;
    case 'maxLength':
      return `Must have at most ${limit} characters.`;
    case 'x-max-bytes':
      return `Must have at most ${limit} bytes of UTF-8.`;
    case 'minimum':
      return `Must be at least ${limit}.`;
    case 'maximum':
      return `Must be at most ${limit}.`;
    case 'maxItems':
      return `Must have at most ${limit} items.`;
    case 'uniqueItems':
      return `Items ${error.params.j} and ${error.params.i} are equal.`;
    case 'pattern':
      return `Must match ${error.params.pattern}.`;
    case 'format':
      return formats[String(error.params.format)]?.detail ?? `Must have the form ${error.params.format}.`;
    default:
      return `${error.message ?? 'Is not valid'}.`;
  }
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

function valueAt(body: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    body,
  );
}

function schemaAt(schema: JsonSchema, pointer: string, wrapped = false): JsonSchema | undefined {
  let found: JsonSchema | undefined = schema;
  for (const key of segments(pointer)) found = unwrap(found)?.properties?.[key] ?? unwrap(found)?.items;
  return wrapped ? found : unwrap(found);
}

function segments(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A value of another type also fails whatever else is asked of it, which tells nothing more. */
export function dropImplied(faults: readonly Fault[]): Fault[] {
  const mistyped = new Set(faults.flatMap(({ pointer, code }) => (code === 'type' ? [pointer] : [])));
  return faults.filter(({ pointer, code }) => code === 'type' || !mistyped.has(pointer));
}

/** Faults listed of one body: a hostile one could have hundreds of thousands. */
export const maxFaults = 100;

/** What a validator found, as a caller is told: nothing twice, nothing implied, and not more than anybody reads. */
export function tellFaults(errors: readonly ErrorObject[], schema: JsonSchema, body: unknown): Fault[] {
  return dropRepeated(dropImplied(describeErrors(errors, schema, body))).slice(0, maxFaults);
}

/** One fault per place and kind: a nullable schema may report the same one from two branches. */
export function dropRepeated(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  return faults.filter(({ pointer, code, detail }) => {
    const key = `${pointer} ${code} ${detail}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
