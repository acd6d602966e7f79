/**
 * The step `claimKey`: checks that the request is carried out under its idempotency key for the first time. Keys and
 * stored responses are in `../idempotency/idempotency.ts`.
 */
import type { Step, StepResult } from '../../../database/batch.ts';
import type { AccessLock } from '../../../identity/access-lock.ts';
import type { Credentials } from '../../../identity/authenticator.ts';
import { type Claim, type IdempotencyKey, keyLockStep, readClaim } from '../idempotency/idempotency.ts';
import type { BegunWrite, TokenRequest } from '../plan.ts';

/** The step that takes the lock of the key and the access lock; undefined without a key. */
export function keyLock({ plan, scope, token }: BegunWrite): Step | undefined {
  return token === null ? undefined : keyLockStep(scope, keyOf(token), accessLockOf(plan));
}

/** The mode of the access lock: exclusive for a change of rights. Creating a record revokes no right, so a shared lock suffices. */
function accessLockOf({ kind, model }: BegunWrite['plan']): AccessLock {
  return model.resource.givesAccess === true && kind !== 'create' ? 'exclusive' : 'shared';
}

/**
 * The result of claiming the key.
 * @throws Problem idempotency_in_progress, idempotency_key_reused
 */
export function claimKey(
  { token }: Pick<BegunWrite, 'token'>,
  lock: StepResult | undefined,
  caller: StepResult,
): Claim {
  return token === null ? { kind: 'new' } : readClaim(lock, caller);
}

/** The key and its scope. */
export function keyOf({ credentials, key, fingerprint }: TokenRequest): IdempotencyKey & Credentials {
  return { ...credentials, key, fingerprint };
}
