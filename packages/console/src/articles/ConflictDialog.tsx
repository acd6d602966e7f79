/** Asks what is to stay where two people have changed the same: both sides, place by place. */
import { Button, Modal, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { placesOf, resolveConflicts, type Side } from '../changes/merge.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import styles from './ConflictDialog.module.css';
import { texts } from './texts.ts';
import type { Question } from './use-question.ts';

export function ConflictDialog({ question }: { readonly question: Question }) {
  const own = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const { conflicts, answer } = question;
  const places = placesOf(conflicts);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  return (
    <Modal
      opened
      onClose={() => answer(null)}
      size={900}
      title={own('conflictTitle')}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <p className={styles.about}>{own('conflictAbout')}</p>
      {places.map(({ key, field, number, mine, theirs }) => {
        const name = names.field(field);
        const label = number === null ? name : own('conflictPart', { field: name, number });
        const side = chosen[key] ?? 'mine';
        return (
          <section key={key} className={styles.place} aria-label={label}>
            <div className={styles.head}>
              <h3 className={styles.title}>{places.length === 1 ? name : label}</h3>
              <SegmentedControl
                size="xs"
                aria-label={label}
                value={side}
                onChange={(next) => setChosen({ ...chosen, [key]: next as Side })}
                data={[
                  { value: 'mine', label: own('mine') },
                  { value: 'theirs', label: own('theirs') },
                  ...(number === null ? [] : [{ value: 'both', label: own('both') }]),
                ]}
              />
            </div>
            <div className={styles.sides}>
              <Value title={own('mine')} value={mine} isChosen={side !== 'theirs'} />
              <Value title={own('theirs')} value={theirs} isChosen={side !== 'mine'} />
            </div>
          </section>
        );
      })}
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => answer(null)}>
          {own('later')}
        </Button>
        <Button data-autofocus onClick={() => answer(resolveConflicts(conflicts, chosen))}>
          {own('keepChoice')}
        </Button>
      </div>
    </Modal>
  );
}

interface ValueProps {
  readonly title: string;
  readonly value: unknown;
  readonly isChosen: boolean;
}

function Value({ title, value, isChosen }: ValueProps) {
  const own = useFeatureText(texts);
  const isEmpty = value === null || value === undefined || value === '';
  return (
    <div className={styles.side} data-chosen={isChosen || undefined}>
      <h4 className={styles.sideTitle}>{title}</h4>
      {isEmpty ? (
        <p className={styles.empty}>{own('empty')}</p>
      ) : (
        <pre className={styles.value}>
          {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
        </pre>
      )}
    </div>
  );
}
