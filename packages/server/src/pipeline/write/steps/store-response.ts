/**
 * Step 9: stores the response under its idempotency key, in the same transaction, so that a retry gets the same
 * response.
 */
import type { Step } from '../../../database/batch.ts';
import { type Claim, storeSteps } from '../idempotency/idempotency.ts';
import { type Outcome, tokenFor, type WriteRequest } from '../plan.ts';
import { keyOf } from './claim-key.ts';

/** The steps that store the response. `instant`: time of the write, RFC 3339. */
export function storeResponse(
  request: WriteRequest,
  claim: Claim,
  { response, shown, publishes }: Outcome,
  instant: string,
): Step[] {
  const token = tokenFor('storeResponse', request);
  if (token === null) return [];
  const published = [...new Set(publishes.map(({ name }) => name))];
  return storeSteps(keyOf(token), claim, { response, shown, published, instant }, (bytes) =>
    token.context.allowances.take(token.credentials.organizationId, bytes, performance.now()),
  );
}
