/** The rows of a list. Only visible rows are in the document, and further pages are loaded before they become visible. */
import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { type CSSProperties, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { Cell } from '../fields/Cell.tsx';
import { texts as liveTexts } from '../live/texts.ts';
import type { LiveList } from '../live/use-live-list.ts';
import { texts } from '../records/texts.ts';
import { recordPathOf } from '../resources/places.ts';
import { titleOf } from '../resources/values.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import { describeError } from '../ui/problem-text.ts';
import { RetryButton } from '../ui/RetryButton.tsx';
import styles from './RecordTable.module.css';
import type { Selection } from './use-selection.ts';
import { sortNameOf, type View } from './view.ts';

const rowPixels = 40;
const narrowRowPixels = 58;
/** Number of rows before the end at which the next page is loaded, after the first scroll. */
const rowsAhead = 60;
/** Placeholder rows while the next records are loaded: more than a window shows, so that scrolling never reaches an empty area. */
const placeholders = 100;

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
  readonly records: readonly ApiRecord[];
  /** Whether these are the records of the view before. */
  readonly isStale: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly error: unknown;
  readonly selection: Selection;
  readonly live: LiveList;
}

/** Starts over when the window becomes narrow or wide, because the height of rows changes. */
export function RecordTable(props: Props) {
  const isNarrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false });
  return <Table key={String(isNarrow)} {...props} isNarrow={isNarrow} />;
}

function Table({
  resource,
  parentId,
  view,
  change,
  records,
  isStale,
  hasMore,
  loadMore,
  error,
  selection,
  live,
  isNarrow,
}: Props & { readonly isNarrow: boolean }) {
  const text = useText();
  const names = useNames();
  const featureText = useFeatureText(texts);
  const ownLive = useFeatureText(liveTexts);
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => setOffset(body.current?.offsetTop ?? 0), []);
  const hasFailed = error !== null;
  const rows = useWindowVirtualizer({
    count: records.length + (hasMore && !hasFailed ? placeholders : 0),
    estimateSize: () => (isNarrow ? narrowRowPixels : rowPixels),
    overscan: 12,
    scrollMargin: offset,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    // The first page has fewer rows than that: the second one is not read before it is needed.
    const hasScrolled = (rows.scrollOffset ?? 0) > 0;
    const next = hasScrolled ? records.length - rowsAhead : records.length;
    if (hasMore && !isStale && !hasFailed && last >= next) loadMore();
  });
  const others = view.columns.filter((column) => column !== resource.titleField);
  const columns = [resource.titleField, ...others];
  const selected = records.filter(({ id }) => selection.records.has(id)).length;
  const template = `20px minmax(200px, 2.2fr) ${others.map((column) => `minmax(90px, ${widthOf(resource, column)}fr)`).join(' ')}`;
  return (
    <>
      <div
        role="table"
        aria-label={names.plural(resource)}
        aria-rowcount={hasMore ? -1 : records.length + 1}
        aria-busy={isStale}
        className={styles.table}
        style={{ '--columns': template } as CSSProperties}
      >
        <div role="rowgroup" className={styles.head}>
          <div role="row" aria-rowindex={1} className={styles.row}>
            <div role="columnheader" className={styles.heading}>
              <Checkbox
                size="xs"
                aria-label={featureText('selectAll')}
                checked={selected > 0 && selected === records.length}
                indeterminate={selected > 0 && selected < records.length}
                onChange={selection.toggleAll}
              />
            </div>
            {columns.map((column) => (
              <Heading key={column} resource={resource} column={column} view={view} change={change} />
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          ref={body}
          className={styles.body}
          data-stale={isStale || undefined}
          style={{ height: rows.getTotalSize() }}
        >
          {items.map(({ index, start }) => {
            const record = records[index];
            const style = { transform: `translateY(${start - rows.options.scrollMargin}px)` };
            if (record === undefined)
              return <Placeholder key={index} columns={columns.length} style={style} />;
            const isSelected = selection.records.has(record.id);
            const isDeleted = live.deleted.has(record.id);
            return (
              <div
                key={record.id}
                role="row"
                aria-rowindex={index + 2}
                className={styles.row}
                data-body
                data-selected={isSelected || undefined}
                data-changed={live.changed.has(record.id) || undefined}
                data-deleted={isDeleted || undefined}
                style={style}
              >
                <div role="cell" className={styles.check}>
                  <Checkbox
                    size="xs"
                    data-select={index}
                    aria-label={featureText('select', { name: titleOf(resource, record) })}
                    checked={isSelected}
                    disabled={isDeleted}
                    onChange={(event) =>
                      selection.toggle(index, (event.nativeEvent as MouseEvent).shiftKey === true)
                    }
                    onKeyDown={(event) => moveSelection(event, index, selection)}
                  />
                </div>
                <div role="cell" className={styles.title}>
                  {isDeleted ? (
                    <span className={styles.gone}>
                      <s>{titleOf(resource, record)}</s> {ownLive('deletedRow')}
                    </span>
                  ) : (
                    <Link to={recordPathOf(resource, parentId, record.id)} className={styles.link}>
                      {titleOf(resource, record)}
                    </Link>
                  )}
                </div>
                {others.map((column) => (
                  <div key={column} role="cell" className={styles.cell}>
                    <Cell resource={resource} parentId={parentId} column={column} record={record} />
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {hasFailed && (
        <p role="alert" className={styles.failure}>
          {describeError(error, text, names)} <RetryButton size="xs" error={error} retry={loadMore} />
        </p>
      )}
    </>
  );
}

/** The row of a record that is still to be read. */
function Placeholder({ columns, style }: { readonly columns: number; readonly style: CSSProperties }) {
  return (
    <div aria-hidden="true" className={styles.row} data-body data-placeholder style={style}>
      <span />
      {Array.from({ length: columns }, (_, index) => (
        <span key={index} className={styles.placeholder} />
      ))}
    </div>
  );
}

/** The arrows go from row to row; with Shift they select on the way. */
function moveSelection(event: KeyboardEvent<HTMLInputElement>, index: number, { toggle }: Selection): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const table = event.currentTarget.closest('[role="table"]');
  const next = table?.querySelector<HTMLInputElement>(`input[data-select="${index + step}"]`);
  if (next === null || next === undefined) return;
  next.focus();
  if (event.shiftKey && !next.checked) toggle(index + step, false);
}

/** How wide a column is beside others: lists and references have long values. */
function widthOf(resource: Resource, column: string): number {
  const field = flattenFields(resource).find(([name]) => name === column)?.[1];
  return field?.kind === 'json' || field?.reference ? 1.6 : 1;
}

type HeadingProps = Pick<Props, 'resource' | 'view' | 'change'> & { readonly column: string };

function Heading({ resource, column, view, change }: HeadingProps) {
  const names = useNames();
  const name = sortNameOf(resource, column);
  // The default order is the newest first.
  const sort = view.sort === '' ? '-createdAt' : view.sort;
  const direction =
    name === null ? null : sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : null;
  if (name === null) {
    return (
      <div role="columnheader" className={styles.heading}>
        {names.field(column)}
      </div>
    );
  }
  const isInstant = name.endsWith('At');
  const first = isInstant ? `-${name}` : name;
  const second = isInstant ? name : `-${name}`;
  return (
    <div role="columnheader" aria-sort={direction ?? 'none'} className={styles.heading}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => change({ sort: sort === first ? second : first })}
      >
        {names.field(column)}
        <span className={styles.direction} data-direction={direction ?? undefined}>
          <Icon name={direction === null ? 'sort' : 'chevronDown'} size={12} />
        </span>
      </button>
    </div>
  );
}
