/**
 * Slugs: the part of an address that people read and type. A slug is made once from a title and then kept. The generator,
 * the check and the JSON Schema share one grammar.
 */

import { removeInvisible } from './invisible.ts';
import { foldText } from './text.ts';

const letterOrDigit = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{N}]\\p{M}*';

/**
 * A slug as a regular expression for JSON Schema's `pattern` (u flag): lower-case letters and digits of any script,
 * separated by single hyphens. A letter keeps its combining marks, which Hindi and Thai words need.
 */
export const slugPattern = `^(?:${letterOrDigit})+(?:-(?:${letterOrDigit})+)*$`;

const slug = new RegExp(slugPattern, 'u');
const pieces = new RegExp(`(?:${letterOrDigit})+`, 'gu');
const latin = /\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu;

/** How languages write their letters in addresses, where that is not the letter without its marks. */
const germanLetters = { ä: 'ae', ö: 'oe', ü: 'ue' };
const nordicLetters = { å: 'aa', æ: 'ae', ø: 'oe' };
const southSlavicLetters = { đ: 'dj' };
const lettersByLanguage: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...{ de: germanLetters, gsw: germanLetters, lb: germanLetters },
  ...{ da: nordicLetters, nb: nordicLetters, nn: nordicLetters, no: nordicLetters },
  ...{ bs: southSlavicLetters, hr: southSlavicLetters, sr: southSlavicLetters },
};

/** One language for each way of writing; `en` for those without a way of their own. */
const waysOfWriting = ['en', 'de', 'nb', 'hr'] as const;

/** Signs that belong to a name: C, C++ and C# are three languages, and .NET is not the net. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/(?<=\p{L})[#♯](?![\p{L}\p{N}])/gu, '-sharp'],
  [/(?<=[\p{L}\p{N}])\+\+(?![\p{L}\p{N}+])/gu, '-plus-plus'],
  [/(?<=[\p{L}\p{N}])\+(?![\p{L}\p{N}+])/gu, '-plus'],
  [/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/giu, 'dotnet'],
];

/** How much longer than a slug the beginning of a title is that it is made of: normalization sorts long runs of marks in quadratic time. */
const titlePerSlug = 20;

/** Whether the text is a slug, see {@link slugPattern}. The length is not checked. */
export function isSlug(text: string): boolean {
  return slug.test(text);
}

/**
 * Makes a slug from a title: Latin letters become a-z as the language writes them, those of other scripts stay as they are (NFKC, so
 * full-width digits become plain ones). Everything between words becomes one hyphen.
 *
 * @param maxLength the maximum number of code points; the slug is cut between words unless the first is longer.
 * @param language BCP 47; null if it is not known
 * @returns '' when the title has no letter or digit.
 */
export function makeSlug(title: string, maxLength: number, language: string | null = null): string {
  const letters = lettersByLanguage[languageOf(language)] ?? {};
  const named = signs.reduce(
    (text, [sign, word]) => text.replace(sign, word),
    removeInvisible(title.slice(0, titlePerSlug * maxLength)).normalize('NFKC'),
  );
  const text = named
    .toLowerCase()
    .normalize('NFC')
    .replace(latin, (word) => foldText(word.replace(/[^a-z]/g, (letter) => letters[letter] ?? letter)));
  return joinWords(text.normalize('NFC').match(pieces) ?? [], maxLength);
}

/** The different slugs that a title has in the languages, for the language is not always known yet. */
export function makeSlugs(title: string, maxLength: number): readonly string[] {
  return [...new Set(waysOfWriting.map((language) => makeSlug(title, maxLength, language)))];
}

function languageOf(locale: string | null): string {
  return locale?.split('-', 1)[0]?.toLowerCase() ?? '';
}

function joinWords(words: readonly string[], maxLength: number): string {
  const [first = '', ...rest] = words;
  let result = Array.from(first).slice(0, maxLength).join('');
  let length = Array.from(result).length;
  for (const word of rest) {
    length += 1 + Array.from(word).length;
    if (length > maxLength) {
      break;
    }
    result += `-${word}`;
  }
  return result;
}
