/** Why: one Ajv, strict, that neither drops, coerces nor defaults anything, with the formats of our fields. */
import { _, type ValidateFunction } from 'ajv';
import Ajv from 'ajv/dist/2020.js';
import { parseInstant } from '../lib/clock.ts';
import { canonicalizeLocale, isTimeZone } from '../lib/locale.ts';
import { isSlug } from '../lib/slug.ts';
import { isHttpUrl } from '../lib/url.ts';
import { limits } from '../resources/limits.ts';
import type { JsonSchema } from './body-schemas.ts';

const yearMs = 366 * 24 * 3_600_000;

/** Formats of string values; the names appear in the OpenAPI document. */
export const formats: Readonly<Record<string, (value: string) => boolean>> = {
  locale: (value) => canonicalizeLocale(value) !== null,
  timezone: isTimeZone,
  slug: isSlug,
  domain: (value) =>
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(value),
  'https-url': (value) => isHttpUrl(value, { httpsOnly: true }),
  'date-time': (value) => parseInstant(value) !== null,
  'future-date-time': (value) => {
    const instant = parseInstant(value);
    return instant !== null && instant > Date.now() && instant < Date.now() + limits.scheduleYears * yearMs;
  },
};

const ajv = new Ajv.default({
  strict: true,
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allowUnionTypes: false,
});
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate);
ajv.addVocabulary(['x-reference']);
ajv.addKeyword({
  keyword: 'x-max-bytes',
  type: 'string',
  schemaType: 'number',
  error: {
    message: 'has too many bytes',
    params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
  },
  validate: (limit: number, value: string) => Buffer.byteLength(value) <= limit,
});

/** Compiles a schema of ours; a mistake in it throws at start. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  return ajv.compile(schema);
}
