/**
 * Stems by language (Snowball's and Porter's algorithms, of folded words). A text is stemmed in its own language, a query in all: who
 * searches does not say in which language.
 */
import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as irish } from '@orama/stemmers/irish';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian';
import { stemmer as nepali } from '@orama/stemmers/nepali';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as serbian } from '@orama/stemmers/serbian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as tamil } from '@orama/stemmers/tamil';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import { BoundedMap } from '../../../lib/bounded-map.ts';

type Stemmer = (word: string) => string;

/** By the primary subtag of BCP 47. The library's Bulgarian one throws for some words. */
const stemmers: Readonly<Record<string, Stemmer>> = {
  ar: arabic,
  da: danish,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  ga: irish,
  hi: hindi,
  hu: hungarian,
  hy: armenian,
  id: indonesian,
  it: italian,
  lt: lithuanian,
  nb: norwegian,
  ne: nepali,
  nl: dutch,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sr: serbian,
  sv: swedish,
  ta: tamil,
  tr: turkish,
  uk: ukrainian,
};
const synonyms: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' };

/** A word with digits, or of fewer letters, is its own stem. */
const shortest = 3;
const digit = /\p{N}/u;

/** Maximum number of words per language whose stems are cached, because texts repeat words. */
const mostRemembered = 20_000;
const mostQueried = 1_000;
/** Cached stems by language and word. One map with both in its keys would have to hash each key anew. */
const remembered = new Map(
  Object.keys(stemmers).map((language) => [language, new BoundedMap<string, string>(mostRemembered)]),
);
/** Stems of recent queries: a query needs the stems of a word several times. */
const queried = new BoundedMap<string, ReadonlyMap<string, readonly string[]>>(mostQueried);

/** The language whose stemmer is used for a tag of BCP 47; null if there is none. */
export function languageOfTag(tag: string): string | null {
  const primary = tag.split('-')[0]?.toLowerCase() ?? '';
  const language = synonyms[primary] ?? primary;
  return language in stemmers ? language : null;
}

/** The stem of a folded word in a language of {@link languageOfTag}. */
export function stemIn(language: string, word: string): string {
  const stems = remembered.get(language);
  const known = stems?.get(word);
  if (known !== undefined) return known;
  const stem = findStem(language, word);
  stems?.set(word, stem);
  return stem;
}

/** The stems of a folded word in all languages: which languages have each. None of a word that is its own stem everywhere. */
export function stemsOf(word: string): ReadonlyMap<string, readonly string[]> {
  const known = queried.get(word);
  if (known !== undefined) return known;
  const stems = new Map<string, string[]>();
  if (isStemmed(word)) {
    for (const language of Object.keys(stemmers)) {
      const stem = findStem(language, word);
      stems.set(stem, [...(stems.get(stem) ?? []), language]);
    }
  }
  queried.set(word, stems);
  return stems;
}

function findStem(language: string, word: string): string {
  if (!isStemmed(word)) return word;
  const stem = stemmers[language]?.(word) ?? word;
  return stem === '' ? word : stem;
}

function isStemmed(word: string): boolean {
  return word.length >= shortest && !digit.test(word);
}
