/** The text of the editor for derived views. It is read after a pause in typing, never on a keystroke. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { EditedRecord } from '../../records/edited-record.ts';

export interface TextSource {
  readonly read: () => string;
  /** To be called for each change. */
  readonly note: () => void;
  /** Called on each change. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function useTextSource(edited: EditedRecord): TextSource {
  return useMemo(() => {
    const listeners = new Set<() => void>();
    return {
      read: () => edited.readText(),
      note: () => {
        for (const listener of listeners) listener();
      },
      subscribe: (listener: () => void) => {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    };
  }, [edited]);
}

/** Shortest time without a key before something is computed of the text, in ms. What takes longer waits longer, up to the other. */
const [shortestQuietMs, longestQuietMs] = [200, 2_000];
/** How much longer than the last computation the quiet time is. */
const quietFactor = 8;

/**
 * What a function makes of the text, at the beginning and again after changes, when the browser is idle. Null before the first time.
 * @param compute the same as long as its result is
 */
export function useComputed<T>(source: TextSource, compute: (text: string) => T): T | null {
  const [result, setResult] = useState<T | null>(null);
  const lastMs = useRef(0);
  const run = useCallback(() => {
    const begun = performance.now();
    setResult(() => compute(source.read()));
    lastMs.current = performance.now() - begun;
  }, [source, compute]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let idle = 0;
    const cancel = () => {
      clearTimeout(timer);
      cancelIdleCallback(idle);
    };
    const schedule = () => {
      cancel();
      const quiet = Math.min(longestQuietMs, Math.max(shortestQuietMs, lastMs.current * quietFactor));
      timer = setTimeout(() => {
        idle = requestIdleCallback(run, { timeout: longestQuietMs });
      }, quiet);
    };
    run();
    const unsubscribe = source.subscribe(schedule);
    return () => {
      cancel();
      unsubscribe();
    };
  }, [source, run]);
  return result;
}
