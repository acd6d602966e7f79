/** The parser behind `parseJson`: a loop over an explicit stack, so that it can pause and nesting cannot overflow. */

import { MalformedJsonError } from './malformed-json.ts';
import { setOwnProperty } from './plain-object.ts';

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
const letterA = 0x61;
const letterE = 0x65;
const letterF = 0x66;
const letterU = 0x75;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const byteOrderMark = 0xfeff;

/** The characters that may follow a backslash, except u. */
const escapes = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/** An array or object whose end has not been read. */
type Container = OpenArray | OpenObject;

interface OpenArray {
  readonly array: unknown[];
  readonly object: null;
}

interface OpenObject {
  readonly array: null;
  readonly object: Record<string, unknown>;
  /** The key of the member whose value comes next. */
  key: string;
  /** Number of members of the object. */
  size: number;
  /** Keys of dropped members; null if none was dropped. */
  dropped: Set<string> | null;
}

/** The state of parsing one text. */
export class JsonParser {
  /** The parsed value, when {@link parseUntil} has returned true. */
  document: unknown;
  private readonly text: string;
  private readonly maximumDepth: number;
  private readonly integersAreBigint: boolean;
  private readonly mostKept: number;
  private position = 0;
  /** The open arrays and objects, the innermost one last. */
  private readonly containers: Container[] = [];

  constructor(text: string, maximumDepth: number, integersAreBigint: boolean, mostKept: number) {
    this.text = text;
    this.maximumDepth = maximumDepth;
    this.integersAreBigint = integersAreBigint;
    this.mostKept = mostKept;
  }

  /** Continues until a value ends at or after a position, or at the end. Returns whether the whole text has been parsed. */
  parseUntil(end: number): boolean {
    if (this.position === 0) this.begin();
    while (!this.parseNext()) if (this.position >= end) return false;
    this.skipSpace();
    if (this.position < this.text.length) {
      throw this.fail(`Expected the end of the body after the JSON value, found ${this.describeHere()}`);
    }
    return true;
  }

  private begin(): void {
    if (this.text.charCodeAt(0) === byteOrderMark) {
      throw this.fail('The body begins with a byte order mark: send UTF-8 without one');
    }
    this.skipSpace();
    if (this.position === this.text.length) {
      throw this.fail('The body is empty: send a JSON value');
    }
  }

  /** Parses the next value without content, and closes all containers that end after it. Returns whether the document ended. */
  private parseNext(): boolean {
    const code = this.skipSpace();
    let value: unknown;
    if (code === openBracket) {
      const array: unknown[] = [];
      this.enter({ array, object: null });
      if (this.skipSpace() !== closeBracket) return false;
      value = this.leave();
    } else if (code === openBrace) {
      const container = { array: null, object: {}, key: '', size: 0, dropped: null };
      this.enter(container);
      if (this.skipSpace() !== closeBrace) {
        container.key = this.parseKey(container);
        return false;
      }
      value = this.leave();
    } else {
      value = this.parseScalar(code);
    }
    for (let around = this.containers.at(-1); around !== undefined; around = this.containers.at(-1)) {
      if (this.addTo(around, value)) return false;
      value = this.leave();
    }
    this.document = value;
    return true;
  }

  private parseScalar(code: number): unknown {
    switch (code) {
      case quote:
        return this.parseString();
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

  /** Adds a value and moves to the next one. Returns whether there is one. */
  private addTo(container: Container, value: unknown): boolean {
    if (container.array !== null) {
      if (container.array.length < this.mostKept) container.array.push(value);
      const code = this.skipSpace();
      if (code === closeBracket) return false;
      if (code !== comma) {
        throw this.fail(`Expected "," or "]" in an array, found ${this.describeHere()}`);
      }
      this.position += 1;
      return true;
    }
    this.addMember(container, value);
    const code = this.skipSpace();
    if (code === closeBrace) return false;
    if (code !== comma) {
      throw this.fail(`Expected "," or "}" in an object, found ${this.describeHere()}`);
    }
    this.position += 1;
    container.key = this.parseKey(container);
    return true;
  }

  private addMember(container: OpenObject, value: unknown): void {
    if (container.size < this.mostKept) {
      setOwnProperty(container.object, container.key, value);
      container.size += 1;
    } else {
      container.dropped ??= new Set();
      container.dropped.add(container.key);
    }
  }

  /** Parses a key and its colon. */
  private parseKey({ object, dropped }: OpenObject): string {
    if (this.skipSpace() !== quote) {
      throw this.fail(`Expected a key in double quotes, found ${this.describeHere()}`);
    }
    const keyPosition = this.position;
    const key = this.parseString();
    if (Object.hasOwn(object, key) || dropped?.has(key) === true) {
      throw this.fail(`The key ${quoteShortened(key)} occurs twice in one object`, keyPosition);
    }
    if (this.skipSpace() !== colon) {
      throw this.fail(`Expected ":" after the key ${quoteShortened(key)}, found ${this.describeHere()}`);
    }
    this.position += 1;
    return key;
  }

  /** Skips the opening bracket and opens a container. */
  private enter(container: Container): void {
    if (this.containers.length === this.maximumDepth) {
      throw this.fail(`Arrays and objects may nest at most ${this.maximumDepth} deep`);
    }
    this.containers.push(container);
    this.position += 1;
  }

  /** Skips the closing bracket and returns the closed container. */
  private leave(): unknown {
    const container = this.containers.pop();
    this.position += 1;
    return container?.array ?? container?.object;
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
    let unit = 0;
    for (let at = position + 2; at < position + 6; at += 1) {
      const digit = hexadecimalDigit(this.text.charCodeAt(at));
      if (digit === -1) throw this.fail('\\u must be followed by four hexadecimal digits', position);
      unit = unit * 16 + digit;
    }
    return unit;
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
      return this.integersAreBigint && !Object.is(value, -0) ? BigInt(value) : value;
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

/** Value of a hexadecimal digit, or -1. */
function hexadecimalDigit(code: number): number {
  if (isDigit(code)) return code - zero;
  const lower = code | 0x20;
  return lower >= letterA && lower <= letterF ? lower - letterA + 10 : -1;
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
