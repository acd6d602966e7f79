/** Classes of characters. A regular expression takes some 50 ns for each character of a text, a look into a table 2. */

/** What a character is, for whoever counts words or marks. */
export type CharacterClass = typeof other | typeof wordCharacter | typeof mark;

export const other = 1;
/** A letter or a number: `\p{L}`, `\p{N}`. */
export const wordCharacter = 2;
/** A combining mark: `\p{M}`. */
export const mark = 3;

/** Of the code points below 65,536, as far as they were looked up; 0: not yet. */
const classes = new Uint8Array(0x1_0000);

/** The class of a code point; surrogates by themselves are of the class `other`. */
export function classOf(codePoint: number): CharacterClass {
  const known = classes[codePoint];
  if (known === other || known === wordCharacter || known === mark) return known;
  const found = findClass(String.fromCodePoint(codePoint));
  if (codePoint < classes.length) classes[codePoint] = found;
  return found;
}

function findClass(character: string): CharacterClass {
  if (/^[\p{L}\p{N}]/u.test(character)) return wordCharacter;
  return /^\p{M}/u.test(character) ? mark : other;
}

/** Words of a text: runs of letters and digits, with the marks and apostrophes inside of them. */
export function countWords(text: string): number {
  let words = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.codePointAt(index) ?? 0;
    if (code > 0xffff) index += 1;
    const found = classOf(code);
    if (found === wordCharacter) {
      if (!isInWord) words += 1;
      isInWord = true;
    } else if (found === other && code !== 0x27 && code !== 0x2019) {
      isInWord = false;
    }
  }
  return words;
}

/** The first combining mark of Unicode: what stands before it, such as Latin text with accents, is looked at no closer. */
const firstMark = 0x300;

/** Whether more than so many combining marks follow each other somewhere. */
export function hasRunOfMarks(text: string, most: number): boolean {
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) < firstMark) {
      run = 0;
      continue;
    }
    const code = text.codePointAt(index) ?? 0;
    if (code > 0xffff) index += 1;
    run = classOf(code) === mark ? run + 1 : 0;
    if (run > most) return true;
  }
  return false;
}
