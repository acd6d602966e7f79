/**
 * A strict JSON parser (RFC 8259). `JSON.parse` accepts bodies that we must refuse: the last of two equal keys wins, nesting
 * can overflow the stack, 1e400 becomes Infinity, integers beyond 2^53 are rounded, and NUL and lone surrogates pass, which
 * PostgreSQL then refuses with its own error. This parser refuses all of them with the position of the fault.
 */

import { setOwnProperty } from '@trellis/schema/values/plain-object.ts';
import { decodeText, MalformedJsonError } from './malformed-json.ts';

export { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
export { MalformedJsonError };

/** The default maximum nesting of arrays and objects: `[[1]]` has depth 2. */
const defaultMaximumDepth = 32;

/** The parser recurses once per level; deeper nesting could exhaust the stack. */
const largestMaximumDepth = 1000;

/** Integers of up to this many digits are exact as doubles and are computed directly from the digits. */
const exactDigits = 15;

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const letterE = 0x65;
const letterU = 0x75;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const byteOrderMark = 0xfeff;

/** The characters that may follow a backslash, except u. */
const escapes = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/** Options of {@link parseJson}. */
export interface ParseJsonOptions {
  /** The maximum nesting of arrays and objects, 1 to 1,000; 32 by default. */
  readonly maxDepth?: number;
  /** `'bigint'`: numbers without a fraction and exponent are returned as exact bigint values. */
  readonly integers?: 'bigint';
}

/**
 * Parses a JSON text strictly.
 *
 * Beyond the grammar it refuses: invalid UTF-8, a byte order mark, an empty text, duplicate keys in an object, nesting that
 * is too deep, NUL and lone surrogates in strings and keys (raw or escaped), and numbers beyond the range of a double. A key
 * `__proto__` becomes an ordinary own property.
 *
 * @throws MalformedJsonError at the first fault.
 */
export function parseJson(bytes: Uint8Array, options: ParseJsonOptions = {}): unknown {
  const maximumDepth = options.maxDepth ?? defaultMaximumDepth;
  if (!Number.isInteger(maximumDepth) || maximumDepth < 1 || maximumDepth > largestMaximumDepth) {
    throw new RangeError(
      `maxDepth must be a whole number from 1 to ${largestMaximumDepth}, not ${maximumDepth}.`,
    );
  }
  return new Parser(decodeText(bytes), maximumDepth, options.integers === 'bigint').parseDocument();
}

class Parser {
  private readonly text: string;
  private readonly maximumDepth: number;
  private readonly integersAreBigint: boolean;
  private position = 0;
  private depth = 0;

  constructor(text: string, maximumDepth: number, integersAreBigint: boolean) {
    this.text = text;
    this.maximumDepth = maximumDepth;
    this.integersAreBigint = integersAreBigint;
  }

  parseDocument(): unknown {
    if (this.text.charCodeAt(0) === byteOrderMark) {
      throw this.fail('The body begins with a byte order mark: send UTF-8 without one');
    }
    this.skipSpace();
    if (this.position === this.text.length) {
      throw this.fail('The body is empty: send a JSON value');
    }
    const value = this.parseValue();
    this.skipSpace();
    if (this.position < this.text.length) {
      throw this.fail(`Expected the end of the body after the JSON value, found ${this.describeHere()}`);
    }
    return value;
  }

  private parseValue(): unknown {
    const code = this.skipSpace();
    switch (code) {
      case quote:
        return this.parseString();
      case openBrace:
        return this.parseObject();
      case openBracket:
        return this.parseArray();
      case 0x74:
        return this.parseWord('true', true);
      case 0x66:
        return this.parseWord('false', false);
      case 0x6e:
        return this.parseWord('null', null);
      default:
        if (code === minus || isDigit(code)) {
          return this.parseNumber();
        }
        throw this.fail(`Expected a JSON value, found ${this.describeHere()}`);
    }
  }

  private parseObject(): Record<string, unknown> {
    this.enter();
    const object: Record<string, unknown> = {};
    if (this.skipSpace() === closeBrace) {
      this.leave();
      return object;
    }
    for (;;) {
      if (this.skipSpace() !== quote) {
        throw this.fail(`Expected a key in double quotes, found ${this.describeHere()}`);
      }
      const keyPosition = this.position;
      const key = this.parseString();
      if (Object.hasOwn(object, key)) {
        throw this.fail(`The key ${quoteShortened(key)} occurs twice in one object`, keyPosition);
      }
      if (this.skipSpace() !== colon) {
        throw this.fail(`Expected ":" after the key ${quoteShortened(key)}, found ${this.describeHere()}`);
      }
      this.position += 1;
      setOwnProperty(object, key, this.parseValue());
      const code = this.skipSpace();
      if (code === closeBrace) {
        this.leave();
        return object;
      }
      if (code !== comma) {
        throw this.fail(`Expected "," or "}" in an object, found ${this.describeHere()}`);
      }
      this.position += 1;
    }
  }

  private parseArray(): unknown[] {
    this.enter();
    const array: unknown[] = [];
    if (this.skipSpace() === closeBracket) {
      this.leave();
      return array;
    }
    for (;;) {
      array.push(this.parseValue());
      const code = this.skipSpace();
      if (code === closeBracket) {
        this.leave();
        return array;
      }
      if (code !== comma) {
        throw this.fail(`Expected "," or "]" in an array, found ${this.describeHere()}`);
      }
      this.position += 1;
    }
  }

  /** Skips the opening bracket. */
  private enter(): void {
    if (this.depth === this.maximumDepth) {
      throw this.fail(`Arrays and objects may nest at most ${this.maximumDepth} deep`);
    }
    this.depth += 1;
    this.position += 1;
  }

  /** Skips the closing bracket. */
  private leave(): void {
    this.depth -= 1;
    this.position += 1;
  }

  private parseString(): string {
    const { text } = this;
    const start = this.position + 1;
    let position = start;
    let code = text.charCodeAt(position);
    // The common case: a string without escapes.
    while (code !== quote && code !== backslash && code >= space) {
      position += 1;
      code = text.charCodeAt(position);
    }
    if (code === quote) {
      this.position = position + 1;
      return text.slice(start, position);
    }
    while (code !== quote) {
      if (code === backslash) {
        position = this.skipEscape(position);
      } else if (code >= space) {
        position += 1;
      } else {
        throw this.fail(describeBareCharacter(code), Number.isNaN(code) ? start - 1 : position);
      }
      code = text.charCodeAt(position);
    }
    this.position = position + 1;
    // All escapes have been checked, so the built-in parser cannot fail on this string.
    return JSON.parse(text.slice(start - 1, position + 1));
  }

  /** Checks the escape at `position` and returns its end. */
  private skipEscape(position: number): number {
    const code = this.text.charCodeAt(position + 1);
    if (code !== letterU) {
      if (!escapes.has(code)) {
        throw this.fail(
          `Unknown escape ${quoteShortened(this.text.slice(position, position + 2))} in a string: a backslash itself is written "\\\\"`,
          position,
        );
      }
      return position + 2;
    }
    const unit = this.readUnicodeEscape(position);
    if (unit === 0) {
      throw this.fail('NUL (\\u0000) is not allowed in a string', position);
    }
    if (unit < 0xd800 || unit > 0xdfff) {
      return position + 6;
    }
    const pairIsWritten =
      unit < 0xdc00 &&
      this.text.charCodeAt(position + 6) === backslash &&
      this.text.charCodeAt(position + 7) === letterU;
    const second = pairIsWritten ? this.readUnicodeEscape(position + 6) : 0;
    if (second < 0xdc00 || second > 0xdfff) {
      throw this.fail(
        `${this.text.slice(position, position + 6)} is half of a surrogate pair without its other half`,
        position,
      );
    }
    return position + 12;
  }

  private readUnicodeEscape(position: number): number {
    const digits = this.text.slice(position + 2, position + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
      throw this.fail('\\u must be followed by four hexadecimal digits', position);
    }
    return Number.parseInt(digits, 16);
  }

  private parseNumber(): number | bigint {
    const { text } = this;
    const start = this.position;
    const digitsStart = text.charCodeAt(start) === minus ? start + 1 : start;
    let position = this.skipDigits(digitsStart);
    if (text.charCodeAt(digitsStart) === zero && position > digitsStart + 1) {
      throw this.fail('A number may not begin with 0 and another digit', digitsStart);
    }
    let isInteger = true;
    if (text.charCodeAt(position) === dot) {
      isInteger = false;
      position = this.skipDigits(position + 1);
    }
    const code = text.charCodeAt(position);
    if (code === letterE || code === letterE - 0x20) {
      isInteger = false;
      const sign = text.charCodeAt(position + 1);
      position = this.skipDigits(sign === plus || sign === minus ? position + 2 : position + 1);
    }
    this.position = position;
    if (isInteger && position - digitsStart <= exactDigits) {
      const magnitude = this.readDigits(digitsStart, position);
      const value = digitsStart === start ? magnitude : -magnitude;
      return this.integersAreBigint ? BigInt(value) : value;
    }
    const digits = text.slice(start, position);
    const value = Number(digits);
    // The same bound applies to exact integers: it limits the cost of reading a number.
    if (!Number.isFinite(value)) {
      throw this.fail('The number is too large', start);
    }
    return isInteger && this.integersAreBigint ? BigInt(digits) : value;
  }

  /** Returns the end of the digits at `position`. At least one is required. */
  private skipDigits(position: number): number {
    let end = position;
    while (isDigit(this.text.charCodeAt(end))) {
      end += 1;
    }
    if (end === position) {
      this.position = position;
      throw this.fail(`Expected a digit, found ${this.describeHere()}`);
    }
    return end;
  }

  /** The value of at most {@link exactDigits} digits. */
  private readDigits(start: number, end: number): number {
    let value = 0;
    for (let position = start; position < end; position += 1) {
      value = value * 10 + (this.text.charCodeAt(position) - zero);
    }
    return value;
  }

  private parseWord<Value>(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.position)) {
      throw this.fail(`Expected a JSON value, found ${this.describeHere()}`);
    }
    this.position += word.length;
    return value;
  }

  /** Skips white space and returns the code of the next character; NaN at the end. */
  private skipSpace(): number {
    let code = this.text.charCodeAt(this.position);
    while (code === space || code === lineFeed || code === carriageReturn || code === tab) {
      this.position += 1;
      code = this.text.charCodeAt(this.position);
    }
    return code;
  }

  private describeHere(): string {
    const character = this.text.codePointAt(this.position);
    return character === undefined ? 'the end of the body' : JSON.stringify(String.fromCodePoint(character));
  }

  private fail(reason: string, position = this.position): MalformedJsonError {
    return new MalformedJsonError(reason, this.text, position);
  }
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

function describeBareCharacter(code: number): string {
  if (Number.isNaN(code)) {
    return 'This string is never closed';
  }
  if (code === 0) {
    return 'NUL is not allowed in a string';
  }
  const written = code.toString(16).padStart(4, '0');
  return `A control character in a string must be escaped: write \\u${written}`;
}

/** A key as shown in a message: escaped, and shortened when it is long. */
function quoteShortened(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64).toWellFormed()}…` : text);
}
