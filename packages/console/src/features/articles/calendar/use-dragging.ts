/** What is dragged in the calendar, from a day or from the drafts without one. */
import { useState } from 'react';
import type { ApiRecord } from '../../../api/api.ts';

export interface Dragged {
  readonly record: ApiRecord;
  /** Its time; null: it has none that is to come. */
  readonly at: Date | null;
}

export interface Dragging {
  readonly dragged: Dragged | null;
  readonly begin: (dragged: Dragged) => void;
  readonly end: () => void;
}

export function useDragging(): Dragging {
  const [dragged, begin] = useState<Dragged | null>(null);
  return { dragged, begin, end: () => begin(null) };
}
