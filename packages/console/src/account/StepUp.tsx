/**
 * Proving once more who one is, where the server asks for a sign-in of the last 15 minutes (RFC 9470): a dialog, after which what
 * was refused is done. It opens for what somebody does or looks at; what a page reads again by itself shows a button that opens it.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { isProblem } from '../api/problem.ts';

const StepUpDialog = lazy(() =>
  import('./StepUpDialog.tsx').then((module) => ({ default: module.StepUpDialog })),
);

/** The person has closed the dialog: nothing was done. */
export class StepUpCancelled extends Error {}

export interface StepUp {
  /** Runs an action, and again after a fresh proof if it needs one. @throws StepUpCancelled */
  readonly run: <T>(action: () => Promise<T>) => Promise<T>;
  /** Asks for a proof, and reads again what was refused without one. @throws StepUpCancelled */
  readonly prove: () => Promise<void>;
}

const StepUpContext = createContext<StepUp | null>(null);

/** Whether an error says that a recent sign-in is needed. */
export function needsProof(error: unknown): boolean {
  return isProblem(error, 'insufficient_user_authentication');
}

/** Gives a function that runs an action, and again after a fresh proof if it needs one. @throws StepUpCancelled */
export function useStepUp(): StepUp['run'] {
  const stepUp = useContext(StepUpContext);
  return stepUp?.run ?? ((action) => action());
}

/** Gives a function that asks for a proof and reads again what was refused; null where nobody is signed in. */
export function useProof(): (() => void) | null {
  const stepUp = useContext(StepUpContext);
  // Who closes the dialog has the button still.
  return stepUp && (() => void stepUp.prove().catch(() => undefined));
}

export function StepUpProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<PromiseWithResolvers<void> | null>(null);
  // Several that ask at the same time share the dialog.
  const pending = useRef<Promise<void> | null>(null);
  const ask = (): Promise<void> => {
    if (pending.current !== null) return pending.current;
    const proof = Promise.withResolvers<void>();
    setAsked(proof);
    pending.current = proof.promise.finally(() => {
      pending.current = null;
      setAsked(null);
    });
    return pending.current;
  };
  const stepUp: StepUp = {
    run: async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!needsProof(error)) throw error;
      }
      await ask();
      void readRefused(queries);
      return action();
    },
    prove: async () => {
      await ask();
      await readRefused(queries);
    },
  };
  useFirstReads(queries, stepUp.prove);
  return (
    <StepUpContext value={stepUp}>
      {children}
      {asked !== null && (
        <Suspense>
          <StepUpDialog done={asked.resolve} cancel={() => asked.reject(new StepUpCancelled())} />
        </Suspense>
      )}
    </StepUpContext>
  );
}

/** Reads again what was refused without a recent sign-in. */
function readRefused(queries: QueryClient): Promise<void> {
  return queries.refetchQueries({ type: 'active', predicate: ({ state }) => needsProof(state.error) });
}

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
