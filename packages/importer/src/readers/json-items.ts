/** Finds the items of arrays in a JSON document (RFC 8259) of any size; each item is then parsed by itself. */
import { ImportStopped } from '../errors.ts';
import { concatenate } from './file.ts';

/** An item of an array. */
export interface JsonItem {
  /** The names of the members that lead to the array, each after a slash; `*` stands for an item of an outer array. */
  readonly path: string;
  /** Number of the item in its array, from 1. */
  readonly number: number;
  /** Null when it is too long. */
  readonly bytes: Uint8Array | null;
}

/** Maximum size of an item: an article with its text in several forms is far below. */
export const largestItemBytes = 8_388_608;
const longestName = 1_024;
const deepestNesting = 32;

interface Container {
  readonly isArray: boolean;
  readonly path: string;
  /** The name of the present member; of an array, always `*`. */
  name: string;
  items: number;
  /** In an object: whether the next string is the name of a member. */
  expectsName: boolean;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Reads the items of the arrays whose path is wanted, with their bytes.
 * @param label name of the document for people
 * @throws ImportStopped when the document ends early or its brackets do not match
 */
export async function* readItems(
  label: string,
  chunks: AsyncIterable<Uint8Array>,
  isWanted: (path: string) => boolean,
): AsyncGenerator<JsonItem> {
  const scanner = new Scanner(label, isWanted);
  for await (const chunk of chunks) yield* scanner.scan(chunk);
  scanner.end();
}

class Scanner {
  private readonly label: string;
  private readonly isWanted: (path: string) => boolean;
  private readonly containers: Container[] = [];
  private line = 1;
  private isString = false;
  private isEscaped = false;
  /** The bytes of a name; null while no name is read. */
  private name: number[] | null = null;
  /** The bytes of the item that is read; null outside of one. */
  private item: Uint8Array[] | null = null;
  private itemBytes = 0;
  /** Open brackets in the item. */
  private itemDepth = 0;

  constructor(label: string, isWanted: (path: string) => boolean) {
    this.label = label;
    this.isWanted = isWanted;
  }

  *scan(chunk: Uint8Array): Generator<JsonItem> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === 0x0a) this.line += 1;
      if (this.isString) this.readString(byte);
      else if (this.item === null) {
        if (this.beginsItem(byte)) {
          from = at;
          this.readInItem(byte);
        } else this.readOutside(byte);
      } else {
        const isPast = this.itemDepth === 0 && (byte === comma || byte === closeBracket);
        if (isPast) {
          this.add(chunk.subarray(from, at));
          yield this.take();
          this.readOutside(byte);
        } else this.readInItem(byte);
      }
    }
    if (this.item !== null) this.add(chunk.subarray(from));
  }

  end(): void {
    if (this.containers.length > 0 || this.isString) {
      throw new ImportStopped(
        `${this.label} is incomplete: a bracket or quotation mark is not closed. Download or save it again.`,
      );
    }
  }

  private readString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) {
      this.isString = false;
      this.endName();
      return;
    }
    if (this.name !== null && this.name.length < longestName) this.name.push(byte);
  }

  private endName(): void {
    const container = this.containers.at(-1);
    if (this.name === null || container === undefined) return;
    const text = new TextDecoder().decode(new Uint8Array(this.name));
    try {
      container.name = JSON.parse(`"${text}"`) as string;
    } catch {
      container.name = text;
    }
    container.expectsName = false;
    this.name = null;
  }

  /** Whether a byte begins an item of a wanted array. */
  private beginsItem(byte: number): boolean {
    const container = this.containers.at(-1);
    if (container?.isArray !== true || byte <= 0x20 || byte === comma || byte === closeBracket) return false;
    if (!this.isWanted(container.path)) return false;
    this.item = [];
    return true;
  }

  private readInItem(byte: number): void {
    if (byte === quote) this.isString = true;
    else if (byte === openBrace || byte === openBracket) this.itemDepth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      this.itemDepth -= 1;
      if (this.itemDepth < 0) throw this.stop();
    }
  }

  private readOutside(byte: number): void {
    const container = this.containers.at(-1);
    if (byte === quote) {
      this.isString = true;
      if (container?.expectsName === true) this.name = [];
    } else if (byte === openBrace || byte === openBracket) {
      if (container?.isArray === true) container.items += 1;
      const path = container === undefined ? '' : `${container.path}/${container.name}`;
      const isArray = byte === openBracket;
      this.containers.push({ isArray, path, name: '*', items: 0, expectsName: !isArray });
      if (this.containers.length > deepestNesting) throw this.stop();
    } else if (byte === closeBrace || byte === closeBracket) {
      if (this.containers.pop()?.isArray !== (byte === closeBracket)) throw this.stop();
    } else if (byte === comma && container?.isArray === false) container.expectsName = true;
  }

  private add(part: Uint8Array): void {
    this.itemBytes += part.length;
    if (this.itemBytes > largestItemBytes) this.item = [];
    else this.item?.push(part.slice());
  }

  private take(): JsonItem {
    const container = this.containers.at(-1);
    if (container !== undefined) container.items += 1;
    const bytes = this.itemBytes > largestItemBytes ? null : concatenate(this.item ?? []);
    this.item = null;
    this.itemBytes = 0;
    return { path: container?.path ?? '', number: container?.items ?? 0, bytes };
  }

  private stop(): ImportStopped {
    return new ImportStopped(
      `${this.label} is not valid JSON in line ${this.line}: a bracket is not the one expected there, or there are too many.`,
    );
  }
}
