/**
 * The step `claimKey`: checks that the request is carried out under its idempotency key for the first time. Keys and
 * stored responses are in `../idempotency/idempotency.ts`.
 */
import type { ResultsOf } from '../../../database/reads.ts';
import type { AccessLock } from '../../../identity/access-lock.ts';
import { type Claim, claimSteps, type IdempotencyKey, readClaim } from '../idempotency/idempotency.ts';
import type { Plan, TokenRequest, WriteRequest } from '../plan.ts';

/** The steps that take the lock of the key and the access lock and look up the stored response; undefined without a key. */
export function keyReads({ plan, token }: WriteRequest) {
  if (token === null) return undefined;
  const { idempotencyRetentionSeconds } = token.context;
  const [lock, stored] = claimSteps(keyOf(token), idempotencyRetentionSeconds, accessLockOf(plan));
  return { lock, stored };
}

/**
 * How a write holds the access lock: exclusively if it changes rights. A new record takes no right from
 * anybody, so creating it needs no exclusive lock.
 */
function accessLockOf({ kind, model }: Plan): AccessLock {
  return model.resource.givesAccess === true && kind !== 'create' ? 'exclusive' : 'shared';
}

/**
 * The result of claiming the key.
 * @throws Problem idempotency_in_progress, idempotency_key_reused
 */
export function claimKey(rows: ResultsOf<NonNullable<ReturnType<typeof keyReads>>> | undefined): Claim {
  return rows === undefined ? { kind: 'new' } : readClaim(rows.lock, rows.stored);
}

/** The key and its scope. */
export function keyOf({ credentials, key, fingerprint }: TokenRequest): IdempotencyKey {
  return { ...credentials, key, fingerprint };
}
