/** A table that is wider than the window: its headings, its rows and the bar at the foot of the window scroll sideways together. */
import { type UIEvent, useRef } from 'react';

export function useSideScroll() {
  const head = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const onScroll = ({ currentTarget: { scrollLeft } }: UIEvent<HTMLElement>) => {
    for (const { current } of [head, rows, bar])
      if (current !== null && current.scrollLeft !== scrollLeft) current.scrollLeft = scrollLeft;
  };
  return { head, rows, bar, onScroll };
}
