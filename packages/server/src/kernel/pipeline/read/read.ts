/**
 * Reads one record. Row-level security decides what is visible; absent, foreign and hidden records get the same
 * response.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import type { Row } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import type { Model } from '../model.ts';
import { decodeRecord, type Perspective, type Target, type Width } from '../storage.ts';

/**
 * Reads a record.
 * @throws Problem not_found for an absent record, and in the published perspective for an unpublished one
 */
export async function readRecord(
  database: Database,
  model: Model,
  target: Target,
  perspective: Perspective,
  width: Width,
): Promise<StoredRecord> {
  return decodeRecord(model.storage, await readRow(database, model, target, perspective, width));
}

/** The same as `readRecord`, as the row of the database. */
export async function readRow(
  database: Database,
  model: Model,
  target: Target,
  perspective: Perspective,
  width: Width,
): Promise<Row> {
  const { rows } = await database.queryTogether(target, model.statements.read(target, perspective, width));
  const [row] = rows;
  if (row === undefined) throw new Problem('not_found');
  return row;
}
