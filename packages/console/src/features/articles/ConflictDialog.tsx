/** Asks what is to stay where two people have changed the same: both sides, place by place. */
import { Button, Modal, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { type ConflictPlace, placesOf, resolveConflicts, type Side } from '../../outbox/merge/merge.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import styles from './ConflictDialog.module.css';
import { excerptOf } from './conflict-excerpt.ts';
import { texts } from './texts.ts';
import type { Question } from './use-question.ts';

/** Places that are decided one by one; nobody reads more, and the page would not keep up. */
const mostPlaces = 100;

export function ConflictDialog({ question }: { readonly question: Question }) {
  const own = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const { conflicts, answer } = question;
  const places = placesOf(conflicts);
  const [shown, others] = [places.slice(0, mostPlaces), places.slice(mostPlaces)];
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const choose = (some: readonly ConflictPlace[], side: string) =>
    setChosen({ ...chosen, ...Object.fromEntries(some.map(({ key }) => [key, side as Side])) });
  const sidesFor = (some: readonly ConflictPlace[]) => [
    { value: 'mine', label: own('mine') },
    { value: 'theirs', label: own('theirs') },
    ...(some.every(({ number }) => number !== null) ? [{ value: 'both', label: own('both') }] : []),
  ];
  const othersLabel = own('conflictOthers', { count: others.length });
  return (
    <Modal
      opened
      onClose={() => answer(null)}
      size={900}
      title={own('conflictTitle')}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <p className={styles.about}>{own('conflictAbout')}</p>
      {shown.map((place) => {
        const { key, field, number, mine, theirs } = place;
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
                onChange={(next) => choose([place], next)}
                data={sidesFor([place])}
              />
            </div>
            <div className={styles.sides}>
              <Value title={own('mine')} value={mine} other={theirs} isChosen={side !== 'theirs'} />
              <Value title={own('theirs')} value={theirs} other={mine} isChosen={side !== 'mine'} />
            </div>
          </section>
        );
      })}
      {others[0] !== undefined && (
        <section className={styles.place} aria-label={othersLabel}>
          <div className={styles.head}>
            <h3 className={styles.title}>{othersLabel}</h3>
            <SegmentedControl
              size="xs"
              aria-label={othersLabel}
              value={chosen[others[0].key] ?? 'mine'}
              onChange={(next) => choose(others, next)}
              data={sidesFor(others)}
            />
          </div>
        </section>
      )}
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
  /** What the other side has there. */
  readonly other: unknown;
  readonly isChosen: boolean;
}

function Value({ title, value, other, isChosen }: ValueProps) {
  const own = useFeatureText(texts);
  const isEmpty = value === null || value === undefined || value === '';
  return (
    <div className={styles.side} data-chosen={isChosen || undefined}>
      <h4 className={styles.sideTitle}>{title}</h4>
      {isEmpty ? (
        <p className={styles.empty}>{own('empty')}</p>
      ) : (
        <pre className={styles.value}>{excerptOf(textOf(value), textOf(other))}</pre>
      )}
    </div>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}
