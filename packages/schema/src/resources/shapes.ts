/** Why: what several resources describe alike (a price, an address, a phone number) has one shape and one set of limits. */
import { type TSchema, Type } from 'typebox';
import { decimalPattern } from '../values/decimal.ts';
import { list, locale, nullable, reference, references, strings, text } from './fields.ts';

/** An id that looks real, for examples. */
const suffix = '01h455vb4pex5vsknk084sn02q';

/** A member of an object that may be left out or be null. */
export function optional<S extends TSchema>(schema: S, description: string, example: unknown) {
  return Type.Optional(Type.Union([schema, Type.Null()], { description, examples: [example] }));
}

/** A line of text inside an object. */
export function line(max: number) {
  return Type.String({ minLength: 1, maxLength: max });
}

/** A text of a known form inside an object. */
export function formatted(format: string, max: number) {
  return Type.String({ minLength: 1, maxLength: max, format });
}

/** One of a closed list of values inside an object. */
export function oneOf<const V extends readonly [string, ...string[]]>(values: V) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values] });
}

/** The id of another record inside an object. */
export function idOf(resource: string, description: string, prefix: string) {
  return Type.String({
    maxLength: 64,
    description,
    examples: [`${prefix}_${suffix}`],
    'x-reference': resource,
  });
}

/** At most one item of a list has it. */
export const isPrimary = Type.Optional(
  Type.Boolean({
    description: 'Whether it is the main one; at most one is.',
    default: false,
    examples: [true],
  }),
);

const amount = Type.String({
  pattern: decimalPattern,
  maxLength: 22,
  description: 'Decimal number as text, so that nothing is rounded: up to 15 digits and 6 decimals.',
  examples: ['19.90'],
});
const currency = Type.String({
  minLength: 3,
  maxLength: 3,
  format: 'currency',
  description: 'ISO 4217 code of a currency in use.',
  examples: ['EUR'],
});

/** An amount of money. */
export const money = Type.Object(
  { amount, currency },
  {
    additionalProperties: false,
    description: 'An amount of money.',
    examples: [{ amount: '1250000', currency: 'EUR' }],
  },
);

/** A price, possibly for one country only. */
export const price = Type.Object(
  {
    amount,
    currency,
    territory: optional(
      formatted('country', 2),
      'ISO 3166-1 code of the country it is for; null for all.',
      'DE',
    ),
  },
  {
    additionalProperties: false,
    description: 'One price.',
    examples: [{ amount: '19.90', currency: 'EUR', territory: 'DE' }],
  },
);

const label = optional(line(64), 'What it is for.', 'work');

const phone = Type.Object(
  {
    number: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'As typed, in any notation.',
      examples: ['+49 30 1234567'],
    }),
    country: optional(
      formatted('country', 2),
      'ISO 3166-1 code of the country of a number without +; otherwise the organization’s default country.',
      'DE',
    ),
    label,
    isPrimary,
    e164: Type.Optional(
      Type.String({
        readOnly: true,
        pattern: '^\\+[1-9][0-9]{1,14}$',
        description: 'The number in international form (E.164), by which numbers are compared and found.',
        examples: ['+49301234567'],
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'One phone number.',
    examples: [{ number: '+49 30 1234567', label: 'work' }],
  },
);

const address = Type.Object(
  {
    street: optional(line(255), 'Street and number; several lines are allowed.', 'Unter den Linden 77'),
    city: optional(line(120), 'City.', 'Berlin'),
    region: optional(line(120), 'State, province or region.', 'Berlin'),
    postalCode: optional(line(32), 'Postal code.', '10117'),
    country: optional(formatted('country', 2), 'ISO 3166-1 code.', 'DE'),
  },
  {
    additionalProperties: false,
    description: 'One postal address.',
    examples: [{ street: 'Unter den Linden 77', city: 'Berlin', postalCode: '10117', country: 'DE' }],
  },
);

/** Phone numbers of a contact or company. */
export const phones = list(phone, {
  max: 20,
  description: 'Phone numbers, in order.',
  example: [{ number: '+49 30 1234567', label: 'work' }],
});

/** Postal addresses of a contact or company. */
export const addresses = list(address, {
  max: 5,
  description: 'Postal addresses, in order.',
  example: [{ street: 'Unter den Linden 77', city: 'Berlin', postalCode: '10117', country: 'DE' }],
});

/** Free labels, kept in lower case. */
export const labels = strings({
  max: 50,
  item: { max: 64, format: 'label' },
  description: 'Labels, kept in lower case.',
  example: ['newsletter'],
});

/** Who looks after a contact or company. */
export const owner = nullable(
  reference('users', {
    description: 'The active member who looks after it.',
    example: `user_${suffix}`,
  }),
);

/** A picture that stands for the record. */
export const coverFile = nullable(
  reference('knowledge-files', {
    description: 'A knowledge file shown as the cover.',
    example: `kf_${suffix}`,
  }),
);

/** Files that belong to the record. */
export const files = references('knowledge-files', {
  max: 50,
  description: 'Knowledge files that belong to it, in order.',
  example: [`kf_${suffix}`],
});

/** Language of a publication. */
export const language = locale({ default: 'en', description: 'Language (BCP 47).', example: 'en' });

/** A date known to the year, the month or the day. */
export function partialDate(description: string, example: string) {
  return nullable(
    text({
      min: 4,
      max: 10,
      format: 'partial-date',
      description: `${description} \`YYYY\`, \`YYYY-MM\` or \`YYYY-MM-DD\`.`,
      example,
    }),
  );
}

/** A Digital Object Identifier. */
export const doi = nullable(
  text({
    max: 255,
    format: 'doi',
    description: 'DOI (ISO 26324), kept as a bare name in lower case; links to doi.org are accepted.',
    example: '10.1000/182',
  }),
);

/** The list filter for records changed since an instant. */
export const updatedSince = {
  kind: 'since',
  field: 'updatedAt',
  description: 'Changed at or after this instant.',
  example: '2026-01-01T00:00:00Z',
} as const;
