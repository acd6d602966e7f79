/** Which rows of a list are selected: one by one, a range with Shift, or all that are shown. */
import { useRef, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';

export interface Selection {
  /** The selected records by id, as they were when they were selected. */
  readonly records: ReadonlyMap<string, ApiRecord>;
  /** Selects or deselects a row; with a range, all from the last one on. */
  readonly toggle: (index: number, isRange: boolean) => void;
  /** Selects all that are shown, or none. */
  readonly toggleAll: () => void;
  readonly replace: (records: readonly ApiRecord[]) => void;
  readonly clear: () => void;
}

const nothing: ReadonlyMap<string, ApiRecord> = new Map();

/**
 * @param shown the rows in their order
 * @param list names the list: another one has another selection
 */
export function useSelection(shown: readonly ApiRecord[], list: string): Selection {
  const [records, setRecords] = useState(nothing);
  const anchor = useRef(0);
  const [selectedIn, setSelectedIn] = useState(list);
  if (selectedIn !== list) {
    setSelectedIn(list);
    setRecords(nothing);
  }
  const replace = (next: readonly ApiRecord[]) =>
    setRecords(new Map(next.map((record) => [record.id, record])));
  return {
    records,
    toggle: (index, isRange) => {
      const record = shown[index];
      if (record === undefined) return;
      const isSelected = !records.has(record.id);
      const [from, to] = isRange
        ? [Math.min(anchor.current, index), Math.max(anchor.current, index)]
        : [index, index];
      anchor.current = index;
      const next = new Map(records);
      for (const one of shown.slice(from, to + 1)) {
        if (isSelected) next.set(one.id, one);
        else next.delete(one.id);
      }
      setRecords(next);
    },
    toggleAll: () => (shown.every(({ id }) => records.has(id)) ? setRecords(nothing) : replace(shown)),
    replace,
    clear: () => setRecords(nothing),
  };
}
