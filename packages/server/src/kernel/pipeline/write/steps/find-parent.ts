/** The step `findParent`: the parent in the path of a new record. */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import type { StepResult } from '../../../database/batch.ts';
import { decodeRecord } from '../../storage.ts';
import type { WriteRequest } from '../plan.ts';

/**
 * The parent; null if the path names none.
 * @throws Problem not_found
 */
export function findParent({ plan }: WriteRequest, found: StepResult | undefined): StoredRecord | null {
  if (!plan.parent) return null;
  const row = found?.rows[0];
  if (row === undefined) throw new Problem('not_found');
  return decodeRecord(plan.parent.storage, row);
}
