/**
 * The parser behind `parseJson`: a loop over an explicit stack, so that it can pause and nesting cannot overflow. Regular expressions
 * find the tokens, and the built-in parser reads strings with escapes and numbers.
 */

import { MalformedJsonError } from './malformed-json.ts';
import { setOwnProperty } from './plain-object.ts';

const byteOrderMark = '\ufeff';
const plainString = /[ !#-[\]-\uffff]*/y;
/** A part of a string that is accepted: without NUL, other control characters and halves of surrogate pairs. Bounded, as V8 stores a state for each repetition. */
const partOfString =
  /(?:[ !#-[\]-\uffff]+|\\["\\/bfnrt]|\\u(?!0000|[dD][89a-fA-F])[\da-fA-F]{4}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}){1,1000}/y;
const number = /-?(?:0(?!\d)|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![.eE\d])/y;
/** A number up to where a digit is missing. */
const incompleteNumber = /^-?(?:\d+(?:\.(?:\d+[eE][+-]?)?|[eE][+-]?))?/;
const words = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

/** An array or object whose end has not been read. */
interface Container {
  readonly value: unknown[] | Record<string, unknown>;
  readonly kind: 'array' | 'object';
  readonly end: ']' | '}';
  /** The key of the member whose value comes next. */
  key: string;
  /** Number of kept items or members. */
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
    if (this.skipSpace() !== undefined) {
      throw this.fail(`Expected the end of the body after the JSON value, found ${this.describeHere()}`);
    }
    return true;
  }

  private begin(): void {
    if (this.text.startsWith(byteOrderMark)) {
      throw this.fail('The body begins with a byte order mark: send UTF-8 without one');
    }
    if (this.skipSpace() === undefined) throw this.fail('The body is empty: send a JSON value');
  }

  /** Parses the next value without content, and closes all containers that end after it. Returns whether the document ended. */
  private parseNext(): boolean {
    const character = this.skipSpace();
    let value: unknown;
    if (character === '[' || character === '{') {
      const container = this.enter(character);
      if (this.skipSpace() !== container.end) {
        this.beginItem(container);
        return false;
      }
      value = this.leave();
    } else {
      value = this.parseScalar(character);
    }
    for (let around = this.containers.at(-1); around !== undefined; around = this.containers.at(-1)) {
      this.add(around, value);
      const next = this.skipSpace();
      if (next === ',') {
        this.position += 1;
        this.beginItem(around);
        return false;
      }
      if (next !== around.end) {
        throw this.fail(`Expected "," or "${around.end}" in an ${around.kind}, found ${this.describeHere()}`);
      }
      value = this.leave();
    }
    this.document = value;
    return true;
  }

  /** Skips the opening bracket and opens a container. */
  private enter(bracket: '[' | '{'): Container {
    if (this.containers.length === this.maximumDepth) {
      throw this.fail(`Arrays and objects may nest at most ${this.maximumDepth} deep`);
    }
    const container: Container =
      bracket === '['
        ? { value: [], kind: 'array', end: ']', key: '', size: 0, dropped: null }
        : { value: {}, kind: 'object', end: '}', key: '', size: 0, dropped: null };
    this.containers.push(container);
    this.position += 1;
    return container;
  }

  /** Skips the closing bracket and returns the closed array or object. */
  private leave(): unknown {
    this.position += 1;
    return this.containers.pop()?.value;
  }

  private add(container: Container, item: unknown): void {
    const { value, key } = container;
    if (container.size < this.mostKept) {
      if (Array.isArray(value)) value.push(item);
      else setOwnProperty(value, key, item);
      container.size += 1;
    } else if (container.kind === 'object') {
      container.dropped ??= new Set();
      container.dropped.add(key);
    }
  }

  /** Parses what precedes an item: the key and colon of a member. */
  private beginItem(container: Container): void {
    if (container.kind === 'array') return;
    if (this.skipSpace() !== '"') {
      throw this.fail(`Expected a key in double quotes, found ${this.describeHere()}`);
    }
    const keyPosition = this.position;
    const key = this.parseString();
    if (Object.hasOwn(container.value, key) || container.dropped?.has(key) === true) {
      throw this.fail(`The key ${quoteShortened(key)} occurs twice in one object`, keyPosition);
    }
    if (this.skipSpace() !== ':') {
      throw this.fail(`Expected ":" after the key ${quoteShortened(key)}, found ${this.describeHere()}`);
    }
    this.position += 1;
    container.key = key;
  }

  private parseScalar(character: string | undefined): unknown {
    if (character === '"') return this.parseString();
    if (character !== undefined && (character === '-' || (character >= '0' && character <= '9')))
      return this.parseNumber();
    for (const [word, value] of words) {
      if (!this.text.startsWith(word, this.position)) continue;
      this.position += word.length;
      return value;
    }
    throw this.fail(`Expected a JSON value, found ${this.describeHere()}`);
  }

  private parseString(): string {
    const { text, position: start } = this;
    plainString.lastIndex = start + 1;
    plainString.test(text);
    let end = plainString.lastIndex;
    if (text[end] !== '"') {
      partOfString.lastIndex = end;
      while (partOfString.test(text)) end = partOfString.lastIndex;
      if (text[end] !== '"') throw this.describeFault(start, end);
    }
    this.position = end + 1;
    const written = text.slice(start + 1, end);
    return written.includes('\\') ? JSON.parse(`"${written}"`) : written;
  }

  /** Why a string that begins at `start` cannot go on at `at`. */
  private describeFault(start: number, at: number): MalformedJsonError {
    const character = this.text[at];
    const [written = ''] = /^\\(?:u[\da-f]{0,4})?/i.exec(this.text.slice(at, at + 6)) ?? [];
    if (character === undefined) return this.fail('This string is never closed', start);
    if (character === '\0') return this.fail('NUL is not allowed in a string', at);
    if (character !== '\\') {
      const code = character.charCodeAt(0).toString(16).padStart(4, '0');
      return this.fail(`A control character in a string must be escaped: write \\u${code}`, at);
    }
    if (written === '\\') {
      const given = quoteShortened(this.text.slice(at, at + 2));
      return this.fail(`Unknown escape ${given} in a string: a backslash itself is written "\\\\"`, at);
    }
    if (written.length < 6) return this.fail('\\u must be followed by four hexadecimal digits', at);
    if (written === '\\u0000') return this.fail('NUL (\\u0000) is not allowed in a string', at);
    return this.fail(`${written} is half of a surrogate pair without its other half`, at);
  }

  private parseNumber(): number | bigint {
    const { text, position: start } = this;
    number.lastIndex = start;
    if (!number.test(text)) throw this.describeNumberFault();
    this.position = number.lastIndex;
    const written = text.slice(start, this.position);
    const value = Number(written);
    // The same bound applies to exact integers: it limits the cost of reading a number.
    if (!Number.isFinite(value)) throw this.fail('The number is too large', start);
    if (!this.integersAreBigint || Object.is(value, -0) || /\D/.test(written.slice(1))) return value;
    return BigInt(written);
  }

  /** Why no number begins here. */
  private describeNumberFault(): MalformedJsonError {
    const rest = this.text.slice(this.position);
    const zeros = /^-?(?=0\d)/.exec(rest);
    if (zeros !== null) {
      const at = this.position + zeros[0].length;
      return this.fail('A number may not begin with 0 and another digit', at);
    }
    this.position += incompleteNumber.exec(rest)?.[0].length ?? 0;
    return this.fail(`Expected a digit, found ${this.describeHere()}`);
  }

  /** Skips white space and returns the next character; undefined at the end. */
  private skipSpace(): string | undefined {
    let character = this.text[this.position];
    while (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      this.position += 1;
      character = this.text[this.position];
    }
    return character;
  }

  private describeHere(): string {
    const character = this.text.codePointAt(this.position);
    return character === undefined ? 'the end of the body' : JSON.stringify(String.fromCodePoint(character));
  }

  private fail(reason: string, position = this.position): MalformedJsonError {
    return new MalformedJsonError(reason, this.text, position);
  }
}

/** A key as shown in a message: escaped, and shortened when it is long. */
function quoteShortened(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64).toWellFormed()}…` : text);
}
