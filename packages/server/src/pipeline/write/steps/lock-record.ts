/** Step 3: the current record, locked until the transaction ends, and the parent of a new one. */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import type { StepResult } from '../../../database/batch.ts';
import { decodeRecord } from '../../storage.ts';
import { takes } from '../kinds.ts';
import { firstRow, type Plan } from '../plan.ts';

/**
 * The locked record; null for plans without one.
 * @throws Problem not_found
 */
export function lockRecord({ kind, lock, model }: Plan, found: StepResult | undefined): StoredRecord | null {
  if (!takes(kind, 'lockRecord') || lock.length === 0) return null;
  const row = firstRow(found);
  if (row === undefined) throw new Problem('not_found');
  return decodeRecord(model.storage, row);
}

/**
 * The parent; null if the path names none.
 * @throws Problem not_found
 */
export function findParent({ kind, parent }: Plan, found: StepResult | undefined): StoredRecord | null {
  if (!takes(kind, 'findParent') || parent === null) return null;
  const row = firstRow(found);
  if (row === undefined) throw new Problem('not_found');
  return decodeRecord(parent.storage, row);
}
