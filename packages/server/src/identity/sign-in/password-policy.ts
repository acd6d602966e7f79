/**
 * Which passwords are taken: 12 to 1,024 characters, whatever they are, but none that are tried first (OWASP ASVS 5.0, 6.2;
 * NIST SP 800-63B-4, 3.1.1.2).
 */
import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { codePointLength } from '@trellis/schema/values/text.ts';

/** Characters (code points) of a password. */
export const passwordLength = { min: 12, max: 1_024 } as const;
/** Bytes of the longest one. */
export const passwordBytes = 4 * passwordLength.max;

/** Shorter words, and shorter texts that are repeated, do not make a password of their own. */
const shortestWord = 4;

/**
 * @param words what belongs to the person or the product, such as the e-mail address
 * @throws Problem validation_failed
 */
export async function checkNewPassword(password: string, words: readonly string[]): Promise<void> {
  const length = codePointLength(password.normalize('NFC'));
  if (length < passwordLength.min || length > passwordLength.max) {
    throw refused('length', `Must have ${passwordLength.min} to ${passwordLength.max} characters.`);
  }
  if (await isCommon(password, words)) {
    throw refused(
      'common',
      'Is among the passwords that are tried first. Choose another, such as four random words.',
    );
  }
}

/**
 * Whether it is a common password or word, or one of them repeated, in any letter case and with digits and signs around it:
 * so are lists of common passwords with 12 and more characters made.
 */
async function isCommon(password: string, words: readonly string[]): Promise<boolean> {
  const common = await loadCommonPasswords();
  const text = password.normalize('NFC').toLowerCase();
  const personal = new Set(words.map((word) => word.toLowerCase()));
  const isKnown = (candidate: string) => common.has(candidate) || personal.has(candidate);
  const unit = repeatedUnit(text);
  if (unit.length < shortestWord || isKnown(text) || isKnown(unit)) return true;
  const core = text.replace(/^[^\p{Letter}]+|[^\p{Letter}]+$/gu, '');
  return (
    core.length >= shortestWord &&
    core.length * 2 >= text.length &&
    (isKnown(core) || isKnown(repeatedUnit(core)))
  );
}

/** The shortest text that gives this one when it is repeated. */
function repeatedUnit(text: string): string {
  // Where a text is found again in itself doubled is where it repeats.
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, period);
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** Loaded when the first password is set: it is a list of 49,000, which most processes never need. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  );
  return commonPasswords;
}

function refused(code: string, detail: string): Problem {
  const fault: Fault = { pointer: '/password', code, detail };
  return new Problem('validation_failed', undefined, { errors: [fault] });
}
