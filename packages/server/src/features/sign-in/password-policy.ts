/**
 * Which passwords are accepted: 12 to 1,024 characters of any kind that are not easy to guess (OWASP ASVS 5.0, 6.2; NIST SP
 * 800-63B-4, 3.1.1.2).
 */
import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { codePointLength } from '@trellis/schema/values/text.ts';
import { estimateBits, loadGuessedParts } from './password-strength.ts';

/** Characters (code points) of a password. */
export const passwordLength = { min: 12, max: 1_024 } as const;
/** Bytes of the longest one. */
export const passwordBytes = 4 * passwordLength.max;

/**
 * Bits of guesses that a password must need. Common passwords, also joined or with digits and years around them, need up to 34; three
 * words that do not belong together 35 and more, and so do twelve random digits.
 */
const fewestBits = 34;

/** Minimum length of a personal word; shorter ones occur in other words by chance. */
const shortestOwnWord = 3;

/** Well-known example passwords and quotations, reduced to their letters. */
const knownSentences: ReadonlySet<string> = new Set([
  'correcthorsebatterystaple',
  'thequickbrownfoxjumpsoverthelazydog',
  'tobeornottobethatisthequestion',
  'fourscoreandsevenyearsago',
  'onceuponatimeinalandfarfaraway',
  'inthebeginningwastheword',
  'ourfatherwhoartinheaven',
  'franzjagtimkomplettverwahrlostentaxiquerdurchbayern',
  'fourrandomwords',
]);

/**
 * @param ownWords words related to the person, the organization or the product, such as the e-mail address
 * @throws Problem validation_failed
 */
export async function checkNewPassword(password: string, ownWords: readonly string[]): Promise<void> {
  const length = codePointLength(password.normalize('NFC'));
  if (length < passwordLength.min || length > passwordLength.max) {
    throw refused('length', `Must have ${passwordLength.min} to ${passwordLength.max} characters.`);
  }
  const letters = password.toLowerCase().replace(/\P{Letter}/gu, '');
  const guessed = await loadGuessedParts();
  if (knownSentences.has(letters) || estimateBits(password, new Set(), guessed) < fewestBits) {
    throw refused('common', 'This password is too common. Choose another, such as four random words.');
  }
  const own = partsOf(ownWords);
  if (own.has(password.normalize('NFC').toLowerCase()) || estimateBits(password, own, guessed) < fewestBits) {
    throw refused(
      'personal',
      'This password is too close to the e-mail address or the name. Choose another, such as four random words.',
    );
  }
}

/** The words, and those that they consist of. */
function partsOf(words: readonly string[]): ReadonlySet<string> {
  const parts = words.flatMap((word) => {
    const text = word.normalize('NFC').toLowerCase();
    const letters = text.split(/[^\p{Letter}\p{Number}]+/u);
    return [text, letters.join(''), ...letters];
  });
  return new Set(parts.filter((part) => codePointLength(part) >= shortestOwnWord));
}

function refused(code: string, detail: string): Problem {
  const fault: Fault = { pointer: '/password', code, detail };
  return new Problem('validation_failed', undefined, { errors: [fault] });
}
