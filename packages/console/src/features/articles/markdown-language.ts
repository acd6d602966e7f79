/**
 * The Markdown of the editor, parsed so that no text keeps the page busy: whoever opens a text has not written it. The parser of
 * CodeMirror works block by block, and some blocks take it time that grows with the square of their length. Here such lines and blocks
 * are plain text to it; the text itself is not touched. HTML within Markdown is shown as such, and not parsed.
 */
import { commonmarkLanguage, pasteURLAsLink } from '@codemirror/lang-markdown';
import { indentNodeProp, Language, LanguageSupport, languageDataProp } from '@codemirror/language';
import { type Input, NodeType, Parser, type PartialParse, Tree, type TreeFragment } from '@lezer/common';
import { styleTags, tags } from '@lezer/highlight';
import { parser as commonmark } from '@lezer/markdown';

/** Characters of a line, and of its spaces and marks of lists and quotations in front, beyond which it is plain text. */
const [longestLine, longestFront] = [10_000, 400];
/** Marks of lists and quotations in front of a line, one within the other, beyond which it is plain text. */
const deepestFront = 24;
/** Characters of a paragraph, and how many of them may be marks, beyond which nothing in it is shown as marked. */
const [longestMarked, mostMarks] = [20_000, 600];
/** How long one block of how many characters may be parsed, in ms; afterwards the whole text is plain. */
const [longestBlockMs, shortBlock] = [60, 20_000];

const front = /^(?:[ \t]|>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/;
const frontMark = />|[-+*](?=[ \t])|\d[.)](?=[ \t])/g;
const mark = /[*_`~[\]<>&!\\]/g;

function isCostlyLine(line: string): boolean {
  if (line.length > longestLine) return true;
  const length = front.exec(line)?.[0].length ?? 0;
  if (length <= deepestFront) return false;
  return length > longestFront || (line.slice(0, length + 1).match(frontMark)?.length ?? 0) > deepestFront;
}

/** A document in which costly lines consist of one letter, so that all positions stay. */
class CalmInput implements Input {
  private readonly input: Input;

  constructor(input: Input) {
    this.input = input;
  }

  get length() {
    return this.input.length;
  }

  get lineChunks() {
    return this.input.lineChunks;
  }

  chunk(from: number): string {
    const text = this.input.chunk(from);
    const end = this.lineChunks ? -1 : text.indexOf('\n');
    const line = end === -1 ? text : text.slice(0, end);
    return isCostlyLine(line) ? 'x'.repeat(line.length) : text;
  }

  read(from: number, to: number): string {
    return this.input.read(from, to);
  }
}

const blocks = commonmark.configure({
  // A link definition searches for the end of its title again with each line of a paragraph.
  remove: ['LinkReference'],
  props: [
    languageDataProp.add({ Document: commonmarkLanguage.data }),
    indentNodeProp.add({ Document: () => null }),
    styleTags({ 'HTMLBlock HTMLTag': tags.angleBracket }),
  ],
  parseInline: [
    {
      name: 'Costly',
      before: 'Escape',
      parse: (paragraph, _next, position) => {
        if (position !== paragraph.offset) return -1;
        const { text, end } = paragraph;
        return text.length > longestMarked || (text.match(mark)?.length ?? 0) > mostMarks ? end : -1;
      },
    },
  ],
});

/** Parses until one block has taken too long, and nothing from then on. */
class CalmParser extends Parser {
  private readonly giveUp: () => void;
  private isGivenUp = false;

  /** @param giveUp called once, when a block has taken too long */
  constructor(giveUp: () => void) {
    super();
    this.giveUp = giveUp;
  }

  override createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: readonly { readonly from: number; readonly to: number }[],
  ): PartialParse {
    const inner = blocks.createParse(new CalmInput(input), fragments, ranges);
    let stoppedAt: number | null = null;
    const advance = (): Tree | null => {
      if (this.isGivenUp) return new Tree(NodeType.none, [], [], stoppedAt ?? input.length);
      const [begun, from] = [performance.now(), inner.parsedPos];
      const tree = inner.advance();
      if (performance.now() - begun > longestBlockMs && inner.parsedPos - from > shortBlock) {
        this.isGivenUp = true;
        this.giveUp();
      }
      return tree;
    };
    return {
      advance,
      get parsedPos() {
        return inner.parsedPos;
      },
      stopAt: (position) => {
        stoppedAt = position;
        inner.stopAt(position);
      },
      get stoppedAt() {
        return stoppedAt;
      },
    };
  }
}

/**
 * Markdown for one editor.
 * @param giveUp called once, when a block has taken too long to parse; from then on nothing is parsed
 */
export function markdownOf(giveUp: () => void): LanguageSupport {
  const language = new Language(commonmarkLanguage.data, new CalmParser(giveUp), [], 'markdown');
  return new LanguageSupport(language, [pasteURLAsLink]);
}
