/** The rows of a list. Only visible rows are in the document, and further pages are loaded before they become visible. */
import { Box, Checkbox, VisuallyHidden } from '@mantine/core';
import { useElementSize, useMediaQuery, useMergedRef } from '@mantine/hooks';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { type CSSProperties, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import type { LiveList } from '../live/use-live-list.ts';
import { usePendingChanges } from '../outbox/edit/use-changes.ts';
import { prepareEditor } from '../records/edit/use-field-editor.ts';
import { texts } from '../records/texts.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { describeError } from '../ui/problem-text.ts';
import { RetryButton } from '../ui/RetryButton.tsx';
import shared from '../ui/shared.module.css';
import { layOut } from './columns/order.ts';
import { TableHead } from './columns/TableHead.tsx';
import { useColumns } from './columns/use-columns.ts';
import { useSideScroll } from './columns/use-side-scroll.ts';
import { useCellEditing } from './edit/use-cell-editing.tsx';
import { titleColumn, useGrid } from './grid/use-grid.ts';
import { RecordRow } from './RecordRow.tsx';
import styles from './RecordTable.module.css';
import type { Selection } from './use-selection.ts';
import type { View } from './view.ts';

const rowPixels = 40;
const narrowRowPixels = 58;
/** Rows in the document above and below those that a window shows. */
const overscan = 12;
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
  /** Told whether a cell is being edited: until it is done, the table is needed, also without records. */
  readonly noteEditing: (isEditing: boolean) => void;
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
  selection,
  live,
  noteEditing,
}: Props) {
  const text = useText();
  const names = useNames();
  const featureText = useFeatureText(texts);
  const { changes } = usePendingChanges();
  const isNarrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false });
  const [offset, setOffset] = useState(0);
  const hasFailed = error !== null;
  const { columns } = view;
  const side = useSideScroll();
  const size = useElementSize();
  const element = useRef<HTMLDivElement>(null);
  const table = useMergedRef(element, size.ref);
  const tools = useColumns({ view, change, table: element, head: side.head });
  const editing = useCellEditing({ resource, parentId, records, deleted: live.deleted });
  const listed = editing.rows;
  const isEditing = editing.edited !== null;
  useEffect(() => noteEditing(isEditing), [noteEditing, isEditing]);
  const height = isNarrow ? narrowRowPixels : rowPixels;
  const toggle = (record: ApiRecord, isRange = false) => selection.toggle(records.indexOf(record), isRange);
  const isSelected = ({ id }: ApiRecord) => selection.records.has(id);
  const grid = useGrid({
    rows: listed,
    columns: columns.length + titleColumn,
    shown: () => ({
      first: rows.range?.startIndex ?? 0,
      count: Math.max(1, (rows.range?.endIndex ?? 0) - (rows.range?.startIndex ?? 0) - 2),
    }),
    scrollTo: (row) => rows.scrollToIndex(row),
    toggle,
    isSelected,
  });
  const editedRow = listed.findIndex(({ id }) => id === editing.edited?.row.id);
  useLayoutEffect(() => setOffset(grid.body.current?.offsetTop ?? 0), [grid.body]);
  const rows = useWindowVirtualizer({
    count: listed.length + (hasMore && !hasFailed ? placeholders : 0),
    estimateSize: () => height,
    overscan,
    scrollMargin: offset,
    // What has the focus, or is being typed, stays in the document when it is scrolled away.
    rangeExtractor: (range) => {
      const kept = [grid.activeRow, editedRow].filter((row) => row >= 0);
      return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((one, other) => one - other);
    },
  });
  useLayoutEffect(() => {
    if (height > 0) rows.measure();
  }, [rows, height]);
  const items = rows.getVirtualItems();
  const first = rows.range?.startIndex ?? 0;
  const last = (rows.range?.endIndex ?? 0) + overscan;
  useEffect(() => {
    // The first page has fewer rows than that: the second one is not read before it is needed.
    const hasScrolled = (rows.scrollOffset ?? 0) > 0;
    const next = hasScrolled ? listed.length - rowsAhead : listed.length;
    if (hasMore && !isStale && !hasFailed && last >= next) loadMore();
  });
  const selected = records.filter(isSelected).length;
  const layout = layOut(columns, tools.widths, (column) => shareOf(resource, column));
  const isWide = !isNarrow && size.width > 0 && layout.least > size.width;
  const edit = (record: ApiRecord, column: string) => editing.begin(record, column);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { active, activeRow } = grid;
    const record = listed[activeRow];
    const { target } = event;
    if (active === null || record === undefined || !(target instanceof Element)) return;
    if (event.defaultPrevented || target.closest('[data-column]') === null) return;
    if (target.closest('[data-editor]') !== null) return;
    const { key, repeat, ctrlKey, metaKey, altKey } = event;
    const isEnter = key === 'Enter' && !ctrlKey && !metaKey && !altKey;
    const column = columns[active.column - titleColumn];
    if ((key === 'F2' || (isEnter && active.column > titleColumn)) && column !== undefined) {
      if (!repeat) edit(record, column);
    } else if (isEnter && active.column < titleColumn) {
      event.currentTarget.querySelector<HTMLElement>(`[data-row="${record.id}"] a`)?.click();
    } else if (!grid.follow(event.nativeEvent)) return;
    event.preventDefault();
  };
  return (
    <>
      <div
        role="grid"
        aria-label={names.plural(resource)}
        aria-rowcount={hasMore ? -1 : listed.length + 1}
        aria-multiselectable
        aria-busy={isStale}
        className={styles.table}
        ref={table}
        data-wide={isWide || undefined}
        style={{ '--columns': layout.template, '--least': `${layout.least}px` } as CSSProperties}
      >
        <TableHead
          resource={resource}
          view={view}
          change={change}
          columns={tools}
          head={side.head}
          onScroll={side.onScroll}
          isNarrow={isNarrow}
          select={(tabIndex) => (
            <Checkbox
              size="xs"
              tabIndex={tabIndex}
              aria-label={featureText('selectAll')}
              checked={selected > 0 && selected === records.length}
              indeterminate={selected > 0 && selected < records.length}
              onChange={selection.toggleAll}
            />
          )}
          enter={(column) => grid.focus({ row: first, column })}
        />
        <div role="presentation" className={styles.scroller} ref={side.rows} onScroll={side.onScroll}>
          <div
            role="rowgroup"
            ref={grid.body}
            className={styles.body}
            data-stale={isStale || undefined}
            style={{ height: rows.getTotalSize() }}
            onFocus={(event) => {
              grid.onFocus(event);
              prepareEditor();
            }}
            onKeyDown={press}
          >
            {items.map(({ index, start }) => {
              const record = listed[index];
              const style = { transform: `translateY(${start - rows.options.scrollMargin}px)` };
              if (record === undefined)
                return <Placeholder key={index} columns={columns.length} style={style} />;
              const isActive = index === grid.activeRow;
              const isStop = grid.activeRow < 0 ? index === first : isActive;
              return (
                <RecordRow
                  key={record.id}
                  resource={resource}
                  parentId={parentId}
                  record={record}
                  index={index}
                  columns={columns}
                  changes={changes}
                  stop={isStop ? (grid.active?.column ?? titleColumn) : null}
                  isSelected={isSelected(record)}
                  isChanged={live.changed.has(record.id)}
                  isDeleted={live.deleted.has(record.id)}
                  isEditable={(column) => editing.isEditable(column, record)}
                  editor={editing.editorOf(
                    record,
                    columns,
                    (row, column) => grid.focus({ row, column }),
                    index,
                  )}
                  select={(isRange) => toggle(record, isRange)}
                  edit={(column) => edit(record, column)}
                  style={style}
                />
              );
            })}
          </div>
        </div>
      </div>
      {isWide && (
        <div
          aria-hidden="true"
          tabIndex={-1}
          className={styles.bar}
          data-raised={selection.records.size > 0 || undefined}
          ref={side.bar}
          onScroll={side.onScroll}
        >
          <div style={{ width: layout.least }} />
        </div>
      )}
      <VisuallyHidden role="status">{tools.message}</VisuallyHidden>
      {hasFailed && (
        <Box component="p" role="alert" className={shared.danger} p={12} ta="center">
          {describeError(error, text, names)} <RetryButton size="xs" error={error} retry={loadMore} />
        </Box>
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

/** How wide a column is beside others, the title first: lists and references have long values. */
function shareOf(resource: Resource, column: string): number {
  if (column === resource.titleField) return 2.2;
  const field = flattenFields(resource).find(([name]) => name === column)?.[1];
  if (field !== undefined && 'x-picture' in field.schema) return 0.4;
  return field?.kind === 'json' || field?.reference ? 1.6 : 1;
}
