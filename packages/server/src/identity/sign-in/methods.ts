/** How people prove who they are. */

/** What a session was opened with. */
export type Method = 'PASSWORD' | 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY' | 'EXTERNAL' | 'LINK';

/** Something that was proven. */
export interface Proof {
  readonly method: Method;
  /** Whether it was two factors by itself: a passkey with user verification, or a provider that says so. */
  readonly isMultiFactor: boolean;
}

/** A proof of one factor. */
export function proofOf(method: Exclude<Method, 'PASSKEY'>): Proof {
  return { method, isMultiFactor: false };
}

const firstFactors: ReadonlySet<Method> = new Set(['PASSWORD', 'EXTERNAL']);
const secondFactors: ReadonlySet<Method> = new Set(['TOTP', 'RECOVERY_CODE']);

/** Whether the proofs are of two different factors. A link proves only that its receiver has got it. */
export function isMultiFactor(proofs: readonly Proof[]): boolean {
  const has = (kinds: ReadonlySet<Method>) => proofs.some(({ method }) => kinds.has(method));
  return proofs.some((proof) => proof.isMultiFactor) || (has(firstFactors) && has(secondFactors));
}
