/** Fields and shapes that several resources share: prices, addresses, phone numbers, labels and so on. */

import { list, locale, nullable, picture, reference, references, strings, text } from './fields.ts';
import { type TSchema, Type } from './type.ts';

/** The suffix of ids in examples. */
const suffix = '01h455vb4pex5vsknk084sn02q';

/** A member of an object that may be left out or be null. */
export function optional<S extends TSchema>(schema: S, description: string, example: unknown) {
  return Type.Optional(Type.Union([schema, Type.Null()], { description, examples: [example] }));
}

/** A line of text inside an object. */
export function line(max: number) {
  return Type.String({ minLength: 1, maxLength: max });
}

/** A text of a known format inside an object. */
function formatted(format: string, max: number) {
  return Type.String({ minLength: 1, maxLength: max, format });
}

/** One of a fixed list of values inside an object. */
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

/** Marks the primary item of a list. */
export const isPrimary = Type.Optional(
  Type.Boolean({
    description: 'Whether this is the primary item; at most one item of the list is.',
    default: false,
    examples: [true],
  }),
);

const amount = Type.String({
  maxLength: 22,
  format: 'decimal',
  description: 'Decimal number as text, which avoids rounding; up to 15 digits and 6 decimals.',
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
      formatted('country', 100),
      'The country that the price applies to, by code (ISO 3166-1) or name; null for all. Two letters are stored.',
      'DE',
    ),
  },
  {
    additionalProperties: false,
    description: 'One price.',
    examples: [{ amount: '19.90', currency: 'EUR', territory: 'DE' }],
  },
);

const label = optional(line(64), 'Label, such as "work".', 'work');

const phone = Type.Object(
  {
    number: Type.String({
      minLength: 1,
      maxLength: 64,
      format: 'phone',
      description: 'The number as typed, in any notation, also with an extension or as a `tel:` address.',
      examples: ['+49 30 1234567'],
    }),
    country: optional(
      formatted('country', 100),
      'The country of a number without +, by code (ISO 3166-1) or name; two letters are stored. By default the country of the organization.',
      'DE',
    ),
    label,
    isPrimary,
    e164: Type.Optional(
      Type.Union(
        [Type.String({ pattern: '^\\+[1-9][0-9]{1,14}$', examples: ['+49301234567'] }), Type.Null()],
        {
          readOnly: true,
          description:
            'The number in international form (E.164), which comparisons and searches use; null for one that only its country can dial, such as 110.',
          examples: ['+49301234567'],
        },
      ),
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
    country: optional(
      formatted('country', 100),
      'Country, by code (ISO 3166-1) or name; two letters are stored.',
      'DE',
    ),
  },
  {
    additionalProperties: false,
    description: 'One postal address.',
    examples: [{ street: 'Unter den Linden 77', city: 'Berlin', postalCode: '10117', country: 'DE' }],
  },
);

/** Phone numbers of a contact or company. */
export const phones = list(phone, {
  itemName: { en: 'Phone', de: 'Telefon' },
  max: 20,
  help: {
    en: 'With + and the country code, or with the country.',
    de: 'Mit + und Landesvorwahl, oder mit Angabe des Landes.',
  },
  description: 'Phone numbers, in order.',
  example: [{ number: '+49 30 1234567', label: 'work' }],
});

/** Postal addresses of a contact or company. */
export const addresses = list(address, {
  itemName: { en: 'Address', de: 'Anschrift' },
  max: 5,
  description: 'Postal addresses, in order.',
  example: [{ street: 'Unter den Linden 77', city: 'Berlin', postalCode: '10117', country: 'DE' }],
});

/** Free labels, stored in lower case. */
export const labels = strings({
  max: 50,
  item: { max: 64, format: 'label' },
  help: { en: 'Stored in lower case.', de: 'Werden in Kleinbuchstaben gespeichert.' },
  description: 'Labels, stored in lower case.',
  example: ['newsletter'],
});

/** The last section of a long form: what most records do not have. */
export function furtherDetails<const Name extends string>(...fields: readonly Name[]) {
  return { title: { en: 'Further details', de: 'Weitere Angaben' }, fields, isRare: true };
}

/** The member who is responsible for a contact or company. */
export const owner = nullable(
  reference('users', {
    help: {
      en: 'The member who takes care of the record.',
      de: 'Das Mitglied, das sich um den Eintrag kümmert.',
    },
    description: 'The member who is responsible for the record; must be active.',
    example: `user_${suffix}`,
  }),
);

/** The cover picture of the record. */
export const coverFile = nullable(
  picture({
    description: 'A knowledge file shown as the cover.',
    example: `kf_${suffix}`,
  }),
);

/** Files that are attached to the record. */
export const files = references('knowledge-files', {
  max: 50,
  description: 'Attached knowledge files, in order.',
  example: [`kf_${suffix}`],
});

/** Language of a publication or file; null when nobody has given it. */
export const language = nullable(
  locale({
    help: {
      en: 'The search then finds inflected words as well.',
      de: 'Die Suche findet damit auch gebeugte Wörter.',
    },
    description: 'Language (BCP 47).',
    example: 'en',
  }),
);

/** A date known to the year, the month or the day. */
export function partialDate(description: string, example: string) {
  return nullable(
    text({
      min: 4,
      max: 10,
      format: 'partial-date',
      help: {
        en: 'A year, a month or a day, such as 2003, 2003-02 or 2003-02-06.',
        de: 'Ein Jahr, ein Monat oder ein Tag, zum Beispiel 2003, 02.2003 oder 06.02.2003.',
      },
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
    searchable: 'D',
    help: {
      en: 'Such as 10.1000/182. A link to doi.org works as well.',
      de: 'Zum Beispiel 10.1000/182. Auch ein Link auf doi.org ist möglich.',
    },
    description: 'DOI (ISO 26324), stored as the bare name in lower case; links to doi.org are accepted.',
    example: '10.1000/182',
  }),
);

/** The list filter for records changed since an instant. */
export const updatedSince = {
  kind: 'bound',
  bound: 'gte',
  field: 'updatedAt',
  description: 'Changed at or after this instant.',
  example: '2026-01-01T00:00:00Z',
} as const;
