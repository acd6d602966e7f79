/**
 * How hard a password is to guess for an attacker who knows the common passwords, the words of the languages and the patterns that
 * people use: an upper bound of the number of guesses, in bits. A password is the cheapest sequence of parts, each a known word, a run
 * of the alphabet or of the keyboard, a year, a repetition of an earlier part, or a single character; the idea is that of zxcvbn
 * (https://www.usenix.org/conference/usenixsecurity16/technical-sessions/presentation/wheeler), whose lists of words are used.
 *
 * The library itself takes up to six seconds for a hostile text. This takes time in proportion to the length of the text: each part
 * begins at a character, and looks a bounded number of characters ahead or back.
 */

/** Characters of the longest word, run and distance of a repetition that are looked for. */
const longest = { word: 24, run: 32, distance: 64 } as const;

/** Characters that are written in place of letters. */
const replacedLetters: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '9': 'g',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** Bits of additional guesses besides the parts themselves: where a run begins, that letters are replaced, which year. */
const cost = { runStart: 5, keyOfRun: 1, replacement: 1, year: 5, repetition: 1, ownWord: 2 } as const;

/** What passwords are made of, ready to be looked up. */
export interface GuessedParts {
  /** Bits of each word, in lower case: the logarithm of its place in a list that begins with the most frequent. */
  readonly words: ReadonlyMap<string, number>;
  /** Characters of the keys beside that of a character, on any keyboard. */
  readonly adjacentKeys: ReadonlyMap<string, ReadonlySet<string>>;
}

let loaded: Promise<GuessedParts> | undefined;

/** Loaded when the first password is set, which most processes never see: it takes half a second and some 25 MB. */
export function loadGuessedParts(): Promise<GuessedParts> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<GuessedParts> {
  const [{ dictionary, adjacencyGraphs }, english, german] = await Promise.all([
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
    import('@zxcvbn-ts/language-de'),
  ]);
  const words = new Map<string, number>();
  const lists = [
    dictionary['passwords-common'],
    english.dictionary['commonWords-en'],
    german.dictionary.commonWords,
  ];
  for (const list of lists) {
    for (const [index, word] of list.entries()) {
      const [known, bits] = [words.get(String(word).toLowerCase()), Math.log2(index + 2)];
      if (known === undefined || bits < known) words.set(String(word).toLowerCase(), bits);
    }
  }
  const adjacentKeys = new Map<string, Set<string>>();
  for (const graph of [adjacencyGraphs.qwerty, adjacencyGraphs.qwertz, adjacencyGraphs.keypad]) {
    for (const [key, around] of Object.entries(graph ?? {})) {
      const known = adjacentKeys.get(key) ?? new Set();
      for (const character of around.join('')) known.add(character);
      adjacentKeys.set(key, known);
    }
  }
  return { words, adjacentKeys };
}

/**
 * Bits of guesses that find the password at the latest.
 * @param ownWords words related to the person or the organization, guessed before all others; in lower case
 */
export function estimateBits(
  password: string,
  ownWords: ReadonlySet<string>,
  { words, adjacentKeys }: GuessedParts,
): number {
  const text = [...password.normalize('NFC').toLowerCase()];
  const plain = text.map((character) => replacedLetters[character] ?? character);
  const bitsOf = (word: string) => (ownWords.has(word) ? cost.ownWord : words.get(word));
  /** The fewest bits of the characters before each place. */
  const best = new Float64Array(text.length + 1).fill(Number.POSITIVE_INFINITY);
  best[0] = 0;
  const repeated = new Repetitions(text);
  for (let start = 0; start < text.length; start += 1) {
    const before = best[start] ?? 0;
    const take = (length: number, bits: number) => {
      const end = start + length;
      best[end] = Math.min(best[end] ?? Number.POSITIVE_INFINITY, before + bits);
    };
    take(1, bitsOfCharacter(text[start] ?? ''));
    takeWords(text, plain, start, bitsOf, take);
    for (let length = 3; length <= sequenceLength(text, start); length += 1)
      take(length, cost.runStart + Math.log2(length));
    for (let length = 3; length <= walkLength(text, start, adjacentKeys); length += 1)
      take(length, cost.runStart + cost.keyOfRun * (length - 1));
    if (/^(19|20)\d\d$/.test(text.slice(start, start + 4).join(''))) take(4, cost.year);
    for (const [distance, length] of repeated.at(start))
      take(length, cost.repetition + Math.log2(distance) + Math.log2(length));
  }
  return best[text.length] ?? 0;
}

function bitsOfCharacter(character: string): number {
  if (/\d/.test(character)) return Math.log2(10);
  return /[a-z]/.test(character) ? Math.log2(26) : Math.log2(33);
}

function takeWords(
  text: readonly string[],
  plain: readonly string[],
  start: number,
  bitsOf: (word: string) => number | undefined,
  take: (length: number, bits: number) => void,
): void {
  let written = '';
  let meant = '';
  for (let length = 1; length <= Math.min(longest.word, text.length - start); length += 1) {
    written += text[start + length - 1];
    meant += plain[start + length - 1];
    const bits = bitsOf(written);
    if (bits !== undefined) take(length, bits);
    const replaced = meant === written ? undefined : bitsOf(meant);
    if (replaced !== undefined) take(length, replaced + cost.replacement);
  }
}

/** Characters from a place on that follow each other at one distance: `abc`, `9876`, `2468`. */
function sequenceLength(text: readonly string[], start: number): number {
  const distance = (index: number) =>
    (text[index]?.codePointAt(0) ?? 0) - (text[index - 1]?.codePointAt(0) ?? 0);
  if (start + 1 >= text.length || Math.abs(distance(start + 1)) > 2) return 1;
  const most = Math.min(longest.run, text.length - start);
  let length = 2;
  while (length < most && distance(start + length) === distance(start + 1)) length += 1;
  return length;
}

/** Characters from a place on whose keys are side by side. */
function walkLength(
  text: readonly string[],
  start: number,
  adjacentKeys: GuessedParts['adjacentKeys'],
): number {
  const most = Math.min(longest.run, text.length - start);
  let length = 1;
  while (length < most && adjacentKeys.get(text[start + length - 1] ?? '')?.has(text[start + length] ?? ''))
    length += 1;
  return length;
}

/** How many characters at each place of a text repeat those a distance before. */
class Repetitions {
  /** By distance, then by place. */
  private readonly lengths: Uint16Array[];

  constructor(text: readonly string[]) {
    this.lengths = Array.from({ length: longest.distance }, (_, index) => {
      const lengths = new Uint16Array(text.length + 1);
      for (let place = text.length - 1; place > index; place -= 1)
        lengths[place] = text[place] === text[place - index - 1] ? (lengths[place + 1] ?? 0) + 1 : 0;
      return lengths;
    });
  }

  /** Distance and length of each that begins here. */
  *at(place: number): Generator<[distance: number, length: number]> {
    for (const [index, lengths] of this.lengths.entries()) {
      const length = lengths[place] ?? 0;
      if (length >= 2) yield [index + 1, length];
    }
  }
}
