/** The editor of an article's text: CodeMirror, which keeps the text as it is stored, byte for byte. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdownKeymap } from '@codemirror/lang-markdown';
import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec, Transaction } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import type { BodyText } from '../../records/edited-record.ts';
import { useFeatureText } from '../../text/feature.ts';
import { readNonce } from '../../ui/csp-nonce.ts';
import { isFocusLost } from '../../ui/keep-focus.ts';
import shared from '../../ui/shared.module.css';
import { showToast } from '../../ui/toasts/toasts.ts';
import styles from './ArticleEditor.module.css';
import { editorLook } from './editor-theme.ts';
import { openText, readText, replaceText } from './line-ends.ts';
import { formatKeymap } from './markdown-commands.ts';
import { markdownOf } from './markdown-language.ts';
import { markMissing } from './missing-pictures.ts';
import { pasteFormatted } from './paste/paste-formatted.ts';
import { searchTexts, texts } from './texts.ts';
import { uploadPlaces } from './upload-places.ts';

/** The editor, for the parts of the page around it. */
export interface EditorHandle extends BodyText {
  readonly view: EditorView;
}

interface Props {
  /** The text at the beginning; later ones come by `replace`. */
  readonly initialText: string;
  readonly label: string;
  readonly locale: string;
  /** Whether it is Markdown, with its keys and colours. */
  readonly isMarkdown: boolean;
  readonly isReadOnly: boolean;
  /** Ids of pictures in the text that cannot be found. */
  readonly missingPictures: readonly string[];
  /** Called with the editor when it is created, and with null when it is destroyed. */
  readonly attach: (editor: EditorHandle | null) => void;
  /** Called for each change that a person makes. */
  readonly onEdit: () => void;
  /** Called for each change, also those of a merge. */
  readonly onChange: () => void;
  /** Takes files that were pasted or dropped, at a position of the text. */
  readonly onFiles: (files: readonly File[], position: number) => void;
}

export function BodyEditor(props: Props) {
  const text = useFeatureText(texts);
  const searchText = useFeatureText(searchTexts);
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ ...props, text, searchText });
  latest.current = { ...props, text, searchText };
  const writing = useRef(new Compartment());
  const missing = useRef(new Compartment());
  const viewRef = useRef<EditorView>(null);
  const { isReadOnly, isMarkdown, label, locale, missingPictures } = props;
  const [isPlain, setIsPlain] = useState(false);
  const [formattedPaste] = useState(() =>
    pasteFormatted({
      picturesLeftOut: (count) =>
        showToast({ kind: 'failure', message: latest.current.text('picturesLeftOut', { count }) }),
      formatLeftOut: () => showToast({ kind: 'failure', message: latest.current.text('formatLeftOut') }),
    }),
  );
  const [language] = useState(() => markdownOf(() => setIsPlain(true)));

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const opened = openText(latest.current.initialText);
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: opened.doc,
        extensions: [
          opened.extension,
          baseExtensions,
          EditorView.cspNonce.of(readNonce()),
          EditorState.phrases.of(toPhrases(latest.current.searchText)),
          writing.current.of([]),
          missing.current.of([]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            latest.current.onChange();
            if (!update.transactions.some((transaction) => transaction.isUserEvent('merge')))
              latest.current.onEdit();
          }),
          takeFiles((files, position) => latest.current.onFiles(files, position)),
        ],
      }),
    });
    viewRef.current = view;
    latest.current.attach({
      view,
      read: () => readText(view.state),
      replace: (next) => {
        const change = replaceText(view.state, next);
        // Undo does not revert what others have written.
        const annotations = Transaction.addToHistory.of(false);
        if (change !== null) view.dispatch({ ...change, annotations, userEvent: 'merge' });
      },
    });
    // Whoever has begun an article goes on writing.
    const isBegun = latest.current.initialText === '' && !latest.current.isReadOnly;
    if (isBegun && isFocusLost()) view.focus();
    return () => {
      latest.current.attach(null);
      viewRef.current = null;
      view.destroy();
    };
  }, []);

  useEffect(() => {
    viewRef.current?.dispatch({
      effects: writing.current.reconfigure([
        isMarkdown ? [markdownKeys, formattedPaste] : [],
        isMarkdown && !isPlain ? language : [],
        placeholder(latest.current.text(isMarkdown ? 'bodyPlaceholder' : 'bodyPlaceholderHtml')),
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-readonly': String(isReadOnly),
          lang: locale,
          spellcheck: 'true',
          autocapitalize: 'sentences',
        }),
      ]),
    });
  }, [isReadOnly, isMarkdown, isPlain, language, formattedPaste, label, locale]);

  useEffect(() => {
    const marks = markMissing(missingPictures, latest.current.text('pictureMissing'));
    viewRef.current?.dispatch({ effects: missing.current.reconfigure(marks) });
  }, [missingPictures]);

  return (
    <>
      {isMarkdown && isPlain && <p className={shared.about}>{text('editorPlain')}</p>}
      <div ref={place} className={styles.body} />
    </>
  );
}

/** Before the other keys. */
const markdownKeys: Extension = Prec.high(keymap.of([...formatKeymap, ...markdownKeymap]));

const baseExtensions: Extension = [
  history(),
  search({ top: true }),
  uploadPlaces,
  EditorView.lineWrapping,
  keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  editorLook,
];

/** Takes files that are pasted or dropped. Text that comes with them, as from a spreadsheet, is pasted as text. */
function takeFiles(take: (files: readonly File[], position: number) => void): Extension {
  const filesOf = (data: DataTransfer | null) => (data === null ? [] : [...data.files]);
  return EditorView.domEventHandlers({
    paste(event, view) {
      const files = filesOf(event.clipboardData);
      if (files.length === 0 || event.clipboardData?.types.includes('text/plain') || view.state.readOnly)
        return false;
      take(files, view.state.selection.main.from);
      return true;
    },
    drop(event, view) {
      const files = filesOf(event.dataTransfer);
      if (files.length === 0 || view.state.readOnly) return false;
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
      take(files, position ?? view.state.selection.main.from);
      return true;
    },
  });
}

/** The words of the search panel, by the English ones that CodeMirror asks for. */
function toPhrases(textOf: (id: keyof typeof searchTexts) => string): Record<string, string> {
  const ids = Object.keys(searchTexts) as (keyof typeof searchTexts)[];
  return Object.fromEntries(ids.map((id) => [id, textOf(id)]));
}
