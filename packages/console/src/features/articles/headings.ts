/** The headings of a text in the editor. */
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

export interface Heading {
  readonly position: number;
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
}

/** How long a text may be parsed for them, in ms; of a longer one the first part is listed. */
const mostParseMs = 100;
/** How many are listed. */
export const mostHeadings = 500;
/** Characters of one that are shown. */
const longestHeading = 300;

export function listHeadings(state: EditorState): Heading[] {
  const tree = ensureSyntaxTree(state, state.doc.length, mostParseMs) ?? syntaxTree(state);
  const headings: Heading[] = [];
  const cursor = tree.cursor();
  do {
    const { name, from, to } = cursor;
    const level = Number(/^(?:ATX|Setext)Heading([1-6])$/.exec(name)?.[1] ?? 0);
    if (level === 0) continue;
    const line = state.doc.lineAt(from);
    const text = state
      .sliceDoc(from, Math.min(to, line.to, from + longestHeading))
      .replace(/^#+\s*/, '')
      .replace(/\s+#+\s*$/, '')
      .replaceAll(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, '$1');
    if (text.trim() !== '') headings.push({ position: from, level, text });
  } while (headings.length < mostHeadings && cursor.next());
  return headings;
}
