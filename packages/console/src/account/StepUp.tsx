/**
 * Proving once more who one is, where the server asks for a sign-in of the last 15 minutes (RFC 9470): a dialog, after which what
 * was refused is done.
 */
import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { isProblem } from '../api/problem.ts';

const StepUpDialog = lazy(() =>
  import('./StepUpDialog.tsx').then((module) => ({ default: module.StepUpDialog })),
);

/** The person has closed the dialog: nothing was done. */
export class StepUpCancelled extends Error {}

type Run = <T>(action: () => Promise<T>) => Promise<T>;

const StepUpContext = createContext<Run>((action) => action());

/** Gives a function that runs an action, and again after a fresh proof if it needs one. @throws StepUpCancelled */
export function useStepUp(): Run {
  return useContext(StepUpContext);
}

export function StepUpProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<PromiseWithResolvers<void> | null>(null);
  const run: Run = async (action) => {
    try {
      return await action();
    } catch (error) {
      if (!isProblem(error, 'insufficient_user_authentication')) throw error;
    }
    const proof = Promise.withResolvers<void>();
    setAsked(proof);
    await proof.promise.finally(() => setAsked(null));
    return action();
  };
  return (
    <StepUpContext value={run}>
      {children}
      {asked !== null && (
        <Suspense>
          <StepUpDialog done={asked.resolve} cancel={() => asked.reject(new StepUpCancelled())} />
        </Suspense>
      )}
    </StepUpContext>
  );
}
