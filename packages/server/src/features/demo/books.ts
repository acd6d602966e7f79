/**
 * The books of the demo: a small list with a series, translations, two languages, and a book announced long in advance. The
 * books are real; `content/ATTRIBUTION.md` says which details are not.
 */
import type { Book } from '@trellis/schema/resources/books.ts';
import type { DemoApi, Given } from './api.ts';

const classicFiction = [
  { scheme: 'THEMA', code: 'FBC', label: 'Classic fiction: general and literary' },
  { scheme: 'BISAC', code: 'FIC004000', label: 'FICTION / Classics' },
] as const;
const scienceFiction = [
  { scheme: 'THEMA', code: 'FLC', label: 'Classic science fiction' },
  { scheme: 'BISAC', code: 'FIC028000', label: 'FICTION / Science Fiction / General' },
] as const;

/** One volume of Isaac Asimov's Foundation, in the edition of 2004. */
function foundation(position: number, title: string, isbn13: string, description: string): Given<Book> {
  return {
    externalId: `demo-book-foundation-${position}`,
    title,
    description,
    language: 'en',
    contributors: [{ name: 'Isaac Asimov', role: 'AUTHOR' }],
    isbn13,
    seriesTitle: 'Foundation',
    seriesPosition: String(position),
    format: 'HARDCOVER',
    publisher: 'Bantam Books',
    imprint: 'Spectra',
    publicationDate: '2004',
    subjects: [...scienceFiction],
    prices: [{ amount: '24.00', currency: 'USD', territory: 'US' }],
  };
}

/** Books with the status transitions after their creation. */
const books: readonly { book: Given<Book>; moves: readonly Book['status'][] }[] = [
  {
    book: {
      externalId: 'demo-book-frankenstein',
      title: 'Frankenstein',
      subtitle: 'Or, The Modern Prometheus',
      description: 'A student of natural philosophy makes a living being, and flees from it.',
      language: 'en',
      contributors: [
        { name: 'Mary Shelley', role: 'AUTHOR' },
        { name: 'Maurice Hindle', role: 'EDITOR' },
      ],
      isbn13: '978-0-14-143947-1',
      seriesTitle: 'Penguin Classics',
      format: 'PAPERBACK',
      publisher: 'Penguin',
      imprint: 'Penguin Classics',
      publicationDate: '2003',
      subjects: [...classicFiction],
      prices: [
        { amount: '7.99', currency: 'GBP', territory: 'GB' },
        { amount: '11.00', currency: 'USD', territory: 'US' },
      ],
      tradeStatus: 'ACTIVE',
    },
    moves: ['PUBLISHED'],
  },
  {
    book: {
      externalId: 'demo-book-pride-and-prejudice',
      title: 'Pride and Prejudice',
      description: 'Five sisters, little money, and two people who are wrong about each other.',
      language: 'en',
      contributors: [{ name: 'Jane Austen', role: 'AUTHOR' }],
      isbn13: '978-0-679-78326-8',
      seriesTitle: 'Modern Library Classics',
      format: 'PAPERBACK',
      publisher: 'Modern Library',
      publicationDate: '2000',
      subjects: [...classicFiction],
      prices: [{ amount: '10.00', currency: 'USD', territory: 'US' }],
      tradeStatus: 'ACTIVE',
    },
    moves: ['PUBLISHED'],
  },
  {
    book: {
      externalId: 'demo-book-die-verwandlung',
      title: 'Die Verwandlung',
      description: 'Gregor Samsa erwacht eines Morgens und ist ein Ungeziefer. Zuerst erschienen 1915.',
      language: 'de',
      contributors: [{ name: 'Franz Kafka', role: 'AUTHOR' }],
      isbn13: '978-3-15-009900-1',
      seriesTitle: 'Reclams Universal-Bibliothek',
      seriesPosition: '9900',
      format: 'PAPERBACK',
      publisher: 'Reclam',
      subjects: [...classicFiction],
      prices: [{ amount: '3.00', currency: 'EUR', territory: 'DE' }],
      tradeStatus: 'ACTIVE',
    },
    moves: ['PUBLISHED'],
  },
  {
    book: {
      externalId: 'demo-book-little-prince',
      title: 'The Little Prince',
      description: 'A pilot in the desert meets a traveller from an asteroid.',
      language: 'en',
      contributors: [
        { name: 'Antoine de Saint-Exupéry', role: 'AUTHOR' },
        { name: 'Antoine de Saint-Exupéry', role: 'ILLUSTRATOR' },
        { name: 'Richard Howard', role: 'TRANSLATOR' },
      ],
      isbn13: '978-0-15-601219-5',
      format: 'PAPERBACK',
      publisher: 'Harcourt',
      imprint: 'Harvest Books',
      publicationDate: '2000',
      subjects: [{ scheme: 'BISAC', code: 'JUV007000', label: 'JUVENILE FICTION / Classics' }],
      prices: [{ amount: '12.99', currency: 'USD', territory: 'US' }],
      tradeStatus: 'ACTIVE',
    },
    moves: ['PUBLISHED'],
  },
  {
    book: {
      externalId: 'demo-book-rust',
      title: 'The Rust Programming Language',
      edition: '2nd edition',
      description: 'The introduction to Rust that its community writes, in print.',
      language: 'en',
      contributors: [
        { name: 'Steve Klabnik', role: 'AUTHOR', position: 1 },
        { name: 'Carol Nichols', role: 'AUTHOR', position: 2 },
      ],
      isbn13: '978-1-7185-0310-6',
      format: 'PAPERBACK',
      pageCount: 560,
      publisher: 'No Starch Press',
      publicationDate: '2023-02',
      subjects: [{ scheme: 'THEMA', code: 'UMX', label: 'Programming and scripting languages: general' }],
      prices: [{ amount: '49.99', currency: 'USD' }],
      tradeStatus: 'ACTIVE',
    },
    moves: ['PUBLISHED'],
  },
  {
    book: foundation(1, 'Foundation', '978-0-553-80371-6', 'A science that foresees how an empire falls.'),
    moves: ['PUBLISHED'],
  },
  {
    book: foundation(2, 'Foundation and Empire', '978-0-553-80372-3', 'One man whom nobody foresaw.'),
    moves: ['PUBLISHED'],
  },
  {
    book: foundation(3, 'Second Foundation', '978-0-553-80373-0', 'The search for those who keep the plan.'),
    moves: ['PUBLISHED', 'UNPUBLISHED'],
  },
  {
    // Given to the Future Library in Oslo, which prints it in 2114: this date will not become outdated.
    book: {
      externalId: 'demo-book-scribbler-moon',
      title: 'Scribbler Moon',
      description: 'The first manuscript of the Future Library; nobody may read it for a hundred years.',
      language: 'en',
      contributors: [{ name: 'Margaret Atwood', role: 'AUTHOR' }],
      seriesTitle: 'Future Library',
      seriesPosition: '1',
      publicationDate: '2114',
      tradeStatus: 'FORTHCOMING',
    },
    moves: [],
  },
];

/** Creates the books. */
export async function seedBooks(api: DemoApi): Promise<void> {
  for (const { book, moves } of books) {
    const id = await api.create('/books', book);
    await api.move(`/books/${id}`, moves);
  }
}
