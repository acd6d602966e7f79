/**
 * Removes the metadata of an AVIF or HEIC (ISO/IEC 23008-12). Its parts refer to each other by their position in the file, so what is removed becomes zeros
 * of the same length, in a box or an item that readers omit.
 */
import { nameAt, Parts, viewOf } from './parts.ts';

interface Box {
  readonly name: string;
  readonly start: number;
  /** Where its content begins. */
  readonly content: number;
  readonly end: number;
}

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'iprp', 'ipco']);
const boxesOfFile = new Set(['ftyp', 'meta', 'mdat', 'moov']);
const boxesOfMeta = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iref', 'iprp', 'idat', 'dinf', 'grpl']);
/** What has no effect on the picture, wherever it is: texts of users, times, and boxes of programs. */
const blanked = new Set(['uuid', 'udta', 'free', 'skip', 'udes', 'crtt', 'mdft', 'xml ', 'bxml']);
const times = new Set(['mvhd', 'tkhd', 'mdhd']);
const tracks = new Set(['pict', 'vide', 'auxv']);
/** Items that are pictures, or made of others. */
const pictures = new Set(['av01', 'hvc1', 'grid', 'iden', 'iovl', 'tmap']);

/** @throws Error for what is no such file, or has a track that is no picture */
export function cleanAvif(bytes: Uint8Array): Parts {
  return new Cleaner(bytes).clean();
}

class Cleaner {
  private readonly parts: Parts;
  private readonly view: DataView;
  private readonly patches: { readonly start: number; readonly bytes: Uint8Array }[] = [];

  constructor(bytes: Uint8Array) {
    this.parts = new Parts(bytes);
    this.view = viewOf(bytes);
  }

  clean(): Parts {
    const { bytes } = this.parts;
    for (const box of this.boxes(0, bytes.length)) {
      if (!boxesOfFile.has(box.name)) this.blank(box);
      else if (box.name === 'meta') this.cleanMeta(box);
      else this.cleanBox(box);
    }
    let at = 0;
    for (const patch of this.patches.sort((left, right) => left.start - right.start)) {
      if (patch.start < at) throw new Error('Parts of the picture overlap.');
      this.parts.keep(at, patch.start);
      at = patch.start + patch.bytes.length;
      this.parts.replace(patch.start, at, patch.bytes);
    }
    this.parts.keep(at, bytes.length);
    return this.parts;
  }

  private *boxes(start: number, end: number): Generator<Box> {
    for (let at = start; at < end; ) {
      const short = this.view.getUint32(at);
      const size = short === 1 ? Number(this.view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
      const content = at + (short === 1 ? 16 : 8);
      if (at + size > end || at + size < content)
        throw new Error('A box of the picture ends behind its place.');
      yield { name: nameAt(this.parts.bytes, at + 4), start: at, content, end: at + size };
      at += size;
    }
  }

  private cleanBox(box: Box): void {
    const { name, content, end } = box;
    if (blanked.has(name) || name === 'meta') this.blank(box);
    else if (containers.has(name)) for (const inner of this.boxes(content, end)) this.cleanBox(inner);
    else if (times.has(name))
      this.zero(content + 4, content + 4 + (this.view.getUint8(content) === 1 ? 16 : 8));
    else if (name === 'hdlr') this.cleanHandler(box, tracks);
  }

  /** The name of the program that wrote the handler is behind its kind. */
  private cleanHandler({ content, end }: Box, kinds: ReadonlySet<string>): void {
    const kind = nameAt(this.parts.bytes, content + 8);
    if (!kinds.has(kind)) throw new Error(`The picture has a part of the kind ${kind}.`);
    this.zero(content + 24, end);
  }

  private cleanMeta({ content, end }: Box): void {
    const found = new Map<string, Box>();
    for (const box of this.boxes(content + 4, end)) {
      found.set(box.name, box);
      if (!boxesOfMeta.has(box.name)) this.blank(box);
      else if (box.name === 'hdlr') this.cleanHandler(box, tracks);
      else this.cleanBox(box);
    }
    const [items, locations, data] = ['iinf', 'iloc', 'idat'].map((name) => found.get(name));
    if (items === undefined || locations === undefined) return;
    this.removeData(this.renameItems(items), locations, data);
  }

  /** Makes items that are no pictures items without a meaning. @returns their ids */
  private renameItems({ content, end }: Box): ReadonlySet<number> {
    const first = content + 4 + (this.view.getUint8(content) === 0 ? 2 : 4);
    const ids = new Set<number>();
    for (const item of this.boxes(first, end)) {
      const version = this.view.getUint8(item.content);
      if (version < 2) throw new Error('The picture has items in a form that is not read.');
      const at = item.content + 4;
      const type = at + (version === 2 ? 4 : 6);
      const isPicture = pictures.has(nameAt(this.parts.bytes, type));
      if (!isPicture) {
        ids.add(version === 2 ? this.view.getUint16(at) : this.view.getUint32(at));
        this.patch(type, ascii('skip'));
      }
      this.zero(type + 4, item.end);
    }
    return ids;
  }

  private removeData(ids: ReadonlySet<number>, { content }: Box, data: Box | undefined): void {
    let at = content + 4;
    const read = (size: number): number => {
      at += size;
      if (size === 8) return Number(this.view.getBigUint64(at - 8));
      if (size === 4) return this.view.getUint32(at - 4);
      return size === 2 ? this.view.getUint16(at - 2) : 0;
    };
    const version = this.view.getUint8(content);
    const sizes = read(2);
    const [offsetSize = 0, lengthSize = 0, baseSize = 0, indexSize = 0] = [12, 8, 4, 0].map(
      (shift) => (sizes >> shift) & 0xf,
    );
    const countSize = version < 2 ? 2 : 4;
    const count = read(countSize);
    for (let item = 0; item < count; item += 1) {
      const isRemoved = ids.has(read(countSize));
      const method = version === 0 ? 0 : read(2) & 0xf;
      read(2);
      const base = read(baseSize);
      const extents = read(2);
      for (let extent = 0; extent < extents; extent += 1) {
        if (version > 0) read(indexSize);
        const start = base + read(offsetSize);
        const length = read(lengthSize);
        if (!isRemoved) continue;
        if (method > 1 || length === 0) throw new Error('The picture has data in a form that is not read.');
        const origin = method === 1 ? (data?.content ?? 0) : 0;
        this.parts.remove(origin + start, origin + start + length);
        this.zero(origin + start, origin + start + length);
      }
    }
  }

  private blank({ start, content, end }: Box): void {
    this.parts.remove(content, end);
    this.patch(start + 4, ascii('free'));
    this.zero(content, end);
  }

  private zero(start: number, end: number): void {
    if (end > this.parts.bytes.length) throw new Error('A part of the picture ends behind the file.');
    this.patch(start, new Uint8Array(Math.max(0, end - start)));
  }

  private patch(start: number, bytes: Uint8Array): void {
    this.patches.push({ start, bytes });
  }
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
