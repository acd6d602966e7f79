/**
 * Proving once more who one is, where the server asks for a sign-in of the last 15 minutes (RFC 9470): a dialog, after which what
 * was refused is done. It opens for what somebody does or looks at; what a page reads again by itself shows a button that opens it.
 */
import { type QueryClient, type QueryFilters, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { needsProof, type StepUp, StepUpCancelled, StepUpContext } from '../api/proof.ts';

const StepUpDialog = lazy(() =>
  import('./StepUpDialog.tsx').then((module) => ({ default: module.StepUpDialog })),
);

interface Props {
  /** Address of whoever is signed in. */
  readonly email: string;
  readonly children: ReactNode;
}

export function StepUpProvider({ email, children }: Props) {
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<{ proof: PromiseWithResolvers<void>; reason: unknown } | null>(null);
  // Concurrent requests share the dialog.
  const pending = useRef<Promise<void> | null>(null);
  const ask = (reason: unknown): Promise<void> => {
    if (pending.current !== null) return pending.current;
    const proof = Promise.withResolvers<void>();
    setDialog({ proof, reason });
    pending.current = proof.promise.finally(() => {
      pending.current = null;
      setDialog(null);
    });
    return pending.current;
  };
  const stepUp: StepUp = {
    run: async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!needsProof(error)) throw error;
        await ask(error);
      }
      void readRefused(queries);
      return action();
    },
    prove: async () => {
      await ask(queries.getQueryCache().findAll(refused)[0]?.state.error ?? null);
      await readRefused(queries);
    },
  };
  useFirstReads(queries, stepUp.prove);
  return (
    <StepUpContext value={stepUp}>
      {children}
      {dialog !== null && (
        <Suspense>
          <StepUpDialog
            email={email}
            reason={dialog.reason}
            done={dialog.proof.resolve}
            cancel={() => dialog.proof.reject(new StepUpCancelled())}
          />
        </Suspense>
      )}
    </StepUpContext>
  );
}

/** Repeats the reads that were refused without a recent sign-in. */
function readRefused(queries: QueryClient): Promise<void> {
  return queries.refetchQueries(refused);
}

const refused: QueryFilters = { type: 'active', predicate: ({ state }) => needsProof(state.error) };

/**
 * Opens the dialog when what a page is to show is refused, but not when something is read again in the background, and not again on the
 * page on which somebody has closed it.
 */
function useFirstReads(queries: QueryClient, prove: StepUp['prove']): void {
  const latest = useRef(prove);
  latest.current = prove;
  useEffect(() => {
    let closedOn: string | null = null;
    return queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return;
      const { state } = event.query;
      const page = globalThis.location.pathname;
      if (!needsProof(state.error) || state.data !== undefined || closedOn === page) return;
      latest.current().catch(() => {
        closedOn = page;
      });
    });
  }, [queries]);
}
