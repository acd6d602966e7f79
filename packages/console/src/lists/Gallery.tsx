/** The records of a list as cards with their pictures: an arrow key goes on to another card, X selects it. */

import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { type ComponentProps, type KeyboardEvent, Suspense, useRef } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { Cell } from '../fields/Cell.tsx';
import { usePendingChanges } from '../outbox/edit/use-changes.ts';
import { withChanges } from '../records/edit/with-changes.ts';
import { texts as recordTexts } from '../records/texts.ts';
import { resourceByName } from '../resources/declared.ts';
import { recordPathOf } from '../resources/places.ts';
import { presentationOf } from '../resources/presentation.ts';
import { titleOf } from '../resources/values.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { readSingleKeys } from '../ui/keys.ts';
import { MoreButton } from '../ui/MoreButton.tsx';
import shared from '../ui/shared.module.css';
import styles from './Gallery.module.css';
import { texts } from './gallery-texts.ts';
import { isFreeKey } from './grid/keys.ts';
import type { Selection } from './use-selection.ts';
import type { View } from './view.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly view: View;
  readonly records: readonly ApiRecord[];
  readonly list: ComponentProps<typeof MoreButton>['list'];
  readonly selection: Selection;
  /** Ids of records that others have deleted. */
  readonly deleted: ReadonlySet<string>;
}

/** Facts of a card below its title. */
const mostFacts = 2;

export function Gallery({ resource, parentId, view, records, list, selection, deleted }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { changes } = usePendingChanges();
  const grid = useRef<HTMLUListElement>(null);
  const { gallery } = presentationOf(resource);
  const facts = view.columns
    .filter((column) => column !== resource.titleField && column !== gallery?.field)
    .slice(0, mostFacts);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const links = [...(grid.current?.querySelectorAll<HTMLElement>('[data-card] a[data-title]') ?? [])];
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-card]') : null;
    const at = links.findIndex((link) => card?.contains(link));
    if (card === null || !isFreeKey(event.nativeEvent)) return;
    if (event.key === 'x' && readSingleKeys()) selection.toggle(Number(card.dataset.card), false);
    else {
      const next = links[placeAfter(event.key, at, links)];
      if (next === undefined) return;
      next.focus();
    }
    event.preventDefault();
  };
  return (
    <>
      <ul ref={grid} className={shared.cards} aria-label={names.plural(resource)} onKeyDown={press}>
        {records.map((stored, index) => (
          <Card
            key={stored.id}
            resource={resource}
            parentId={parentId}
            record={withChanges(stored, changes).record}
            index={index}
            facts={facts}
            isSelected={selection.records.has(stored.id)}
            isDeleted={deleted.has(stored.id)}
            select={(isRange) => selection.toggle(index, isRange)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className={shared.more}>
          <MoreButton list={list} label={featureText('more')} />
        </div>
      )}
    </>
  );
}

/** The card that an arrow key leads to: the next one, or the one below in the same column. */
function placeAfter(key: string, at: number, links: readonly HTMLElement[]): number {
  const topOf = (link: HTMLElement | undefined) => link?.closest('[data-card]')?.getBoundingClientRect().top;
  const first = topOf(links[0]);
  const perRow = links.filter((link) => topOf(link) === first).length;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + perRow,
    ArrowUp: at - perRow,
    Home: 0,
    End: links.length - 1,
  };
  return steps[key] ?? -1;
}

interface CardProps extends Pick<Props, 'resource' | 'parentId'> {
  readonly record: ApiRecord;
  /** Its place in the list, from 0. */
  readonly index: number;
  /** Columns. */
  readonly facts: readonly string[];
  readonly isSelected: boolean;
  readonly isDeleted: boolean;
  readonly select: (isRange: boolean) => void;
}

function Card({ resource, parentId, record, index, facts, isSelected, isDeleted, select }: CardProps) {
  const featureText = useFeatureText(recordTexts);
  const title = titleOf(resource, record);
  return (
    <li data-card={index} data-selected={isSelected || undefined} className={styles.card}>
      <Checkbox
        size="xs"
        className={styles.check ?? ''}
        aria-label={featureText('select', { name: title })}
        checked={isSelected}
        disabled={isDeleted}
        onChange={(event) => select((event.nativeEvent as MouseEvent).shiftKey === true)}
      />
      <Picture resource={resource} record={record} />
      {isDeleted ? (
        <s className={`${shared.cut} ${shared.cut} ${shared.cover} ${styles.title}`}>{title}</s>
      ) : (
        <Link
          to={recordPathOf(resource, parentId, record.id)}
          data-title
          className={`${shared.cut} ${shared.cut} ${shared.cover} ${styles.title}`}
        >
          {title}
        </Link>
      )}
      {facts.map((column) => (
        <span key={column} className={`${shared.small} ${shared.cut}`}>
          <Cell resource={resource} parentId={parentId} column={column} record={record} />
        </span>
      ))}
    </li>
  );
}

function Picture({ resource, record }: Pick<CardProps, 'resource' | 'record'>) {
  const featureText = useFeatureText(texts);
  const { gallery } = presentationOf(resource);
  const value = gallery === undefined ? null : (valueAt(record, gallery.field) ?? null);
  const Shown = presentationOf(resourceByName('knowledge-files')).picture?.Shown;
  return (
    <span className={styles.picture} data-empty={value === null || undefined}>
      {value === null || Shown === undefined ? (
        featureText('noPicture')
      ) : (
        <Suspense>
          <Shown id={gallery?.isItself === true ? record.id : String(value)} isInRow={false} />
        </Suspense>
      )}
    </span>
  );
}
