/** What the sections about one's sign-in methods share: how they look, and how they change something. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { StepUpCancelled, useStepUp } from '../../api/proof.ts';
import { sessionKeys } from '../../session/session.ts';
import shared from '../../ui/shared.module.css';
import styles from './AccountPage.module.css';

/** Runs a change of the factors, with a fresh proof where it is needed, and reads them again. */
export function useFactorChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const withStepUp = useStepUp();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: (input: Input) => withStepUp(() => change(input)),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionKeys.factors }),
  });
  const failure = mutation.error instanceof StepUpCancelled ? null : mutation.error;
  return { ...mutation, failure };
}

interface SectionProps {
  readonly title: string;
  readonly about: string;
  /** At the right of the title. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

export function Section({ title, about, action, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <div>
          <h2 className={shared.title}>{title}</h2>
          <p className={shared.about}>{about}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
