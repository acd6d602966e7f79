/**
 * The focus in the rows of a list, as in the grid pattern of the WAI-ARIA APG: one cell is the stop of Tab, and keys go on to the
 * others. Where a cell has a link or a checkbox, that has the focus.
 */
import { type FocusEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ApiRecord } from '../../api/api.ts';
import { readSingleKeys } from '../../ui/keys.ts';
import { type GridPlace, isFreeKey, placeAfter } from './keys.ts';

/** The column of the title, which leads to the record; before it is that of the checkboxes. */
export const titleColumn = 1;

/** A cell, whatever row its record is in by now. */
interface GridCell {
  readonly id: string;
  readonly column: number;
}

interface Options {
  readonly rows: readonly ApiRecord[];
  /** The number of columns, that of the checkboxes included. */
  readonly columns: number;
  /** The rows that a window shows. */
  readonly shown: () => { readonly first: number; readonly count: number };
  readonly scrollTo: (row: number) => void;
  readonly toggle: (record: ApiRecord) => void;
  /** Whether the row is selected. */
  readonly isSelected: (record: ApiRecord) => boolean;
}

export function useGrid({ rows, columns, shown, scrollTo, toggle, isSelected }: Options) {
  const body = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<GridCell | null>(null);
  /** Gets the focus as soon as its row is in the document. */
  const wanted = useRef<GridCell | null>(null);
  const activeRow = active === null ? -1 : rows.findIndex(({ id }) => id === active.id);

  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const { id, column } = wanted.current;
    const row = body.current?.querySelector(`[data-row="${CSS.escape(id)}"]`);
    const cell = row?.querySelector<HTMLElement>(`[data-column="${column}"]`);
    if (cell === null || cell === undefined) return;
    wanted.current = null;
    const inner = cell.hasAttribute('tabindex') ? null : cell.querySelector<HTMLElement>('a, input');
    (inner ?? cell).focus();
  });

  const focus = ({ row, column }: GridPlace) => {
    const record = rows[row];
    if (record === undefined) return;
    wanted.current = { id: record.id, column };
    // Also where it is the active one already, so that it gets the focus again.
    setActive({ id: record.id, column });
    if (row !== activeRow) scrollTo(row);
  };

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const isInside = target instanceof Element && body.current?.contains(target) === true;
    const record = rows[activeRow];
    if (!readSingleKeys() || !isFreeKey(event) || event.shiftKey) return;
    if (event.key === 'x' && isInside && record !== undefined) toggle(record);
    else if (event.key !== 'j' && event.key !== 'k') return;
    else if (record === undefined || active === null) focus({ row: shown().first, column: titleColumn });
    else if (!isInside) focus({ row: activeRow, column: active.column });
    else {
      const row = activeRow + (event.key === 'j' ? 1 : -1);
      focus({ row: Math.min(Math.max(row, 0), rows.length - 1), column: active.column });
    }
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  return {
    body,
    active,
    /** The row of the active cell; -1 without one. */
    activeRow,
    focus,
    onFocus: ({ target }: FocusEvent) => {
      const cell = target.closest('[data-column]');
      const id = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
      if (id === undefined) return;
      const column = Number(cell?.getAttribute('data-column'));
      if (active?.id !== id || active.column !== column) setActive({ id, column });
    },
    /** Follows a key that was pressed on the active cell. @returns whether it led anywhere */
    follow: (event: KeyboardEvent): boolean => {
      if (active === null || activeRow < 0) return false;
      const end = { row: rows.length - 1, column: columns - 1 };
      const place = placeAfter(event, { row: activeRow, column: active.column }, end, shown().count);
      if (place === null) return false;
      focus(place);
      const record = rows[place.row];
      // With Shift, rows are selected on the way.
      if (event.shiftKey && place.row !== activeRow && record !== undefined && !isSelected(record))
        toggle(record);
      return true;
    },
  };
}
