/**
 * What resources, fields and values are called on pages. In English the words of the declarations are used, so that a new resource
 * needs no text; in German those of a list, where a word that it lacks stays English.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useIntl } from 'react-intl';
import { germanFields, germanResources, germanValues } from './names.de.ts';

export interface Names {
  readonly plural: (resource: Pick<Resource, 'name' | 'title'>) => string;
  readonly singular: (resource: Pick<Resource, 'name' | 'title'>) => string;
  /** Of a dotted field: `versionData.title` is called like `title`. */
  readonly field: (name: string) => string;
  /** Of one of a fixed list of values: `IN_REVIEW`. */
  readonly value: (value: string) => string;
}

/** The names in the present language. */
export function useNames(): Names {
  const { locale } = useIntl();
  return locale === 'de' ? german : english;
}

const english: Names = {
  plural: ({ title }) => spaceWords(title.plural),
  singular: ({ title }) => spaceWords(title.singular),
  field: describeField,
  value: (value) => capitalize(value.toLowerCase().replaceAll('_', ' ')),
};

const german: Names = {
  plural: (resource) => germanResources[resource.name]?.plural ?? english.plural(resource),
  singular: (resource) => germanResources[resource.name]?.singular ?? english.singular(resource),
  field: (name) => germanFields[lastPart(name)] ?? english.field(name),
  value: (value) => germanValues[value] ?? english.value(value),
};

/** `KnowledgeFiles` becomes `Knowledge files`. */
function spaceWords(name: string): string {
  return capitalize(name.replace(/(?<=[a-z])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`));
}

const abbreviations: Readonly<Record<string, string>> = {
  url: 'URL',
  isbn10: 'ISBN-10',
  isbn13: 'ISBN-13',
  issn: 'ISSN',
  doi: 'DOI',
  seo: 'SEO',
  id: 'ID',
};

/** `primaryCategoryId` becomes `Primary category`. */
function describeField(name: string): string {
  const words = lastPart(name)
    .replace(/(?<=[a-z])(Ids?)$/, (suffix) => (suffix === 'Ids' ? 's' : ''))
    .replace(/(?<=.)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/categorys$/, 'categories')
    .split(' ')
    .map((word) => abbreviations[word] ?? word);
  return capitalize(words.join(' '));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
