/**
 * Queries: web-search syntax (words, "phrases", -exclusions, OR), and the plain words of a list's filter, as texts of `tsquery`. In these,
 * U+0001 stands for the scope of what is searched, because one question is asked of several types.
 */
import { foldReadable, gramSign, gramsOf, languageSign, stemSign } from './lexemes.ts';
import { numberForms } from './number-forms.ts';
import { stemsOf } from './stems.ts';
import { type Word, wordsOf } from './words.ts';

/** A word to mark in snippets, folded. */
export interface Term {
  readonly text: string;
  /** Whether a longer word is marked that begins with it. */
  readonly isPrefix: boolean;
  /** Whether it is marked in the middle of a run of letters, too: in scripts without spaces. */
  readonly isAnywhere?: boolean;
}

/** A query as the functions of search take it. Texts of tsquery; '' is none. */
export interface Question {
  readonly wanted: string;
  /** What must all match, in short texts, in long ones, or divided between them, the longest first. None for a query of alternatives. */
  readonly operands: readonly string[];
  /** Any of the words that it looks for; '' for a query that only excludes. */
  readonly anything: string;
  /** The text to rank results by. */
  readonly ranking: string;
  /** Any of what must be absent; '' if nothing is excluded, or if it is in one of several alternatives only. */
  readonly excluded: string;
  /** Whether something must be absent. */
  readonly excludes: boolean;
  /** Whether several words must match. */
  readonly hasSeveralWords: boolean;
  /** The terms to highlight; `stems` for texts that contain none of the exact words. */
  readonly terms: readonly Term[];
  readonly stems: readonly Term[];
}

/**
 * PostgreSQL compares the positions of each pair of words for a rank, also of a phrase, unless they are alternatives: of more words, only
 * their number counts.
 */
const mostRankedTogether = 4;
/** Maximum number of three-character groups in the lookup of a text: more would not make it more selective. */
const mostGrams = 40;

/** A word or phrase of a query. */
interface QueryTerm {
  readonly words: readonly Word[];
  readonly isExcluded: boolean;
  readonly isQuoted: boolean;
  /** Whether its words must follow each other. */
  readonly isPhrase: boolean;
  /** Whether the last word may go on. */
  readonly isPrefix: boolean;
}

const scope = '\u0001';
const part = /(-*)"([^"]*)"?|([^\s"]+)/gu;

/**
 * Reads web-search syntax. The last word may go on unless it is quoted, excluded or followed by white space.
 * @param forms other notations of the whole query, the beginnings of words
 */
export function askWords(query: string, forms: readonly string[] = []): Question {
  const groups: QueryTerm[][] = [[]];
  const folded = foldReadable(query);
  for (const { 0: whole, 1: hyphens, 2: quoted, 3: bare = '', index } of folded.matchAll(part)) {
    if (quoted === undefined && bare === 'or') {
      if ((groups.at(-1)?.length ?? 0) > 0) groups.push([]);
      continue;
    }
    // Several hyphens are the same as one; without a word behind them they exclude nothing.
    const isExcluded = (hyphens ?? '') !== '' || /^-+[^-]/.test(bare);
    // Matches the parts of an address instead of the whole, because the stored address of the person may differ.
    const isAddress = bare.includes('@');
    const words = wordsOf(quoted ?? bare).filter(({ kind }) => !isAddress || kind !== 'joined');
    if (words.length === 0) continue;
    const isLast = index + whole.length === folded.length;
    groups.at(-1)?.push({
      words,
      isExcluded,
      isQuoted: quoted !== undefined,
      isPhrase: !isAddress,
      isPrefix: isLast && quoted === undefined && !isExcluded,
    });
  }
  for (const form of new Set([...forms.map(foldReadable), ...numberForms(folded)])) {
    const words = wordsOf(form);
    // The query itself in other letters is no alternative, so that the order of its words counts for the rank.
    const isTyped = groups.some((terms) => spelledOut(terms) === spelledOut([{ words }]));
    if (words.length > 0 && !isTyped)
      groups.push([{ words, isExcluded: false, isQuoted: true, isPhrase: true, isPrefix: true }]);
  }
  return toQuestion(
    groups.filter((terms) => terms.length > 0),
    true,
  );
}

/** The words of a text as they stand, all of which must match; the last one may go on unless white space follows. */
export function askPlainWords(folded: string): Question {
  const terms = [...folded.matchAll(/\S+/gu)].map(({ 0: text, index }) => ({
    words: wordsOf(text),
    isExcluded: false,
    isQuoted: false,
    isPhrase: true,
    isPrefix: index + text.length === folded.length,
  }));
  const wordy = terms.filter(({ words }) => words.length > 0);
  return toQuestion(wordy.length === 0 ? [] : [wordy], false);
}

/** The tsquery with the character groups that every line containing the folded text has; '' for an empty text. */
export function askCharacters(folded: string): string {
  const characters = Array.from(folded);
  if (characters.length < 3) return folded === '' ? '' : `${lexeme(gramSign + folded)}:*`;
  const grams = new Set([...gramsOf(folded)].slice(0, Math.min(characters.length - 2, mostGrams)));
  return [...grams].map((gram) => lexeme(gramSign + gram)).join(' & ');
}

function toQuestion(groups: readonly (readonly QueryTerm[])[], isStemmed: boolean): Question {
  const compiled = groups.map((terms) => {
    const positive = terms.filter(({ isExcluded }) => !isExcluded);
    const negative = terms.filter(({ isExcluded }) => isExcluded);
    return {
      operands: positive.map((term) => compile(term, isStemmed ? otherForms : none)),
      excluded: negative.map((term) => compile(term, none)),
      positive,
    };
  });
  const [only, ...others] = compiled;
  const isAlternative = others.length > 0;
  const all = compiled.flatMap(({ operands }) => operands);
  const excluded = compiled.flatMap((group) => group.excluded);
  const wanted = compiled.map((group) =>
    [...group.operands, ...group.excluded.map((text) => `!${text}`)].join(' & '),
  );
  const words = compiled.flatMap(({ positive }) => positive);
  const stems = isStemmed
    ? words.flatMap((term) => (isWord(term) ? [...stemsOf(textOf(term)).keys()] : []))
    : [];
  const needsNoWord = compiled.some(({ operands }) => operands.length === 0);
  const isRankedTogether = words.flatMap((term) => term.words).length <= mostRankedTogether;
  const ranking = compiled
    .map(({ positive }) =>
      (isRankedTogether ? positive : positive.flatMap(termsOfWords))
        .map((term) => compile(term, isStemmed ? rankedForms : none))
        .join(isRankedTogether ? ' & ' : ' | '),
    )
    .filter((text) => text !== '')
    .join(' | ');
  return {
    wanted: isAlternative ? wanted.map((text) => `(${text})`).join(' | ') : (wanted[0] ?? ''),
    operands: isAlternative ? [] : [...(only?.operands ?? [])].sort((a, b) => b.length - a.length),
    anything: needsNoWord ? '' : all.join(' | '),
    ranking,
    excluded: isAlternative ? '' : excluded.join(' | '),
    excludes: excluded.length > 0,
    hasSeveralWords:
      compiled.some((group) => group.operands.length > 1) || words.some((term) => !isWord(term)),
    terms: words.flatMap(termsOf),
    stems: stems.filter((text) => text.length >= 3).map((text) => ({ text, isPrefix: true })),
  };
}

/** The words of a term as terms of their own. */
function termsOfWords(term: QueryTerm): QueryTerm[] {
  if (isWord(term)) return [term];
  const last = term.words.findLast(({ kind }) => kind !== 'joined');
  return term.words.flatMap((word, index) =>
    word.kind === 'joined' || isRestOfRun(term.words, index)
      ? []
      : [{ ...term, words: [word], isQuoted: true, isPrefix: term.isPrefix && word === last }],
  );
}

function spelledOut(terms: readonly Pick<QueryTerm, 'words'>[]): string {
  const words = terms.flatMap((term) => term.words).filter(({ kind }) => kind !== 'joined');
  return words.map(({ text }) => text).join(' ');
}

/** One word, which may have other forms. */
function isWord({ words, isQuoted }: QueryTerm): boolean {
  return !isQuoted && words.length === 1 && words[0]?.kind === 'word';
}

function textOf({ words }: QueryTerm): string {
  return words[0]?.text ?? '';
}

/** A term as a text of tsquery, in parentheses where it has operators. @param formsOf further alternatives to a single word */
function compile(term: QueryTerm, formsOf: (word: string) => string[]): string {
  const { words, isQuoted, isPrefix } = term;
  const last = words.findLast(({ kind }) => kind !== 'joined');
  const elements: { readonly start: number; readonly text: string }[] = [];
  words.forEach((word, index) => {
    const { text, start, kind } = word;
    if (kind === 'joined') {
      // The compound, or its parts in a row.
      const parts = elements.splice(elements.findIndex((element) => element.start >= start));
      const isOpen = isPrefix && word.end === last?.end;
      const whole = lexeme(text) + (isOpen ? ':*' : '');
      elements.push({ start, text: `((${parts.map((part) => part.text).join(' <-> ')}) | ${whole})` });
      return;
    }
    if (isRestOfRun(words, index)) return;
    const isOpen = isSingle(word) || (isPrefix && word === last && kind === 'word');
    elements.push({ start, text: lexeme(text) + (isOpen ? ':*' : '') });
  });
  if (isWord(term)) {
    const forms = [...elements.map(({ text }) => text), ...formsOf(textOf(term))];
    return forms.length === 1 ? (forms[0] ?? '') : `(${forms.join(' | ')})`;
  }
  // Positions of long texts are not all known, and scripts without spaces have one for each character.
  const isPhrase = isQuoted || (term.isPhrase && words.every(({ kind }) => kind !== 'pair'));
  const whole = elements.map(({ text }) => text).join(isPhrase ? ' <-> ' : ' & ');
  return elements.length === 1 ? whole : `(${whole})`;
}

function isSingle({ kind, text }: Word): boolean {
  return kind === 'pair' && Array.from(text).length === 1;
}

/** Whether a word is the last character of a longer run, which stands alone in the index only where a text ends with it. */
function isRestOfRun(words: readonly Word[], index: number): boolean {
  const word = words[index];
  return word !== undefined && isSingle(word) && words[index - 1]?.kind === 'pair';
}

const none = (): string[] => [];

function stemLexemes(word: string): string[] {
  return [...stemsOf(word).keys()].map((stem) => lexeme(stemSign + stem));
}

/** As `otherForms`, without languages: what a rank counts has matched already. */
function rankedForms(word: string): string[] {
  const own = [...stemsOf(word).keys()].filter((stem) => stem !== word);
  return [...stemLexemes(word), ...own.map(lexeme)];
}

/** Words with a stem of this one: by the stem's own lexeme, or as a word that is its own stem, in texts of its languages. */
function otherForms(word: string): string[] {
  const own = [...stemsOf(word)].filter(([stem]) => stem !== word);
  return [
    ...stemLexemes(word),
    ...own.map(([stem, languages]) => {
      const spoken = languages.map((language) => lexeme(languageSign + language)).join(' | ');
      return `(${lexeme(stem)} & (${spoken}))`;
    }),
  ];
}

/** A part of a number that is too short to be selective, such as a group of an ISBN. */
const shortNumber = /^\p{Nd}{1,2}$/u;

/** The parts of a term to highlight: its words, and runs of scripts without spaces as a whole. */
function termsOf({ words, isPrefix }: QueryTerm): Term[] {
  const terms: Term[] = [];
  let runEnd = -1;
  let run = '';
  const endRun = (): void => {
    if (run !== '') terms.push({ text: run, isPrefix: true, isAnywhere: true });
    run = '';
  };
  const last = words.findLast(({ kind }) => kind === 'word');
  for (const word of words) {
    if (word.kind === 'pair') {
      const [first = ''] = Array.from(word.text);
      if (word.start !== runEnd) endRun();
      run += first;
      runEnd = word.start + first.length;
    } else if (words.length === 1 || !shortNumber.test(word.text))
      terms.push({
        text: word.text,
        isPrefix: isPrefix && (word === last || word.kind === 'joined'),
      });
  }
  endRun();
  return terms;
}

/** One lexeme of a tsquery. */
function lexeme(text: string): string {
  return `'${scope}${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
