/**
 * What the index has of a text, as a `tsvector` of PostgreSQL in its binary format. Each lexeme begins with the scope, so that postings of
 * one organization, type and parent are never read for another. Behind it stands a word; or, with a sign that no word begins with, a stem
 * (`~`) that is no word of the text, the language of the text (`#`), or three characters in a row (`=`).
 */
import { createHash } from 'node:crypto';
import { foldText } from '@trellis/schema/values/text.ts';
import { readable } from './readable.ts';
import { stemIn } from './stems.ts';
import { scanWords } from './words.ts';

/** How much a word counts: names most, other notations least. */
export type Weight = 'A' | 'B' | 'C' | 'D';

const weights: Readonly<Record<Weight, number>> = { A: 3, B: 2, C: 1, D: 0 };

/** The last position that a tsvector knows, and positions of one lexeme, at most ("Limitations" of text search types). */
const lastPosition = 16_383;
const mostPositions = 255;
/**
 * Bytes of all lexemes and positions of a record's short texts and of its long ones, at most. PostgreSQL's own limit is 1 MiB, also of both
 * together: a query that excludes words compares them as one vector.
 */
export const mostShortBytes = 250_000;
const mostLongBytes = 750_000;

/** Sign before stems, before the language, and before three characters in a row. */
export const stemSign = '~';
export const languageSign = '#';
export const gramSign = '=';

/** A text as search compares it. It is at most three times as long, but for a few signs that become up to eighteen characters. */
export function foldReadable(text: string): string {
  return foldText(readable(text));
}

/** The scope of the records of one type below one parent: 36 bits of a hash. Rows are compared by their columns too, so a collision costs time only. */
export function scopeOf(organizationId: string, parentId: string, type: string): string {
  return createHash('sha256').update(`${organizationId}${parentId}${type}`).digest('base64').slice(0, 6);
}

/** Collects the lexemes of a record's texts. */
export class Lexemes {
  private readonly scope: string;
  private readonly positions = new Map<string, number[]>();
  private readonly bare = new Set<string>();
  private last = 0;
  private bytes = 0;
  private readonly mostBytes: number;

  constructor(scope: string, mostBytes = mostLongBytes) {
    this.scope = scope;
    this.mostBytes = mostBytes;
  }

  /** Adds the words of a folded text behind those of the texts before it. PostgreSQL refuses positions of a lexeme that do not ascend. */
  addWords(folded: string, weight: Weight): void {
    const first = this.last;
    scanWords(folded, ({ text, position }) => {
      // The join of a compound stands at its first part, before the last word.
      this.last = Math.max(this.last, first + position);
      const place = Math.min(first + position, lastPosition);
      const entry = (weights[weight] << 14) | place;
      const known = this.positions.get(text);
      if (known === undefined) {
        if (this.fits(text)) this.positions.set(text, [entry]);
      } else if (
        known.length < mostPositions &&
        placeOf(known.at(-1)) < place &&
        this.bytes < this.mostBytes
      ) {
        known.push(entry);
        this.bytes += 2;
      }
    });
    // No phrase goes on in the next text.
    this.last += 1;
  }

  /** Adds the stems of the words so far, and their language. A stem that is a word of the text has no lexeme of its own. */
  addStems(language: string | null): void {
    if (language === null) return;
    this.bare.add(`${languageSign}${language}`);
    for (const word of this.positions.keys()) {
      const stem = stemIn(language, word);
      if (stem !== word && !this.positions.has(stem)) this.addBare(`${stemSign}${stem}`);
    }
  }

  /** Adds a line's groups of three characters. The last two are shorter, so that each character begins a group. */
  addGrams(line: string): void {
    for (const gram of gramsOf(line)) this.addBare(`${gramSign}${gram}`);
  }

  /** In the binary format of `tsvector`: lexemes that end with NUL, each with the number of its positions and these. */
  encode(): Buffer {
    const lexemes = [...this.positions.keys(), ...this.bare];
    let size = 4;
    for (const lexeme of lexemes) size += this.scope.length + 3 * lexeme.length + 3;
    for (const entries of this.positions.values()) size += 2 * entries.length;
    const bytes = Buffer.allocUnsafe(size);
    let at = bytes.writeInt32BE(lexemes.length, 0);
    for (const lexeme of lexemes) {
      at += bytes.write(this.scope + lexeme, at);
      at = bytes.writeUInt8(0, at);
      const entries = this.positions.get(lexeme) ?? [];
      at = bytes.writeUInt16BE(entries.length, at);
      for (const entry of entries) at = bytes.writeUInt16BE(entry, at);
    }
    return bytes.subarray(0, at);
  }

  private addBare(lexeme: string): void {
    if (!this.bare.has(lexeme) && this.fits(lexeme)) this.bare.add(lexeme);
  }

  private fits(lexeme: string): boolean {
    this.bytes += this.scope.length + Buffer.byteLength(lexeme) + 5;
    return this.bytes <= this.mostBytes;
  }
}

/** The position in an entry, without its weight. */
function placeOf(entry = 0): number {
  return entry & lastPosition;
}

/** Vectors as an array of PostgreSQL in binary format: one dimension, no NULL, the type's OID (pg_type.dat), the length, the first index. */
export function encodeVectors(vectors: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(20);
  [1, 0, 3614, vectors.length, 1].forEach((value, index) => void head.writeInt32BE(value, 4 * index));
  const items = vectors.flatMap((vector) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(vector.length);
    return [length, vector];
  });
  return Buffer.concat([head, ...items]);
}

/** Three characters in a row, from each character of a line on; at its end fewer. */
export function* gramsOf(line: string): Generator<string> {
  const characters = Array.from(line);
  for (let index = 0; index < characters.length; index += 1)
    yield characters.slice(index, index + 3).join('');
}
