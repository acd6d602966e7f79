/** The step `lockRecord`: the current record, locked until the transaction ends. */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import type { StepResult } from '../../../database/batch.ts';
import { decodeRecord } from '../../storage.ts';
import type { WriteRequest } from '../plan.ts';

/**
 * The locked record; null for plans without one.
 * @throws Problem not_found
 */
export function lockRecord({ plan }: WriteRequest, found: StepResult | undefined): StoredRecord | null {
  if (plan.lock === undefined || plan.lock.length === 0) return null;
  const row = found?.rows[0];
  if (row === undefined) throw new Problem('not_found');
  return decodeRecord(plan.model.storage, row);
}
