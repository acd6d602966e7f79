/** The statement that lets a write see a record that it makes invisible to its caller. */
import type { Statement } from '../database/batch.ts';
import { setLocal } from '../database/scope.ts';

/** Lets a transaction see all records of the organization that only some members may read: knowledge files and views. */
export const seeAllRecords: Statement = {
  name: 'see_all_records',
  text: `SELECT ${setLocal('trellis.all_files', `'on'`)}`,
};
