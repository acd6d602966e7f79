/**
 * The step `storeResponse`: stores the response under its idempotency key, in the same transaction, so that a retry gets
 * the same response.
 */
import type { Step } from '../../../database/batch.ts';
import { type Claim, storeSteps } from '../idempotency/idempotency.ts';
import type { WriteKind } from '../kinds.ts';
import type { Outcome } from '../plan.ts';
import type { Caller } from './authorize.ts';
import { keyOf } from './claim-key.ts';

/** The steps that store the response. `instant`: time of the write, RFC 3339. */
export function storeResponse(
  { token }: Caller,
  claim: Claim,
  outcome: Outcome<WriteKind>,
  instant: string,
): Step[] {
  if (token === null || outcome.response === undefined) return [];
  const { response, shown, publishes = [] } = outcome;
  const published = [...new Set(publishes.map(({ name }) => name))];
  return storeSteps(keyOf(token), claim, { response, shown, published, instant });
}
