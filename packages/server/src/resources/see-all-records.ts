/** The statement by which a write keeps seeing a record that it takes out of its own sight. */
import type { Statement } from '../database/batch.ts';

/** Lets a transaction see all records of the organization that only some members may read: knowledge files and views. */
export const seeAllRecords: Statement = {
  name: 'see_all_records',
  text: `SELECT set_config('trellis.all_files', 'on', true)`,
};
