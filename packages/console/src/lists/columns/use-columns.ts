/** Columns that are moved and made wider, by pointer and by keys. The list's address has the result; what goes on is kept here. */
import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import type { View } from '../view.ts';
import { boundWidth, moveColumn, type Widths } from './order.ts';
import { texts } from './texts.ts';

/** Pixels that a pointer moves before a press becomes a drag. */
const slack = 6;
/** Pixels of one step by key or menu. */
const step = 24;
/** How near to an edge of the table it scrolls, and how far. */
const edge = { within: 48, by: 16 };
/** Pixels beside the text of a heading for its icons. */
const headingIcons = 48;

interface Options {
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
  /** The whole table. */
  readonly table: RefObject<HTMLDivElement | null>;
  /** The row of headings, which scrolls. */
  readonly head: RefObject<HTMLDivElement | null>;
}

export type Columns = ReturnType<typeof useColumns>;

export function useColumns({ view, change, table, head }: Options) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { columns } = view;
  const [dragged, setDragged] = useState<{ readonly column: string; readonly place: number } | null>(null);
  /** The widths while a border is dragged. */
  const [draft, setDraft] = useState<Widths | null>(null);
  const [message, setMessage] = useState('');
  /** A moved heading is another place of the document, which takes the focus from its controls. */
  const wanted = useRef<{ readonly column: string; readonly place: number; readonly control: string } | null>(
    null,
  );
  useLayoutEffect(() => {
    if (wanted.current === null || columns[wanted.current.place] !== wanted.current.column) return;
    const { column, control } = wanted.current;
    wanted.current = null;
    const heading = headingOf(column);
    (
      heading?.querySelector<HTMLElement>(`[data-control="${control}"]`) ?? heading?.querySelector('button')
    )?.focus();
  });
  const headingOf = (column: string) =>
    head.current?.querySelector<HTMLElement>(`[data-heading="${CSS.escape(column)}"]`) ?? null;
  const widthOf = (column: string) => headingOf(column)?.getBoundingClientRect().width ?? 0;

  const moveTo = (column: string, place: number) => {
    const moved = moveColumn(columns, column, place);
    if (moved === columns) return;
    change({ columns: moved });
    setMessage(featureText('moved', { name: names.field(column), place: place + 1, count: columns.length }));
  };
  const resize = (column: string, pixels: number) => {
    const width = boundWidth(pixels);
    change({ widths: { ...view.widths, [column]: width } });
    setMessage(featureText('sized', { name: names.field(column), pixels: width }));
  };

  /** Where a heading would stand that is dropped at this place of the window. */
  const placeAt = (column: string, x: number) => {
    const others = columns.slice(1).filter((other) => other !== column);
    const passed = others.filter((other) => {
      const box = headingOf(other)?.getBoundingClientRect();
      return box !== undefined && box.left + box.width / 2 < x;
    });
    return passed.length + 1;
  };
  const scrollNear = (x: number) => {
    const box = head.current?.getBoundingClientRect();
    if (box === undefined) return;
    if (x > box.right - edge.within) head.current?.scrollBy(edge.by, 0);
    if (x < box.left + edge.within) head.current?.scrollBy(-edge.by, 0);
  };

  return {
    widths: draft ?? view.widths,
    dragged,
    /** What has just been changed, for screen readers. */
    message,
    canMove: (column: string, by: -1 | 1) => {
      const place = columns.indexOf(column);
      return place > 0 && place + by > 0 && place + by < columns.length;
    },
    /** @param control the control of the heading that has the focus afterwards */
    move: (column: string, by: -1 | 1, control: string) => {
      const place = columns.indexOf(column) + by;
      wanted.current = { column, place, control };
      moveTo(column, place);
    },
    widen: (column: string, by: -1 | 1) => resize(column, widthOf(column) + by * step),
    /** As wide as the longest value that is in the document. */
    fit: (column: string) => {
      const number = columns.indexOf(column) + 1;
      const label = headingOf(column)?.querySelector('[data-label]')?.scrollWidth ?? 0;
      const values = [...(table.current?.querySelectorAll(`[data-row] [data-column="${number}"]`) ?? [])];
      const widths = values.map((cell) => cell.firstElementChild?.scrollWidth ?? 0);
      resize(column, Math.max(label + headingIcons, ...widths.map((width) => width + 2)));
    },
    reset: (column: string) => {
      const { [column]: _own, ...others } = view.widths;
      change({ widths: others });
    },
    hide: (column: string) => change({ columns: columns.filter((other) => other !== column) }),
    /** A press on a heading, which a move of the pointer makes a drag. By touch, the list is scrolled. */
    press: (column: string, event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType === 'touch' || columns.indexOf(column) < 1) return;
      let place: number | null = null;
      track(event, {
        move: ({ clientX }) => {
          if (place === null && Math.abs(clientX - event.clientX) < slack) return;
          scrollNear(clientX);
          place = placeAt(column, clientX);
          setDragged({ column, place });
        },
        end: (isDone) => {
          setDragged(null);
          if (place === null) return;
          ignoreClick();
          if (isDone) moveTo(column, place);
        },
      });
    },
    /** A press on the border of a heading. The columns before it keep their widths, so that the border stays at the pointer. */
    pressBorder: (column: string, event: PointerEvent) => {
      if (event.button !== 0) return;
      const begun = widthOf(column);
      const before = columns.slice(0, columns.indexOf(column));
      const kept = Object.fromEntries(before.map((other) => [other, boundWidth(widthOf(other))]));
      let width: number | null = null;
      track(event, {
        move: ({ clientX }) => {
          // The first press of a double click is no drag.
          if (width === null && Math.abs(clientX - event.clientX) < 2) return;
          width = boundWidth(begun + clientX - event.clientX);
          setDraft({ ...view.widths, ...kept, [column]: width });
        },
        end: (isDone) => {
          setDraft(null);
          if (isDone && width !== null) change({ widths: { ...view.widths, ...kept, [column]: width } });
        },
      });
    },
  };
}

interface Drag {
  readonly move: (event: globalThis.PointerEvent) => void;
  /** @param isDone whether it was not given up, such as by Escape */
  readonly end: (isDone: boolean) => void;
}

/** Follows a pointer until it is released, wherever it is by then. */
function track({ pointerId }: PointerEvent, { move, end }: Drag): void {
  const ending = new AbortController();
  const { signal } = ending;
  const finish = (isDone: boolean) => {
    ending.abort();
    end(isDone);
  };
  const isSame = (event: globalThis.PointerEvent) => event.pointerId === pointerId;
  window.addEventListener('pointermove', (event) => isSame(event) && move(event), { signal });
  window.addEventListener('pointerup', (event) => isSame(event) && finish(true), { signal });
  window.addEventListener('pointercancel', (event) => isSame(event) && finish(false), { signal });
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && finish(false), { signal });
}

/** Keeps the click that follows the end of a drag from the control that is there. */
function ignoreClick(): void {
  const ignoring = new AbortController();
  window.addEventListener('click', (event) => event.stopPropagation(), {
    capture: true,
    signal: ignoring.signal,
  });
  setTimeout(() => ignoring.abort());
}
