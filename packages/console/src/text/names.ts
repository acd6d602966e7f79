/**
 * What resources, fields and values are called on pages. English names follow from the names in the declarations; German ones stand
 * there, and a declaration without them is shown in English.
 */
import { describeField, describeValue } from '@trellis/schema/resources/english.ts';
import type { Field } from '@trellis/schema/resources/fields.ts';
import type { Resource, Section } from '@trellis/schema/resources/resource.ts';
import { createContext, useContext } from 'react';
import { english as englishSentences, findSentences } from './sentences.ts';
import type { Language } from './text.ts';

export interface Names {
  readonly plural: (resource: Pick<Resource, 'name' | 'title'>) => string;
  readonly singular: (resource: Pick<Resource, 'name' | 'title'>) => string;
  /** Both within a sentence. */
  readonly noun: (resource: Pick<Resource, 'name' | 'title'>) => string;
  readonly nouns: (resource: Pick<Resource, 'name' | 'title'>) => string;
  /** Of a dotted field: `versionData.title` is called like `title`. */
  readonly field: (name: string) => string;
  /** Of one of a fixed list of values: `IN_REVIEW`. */
  readonly value: (value: string) => string;
  /** What a form says about a field besides its name; undefined where the name says enough. */
  readonly help: (field: Pick<Field, 'help'>) => string | undefined;
  /** The title of a section of a form. */
  readonly heading: (section: Pick<Section, 'title'>) => string;
  /** A sentence of the server, or of a rule that forms run; as it is where no other is known. */
  readonly sentence: (sentence: string) => string;
  /** What a problem says, by its code and sentence. */
  readonly problem: (problem: { readonly code: string; readonly message: string }) => string;
}

const formatEnglishList = new Intl.ListFormat('en');

const english: Names = {
  plural: ({ title }) => spaceWords(title.plural),
  singular: ({ title }) => spaceWords(title.singular),
  noun: ({ title }) => spaceWords(title.singular).toLowerCase(),
  nouns: ({ title }) => spaceWords(title.plural).toLowerCase(),
  field: describeField,
  value: describeValue,
  help: ({ help }) => help?.en,
  heading: ({ title }) => title.en,
  sentence: (sentence) => findEnglish(sentence) ?? sentence,
  problem: ({ message }) => english.sentence(message),
};

const findEnglish = findSentences(englishSentences, {
  field: (name) => english.field(name),
  value: (value) => english.value(value),
  list: (words) => formatEnglishList.format(words),
  records: (noun) => noun,
});

export const NamesContext = createContext<Names>(english);

/** The names in the present language. */
export function useNames(): Names {
  return useContext(NamesContext);
}

/** The names of a language; those that are not English are loaded. */
export async function loadNames(language: Language): Promise<Names> {
  if (language === 'en') return english;
  const {
    germanFields,
    germanImportSentences,
    germanNouns,
    germanProblems,
    germanResources,
    germanSentences,
    germanValues,
  } = await import('./german.ts');
  const titles: Readonly<Record<string, string>> = germanProblems;
  const lists = new Intl.ListFormat('de');
  const german: Names = {
    plural: (resource) => germanResources[resource.name]?.plural ?? english.plural(resource),
    singular: (resource) => germanResources[resource.name]?.singular ?? english.singular(resource),
    noun: (resource) => german.singular(resource),
    nouns: (resource) => german.plural(resource),
    field: (name) => germanFields[lastPart(name)] ?? english.field(name),
    // Some values are names of resources.
    value: (value) => germanValues[value] ?? germanResources[value]?.plural ?? english.value(value),
    help: ({ help }) => help?.de,
    heading: ({ title }) => title.de,
    sentence: (sentence) => findGerman(sentence) ?? sentence,
    problem: ({ code, message }) => findGerman(message) ?? titles[code] ?? message,
  };
  const findGerman = findSentences(
    { ...germanSentences, ...germanImportSentences },
    {
      field: german.field,
      value: german.value,
      list: (words) => lists.format(words),
      records: (noun) => germanNouns[noun] ?? noun,
    },
  );
  return german;
}

/** `KnowledgeFiles` becomes `Knowledge files`. */
function spaceWords(name: string): string {
  return capitalize(name.replace(/(?<=[a-z])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
