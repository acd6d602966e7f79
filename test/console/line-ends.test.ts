/** Tests of the line ends in the article editor: what nobody edits stays the same, byte for byte. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { history, redo, undo } from '@codemirror/commands';
import { EditorState, type Transaction } from '@codemirror/state';
import fastCheck from 'fast-check';
import { openText, readText, replaceText } from '../../packages/console/src/features/articles/line-ends.ts';
import { splitLines } from '../../packages/console/src/outbox/merge/merge-text.ts';
import { checkProperty } from '../lib/property.ts';

/** An editor without a page. */
class TestEditor {
  state: EditorState;

  constructor(text: string) {
    const { doc, extension } = openText(text);
    this.state = EditorState.create({ doc, extensions: [extension, history({ newGroupDelay: 0 })] });
  }

  readonly dispatch = (transaction: Transaction): void => {
    this.state = transaction.state;
  };

  /** Replaces a part of the document, by fractions of its length. */
  replace([start, end, insert]: Edit): void {
    const { length } = this.state.doc;
    const [from, to] = [Math.floor(start * length), Math.floor(end * length)].sort((a, b) => a - b);
    this.dispatch(this.state.update({ changes: { from: from ?? 0, to: to ?? 0, insert } }));
  }

  get text(): string {
    return readText(this.state);
  }
}

type Edit = readonly [start: number, end: number, insert: string];

const pieces = [
  'a',
  'bc ',
  '  ',
  'e\u0301',
  'é',
  '😀',
  '\u2028',
  '\t',
  '\u00a0',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '\r\n\r\n',
];
const anyText = fastCheck
  .array(fastCheck.constantFrom(...pieces), { maxLength: 40 })
  .map((all) => all.join(''));
const fraction = fastCheck.double({ min: 0, max: 1, noNaN: true });
const anyEdit: fastCheck.Arbitrary<Edit> = fastCheck.tuple(
  fraction,
  fraction,
  fastCheck.constantFrom('', 'x', 'x\ny', '\n', '\n\nz\n'),
);
const anyEdits = fastCheck.array(anyEdit, { maxLength: 12 });

describe('a text that is opened', () => {
  test('is read as it was', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyText, (text) => {
        assert.equal(new TestEditor(text).text, text);
      }),
    );
  });

  test('is read as it was when all edits are undone, also after they were redone', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyText, anyEdits, (text, edits) => {
        const editor = new TestEditor(text);
        for (const edit of edits) editor.replace(edit);
        const edited = editor.text;
        while (undo(editor));
        assert.equal(editor.text, text);
        while (redo(editor));
        assert.equal(editor.text, edited);
        while (undo(editor));
        assert.equal(editor.text, text);
      }),
    );
  });

  test('has the lines of the editor, whatever was edited', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyText, anyEdits, (text, edits) => {
        const editor = new TestEditor(text);
        for (const edit of edits) editor.replace(edit);
        assert.equal(editor.text.replaceAll(/\r\n?/g, '\n'), editor.state.doc.toString());
      }),
    );
  });

  test('keeps the end of each line that is not edited', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyText, fraction, (text, place) => {
        const editor = new TestEditor(text);
        const before = splitLines(text);
        const line = editor.state.doc.lineAt(Math.floor(place * editor.state.doc.length));
        editor.dispatch(editor.state.update({ changes: { from: line.from, insert: 'edited ' } }));
        const expected = [...before];
        expected[line.number - 1] = `edited ${before[line.number - 1] ?? ''}`;
        assert.equal(editor.text, expected.join(''));
      }),
    );
  });

  test('becomes another one in place, and back by undo', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyText, anyText, anyEdits, (text, other, edits) => {
        const editor = new TestEditor(text);
        for (const edit of edits) editor.replace(edit);
        const edited = editor.text;
        const change = replaceText(editor.state, other);
        if (change === null) assert.equal(edited, other);
        else editor.dispatch(editor.state.update(change));
        assert.equal(editor.text, other);
        while (undo(editor));
        assert.equal(editor.text, text);
      }),
    );
  });
});

test('new lines end as most lines do', () => {
  const editor = new TestEditor('one\r\ntwo\r\nthree\nfour');
  editor.dispatch(editor.state.update({ changes: { from: 3, insert: '\nnew' } }));
  assert.equal(editor.text, 'one\r\nnew\r\ntwo\r\nthree\nfour');
});

test('a line whose end was kept apart from the one before it becomes the line of another text', () => {
  const editor = new TestEditor('\n\r\r');
  editor.dispatch(editor.state.update({ changes: { from: 0, insert: 'z\n' } }));
  assert.equal(editor.text, 'z\r\r\n\r\r');
  const change = replaceText(editor.state, '\r\n');
  assert.ok(change !== null);
  editor.dispatch(editor.state.update(change));
  assert.equal(editor.text, '\r\n');
  while (undo(editor));
  assert.equal(editor.text, '\n\r\r');
});

test('a merge replaces only the lines that differ, so that the cursor stays where it is', () => {
  const editor = new TestEditor('a\r\nb\r\nc\r\nd\r\ne');
  editor.dispatch(editor.state.update({ selection: { anchor: 5 } }));
  const change = replaceText(editor.state, 'a2\r\nb\r\nc\r\nd\r\ne2');
  assert.ok(change !== null);
  editor.dispatch(editor.state.update(change));
  const { head } = editor.state.selection.main;
  assert.deepEqual([editor.text, editor.state.doc.lineAt(head).text], ['a2\r\nb\r\nc\r\nd\r\ne2', 'c']);
});

test('the posts of the demo are read as they are stored', async () => {
  const folder = new URL('../../packages/server/src/features/demo/content/posts/', import.meta.url);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  assert.ok(names.length > 5, `${names.length} posts`);
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8');
    for (const variant of [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n\n', '\r\n\n')])
      assert.equal(hash(new TestEditor(variant).text), hash(variant), name);
  }
});
