/** Texts of versions in editors that only show: one text, or the difference of two. */
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useFeatureText } from '../../text/feature.ts';
import { readNonce } from '../../ui/csp-nonce.ts';
import shared from '../../ui/shared.module.css';
import { editorLook } from './editor-theme.ts';
import { texts } from './texts.ts';
import styles from './Versions.module.css';

/** How far changes are looked for, and for how many ms; what lies behind is shown as changed. */
const diffConfig = { scanLimit: 500, timeout: 200 };

/** Lines of a text, and characters of one of them, beyond which comparing takes the page too long. */
const [mostLines, longestLine] = [10_000, 20_000];

function isComparable(text: string): boolean {
  const lines = text.split(/\r\n?|\n/);
  return lines.length <= mostLines && lines.every(({ length }) => length <= longestLine);
}

function reading(label: string): Extension {
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    EditorView.cspNonce.of(readNonce()),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    editorLook,
  ];
}

/** A text as it was stored, without the colours of Markdown. */
export function PlainText({ text, label }: { readonly text: string; readonly label: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const view = new EditorView({ parent, doc: text, extensions: reading(label) });
    return () => view.destroy();
  }, [text, label]);
  return <div ref={place} className={shared.frame} />;
}

interface DifferenceProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

export function TextDifference(props: DifferenceProps) {
  const featureText = useFeatureText(texts);
  const { before, after, label } = props;
  if (before === after || (isComparable(before) && isComparable(after))) return <Difference {...props} />;
  return (
    <>
      <p className={styles.quiet}>{featureText('notCompared')}</p>
      <PlainText text={after} label={label} />
    </>
  );
}

function Difference({ before, after, label }: DifferenceProps) {
  const featureText = useFeatureText(texts);
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const [isUnified, setIsUnified] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const inOneColumn = isUnified || isNarrow;
  const isSame = before === after;
  const onlyLineEnds = !isSame && before.replaceAll(/\r\n?/g, '\n') === after.replaceAll(/\r\n?/g, '\n');
  const unchanged = featureText('unchangedLines');
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const extensions = [reading(label), EditorState.phrases.of({ '$ unchanged lines': unchanged })];
    const collapseUnchanged = { margin: 3, minSize: 6 };
    if (inOneColumn) {
      const unified = unifiedMergeView({
        original: before,
        mergeControls: false,
        collapseUnchanged,
        diffConfig,
      });
      const view = new EditorView({ parent, doc: after, extensions: [extensions, unified] });
      return () => view.destroy();
    }
    const view = new MergeView({
      parent,
      a: { doc: before, extensions },
      b: { doc: after, extensions },
      collapseUnchanged,
      diffConfig,
    });
    return () => view.destroy();
  }, [before, after, label, inOneColumn, unchanged]);
  if (isSame) return <p className={styles.quiet}>{featureText('sameText')}</p>;
  return (
    <>
      {onlyLineEnds && <p className={styles.quiet}>{featureText('onlyLineEnds')}</p>}
      {!isNarrow && (
        <SegmentedControl
          style={{ alignSelf: 'flex-start' }}
          size="xs"
          aria-label={featureText('view')}
          value={isUnified ? 'unified' : 'split'}
          onChange={(mode) => setIsUnified(mode === 'unified')}
          data={[
            { value: 'split', label: featureText('sideBySide') },
            { value: 'unified', label: featureText('unified') },
          ]}
        />
      )}
      <div ref={place} className={shared.frame} />
    </>
  );
}
