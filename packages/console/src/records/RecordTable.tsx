/** The rows of a list. Only those in sight are in the document, and further pages are read before they come into sight. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { Icon } from '../parts/icons.tsx';
import { describeError } from '../parts/problem-text.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Cell } from './Cell.tsx';
import { recordPathOf } from './places.ts';
import styles from './RecordTable.module.css';
import { titleOf } from './values.ts';
import { sortNameOf, type View } from './view.ts';

const rowPixels = 40;
const narrowRowPixels = 58;
/** Rows before the end at which the next page is read. */
const rowsAhead = 25;

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
}

export function RecordTable({
  resource,
  parentId,
  view,
  change,
  records,
  isStale,
  hasMore,
  loadMore,
  error,
}: Props) {
  const text = useText();
  const names = useNames();
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const isNarrow = window.matchMedia('(max-width: 760px)').matches;
  useLayoutEffect(() => setOffset(body.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({
    count: records.length,
    estimateSize: () => (isNarrow ? narrowRowPixels : rowPixels),
    overscan: 12,
    scrollMargin: offset,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const hasFailed = error !== null;
  useEffect(() => {
    if (hasMore && !isStale && !hasFailed && last >= records.length - rowsAhead) loadMore();
  });
  const others = view.columns.filter((column) => column !== resource.titleField);
  const columns = [resource.titleField, ...others];
  const template = `minmax(200px, 2.2fr) ${others.map((column) => `minmax(90px, ${widthOf(resource, column)}fr)`).join(' ')}`;
  return (
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
          if (record === undefined) return null;
          return (
            <div
              key={record.id}
              role="row"
              aria-rowindex={index + 2}
              className={styles.row}
              data-body
              style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
            >
              <div role="cell" className={styles.title}>
                <Link to={recordPathOf(resource, parentId, record.id)} className={styles.link}>
                  {titleOf(resource, record)}
                </Link>
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
      {hasFailed && (
        <p role="alert" className={styles.failure}>
          {describeError(error, text)}{' '}
          <Button variant="default" size="xs" onClick={loadMore}>
            {text('retry')}
          </Button>
        </p>
      )}
    </div>
  );
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
