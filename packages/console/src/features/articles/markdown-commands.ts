/** Commands of the editor that write the marks of Markdown. */
import { EditorSelection, type StateCommand } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';

/** Puts a mark around each selection, or takes it away. */
function toggleMark(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const { length } = mark;
    const change = state.changeByRange((range) => {
      const isMarked =
        state.sliceDoc(range.from - length, range.from) === mark &&
        state.sliceDoc(range.to, range.to + length) === mark;
      if (isMarked) {
        return {
          changes: [
            { from: range.from - length, to: range.from },
            { from: range.to, to: range.to + length },
          ],
          range: EditorSelection.range(range.anchor - length, range.head - length),
        };
      }
      return {
        changes: [
          { from: range.from, insert: mark },
          { from: range.to, insert: mark },
        ],
        range: EditorSelection.range(range.anchor + length, range.head + length),
      };
    });
    dispatch(state.update(change, { userEvent: 'input.format', scrollIntoView: true }));
    return true;
  };
}

/** Begins each selected line with a mark, or takes it away where all lines have it. @param known marks that are replaced */
function toggleLines(mark: string, known: RegExp): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const { from, to } = state.selection.main;
    const first = state.doc.lineAt(from).number;
    const last = state.doc.lineAt(to).number;
    const lines = Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index));
    const hasAll = lines.every(({ text }) => text.startsWith(mark));
    const changes = state.changes(
      lines.map((line) => {
        const length = known.exec(line.text)?.[0].length ?? 0;
        return { from: line.from, to: line.from + length, insert: hasAll ? '' : mark };
      }),
    );
    // Behind the mark, also on an empty line: what is typed next is the text of the line.
    const selection = state.selection.map(changes, 1);
    dispatch(state.update({ changes, selection, userEvent: 'input.format', scrollIntoView: true }));
    return true;
  };
}

/** Makes a link of the selection; what follows is the address. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const { from, to } = state.selection.main;
  const label = state.sliceDoc(from, to);
  const insert = `[${label}](https://)`;
  const anchor = label === '' ? from + 1 : from + insert.length - 1;
  dispatch(state.update({ changes: { from, to, insert }, selection: { anchor }, userEvent: 'input.format' }));
  return true;
};

const headings = /^#{1,6} +/;
const listMarks = /^(?:[-*+]|\d+[.)]) +/;

export const toggleBold = toggleMark('**');
export const toggleItalic = toggleMark('_');
export const toggleCode = toggleMark('`');
export const toggleHeading = toggleLines('## ', headings);
export const toggleList = toggleLines('- ', listMarks);
export const toggleQuote = toggleLines('> ', /^> ?/);

export const formatKeymap: readonly KeyBinding[] = [
  { key: 'Mod-b', run: toggleBold },
  { key: 'Mod-i', run: toggleItalic },
  { key: 'Mod-e', run: toggleCode },
];
