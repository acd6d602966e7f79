/**
 * Step 2: checks that the request is carried out under its idempotency key for the first time. Keys and stored
 * responses are in `../idempotency/idempotency.ts`.
 */
import type { ResultsOf } from '../../../database/reads.ts';
import type { AccessLock } from '../../../identity/access-lock.ts';
import { type Claim, claimSteps, type IdempotencyKey, readClaim } from '../idempotency/idempotency.ts';
import { type Plan, type TokenRequest, tokenFor, type WriteRequest } from '../plan.ts';

/** The steps that take the lock of the key and the access lock and look up the stored response; undefined without a key. */
export function keyReads(request: WriteRequest) {
  const token = tokenFor('claimKey', request);
  if (token === null) return undefined;
  const [lock, stored] = claimSteps(
    keyOf(token),
    token.context.idempotencyRetentionSeconds,
    accessLockOf(request.plan),
  );
  return { lock, stored };
}

/**
 * How a write holds the access lock: exclusively where it changes who may do what. A new record takes no right from
 * anybody, so creating it needs no exclusive lock.
 */
function accessLockOf({ kind, model }: Pick<Plan, 'kind' | 'model'>): AccessLock {
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
