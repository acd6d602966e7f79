/** Declaration of books: editions in the catalogue of a publisher. */

import type { Fault } from '../problem.ts';
import { findRepeated } from '../validation/repeated.ts';
import { isbn13To10 } from '../values/isbn.ts';
import { bookColumns } from './book-columns.ts';
import { choice, integer, list, nullable, readOnly, states, text } from './fields.ts';
import { contentGrants } from './grants.ts';
import type { RecordRules } from './record-rules.ts';
import { defineResource, type RecordOf } from './resource.ts';
import {
  coverFile,
  doi,
  files,
  furtherDetails,
  language,
  line,
  oneOf,
  optional,
  partialDate,
  price,
  updatedSince,
} from './shapes.ts';
import { type ValuesOf, withChanges } from './stored-values.ts';
import { Type } from './type.ts';

/** Roles of contributors. */
const contributorRoles = ['AUTHOR', 'EDITOR', 'ILLUSTRATOR', 'TRANSLATOR', 'NARRATOR', 'OTHER'] as const;
const bookStatuses = ['DRAFT', 'PUBLISHED', 'UNPUBLISHED', 'ARCHIVED'] as const;
const bookFormats = ['HARDCOVER', 'PAPERBACK', 'EBOOK', 'AUDIOBOOK'] as const;
/** Statuses of the trade; the names follow ONIX code list 64. */
const tradeStatuses = [
  'FORTHCOMING',
  'POSTPONED',
  'ACTIVE',
  'OUT_OF_STOCK',
  'OUT_OF_PRINT',
  'WITHDRAWN',
  'CANCELLED',
] as const;

const contributor = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 255,
      format: 'name',
      description: 'Name as printed.',
      examples: ['Mary Shelley'],
    }),
    role: Type.Unsafe<(typeof contributorRoles)[number]>({
      ...oneOf(contributorRoles),
      description: 'What the person did.',
      examples: ['AUTHOR'],
    }),
    position: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 1_000 }), Type.Null()], {
        description:
          'Position among the contributors of the same role, where it differs from the order of the list.',
        examples: [1],
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'One contributor.',
    examples: [{ name: 'Mary Shelley', role: 'AUTHOR', position: 1 }],
  },
);

const subject = Type.Object(
  {
    scheme: Type.Unsafe<'THEMA' | 'BISAC' | 'CUSTOM'>({
      ...oneOf(['THEMA', 'BISAC', 'CUSTOM']),
      description: 'Classification scheme of the code.',
      examples: ['THEMA'],
    }),
    code: Type.String({ minLength: 1, maxLength: 64, description: 'The code.', examples: ['FBC'] }),
    label: optional(line(255), 'The code in words.', 'Classic fiction'),
  },
  {
    additionalProperties: false,
    description: 'One subject.',
    examples: [{ scheme: 'THEMA', code: 'FBC', label: 'Classic fiction' }],
  },
);

export const books = defineResource({
  name: 'books',
  singular: 'book',
  title: { singular: 'Book', plural: 'Books' },
  german: {
    singular: 'Buch',
    plural: 'Bücher',
    fields: {
      contributors: 'Mitwirkende',
      isbn13: 'ISBN-13',
      isbn10: 'ISBN-10',
      edition: 'Auflage',
      seriesTitle: 'Reihe',
      seriesPosition: 'Band',
      format: 'Format',
      imprint: 'Imprint',
      subjects: 'Themen',
      scheme: 'Schema',
      code: 'Code',
      prices: 'Preise',
      territory: 'Gebiet',
      tradeStatus: 'Lieferstatus',
    },
    values: {
      ILLUSTRATOR: 'Illustrator',
      TRANSLATOR: 'Übersetzer',
      NARRATOR: 'Sprecher',
      HARDCOVER: 'Gebunden',
      PAPERBACK: 'Taschenbuch',
      EBOOK: 'E-Book',
      AUDIOBOOK: 'Hörbuch',
      THEMA: 'Thema',
      BISAC: 'BISAC',
      CUSTOM: 'Eigenes Schema',
      FORTHCOMING: 'Angekündigt',
      POSTPONED: 'Verschoben',
      OUT_OF_STOCK: 'Nicht vorrätig',
      OUT_OF_PRINT: 'Vergriffen',
      WITHDRAWN: 'Zurückgezogen',
      CANCELLED: 'Nicht erschienen',
    },
  },
  description: 'One edition of a book.',
  module: 'publishing',
  idPrefix: 'book',
  path: '/books',
  scope: 'books',
  grants: contentGrants,
  events: {
    published: 'A book was published in the catalogue.',
    unpublished: 'A book is no longer published in the catalogue.',
  },
  parent: null,
  table: 'books',
  fields: {
    title: text({
      max: 500,
      required: true,
      searchable: 'A',
      description: 'Title.',
      example: 'Frankenstein',
    }),
    subtitle: nullable(
      text({ max: 500, searchable: 'B', description: 'Subtitle.', example: 'The Modern Prometheus' }),
    ),
    description: nullable(
      text({
        max: 10_000,
        searchable: 'D',
        help: { en: 'What the book is about.', de: 'Worum es in dem Buch geht.' },
        description: 'What the book is about.',
        example: 'A scientist makes a creature and flees from it.',
      }),
    ),
    language,
    contributors: list(contributor, {
      itemName: { en: 'Contributor', de: 'Mitwirkende' },
      max: 100,
      searchable: 'B',
      searchableMember: 'name',
      help: {
        en: 'In the order in which they are named.',
        de: 'In der Reihenfolge, in der sie genannt werden.',
      },
      description: 'Contributors in order.',
      example: [{ name: 'Mary Shelley', role: 'AUTHOR', position: 1 }],
    }),
    isbn13: nullable(
      text({
        min: 10,
        max: 64,
        format: 'isbn13',
        searchable: 'D',
        help: {
          en: 'Thirteen or ten digits, with or without hyphens.',
          de: 'Dreizehn oder zehn Ziffern, mit oder ohne Bindestriche.',
        },
        description: 'ISBN, unique, in any printed notation; thirteen digits are stored.',
        example: '9780141439471',
      }),
    ),
    isbn10: readOnly(
      nullable(
        text({
          min: 10,
          max: 10,
          searchable: 'D',
          description: 'The ISBN-10 of an ISBN-13 that begins with 978.',
          example: '0141439475',
        }),
      ),
    ),
    doi,
    edition: nullable(
      text({
        max: 120,
        help: { en: 'As printed, such as “Third edition”.', de: 'Wie gedruckt, zum Beispiel „3. Auflage“.' },
        description: 'Edition.',
        example: 'Third edition',
      }),
    ),
    seriesTitle: nullable(
      text({ max: 500, searchable: 'C', description: 'Series it belongs to.', example: 'Penguin Classics' }),
    ),
    seriesPosition: nullable(text({ max: 32, description: 'Position in the series.', example: '12' })),
    format: nullable(choice(bookFormats, { description: 'Format of the edition.', example: 'PAPERBACK' })),
    pageCount: nullable(integer({ min: 1, max: 20_000, description: 'Number of pages.', example: 352 })),
    publisher: nullable(
      text({ max: 255, format: 'name', searchable: 'C', description: 'Publisher.', example: 'Penguin' }),
    ),
    imprint: nullable(
      text({ max: 255, format: 'name', description: 'Imprint.', example: 'Penguin Classics' }),
    ),
    publicationDate: partialDate('When this edition is or was published:', '2003-02-06'),
    subjects: list(subject, {
      itemName: { en: 'Subject', de: 'Thema' },
      max: 50,
      help: { en: 'The main one first.', de: 'Das wichtigste zuerst.' },
      description: 'Subjects, the main one first.',
      example: [{ scheme: 'THEMA', code: 'FBC', label: 'Classic fiction' }],
    }),
    prices: list(price, {
      itemName: { en: 'Price', de: 'Preis' },
      max: 50,
      help: { en: 'One for each currency and territory.', de: 'Je Währung und Gebiet einer.' },
      description: 'Prices; at most one for each currency and territory.',
      example: [{ amount: '9.99', currency: 'GBP', territory: 'GB' }],
    }),
    coverFileId: coverFile,
    fileIds: files,
    status: states(bookStatuses, {
      initial: ['DRAFT'],
      allowed: {
        DRAFT: ['PUBLISHED'],
        PUBLISHED: ['UNPUBLISHED'],
        UNPUBLISHED: ['PUBLISHED', 'ARCHIVED'],
        ARCHIVED: [],
      },
      published: ['PUBLISHED'],
      events: { PUBLISHED: 'published', UNPUBLISHED: 'unpublished' },
      description:
        'Status in the catalogue. A new book is a DRAFT; a PATCH of this field makes a transition.',
      example: 'DRAFT',
    }),
    tradeStatus: nullable(
      choice(tradeStatuses, {
        isStatus: true,
        help: {
          en: '“Forthcoming” requires a publication date.',
          de: '„Angekündigt“ erfordert ein Erscheinungsdatum.',
        },
        description: 'Whether it can be bought (ONIX list 64). FORTHCOMING needs a publicationDate.',
        example: 'ACTIVE',
      }),
    ),
  },
  sections: [
    {
      title: { en: 'Work', de: 'Werk' },
      fields: ['title', 'subtitle', 'contributors', 'language', 'description', 'subjects'],
    },
    {
      title: { en: 'Edition', de: 'Ausgabe' },
      fields: [
        'isbn13',
        'publisher',
        'imprint',
        'publicationDate',
        'edition',
        'format',
        'pageCount',
        'seriesTitle',
        'seriesPosition',
      ],
    },
    {
      title: { en: 'Status and sale', de: 'Status und Verkauf' },
      fields: ['status', 'tradeStatus', 'prices'],
    },
    { title: { en: 'Cover and files', de: 'Titelbild und Dateien' }, fields: ['coverFileId', 'fileIds'] },
    furtherDetails('doi', 'externalId'),
  ],
  sideTables: { book_files: { column: 'file_id', values: ['fileIds'] } },
  languageField: 'language',
  titleField: 'title',
  unique: { isbn13: 'books_isbn13' },
  matching: ['isbn13'],
  filters: {
    status: {
      kind: 'choice',
      field: 'status',
      values: bookStatuses,
      isIndexed: true,
      description: 'Status in the catalogue.',
      example: 'PUBLISHED',
    },
    tradeStatus: {
      kind: 'choice',
      field: 'tradeStatus',
      values: tradeStatuses,
      description: 'Whether it can be bought.',
      example: 'ACTIVE',
    },
    language: { kind: 'text', field: 'language', format: 'locale', description: 'Language.', example: 'en' },
    isbn13: {
      kind: 'text',
      field: 'isbn13',
      format: 'isbn13',
      description: 'The book with this ISBN; hyphens are accepted.',
      example: '978-0-14-143947-1',
    },
    updatedSince,
  },
  searchSources: ['books'],
  searchCursor: true,
  import: {
    columns: bookColumns,
    values: {
      HARDCOVER: ['hardback', 'library binding', 'gebundene ausgabe', 'fester einband', 'relié', 'bb'],
      PAPERBACK: [
        'softcover',
        'mass market paperback',
        'mass market',
        'trade paperback',
        'softback',
        'broschiert',
        'kartoniert',
        'poche',
        'broché',
        'bc',
      ],
      EBOOK: [
        'kindle',
        'kindle edition',
        'epub',
        'pdf',
        'nook',
        'ebooks',
        'digital',
        'digital list',
        'ea',
        'ed',
      ],
      AUDIOBOOK: [
        'audio',
        'audio cd',
        'audio cassette',
        'audible audio',
        'audio book',
        'mp3 cd',
        'livre audio',
        'ac',
        'aj',
      ],
    },
    identity: [['isbn13'], ['doi'], ['title', 'contributors', 'publicationDate'], ['title', 'contributors']],
    namesakes: [['title']],
    lists: {
      contributors: {
        main: 'name',
        split: 'names',
        defaults: { role: 'AUTHOR' },
        identifiedBy: ['name', 'role'],
      },
      subjects: {
        main: 'code',
        split: 'items',
        defaults: { scheme: 'CUSTOM' },
        identifiedBy: ['code', 'scheme'],
      },
      prices: { main: 'amount', split: 'lines', identifiedBy: ['currency', 'territory'] },
    },
    computed: [
      {
        rule: 'isbn',
        from: 'isbn10',
        to: ['isbn13'],
        description: 'An ISBN-10, from which the ISBN-13 is computed.',
      },
    ],
  },
});

export type Book = RecordOf<typeof books>;

type BookValues = ValuesOf<typeof books>;

/** Rules of books: ISBN-10 agrees with ISBN-13, one price for each currency and territory, a date for forthcoming books. */
export const bookRules: RecordRules<typeof books> = {
  derive: (values) =>
    withChanges(values, { isbn10: values.isbn13 === null ? null : isbn13To10(values.isbn13) }),
  check: (values) => [...checkTradeStatus(values), ...checkPrices(values)],
};

function checkTradeStatus(values: BookValues): Fault[] {
  if (values.tradeStatus !== 'FORTHCOMING' || values.publicationDate !== null) return [];
  const detail = 'A FORTHCOMING book requires a publicationDate.';
  return [{ pointer: '/publicationDate', code: 'required', detail }];
}

function checkPrices({ prices }: BookValues): Fault[] {
  const markets = prices.map(({ currency, territory }, index) => ({
    value: `${currency} ${territory ?? ''}`,
    pointer: `/prices/${index}`,
  }));
  return findRepeated(markets, (index) => {
    const { currency, territory } = prices[index] ?? {};
    return `There is already a price in ${currency} for ${territory ?? 'all countries'}.`;
  });
}
