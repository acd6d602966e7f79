/** Buttons that begin a line with a mark of Markdown: what is typed next is the text of the line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorState } from '@codemirror/state';
import {
  toggleHeading,
  toggleList,
  toggleQuote,
} from '../../../packages/console/src/features/articles/markdown-commands.ts';

for (const [name, command, expected] of [
  ['a heading', toggleHeading, '## typed'],
  ['a list', toggleList, '- typed'],
  ['a quote', toggleQuote, '> typed'],
] as const) {
  test(`${name} that is begun on an empty line gets the text that is typed then`, () => {
    for (const [before, at] of [
      ['', 0],
      ['first\n', 6],
      ['\nlast', 0],
    ] as const) {
      let state = EditorState.create({ doc: before, selection: { anchor: at } });
      const dispatch = (transaction: { readonly state: EditorState }) => {
        state = transaction.state;
      };
      command({ state, dispatch });
      state = state.update(state.replaceSelection('typed')).state;
      assert.equal(state.doc.toString(), before.slice(0, at) + expected + before.slice(at));
    }
  });
}

test('a selection stays, and the mark is taken away again', () => {
  let state = EditorState.create({ doc: 'one\ntwo', selection: { anchor: 0, head: 7 } });
  const dispatch = (transaction: { readonly state: EditorState }) => {
    state = transaction.state;
  };
  toggleList({ state, dispatch });
  assert.equal(state.doc.toString(), '- one\n- two');
  toggleList({ state, dispatch });
  assert.equal(state.doc.toString(), 'one\ntwo');
});
