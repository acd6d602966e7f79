/**
 * Reads HTML as a sequence of elements and text in linear time. The parser of `htmlparser2` takes minutes for a megabyte of
 * `<div>`, because it moves all open elements for each new one. This uses its tokenizer, which knows the syntax, with a
 * stack whose cost does not depend on the depth.
 */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Receives tags and text in the order of the file. Names are in lower case. */
export interface HtmlHandler {
  open(name: string): void;
  text(text: string): void;
  close(name: string): void;
}

/** Void elements (https://html.spec.whatwg.org/#void-elements), with those of earlier versions of HTML. */
const voidElements = new Set(
  'area base basefont br col command embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Elements that another start tag of the same name closes: the only implied end tags that matter for text. */
const endedByTheSame = new Set(['a', 'dd', 'dt', 'li', 'option', 'p', 'td', 'th', 'tr']);

/** Parts of a word with readings above it, of which each ends the one before. */
const rubyParts = new Set(['rb', 'rt', 'rp']);

/** Foreign elements: inside, a tag that ends with a slash has no content, and every element contains markup. */
const foreign = ['svg', 'math'] as const;

/** Maximum number of open elements; deeper ones are closed at once. */
const maximumDepth = 10_000;

/** Reads HTML piece by piece. */
export class HtmlReader implements TokenizerCallbacks {
  readonly #handler: HtmlHandler;
  readonly #tokenizer = new Tokenizer({ decodeEntities: true }, this);
  /** The chunks that may contain the next token, and the offset of the first in the file, in UTF-16 code units. */
  #pieces: string[] = [];
  #start = 0;
  readonly #open: string[] = [];
  /** Number of open elements by name. */
  readonly #counts = new Map<string, number>();
  /** Number of open elements beyond the maximum depth. */
  #beyond = 0;

  constructor(handler: HtmlHandler) {
    this.#handler = handler;
  }

  write(piece: string): void {
    this.#pieces.push(piece);
    this.#tokenizer.write(piece);
  }

  /** Must be called after the last piece, unless nothing more is wanted. */
  end(): void {
    this.#tokenizer.end();
  }

  onopentagname(start: number, end: number): void {
    const name = this.#slice(start, end).toLowerCase();
    const last = this.#open.at(-1) ?? '';
    if ((endedByTheSame.has(name) && last === name) || (rubyParts.has(name) && rubyParts.has(last)))
      this.#pop();
    this.#handler.open(name);
    if (voidElements.has(name)) {
      this.#handler.close(name);
    } else if (this.#open.length >= maximumDepth) {
      this.#beyond += 1;
    } else {
      this.#open.push(name);
      this.#counts.set(name, this.#countOf(name) + 1);
    }
  }

  onclosetag(start: number, end: number): void {
    const name = this.#slice(start, end).toLowerCase();
    if (this.#beyond > 0) {
      this.#beyond -= 1;
      this.#handler.close(name);
    } else if (this.#countOf(name) > 0) {
      // Closes all elements inside. Each is removed once, so the time is linear over the whole file.
      let closed: string | undefined;
      do closed = this.#pop();
      while (closed !== name);
    } else if (name === 'p' || name === 'br') {
      // An end tag alone stands for the whole element, https://html.spec.whatwg.org/#parsing-main-inbody
      this.#handler.open(name);
      this.#handler.close(name);
    }
  }

  onselfclosingtag(): void {
    if (this.isInForeignContext() && this.#beyond === 0) this.#pop();
  }

  ontext(start: number, end: number): void {
    this.#handler.text(this.#slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#handler.text(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.isInForeignContext()) this.#handler.text(this.#slice(start, end - endOffset));
  }

  onend(): void {
    while (this.#open.length > 0) this.#pop();
  }

  isInForeignContext(): boolean {
    return foreign.some((name) => this.#countOf(name) > 0);
  }

  onopentagend(): void {}
  onattribname(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #pop(): string | undefined {
    const name = this.#open.pop();
    if (name === undefined) return undefined;
    this.#counts.set(name, this.#countOf(name) - 1);
    this.#handler.close(name);
    return name;
  }

  /** The text between two offsets in the file. `start` must not be before that of an earlier call. */
  #slice(start: number, end: number): string {
    let first = this.#pieces[0];
    while (first !== undefined && start - this.#start >= first.length) {
      this.#start += first.length;
      this.#pieces.shift();
      first = this.#pieces[0];
    }
    if (first !== undefined && end - this.#start <= first.length) {
      return first.slice(start - this.#start, end - this.#start);
    }
    return this.#pieces.join('').slice(start - this.#start, end - this.#start);
  }
}
