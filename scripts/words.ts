/**
 * The wording check of `npm run check`: words that this project does not use, with what to say instead, and comments that
 * begin with "Why:". Terms and their meanings are in GLOSSARY.md.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A word that is not used, alone or as a part of a name. */
interface UnusedWord {
  /** In lower camel case, as in a name. */
  readonly word: string;
  /** What to say instead. */
  readonly instead: string;
  /** What to search for, where a word is only wrong in some places, such as names. */
  readonly pattern?: RegExp;
  /** Permitted uses, which are removed from a line before the check. */
  readonly except?: RegExp;
}

/** A word where it is declared as a name, or called: in a sentence it may be right. */
function nameOf(word: string): RegExp {
  return new RegExp(
    `\\b(?:const|let|readonly|private|await) ?\\[?${word}\\b|(?:\\.|async |function )${word}\\(`,
  );
}

const unusedWords: readonly UnusedWord[] = [
  {
    word: 'answer',
    instead: 'response or respond, the words of HTTP, and for people: to be responsible, to decide',
    pattern: /answer/i,
    except: /Not: answer/g,
  },
  {
    word: 'asked',
    instead: 'what it is, such as requested or groups',
    pattern: nameOf('asked'),
  },
  { word: 'isAsked', instead: 'isRequested', pattern: /isAsked\b/ },
  { word: 'unasked', instead: 'unrequested', pattern: /[a-z]Unasked/ },
  { word: 'asOfBefore', instead: 'as before, or say what stays the same' },
  { word: 'byAndBy', instead: 'gradually, or say when' },
  { word: 'flight', instead: 'batch, or round trip', except: /in[ -]?flight/gi },
  { word: 'flights', instead: 'batches, or round trips' },
  { word: 'holders', instead: 'the records that have the value' },
  { word: 'hear', instead: 'receive', pattern: nameOf('hear') },
  { word: 'leadFrom', instead: 'startsAt' },
  { word: 'look', instead: 'a verb that says what is read', pattern: nameOf('look') },
  { word: 'lookAgain', instead: 'a verb that says what is read, such as checkVisibility' },
  { word: 'mend', instead: 'correct, or repair' },
  { word: 'mended', instead: 'corrected, or repaired', except: /`mended`/g },
  { word: 'mendings', instead: 'repairs', except: /`mendings`/g },
  { word: 'mostTelling', instead: 'chooseMostInformative' },
  { word: 'neglects', instead: 'what is not done, such as omitted' },
  { word: 'onlyIfTaken', instead: 'a type that is discriminated by kind' },
  { word: 'particulars', instead: 'details' },
  { word: 'postOffice', instead: 'mailSender' },
  { word: 'requireSight', instead: 'checkVisibility' },
  { word: 'stranger', instead: 'unauthenticated request, or unknown browser' },
  { word: 'strangers', instead: 'unauthenticated requests, or unknown browsers' },
  { word: 'surroundings', instead: 'dependencies, or context' },
  { word: 'takes', instead: 'a name that says what is accepted', pattern: nameOf('takes') },
  { word: 'takeTurn', instead: 'acquireLock' },
  { word: 'told', instead: 'what it is, such as logged or returned', pattern: nameOf('told') },
  { word: 'twin', instead: 'duplicate, or the concurrent request' },
  { word: 'twins', instead: 'duplicates, or the concurrent requests' },
  { word: 'withMoves', instead: 'withTransitions, or withPending' },
];

/** A comment whose first word is "Why:". */
const whyHead = /^\s*(?:\/\*\*|\/\/|\*|--)\s*Why:/;

/** The folders and files that are checked. */
export const checkedPaths: readonly string[] = [
  'packages',
  'test',
  'scripts',
  'bench',
  'sql',
  'docs',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'GLOSSARY.md',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
];

/** Files that quote the words, that other people wrote, or that are generated. */
const exemptPaths: readonly string[] = [
  'scripts/words.ts',
  'test/scripts/words.test.ts',
  'packages/server/src/features/demo/content',
  'docs/generated',
];

/** One line for each unused word and each comment that begins with "Why:" in the text of a file. */
export function findWordFaults(text: string, file: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const place = `${file}:${index + 1}`;
    const words = unusedWords
      .filter(({ word, pattern, except }) => {
        const rest = except === undefined ? line : line.replaceAll(except, '');
        return pattern?.test(rest) ?? contains(rest, word);
      })
      .map(
        ({ word, instead }) =>
          `${place}: "${readable(word)}" is not a word of this project. Say: ${instead}.`,
      );
    const heads = whyHead.test(line)
      ? [`${place}: a comment does not begin with "Why:". The first sentence of a file says what it is.`]
      : [];
    return [...words, ...heads];
  });
}

/**
 * Checks the files below a root.
 * @returns the number of checked files, and all faults
 */
export async function checkWords(root: string): Promise<{ files: number; faults: string[] }> {
  const files = (await Promise.all(checkedPaths.map((path) => listFiles(root, path)))).flat();
  const faults = await Promise.all(
    files.map(async (file) => findWordFaults(await readFile(join(root, file), 'utf8'), file)),
  );
  return { files: files.length, faults: faults.flat() };
}

/** The text files at a path, which is a file or a folder; relative to the root. */
async function listFiles(root: string, path: string): Promise<string[]> {
  if (/\.md$/.test(path)) return [path].filter(isChecked);
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(css|md|mjs|sql|ts|tsx)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length))
    .filter(isChecked);
}

function isChecked(file: string): boolean {
  return !isBelow(file, exemptPaths);
}

/** Whether a file is one of the paths, or in a folder of them. */
function isBelow(file: string, paths: readonly string[]): boolean {
  return paths.some((path) => file === path || file.startsWith(`${path}/`));
}

/** Whether a line has the word: written with spaces, or as a part of a name in camel case. */
function contains(line: string, word: string): boolean {
  const capitalized = word.charAt(0).toUpperCase() + word.slice(1);
  const pattern = `(?<![A-Za-z])(?:${word}|${readable(word)})(?![a-z])|${capitalized}(?![a-z])`;
  return new RegExp(pattern).test(line);
}

/** `byAndBy` as `by and by`. */
function readable(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
