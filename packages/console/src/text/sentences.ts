/**
 * Sentences of the server, and of the rules that forms run, in the words of pages: without names of the API, or in another language.
 * A table has a sentence for each of theirs, where `{name}` stands for a part that differs.
 */

/** What a part is, by its name: how pages write it. Other parts stay as they are. */
export interface PartWords {
  readonly field: (name: string) => string;
  readonly value: (value: string) => string;
  readonly list: (words: readonly string[]) => string;
  /** Records of a resource, from the noun in sentences: `knowledge files`. */
  readonly records: (noun: string) => string;
}

/** By the sentence as the server has it. */
export type Sentences = Readonly<Record<string, string>>;

/** Returns the sentence of the table, or null if the table has none. */
export type FindSentence = (sentence: string) => string | null;

interface Pattern {
  readonly pattern: RegExp;
  readonly parts: readonly string[];
  readonly written: string;
}

/** Finds the sentences of a table. */
export function findSentences(table: Sentences, words: PartWords): FindSentence {
  const fixed = new Map(Object.entries(table).filter(([sentence]) => !sentence.includes('{')));
  const patterns = Object.entries(table).flatMap(([sentence, written]) =>
    sentence.includes('{') ? [readPattern(sentence, written)] : [],
  );
  return (sentence) => {
    const whole = fixed.get(sentence);
    if (whole !== undefined) return whole;
    // No sentence is that long, and a text that somebody has sent may be in it.
    if (sentence.length > longestSentence) return null;
    for (const { pattern, parts, written } of patterns) {
      const found = pattern.exec(sentence);
      if (found === null) continue;
      return written.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        writePart(name, found[parts.indexOf(name) + 1] ?? '', words),
      );
    }
    return null;
  };
}

const longestSentence = 1_000;

function readPattern(sentence: string, written: string): Pattern {
  const parts = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const escaped = sentence.split(/\{\w+\}/).map((text) => text.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&'));
  return { pattern: new RegExp(`^${escaped.join('([^\\n]*?)')}$`), parts, written };
}

/** A part whose name begins so is a name of the API, or several. */
function writePart(name: string, part: string, { field, value, list, records }: PartWords): string {
  const items = part.split(/, | and | or /);
  if (name.startsWith('field')) return list(items.map(field));
  if (name.startsWith('records')) return records(part);
  if (name.startsWith('counts')) {
    // `3 articles, 1 book`
    return list(
      items.map((item) => item.replace(/^(\d+) (.+)$/, (_, count, noun) => `${records(noun)} (${count})`)),
    );
  }
  return name.startsWith('value') ? list(items.map(value)) : part;
}

/** English sentences that name fields or values as the API does. */
export const english: Sentences = {
  'Another record already has this {fields}.': 'Another record already has this value: {fields}.',
  'Another {name} has this {fields} and no {fields2} either. Give a {fields3} to tell them apart.':
    'Another record has the same value ({fields}) and no value for {fields2} either. Fill in one to tell them apart.',
  'Another {name} has no {fields2} either. Give a {fields3} to tell them apart.':
    'Another record has no value for {fields2} either. Fill in one to tell them apart.',
  'Neither record has one: a {field} tells them apart.': 'Neither record has one. Fill in: {field}.',
  'Together with what is not given, this value is already taken.':
    'Together with the missing values, this value is already taken.',
  'Must be one of {values}.': 'Must be one of {values}.',
  '"{text}" is not one of {values}.': '“{text}” is not one of {values}.',
  '"{text}" is read as {value}': '“{text}” is read as {value}',
  'status kept at {value}: no transition leads to {value2}':
    'Status “{value}” kept: no transition leads to “{value2}”',
  'Must be one of categoryIds.': 'Must be one of the categories of the article.',
  'Must be later than scheduledFor.': 'Must be later than the publication.',
  'Must differ from issnPrint.': 'Must differ from the ISSN of the print edition.',
  'Must not be before startDate.': 'Must not be before the start date.',
  'A FORTHCOMING book requires a publicationDate.': 'A forthcoming book requires a publication date.',
  'A CEASED magazine requires an endDate.': 'A magazine that has ceased requires an end date.',
  'At least one of title, number and coverDate is required.':
    'A title, a number or a cover date is required.',
  'A SCHEDULED version needs an instant in the future.': 'A scheduled version requires a time in the future.',
  'Nothing was published: every article of the issue must be APPROVED, with no unpublishAt that has passed, or already PUBLISHED.':
    'Nothing was published: every article of the issue must be approved or published already, and none may be past the time at which it is unpublished.',
  'The working version of {id} is {value}, not APPROVED.': 'This article is not approved: {value}.',
  'The unpublishAt of {id} has passed.': 'The time at which this article is unpublished has passed.',
  'The record {id} is in the trash. Restore it first.':
    'What it refers to is in the trash. Restore that first.',
  'The record {id} no longer exists.': 'What it refers to no longer exists.',
  'The {field} "{text}" belongs to {title} ({id}).': '{field}: “{text}” belongs to {title}.',
  'A client of the kind BROWSER needs it.': 'An application for browsers requires it.',
  'Only a client of the kind BROWSER has it.': 'Only an application for browsers has it.',
  'Must be a language tag (BCP 47), for example "en-GB".': 'Not a language code, such as “en” or “en-GB”.',
  'Must be the name of an IANA time zone, for example "Europe/Berlin".':
    'Not a time zone, such as “Europe/Berlin”.',
  'Must be a country, by its code (ISO 3166-1) or name, for example "DE" or "Germany".':
    'Not a country, such as “DE” or “Germany”.',
  'Must be the code of a currency in use (ISO 4217), for example "EUR".':
    'Not the code of a currency in use, such as “EUR”.',
  'Must be an instant with an offset (RFC 3339), for example "2026-03-01T09:00:00Z".':
    'Not a date with a time of day.',
  'Must be an instant in the future (RFC 3339).': 'Must be in the future.',
  'Must be an instant in the future, at most {years} years ahead (RFC 3339).':
    'Must be in the future, at most {years} years ahead.',
  'The status cannot move from {value} to {value2}, only to {values}.':
    '“{value}” can only be changed to {values}.',
  'The status cannot move from {value} to {value2}, to none.': '“{value}” cannot be changed any further.',
  'Allowed: {values}.': 'Possible: {values}.',
};
