/** The question of the editor about what both sides have changed. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FieldConflict } from '../../outbox/merge/merge.ts';

/** The value that each field in a conflict is to have, by dotted name; null: the person decides later. */
type Answer = ReadonlyMap<string, unknown> | null;

/** A question that is open. */
export interface Question {
  readonly conflicts: readonly FieldConflict[];
  readonly answer: (chosen: Answer) => void;
}

export interface Questions {
  /** The open question; null without one. */
  readonly question: Question | null;
  /** Asks. A page that is left answers null, also to what is asked later: what was typed is stored only after the answer. */
  readonly ask: (conflicts: readonly FieldConflict[]) => Promise<Answer>;
}

export function useQuestion(): Questions {
  const [question, setQuestion] = useState<Question | null>(null);
  const page = useRef<{ isLeft: boolean; answer: Question['answer'] | null }>({
    isLeft: false,
    answer: null,
  });
  const ask = useCallback(
    (conflicts: readonly FieldConflict[]) =>
      new Promise<Answer>((resolve) => {
        if (page.current.isLeft) return resolve(null);
        const answer = (chosen: Answer) => {
          page.current.answer = null;
          setQuestion(null);
          resolve(chosen);
        };
        page.current.answer = answer;
        setQuestion({ conflicts, answer });
      }),
    [],
  );
  useEffect(() => {
    const { current } = page;
    current.isLeft = false;
    return () => {
      current.isLeft = true;
      current.answer?.(null);
    };
  }, []);
  return { question, ask };
}
