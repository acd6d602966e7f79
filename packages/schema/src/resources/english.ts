/** What fields and values are called in English: the words of their names. German names are in the declarations. */
import { capitalize } from '../values/text.ts';

const abbreviations: Readonly<Record<string, string>> = {
  api: 'API',
  cli: 'CLI',
  url: 'URL',
  isbn10: 'ISBN-10',
  isbn13: 'ISBN-13',
  issn: 'ISSN',
  doi: 'DOI',
  seo: 'SEO',
  id: 'ID',
  timezone: 'time zone',
  external: 'external ID',
};

/** Where a word of the API would be said differently. */
const fieldWords: Readonly<Record<string, string>> = {
  ownerUserId: 'owner',
  coverFileId: 'cover',
  locale: 'language',
  sizeBytes: 'size in bytes',
  sha256: 'checksum',
  state: 'publication status',
};

/** The sides of a range: `firstPublishedAt[gte]`. */
const boundWords: Readonly<Record<string, string>> = { gte: 'from', gt: 'after', lte: 'until', lt: 'before' };

/** What a dotted field, a member or a filter is called: `primaryCategoryId` becomes `Primary category`. */
export function describeField(name: string): string {
  const [, ranged, bound = ''] = /^(.+)\[(\w+)\]$/.exec(name) ?? [];
  if (ranged !== undefined) return `${describeField(ranged)} ${boundWords[bound] ?? bound}`;
  const words = (fieldWords[lastPart(name)] ?? lastPart(name))
    .replace(/(?<=[a-z])(Ids?)$/, (suffix) => (suffix === 'Ids' ? 's' : ''))
    // `isPrimary` and `createdAt`: the verb and the preposition are implied by the value.
    .replace(/^is(?=[A-Z])/, '')
    .replace(/(?<=[a-z])At$/, '')
    .replace(/(?<=.)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/categorys$/, 'categories')
    .split(' ')
    .map((word) => abbreviations[word.toLowerCase()] ?? word);
  return capitalize(words.join(' '));
}

/** What one of a fixed list of values is called: `IN_REVIEW` becomes `In review`. */
export function describeValue(value: string): string {
  return abbreviations[value.toLowerCase()] ?? capitalize(value.toLowerCase().replaceAll(/[_-]/g, ' '));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
