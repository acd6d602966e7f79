/**
 * Translates the schemas of validation to standard OpenAPI 3.1: replaces our own keywords, and distinguishes the bodies of
 * requests from records. The result accepts exactly the same values.
 */
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isFreeFormat } from '@trellis/schema/validation/formats.ts';
import { decimalPattern } from '@trellis/schema/values/decimal.ts';
import { exampleOf } from '../../http/schemas.ts';

/** The formats that JSON Schema 2020-12 defines and we use. Validators may refuse to compile a schema with another one. */
const standardFormats: ReadonlySet<string> = new Set(['date-time', 'hostname', 'uri', 'uri-reference']);

/** What a format is in the document: a standard format, a pattern that matches every valid value, or both. */
const documentedFormats: Readonly<Record<string, JsonSchema>> = {
  'future-date-time': { format: 'date-time' },
  'schedule-date-time': { format: 'date-time' },
  domain: { pattern: '^[^\\s/:]+$' },
  'role-key': { pattern: '^([a-z0-9]+(-[a-z0-9]+)*|[A-Z]+)$' },
  locale: { pattern: '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$' },
  'https-url': { pattern: '^https://[^\\s/]' },
  'http-url': { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]' },
  'email-address': { pattern: '^[^@\\s]+@[^\\s]+$' },
  isbn13: { pattern: '[0-9]' },
  issn: { pattern: '[0-9Xx]' },
  doi: { pattern: '10\\.[0-9]{4}' },
  'partial-date': { pattern: '^[0-9]{4}(-[0-9]{2}){0,2}$' },
  color: { pattern: '^#[0-9A-Fa-f]{6}$' },
  currency: { pattern: '^[A-Za-z]{3}$' },
  decimal: { pattern: decimalPattern },
};

/** Whether a format has no name in JSON Schema: the document has it as `x-format`. */
export function isOwnFormat(name: string): boolean {
  return !isFreeFormat(name) && !standardFormats.has(name) && documentedFormats[name]?.format === undefined;
}

/** Patterns of what is stored, where bodies may have more. */
const storedPatterns: Readonly<Record<string, string>> = {
  country: '^[A-Z]{2}$',
  currency: '^[A-Z]{3}$',
  domain: '^[a-z0-9.-]+$',
};

function documentFormat(name: string, direction: 'request' | 'response'): JsonSchema {
  if (isFreeFormat(name)) return {};
  const { format = name, ...written } = documentedFormats[name] ?? {};
  const stored = direction === 'response' ? storedPatterns[name] : undefined;
  const others = stored === undefined ? written : { ...written, pattern: stored };
  return isOwnFormat(name) ? { 'x-format': name, ...others } : { format, ...others };
}

/** The schema of a request body, closed like the one that validates. */
export function requestSchema(schema: JsonSchema): JsonSchema {
  return translate(schema, 'request');
}

/** The schema of what the server sends: open to members that are added later, with every known member required. */
export function responseSchema(schema: JsonSchema): JsonSchema {
  return translate(schema, 'response');
}

function translate(schema: JsonSchema, direction: 'request' | 'response'): JsonSchema {
  const {
    'x-reference': _reference,
    'x-picture': _picture,
    'x-repeated': _repeated,
    default: initial,
    format,
    ...rest
  } = schema;
  const translated: Record<string, unknown> = {
    ...rest,
    ...(format === undefined ? {} : documentFormat(format, direction)),
  };
  if (schema.items !== undefined) translated.items = translate(schema.items, direction);
  if (schema.anyOf !== undefined) {
    const options = direction === 'request' ? allowEmpty(schema.anyOf) : schema.anyOf;
    translated.anyOf = options.map((option) => translate(option, direction));
  }
  if (schema.properties !== undefined) {
    const properties = Object.entries(schema.properties).map(([name, property]): [string, JsonSchema] => [
      name,
      translate(property, direction),
    ]);
    translated.properties = Object.fromEntries(properties);
    if (direction === 'response') {
      delete translated.additionalProperties;
      translated.required = properties.map(([name]) => name);
    }
    translated.examples ??= [exampleOf(properties)];
  }
  if (direction === 'response' && schema.examples !== undefined) {
    translated.examples = schema.examples.map((example) => complete(schema, example));
  }
  if (direction === 'request' && initial !== undefined) {
    // As text, because code generators make members with the keyword `default` required.
    translated.description = `${schema.description ?? ''} Default: \`${JSON.stringify(initial)}\`.`.trim();
  }
  return translated;
}

/** Allows the empty text where null is allowed; both have the same meaning (see `check-body.ts`). */
function allowEmpty(options: readonly JsonSchema[]): readonly JsonSchema[] {
  return options.flatMap((option) => {
    const { minLength, ...rest } = option;
    if (minLength === undefined || !options.some(({ type }) => type === 'null')) return [option];
    const isPlain = minLength === 1 && isFreeFormat(option.format) && option.pattern === undefined;
    return isPlain ? [rest] : [option, { type: 'string', enum: [''] }];
  });
}

/** Completes objects in examples: in a record, every member of an object is present. */
function complete(schema: JsonSchema, value: unknown): unknown {
  const { items, properties } = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  if (Array.isArray(value) && items !== undefined) return value.map((item) => complete(items, item));
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  const given = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      complete(
        property,
        given[name] ?? (property.readOnly === true ? property.examples?.[0] : property.default) ?? null,
      ),
    ]),
  );
}
