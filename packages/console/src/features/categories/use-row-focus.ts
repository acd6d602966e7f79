/** The focus within the rows of the tree: a moved row is another place of the document, which takes the focus from it. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/** What of a row can have the focus; in the document as `data-control`. */
export type Control = 'toggle' | 'open' | 'up' | 'down' | 'menu';
const controls: readonly Control[] = ['toggle', 'open', 'up', 'down', 'menu'];

/** The control that an event comes from; null when it comes from none. */
export function controlOf(target: EventTarget): Control | null {
  const found = target instanceof Element ? target.closest('[data-control]') : null;
  return controls.find((control) => control === found?.getAttribute('data-control')) ?? null;
}

interface RowFocus {
  /** The list of the rows, each with the id of its category as `data-id`. */
  readonly list: RefObject<HTMLUListElement | null>;
  /** Focuses a control of a row as soon as the row stands where it was moved. */
  readonly restore: (id: string, control: Control) => void;
}

export function useRowFocus(): RowFocus {
  const list = useRef<HTMLUListElement>(null);
  const [lost, setLost] = useState<{ readonly id: string; readonly control: Control } | null>(null);
  useEffect(() => {
    if (lost === null) return;
    const selector = `[data-id="${lost.id}"] [data-control="${lost.control}"]`;
    list.current?.querySelector<HTMLElement>(selector)?.focus();
    setLost(null);
  }, [lost]);
  return { list, restore: (id, control) => setLost({ id, control }) };
}
