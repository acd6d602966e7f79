/** Whether an action needs a sign-in of the last 15 minutes, and the functions with which pages ask for one (RFC 9470). */
import { createContext, useContext } from 'react';
import { isProblem } from './problem.ts';

/** The person has closed the dialog: nothing was done. */
export class StepUpCancelled extends Error {}

export interface StepUp {
  /** Runs an action, and again after a fresh proof if it needs one. @throws StepUpCancelled */
  readonly run: <T>(action: () => Promise<T>) => Promise<T>;
  /** Asks for re-authentication, and repeats the reads that were refused without it. @throws StepUpCancelled */
  readonly prove: () => Promise<void>;
}

/** Null when nobody is signed in. Its provider is in `StepUp.tsx`. */
export const StepUpContext = createContext<StepUp | null>(null);

/** Whether an error says that a recent sign-in is needed. */
export function needsProof(error: unknown): boolean {
  return isProblem(error, 'insufficient_user_authentication');
}

/** Gives a function that runs an action, and again after a fresh proof if it needs one. @throws StepUpCancelled */
export function useStepUp(): StepUp['run'] {
  const stepUp = useContext(StepUpContext);
  return stepUp?.run ?? ((action) => action());
}

/** Returns a function that asks for re-authentication and repeats refused reads; null when nobody is signed in. */
export function useProof(): (() => void) | null {
  const stepUp = useContext(StepUpContext);
  // Who closes the dialog has the button still.
  return stepUp && (() => void stepUp.prove().catch(() => undefined));
}
