/**
 * Step 2: whether the request is carried out under its idempotency key for the first time. See `../idempotency.ts`, where
 * keys and stored responses are kept.
 */
import type { ResultsOf } from '../../database/reads.ts';
import type { AccessLock } from '../../identity/access-lock.ts';
import { type Claim, claimSteps, type IdempotencyKey, readClaim } from '../idempotency.ts';
import { type Plan, type TokenRequest, tokenFor, type WriteRequest } from './plan.ts';

/** Locks the key and access, then looks the stored response up; undefined where there is no key. */
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

/** How a write holds the access lock: alone where it changes who may do what. What is new gives nobody less than before. */
export function accessLockOf({ kind, model }: Pick<Plan, 'kind' | 'model'>): AccessLock {
  return model.resource.givesAccess === true && kind !== 'create' ? 'exclusive' : 'shared';
}

/** What is known of the key. @throws Problem idempotency_in_progress, idempotency_key_reused */
export function claimKey(rows: ResultsOf<NonNullable<ReturnType<typeof keyReads>>> | undefined): Claim {
  return rows === undefined ? { kind: 'new' } : readClaim(rows.lock, rows.stored);
}

/** The key within its scope. */
export function keyOf({ credentials, key, fingerprint }: TokenRequest): IdempotencyKey {
  return { ...credentials, key, fingerprint };
}
