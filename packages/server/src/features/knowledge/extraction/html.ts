/** Extracts the text of HTML as a reader of the page sees it, with its title and line breaks. */
import type { TextCollector } from './collector.ts';
import { HtmlReader } from './html-tags.ts';
import type { ExtractionLimits } from './limits.ts';
import { readText } from './plain.ts';

/** Elements whose text is not shown, and the readings above words, which would divide them. */
const hidden = new Set('script style noscript template iframe object svg math rt rtc rp'.split(' '));

/** Elements that begin and end on a line of their own, https://html.spec.whatwg.org/#flow-content-3 */
const blocks = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre ' +
    'search section summary table tbody tfoot thead title tr ul'
  ).split(' '),
);

const cells = new Set(['td', 'th']);

/** Reads the text that a browser would show, and the title. */
export function extractHtml(file: number, _limits: ExtractionLimits, into: TextCollector): null {
  addHtml(readText(file), into);
  into.endPage();
  return null;
}

/** Adds the text of a page that is part of a file. */
export function addHtml(texts: Iterable<string>, into: TextCollector): void {
  const writer = new LineWriter(into);
  let hiddenDepth = 0;
  let preformattedDepth = 0;
  const reader = new HtmlReader({
    open(name) {
      if (hidden.has(name)) hiddenDepth += 1;
      else if (hiddenDepth > 0) return;
      else if (blocks.has(name)) writer.endLine();
      else if (cells.has(name)) writer.separate('\t');
      if (name === 'pre') preformattedDepth += 1;
    },
    text(text) {
      if (hiddenDepth > 0) return;
      if (preformattedDepth > 0) writer.addVerbatim(text);
      else writer.add(text);
    },
    close(name) {
      if (hidden.has(name)) hiddenDepth -= 1;
      else if (hiddenDepth === 0 && blocks.has(name)) writer.endLine();
      if (name === 'pre') preformattedDepth -= 1;
    },
  });
  for (const text of texts) {
    reader.write(text);
    if (into.isFull) break;
  }
  if (!into.isFull) reader.end();
}

/** Writes text as it is laid out: white space collapses to one space, and no line is empty. */
class LineWriter {
  readonly #into: TextCollector;
  /** The separator before the next text; empty at the beginning of a line. */
  #separator = '';
  #isLineBegun = false;

  constructor(into: TextCollector) {
    this.#into = into;
  }

  add(text: string): void {
    const collapsed = text.replace(/[\t\n\f\r ]+/g, ' ');
    if (collapsed.startsWith(' ')) this.separate(' ');
    const words = collapsed.slice(
      collapsed.startsWith(' ') ? 1 : 0,
      collapsed.endsWith(' ') ? -1 : undefined,
    );
    if (words === '') return;
    this.addVerbatim(words);
    if (collapsed.endsWith(' ')) this.separate(' ');
  }

  addVerbatim(text: string): void {
    this.#into.add(this.#separator + text);
    this.#separator = '';
    this.#isLineBegun = true;
  }

  /** Sets the separator before the next text. A tab replaces a space. */
  separate(separator: ' ' | '\t'): void {
    if (this.#isLineBegun && this.#separator !== '\t') this.#separator = separator;
  }

  endLine(): void {
    if (this.#isLineBegun) this.#into.add('\n');
    this.#separator = '';
    this.#isLineBegun = false;
  }
}
