/** The statements that let a write see a record that it makes invisible to its caller, and end that. */
import type { Statement, Step } from '../database/batch.ts';
import { setLocal } from '../database/scope.ts';

/** Lets a transaction see all records of the organization that only some members may read: knowledge files and views. */
export const seeAllRecords: Statement = {
  name: 'see_all_records',
  text: `SELECT ${setLocal('trellis.all_files', `'on'`)}`,
};

/** Restricts the transaction to the caller's rights again, for further writes. */
export const seeVisibleRecords: Statement = {
  name: 'see_visible_records',
  text: `SELECT ${setLocal('trellis.all_files', `'off'`)}`,
};

/** Whether a step lets its transaction see all records. */
export function seesAll({ statement }: Step): boolean {
  return statement === seeAllRecords;
}
