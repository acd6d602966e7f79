/**
 * Pastes formatted text as Markdown. The plain text is inserted at once, and replaced as soon as its Markdown is known, so that nothing
 * waits for it and undoing leads back to the plain text.
 */
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { PastedMarkdown } from './markdown-of-html.ts';
import type { PasteRequest } from './worker.ts';

/** Characters of HTML beyond which a text is pasted without its format, and how long reading them may take, in ms. */
const [longestHtml, deadlineMs] = [1_000_000, 10_000];

/** A pasted text whose Markdown is being made. */
interface Pasted {
  readonly text: string;
  readonly stop: () => void;
  from: number;
  to: number;
}

/** What is said of a paste. */
interface PasteNotices {
  /** Pictures are left out, since readers could not load them. */
  readonly picturesLeftOut: (count: number) => void;
  /** The text cannot be read with its format, mostly because it is too large. */
  readonly formatLeftOut: () => void;
}

export function pasteFormatted({ picturesLeftOut, formatLeftOut }: PasteNotices): Extension {
  let pasted: Pasted | null = null;
  const finish = (view: EditorView, markdown: PastedMarkdown | null) => {
    pasted?.stop();
    const place = pasted;
    pasted = null;
    if (place === null || markdown === null || view.state.readOnly) return;
    const { from, to, text } = place;
    // Somebody has changed it meanwhile.
    if (from > to || view.state.sliceDoc(from, to) !== text) return;
    const insert = view.state.toText(withEmptyLines(view.state, place, markdown));
    const { main } = view.state.selection;
    const cursor = main.empty && main.head === to ? { selection: { anchor: from + insert.length } } : {};
    view.dispatch({
      changes: { from, to, insert },
      ...cursor,
      userEvent: 'input.paste',
      scrollIntoView: true,
    });
    if (markdown.pictures > 0) picturesLeftOut(markdown.pictures);
  };
  return [
    EditorView.domEventHandlers({
      paste(event, view) {
        const html = event.clipboardData?.getData('text/html') ?? '';
        const plain = event.clipboardData?.getData('text/plain') ?? '';
        const { state } = view;
        const { main } = state.selection;
        if (html === '' || state.readOnly || isInCode(state, main.from)) return false;
        // An address over a selection makes it a link.
        if (!main.empty && /^\s*https?:\/\/\S+\s*$/.test(plain)) return false;
        if (html.length > longestHtml) {
          formatLeftOut();
          return false;
        }
        event.preventDefault();
        const insert = state.toText(plain);
        view.dispatch(state.replaceSelection(insert), { userEvent: 'input.paste', scrollIntoView: true });
        pasted?.stop();
        pasted = {
          text: insert.toString(),
          from: main.from,
          to: main.from + insert.length,
          stop: convert(html, (markdown) => {
            if (markdown === 'failed') formatLeftOut();
            finish(view, markdown === 'failed' ? null : markdown);
          }),
        };
        return true;
      },
    }),
    EditorView.updateListener.of(({ docChanged, changes }) => {
      if (pasted === null || !docChanged) return;
      pasted.from = changes.mapPos(pasted.from, 1);
      pasted.to = changes.mapPos(pasted.to, -1);
    }),
  ];
}

/** @param done called once; null: the plain text has all that there is @returns stops it */
function convert(html: string, done: (markdown: PastedMarkdown | 'failed' | null) => void): () => void {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const deadline = setTimeout(() => done('failed'), deadlineMs);
  worker.addEventListener('message', ({ data }: MessageEvent<PastedMarkdown | null>) => done(data));
  // Such as a text that is nested deeper than its stack.
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    done('failed');
  });
  worker.postMessage({ html, origin: location.origin } satisfies PasteRequest);
  return () => {
    clearTimeout(deadline);
    worker.terminate();
  };
}

function isInCode(state: EditorState, position: number): boolean {
  for (let node = syntaxTree(state).resolveInner(position, -1); ; ) {
    if (/Code/.test(node.name)) return true;
    if (node.parent === null) return false;
    node = node.parent;
  }
}

/** Blocks have empty lines around them. */
function withEmptyLines(
  { doc }: EditorState,
  { from, to }: Pasted,
  { markdown, isBlock }: PastedMarkdown,
): string {
  if (!isBlock) return markdown;
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)];
  const before = first.text.slice(0, from - first.from);
  const after = last.text.slice(to - last.from);
  const isAtStart = /^(?:\s|>|[-+*]\s|\d+[.)]\s)*$/.test(before);
  const isBelowText =
    before.trim() === '' && first.number > 1 && doc.line(first.number - 1).text.trim() !== '';
  const isAboveText = last.number < doc.lines && doc.line(last.number + 1).text.trim() !== '';
  const [above, below] = [isBelowText ? '\n' : '', isAboveText ? '\n' : ''];
  return `${isAtStart ? above : '\n\n'}${markdown}${after.trim() === '' ? below : '\n\n'}`;
}
