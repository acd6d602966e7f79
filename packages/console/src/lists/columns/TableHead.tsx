/** The headings of a list. One of their controls is the stop of Tab, and arrows go on to the others, as in the rows. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type KeyboardEvent, type ReactNode, type RefObject, type UIEvent, useState } from 'react';
import { titleColumn } from '../grid/use-grid.ts';
import table from '../RecordTable.module.css';
import type { View } from '../view.ts';
import { type Control, Heading } from './Heading.tsx';
import styles from './TableHead.module.css';
import type { Columns } from './use-columns.ts';

interface Props {
  readonly resource: Resource;
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
  readonly columns: Columns;
  readonly head: RefObject<HTMLDivElement | null>;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
  /** Whether rows are cards, and the headings are for screen readers only. */
  readonly isNarrow: boolean;
  /** The checkbox that selects all. */
  readonly select: (tabIndex: number) => ReactNode;
  /** Gives a cell in the first row that is shown the focus. */
  readonly enter: (column: number) => void;
}

export function TableHead(props: Props) {
  const { resource, view, change, columns, head, onScroll, isNarrow, select, enter } = props;
  const [active, setActive] = useState<{ readonly column: string; readonly control: Control } | null>(null);
  // Until a heading has had the focus, and when its column is gone, the stop is the checkbox.
  const stop = active !== null && view.columns.includes(active.column) && !isNarrow ? active : null;
  const press = (event: KeyboardEvent) => {
    const { key, altKey, shiftKey, ctrlKey, metaKey, target } = event;
    // Keys in an open menu come here too, although it is elsewhere in the document.
    if (!(target instanceof HTMLElement) || !event.currentTarget.contains(target)) return;
    const column = target.closest<HTMLElement>('[data-heading]')?.dataset.heading;
    const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : null;
    if (ctrlKey || metaKey) return;
    if (altKey) {
      if (by === null || column === undefined) return;
      if (shiftKey) columns.widen(column, by);
      else if (columns.canMove(column, by)) columns.move(column, by, target.dataset.control ?? '');
    } else if (shiftKey) return;
    else if (key === 'ArrowDown')
      enter(column === undefined ? 0 : view.columns.indexOf(column) + titleColumn);
    else if (by !== null || key === 'Home' || key === 'End') {
      const all = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
      const place = by === null ? (key === 'Home' ? 0 : -1) : Math.max(all.indexOf(target) + by, 0);
      all.at(place)?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <div role="rowgroup" className={styles.head} ref={head} onScroll={onScroll}>
      <div role="row" aria-rowindex={1} className={`${table.row} ${styles.row}`} onKeyDown={press}>
        <div
          role="columnheader"
          className={`${styles.heading} ${styles.select}`}
          onFocus={() => setActive(null)}
        >
          {select(stop === null ? 0 : -1)}
        </div>
        {view.columns.map((column) => (
          <Heading
            key={column}
            resource={resource}
            column={column}
            view={view}
            change={change}
            columns={columns}
            isNarrow={isNarrow}
            stop={stop?.column === column ? stop.control : null}
            noteFocus={(control) => setActive({ column, control })}
          />
        ))}
      </div>
    </div>
  );
}
