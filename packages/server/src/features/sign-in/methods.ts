/** The methods of signing in, and their factors. */

/** The methods that can open a session. */
export type Method = 'PASSWORD' | 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY' | 'EXTERNAL' | 'LINK';

/** Something that was proven. */
export interface Proof {
  readonly method: Method;
  /** Whether the method alone counts as two factors: a passkey with user verification, or a provider that says so. */
  readonly isMultiFactor: boolean;
  /** Time of the proof, in ms since 1970, if it was earlier: a provider may have authenticated the person yesterday. Absent: now. */
  readonly provenAtMs?: number;
}

/** A proof of one factor. */
export function proofOf(method: Exclude<Method, 'PASSKEY'>): Proof {
  return { method, isMultiFactor: false };
}

const firstFactors: ReadonlySet<Method> = new Set(['PASSWORD', 'EXTERNAL']);
const secondFactors: ReadonlySet<Method> = new Set(['TOTP', 'RECOVERY_CODE']);

/** Seconds since the first of the proofs. */
export function secondsSince(proofs: readonly Proof[]): number {
  const now = Date.now();
  return Math.max(0, ...proofs.map(({ provenAtMs = now }) => (now - provenAtMs) / 1_000));
}

/** Whether the proofs are of two different factors. A link proves only that its receiver has got it. */
export function isMultiFactor(proofs: readonly Proof[]): boolean {
  const has = (kinds: ReadonlySet<Method>) => proofs.some(({ method }) => kinds.has(method));
  return proofs.some((proof) => proof.isMultiFactor) || (has(firstFactors) && has(secondFactors));
}
