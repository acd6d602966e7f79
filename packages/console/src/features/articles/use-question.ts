/** The question of the editor about what both sides have changed. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FieldConflict } from '../../outbox/merge/merge.ts';

/** The value that each field in a conflict is to have, by dotted name; null: the person decides later. */
type Decision = ReadonlyMap<string, unknown> | null;

/** A question that is open. */
export interface Question {
  readonly conflicts: readonly FieldConflict[];
  readonly decide: (chosen: Decision) => void;
}

export interface Questions {
  /** The open question; null without one. */
  readonly question: Question | null;
  /** Asks. A page that is left decides null, also to what is asked later: what was typed is stored only after the decision. */
  readonly ask: (conflicts: readonly FieldConflict[]) => Promise<Decision>;
}

export function useQuestion(): Questions {
  const [question, setQuestion] = useState<Question | null>(null);
  const page = useRef<{ isLeft: boolean; decide: Question['decide'] | null }>({
    isLeft: false,
    decide: null,
  });
  const ask = useCallback(
    (conflicts: readonly FieldConflict[]) =>
      new Promise<Decision>((resolve) => {
        if (page.current.isLeft) return resolve(null);
        const decide = (chosen: Decision) => {
          page.current.decide = null;
          setQuestion(null);
          resolve(chosen);
        };
        page.current.decide = decide;
        setQuestion({ conflicts, decide });
      }),
    [],
  );
  useEffect(() => {
    const { current } = page;
    current.isLeft = false;
    return () => {
      current.isLeft = true;
      current.decide?.(null);
    };
  }, []);
  return { question, ask };
}
