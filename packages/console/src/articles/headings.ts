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
const mostParseMs = 200;

export function listHeadings(state: EditorState): Heading[] {
  const tree = ensureSyntaxTree(state, state.doc.length, mostParseMs) ?? syntaxTree(state);
  const headings: Heading[] = [];
  tree.iterate({
    enter: ({ name, from, to }) => {
      const level = Number(/^(?:ATX|Setext)Heading([1-6])$/.exec(name)?.[1] ?? 0);
      if (level === 0) return;
      const line = state.doc.lineAt(from);
      const text = state
        .sliceDoc(from, Math.min(to, line.to))
        .replace(/^#+\s*/, '')
        .replace(/\s+#+\s*$/, '');
      headings.push({ position: from, level, text: text.replaceAll(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, '$1') });
      return false;
    },
  });
  return headings.filter(({ text }) => text.trim() !== '');
}
