/** Extracts the text of RTF files (Rich Text Format Specification 1.9.1): the body with headers, then notes and comments. */
import type { TextCollector } from './collector.ts';
import { ExtractionError } from './errors.ts';
import { readWhole } from './file.ts';
import type { ExtractionLimits } from './limits.ts';
import { encodingOfCharset, encodingOfCodePage } from './rtf-encodings.ts';

/** Maximum depth of groups; real documents have a few dozen levels. */
const maximumDepth = 10_000;

/** Groups without text of the document. */
const skipped = new Set(
  (
    'colortbl stylesheet info pict objdata object themedata colorschememapping latentstyles datastore generator ' +
    'xmlnstbl listtable listoverridetable rsidtbl filetbl revtbl fldinst sp shprslt nonesttables bkmkstart bkmkend ' +
    'pgptbl mmathPr atnid atnauthor atnref atndate atntime atnparent atrfstart atrfend xe tc ftnsep ftnsepc aftnsep aftnsepc private result'
  ).split(' '),
);

/** Groups that a reader may ignore when it does not know them, and that have text. */
const known = new Set(['shpinst', 'annotation', 'shptxt', 'ud', 'footnote']);

/** Groups that stand within a paragraph and would divide it. Their text follows at the end. */
const aside = new Set(['footnote', 'annotation']);

/** Words that stand for text. */
const symbols: ReadonlyMap<string, string> = new Map(
  Object.entries({
    par: '\n',
    line: '\n',
    sect: '\n',
    page: '\n',
    column: '\n',
    row: '\n',
    nestrow: '\n',
    shptxt: '\n',
    tab: '\t',
    cell: '\t',
    nestcell: '\t',
    emdash: '\u2014',
    endash: '\u2013',
    emspace: ' ',
    enspace: ' ',
    qmspace: ' ',
    bullet: '\u2022',
    lquote: '\u2018',
    rquote: '\u2019',
    ldblquote: '\u201c',
    rdblquote: '\u201d',
  }),
);

/** What a group inherits, and its end restores. */
interface Group {
  isSkipped: boolean;
  isDeleted: boolean;
  isHidden: boolean;
  isFontTable: boolean;
  isAside: boolean;
  font: number;
  /** Characters after `\u` that stand for it in programs without Unicode. */
  replaced: number;
}

const code = (character: string) => character.charCodeAt(0);
const [backslash, opening, closing, quote, star] = ['\\', '{', '}', "'", '*'].map(code);

/**
 * Reads a document.
 * @throws ExtractionError TOO_DEEP or DAMAGED
 */
export function extractRtf(file: number, _limits: ExtractionLimits, into: TextCollector): null {
  const bytes = readWhole(file);
  new RtfReader(bytes, into).read();
  into.endPage();
  return null;
}

class RtfReader {
  readonly #bytes: Uint8Array;
  readonly #into: TextCollector;
  readonly #stack: Group[] = [];
  readonly #encodings = new Map<number, string>();
  readonly #decoders = new Map<string, InstanceType<typeof TextDecoder>>();
  readonly #asides: string[] = [];
  #asideUnits = 0;
  #group: Group = {
    isSkipped: false,
    isDeleted: false,
    isHidden: false,
    isFontTable: false,
    isAside: false,
    font: -1,
    replaced: 1,
  };
  #encoding = 'windows-1252';
  #position = 0;
  /** Bytes of the document's own encoding that have not been decoded, since a character may have two. */
  #pending: number[] = [];
  /** Characters to leave out after `\u`. */
  #toReplace = 0;

  constructor(bytes: Uint8Array, into: TextCollector) {
    this.#bytes = bytes;
    this.#into = into;
  }

  read(): void {
    const { length } = this.#bytes;
    while (this.#position < length && !this.#into.isFull) {
      const byte = this.#bytes[this.#position] ?? 0;
      this.#position += 1;
      if (byte === backslash) this.#readControl();
      else if (byte === opening) this.#open();
      else if (byte === closing) this.#close();
      else if (byte !== 0x0a && byte !== 0x0d && byte !== 0) this.#addByte(byte);
    }
    this.#flush();
    for (const text of this.#asides) this.#into.add(text);
  }

  #open(): void {
    this.#flush();
    this.#toReplace = 0;
    if (this.#stack.length >= maximumDepth) throw new ExtractionError('TOO_DEEP');
    this.#stack.push(this.#group);
    this.#group = { ...this.#group };
  }

  #close(): void {
    this.#flush();
    this.#toReplace = 0;
    const outer = this.#stack.pop();
    if (outer === undefined) return;
    if (this.#group.isAside && !outer.isAside) this.#add('\n');
    this.#group = outer;
  }

  #readControl(): void {
    const byte = this.#bytes[this.#position] ?? 0;
    if (byte === quote) {
      const digits = String.fromCharCode(...this.#bytes.subarray(this.#position + 1, this.#position + 3));
      this.#position += 3;
      const value = Number.parseInt(digits, 16);
      if (!Number.isNaN(value)) this.#addByte(value);
    } else if (isLetter(byte)) {
      this.#readWord();
    } else {
      this.#position += 1;
      this.#readSymbol(byte);
    }
  }

  #readSymbol(byte: number): void {
    if (byte === star) this.#skipUnknown();
    else if (byte === code('~')) this.#add('\u00a0');
    else if (byte === code('_')) this.#add('-');
    else if (byte === 0x0a || byte === 0x0d) this.#add('\n');
    else if (byte === backslash || byte === opening || byte === closing) this.#addByte(byte);
  }

  /** `\*` begins a group that is left out when its name is not known. */
  #skipUnknown(): void {
    const rest = this.#bytes.subarray(this.#position, this.#position + 40);
    const name = /^\s*\\([a-z]+)/i.exec(new TextDecoder('windows-1252').decode(rest))?.[1] ?? '';
    if (!known.has(name)) this.#group.isSkipped = true;
  }

  #readWord(): void {
    const start = this.#position;
    let end = start;
    while (isLetter(this.#bytes[end] ?? 0)) end += 1;
    const word = asciiOf(this.#bytes.subarray(start, Math.min(end, start + 40)));
    const numberStart = end;
    if (this.#bytes[end] === code('-')) end += 1;
    while (isDigit(this.#bytes[end] ?? 0) && end - numberStart < 11) end += 1;
    const parameter = end === numberStart ? null : Number(asciiOf(this.#bytes.subarray(numberStart, end)));
    if (this.#bytes[end] === 0x20) end += 1;
    this.#position = end;
    this.#apply(word, parameter);
  }

  #apply(word: string, parameter: number | null): void {
    const group = this.#group;
    if (word !== 'u') this.#flush();
    if (skipped.has(word)) group.isSkipped = true;
    else if (aside.has(word)) group.isAside = true;
    else if (word === 'u') this.#addUnicode(parameter ?? 0);
    else if (word === 'uc') group.replaced = Math.max(0, Math.min(100, parameter ?? 1));
    else if (word === 'bin') this.#position += Math.max(0, parameter ?? 0);
    else if (word === 'deleted') group.isDeleted = parameter !== 0;
    else if (word === 'v') group.isHidden = parameter !== 0;
    else if (word === 'plain') Object.assign(group, { isDeleted: false, isHidden: false, font: -1 });
    else this.#applyEncoding(word, parameter);
    const symbol = symbols.get(word);
    if (symbol !== undefined) this.#add(symbol);
  }

  #applyEncoding(word: string, parameter: number | null): void {
    const group = this.#group;
    if (word === 'fonttbl') group.isFontTable = true;
    else if (word === 'f') group.font = parameter ?? 0;
    else if (word === 'ansicpg') this.#encoding = encodingOfCodePage(parameter ?? 1252) ?? this.#encoding;
    else if (word === 'mac') this.#encoding = 'macintosh';
    else if (group.isFontTable && (word === 'fcharset' || word === 'cpg')) {
      const find = word === 'cpg' ? encodingOfCodePage : encodingOfCharset;
      const encoding = find(parameter ?? 0);
      if (encoding !== null) this.#encodings.set(group.font, encoding);
    }
  }

  /** UTF-16 code units, written as signed numbers. */
  #addUnicode(parameter: number): void {
    this.#flush();
    this.#add(String.fromCharCode(parameter & 0xffff));
    this.#toReplace = this.#group.replaced;
  }

  #addByte(byte: number): void {
    if (this.#toReplace > 0) this.#toReplace -= 1;
    else if (!this.#isSilent()) this.#pending.push(byte);
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const encoding = this.#encodings.get(this.#group.font) ?? this.#encoding;
    let decoder = this.#decoders.get(encoding);
    if (decoder === undefined) {
      decoder = new TextDecoder(encoding);
      this.#decoders.set(encoding, decoder);
    }
    const text = decoder.decode(Uint8Array.from(this.#pending));
    this.#pending = [];
    this.#add(text);
  }

  #add(text: string): void {
    this.#toReplace = 0;
    if (this.#isSilent()) return;
    if (this.#pending.length > 0) this.#flush();
    if (!this.#group.isAside) this.#into.add(text);
    else if (this.#asideUnits < this.#bytes.length) {
      this.#asides.push(text);
      this.#asideUnits += text.length;
    }
  }

  #isSilent(): boolean {
    const { isSkipped, isDeleted, isHidden, isFontTable } = this.#group;
    return isSkipped || isDeleted || isHidden || isFontTable;
  }
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
