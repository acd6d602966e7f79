/** What is left of a picture: ranges of its bytes, in their order, and bytes that take the place of others. */

/** Positions are counted from 0; `end` is not included. */
export type Part = { readonly start: number; readonly end: number } | { readonly bytes: Uint8Array };

/** The parts that are kept, and what was removed. */
export class Parts {
  readonly kept: Part[] = [];
  readonly removed: Uint8Array[] = [];
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** @throws Error for a range beyond the end */
  keep(start: number, end: number): void {
    this.check(start, end);
    const last = this.kept.at(-1);
    if (last !== undefined && 'end' in last && last.end === start) this.kept.splice(-1, 1, { ...last, end });
    else if (start < end) this.kept.push({ start, end });
  }

  /** Puts bytes in the place of a range. @throws Error for a range beyond the end */
  replace(start: number, end: number, bytes: Uint8Array): void {
    this.check(start, end);
    if (bytes.length === end - start && bytes.every((byte, index) => byte === this.bytes[start + index]))
      this.keep(start, end);
    else this.kept.push({ bytes });
  }

  /** @throws Error for a range beyond the end */
  remove(start: number, end: number): void {
    this.check(start, end);
    if (start < end) this.removed.push(this.bytes.subarray(start, end));
  }

  private check(start: number, end: number): void {
    if (start > end || end > this.bytes.length)
      throw new Error('A part of the picture ends behind the file.');
  }
}

/** The number of bytes. */
export function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + ('bytes' in part ? part.bytes.length : part.end - part.start), 0);
}

/** Four characters of ASCII. */
export function nameAt(bytes: Uint8Array, at: number): string {
  return textAt(bytes, at, 4);
}

/** Characters of Latin-1, so that each byte is one. */
export function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** A view of the bytes, which throws RangeError for what is beyond the end. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
