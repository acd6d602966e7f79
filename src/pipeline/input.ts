/**
 * Why: nothing of a body is believed before it has passed here. All faults are found at once, located by JSON pointers,
 * and what passes is in stored form: text normalized, ids decoded, instants in UTC.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { parseInstant, toInstant } from '../lib/clock.ts';
import { decodeId } from '../lib/ids.ts';
import { canonicalizeLocale } from '../lib/locale.ts';
import type { Fault } from '../lib/problem.ts';
import { findForbiddenCharacter, nearestName, normalizeText } from '../lib/text.ts';
import type { Field } from '../resources/fields.ts';
import { flattenFields, isGroup, type Resource } from '../resources/resource.ts';
import { createBodySchema, type JsonSchema, patchBodySchema } from './body-schemas.ts';
import { compileSchema } from './schema-compiler.ts';
import { innerReferences, prefixOf, type Values } from './values.ts';

/** Faults listed of one body: a hostile one could have hundreds of thousands. */
const maxFaults = 100;

/** An id in a body and where it stood. */
export interface ReferenceUse {
  readonly resource: string;
  readonly sameParent: boolean;
  readonly id: string;
  readonly pointer: string;
}

/** What a body amounts to. When `faults` is not empty the rest is not to be used. */
export interface Input {
  /** Given fields only, by dotted name, in stored form; null clears. */
  readonly values: Values;
  readonly references: readonly ReferenceUse[];
  readonly faults: readonly Fault[];
  /** Members given in the body, counted after validation; 0 makes a PATCH empty. */
  readonly given: number;
}

/** Checks bodies of one resource. */
export interface InputReader {
  create(body: unknown): Input;
  patch(body: unknown): Input;
}

/** Compiles both validators of a resource once. */
export function createInputReader(resource: Resource): InputReader {
  const createSchema = createBodySchema(resource);
  const patchSchema = patchBodySchema(resource);
  const validateCreate = compileSchema(createSchema);
  const validatePatch = compileSchema(patchSchema);
  return {
    create: (body) => readBody(resource, createSchema, validateCreate, body),
    patch: (body) => readBody(resource, patchSchema, validatePatch, body),
  };
}

function readBody(resource: Resource, schema: JsonSchema, validate: ValidateFunction, body: unknown): Input {
  const faults: Fault[] = [];
  const normalized = normalizeTexts(body, schema, '', faults);
  if (!validate(normalized)) faults.push(...describeErrors(validate.errors ?? [], schema, normalized));
  if (faults.length > 0)
    return { values: {}, references: [], faults: dropRepeated(faults).slice(0, maxFaults), given: 0 };
  const values: Values = {};
  const references: ReferenceUse[] = [];
  let given = 0;
  const source = normalized as Record<string, unknown>;
  for (const [name, member] of Object.entries(resource.fields)) {
    const value = source[name];
    if (value === undefined) continue;
    if (isGroup(member)) {
      for (const [inner, field] of Object.entries(member.fields)) {
        const innerValue = (value as Record<string, unknown>)[inner];
        if (innerValue === undefined) continue;
        given += 1;
        values[`${name}.${inner}`] = toStored(field, innerValue, `/${name}/${inner}`, references, faults);
      }
    } else {
      given += 1;
      values[name] = toStored(member, value, `/${name}`, references, faults);
    }
  }
  return { values, references, faults, given };
}

/** Completes the fields that a create did not give with their defaults. */
export function withDefaults(resource: Resource, values: Values): Values {
  const complete: Values = {};
  for (const [name, field] of flattenFields(resource)) {
    const given = values[name];
    const absent = given === undefined || (given === null && !field.nullable);
    complete[name] = absent ? field.defaultValue : completeValue(field.schema as JsonSchema, given);
  }
  return complete;
}

/** In a record no member of an object is missing. */
function completeValue(schema: JsonSchema, value: unknown): unknown {
  const isObject = schema.type === 'object' && typeof value === 'object' && value !== null;
  return isObject ? completeObject(schema, value as Record<string, unknown>) : value;
}

/** A validated value in the form it is stored in. */
function toStored(
  field: Field,
  value: unknown,
  pointer: string,
  uses: ReferenceUse[],
  faults: Fault[],
): unknown {
  if (value === null) return null;
  if (field.reference !== null) {
    const { resource, sameParent } = field.reference;
    const decode = (id: string, at: string) => decodeReference(resource, sameParent, id, at, uses, faults);
    return Array.isArray(value)
      ? value.map((id: string, index) => decode(id, `${pointer}/${index}`))
      : decode(value as string, pointer);
  }
  if (field.kind === 'instant') return toInstant(parseInstant(value as string) ?? Number.NaN);
  if ((field.schema as JsonSchema).format === 'locale') return canonicalizeLocale(value as string);
  const inner = innerReferences(field);
  if (inner.length > 0) {
    return (value as Record<string, unknown>[]).map((item, index) => {
      const copy = completeObject((field.schema as JsonSchema).items as JsonSchema, item);
      for (const { key, resource } of inner) {
        const id = copy[key];
        if (typeof id === 'string') {
          copy[key] = decodeReference(resource, false, id, `${pointer}/${index}/${key}`, uses, faults);
        }
      }
      return copy;
    });
  }
  return value;
}

function decodeReference(
  resource: string,
  sameParent: boolean,
  id: string,
  pointer: string,
  uses: ReferenceUse[],
  faults: Fault[],
): string | null {
  const uuid = decodeId(prefixOf(resource), id);
  // A malformed id cannot name anything: the same answer as for one that names nothing visible.
  if (uuid === null) faults.push(referenceFault(pointer));
  else uses.push({ resource, sameParent, id: uuid, pointer });
  return uuid;
}

/** The fault of an id that names nothing the caller may refer to. */
export function referenceFault(pointer: string): Fault {
  return { pointer, code: 'reference_not_found', detail: 'No such record here.' };
}

/** Fills the members that an object of a closed shape leaves out with their default, or null. */
export function completeObject(schema: JsonSchema, value: Record<string, unknown>): Record<string, unknown> {
  const complete: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    complete[key] = value[key] ?? property.default ?? null;
  }
  return complete;
}

/** NFC and trimming for every text that is not verbatim; control characters are faults, not silently removed. */
function normalizeTexts(
  value: unknown,
  schema: JsonSchema | undefined,
  pointer: string,
  faults: Fault[],
): unknown {
  if (typeof value === 'string') {
    if (schema?.['x-max-bytes'] !== undefined) return value;
    // Text pasted on Windows ends its lines with CR LF; everything else that controls is refused.
    const text = normalizeText(value.replaceAll('\r\n', '\n'));
    if (findForbiddenCharacter(text) >= 0) {
      faults.push({
        pointer,
        code: 'forbidden_character',
        detail: 'Control characters other than tab and newline are not allowed.',
      });
    }
    return text;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      normalizeTexts(item, unwrap(schema?.items), `${pointer}/${index}`, faults),
    );
  }
  if (typeof value === 'object' && value !== null) {
    const copy: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const inner = unwrap(schema?.properties?.[key]);
      const normalized = normalizeTexts(item, inner, `${pointer}/${escapePointer(key)}`, faults);
      Object.defineProperty(copy, key, {
        value: normalized,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return copy;
  }
  return value;
}

/** The part of a nullable schema that describes a value. */
function unwrap(schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema?.anyOf?.find((option) => option.type !== 'null') ?? schema;
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function describeErrors(errors: readonly ErrorObject[], schema: JsonSchema, body: unknown): Fault[] {
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

const formatDetails: Readonly<Record<string, string>> = {
  locale: 'Must be a language tag (BCP 47), for example "en-GB".',
  timezone: 'Must be the name of an IANA time zone, for example "Europe/Berlin".',
  slug: 'Must consist of lower-case letters and digits, separated by single hyphens.',
  domain: 'Must be a host name in lower case, for example "blog.example.com".',
  'https-url': 'Must be an absolute https address.',
  'date-time': 'Must be an instant with an offset (RFC 3339), for example "2026-03-01T09:00:00Z".',
  'future-date-time': 'Must be an instant in the future, at most five years ahead (RFC 3339).',
};

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
      return formatDetails[String(error.params.format)] ?? `Must have the form ${error.params.format}.`;
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

/** One fault per place and kind: a nullable schema may report the same one from two branches. */
function dropRepeated(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  return faults.filter(({ pointer, code, detail }) => {
    const key = `${pointer} ${code} ${detail}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
