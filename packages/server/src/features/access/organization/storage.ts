/** Storage of the organization: its row is the record. Only operators create organizations. */

import { organizations } from '@trellis/schema/resources/organizations.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, step } from '../../../kernel/database/batch.ts';
import { encodeColumn } from '../../../kernel/database/values.ts';
import type { Rules } from '../../../kernel/pipeline/model.ts';
import { type Storage, tableColumns } from '../../../kernel/pipeline/storage.ts';

const columns = tableColumns(organizations);
/** The key is given once. */
const changeable = columns.filter(({ field }) => field !== 'key');

const insert: Statement = {
  name: 'insert_organizations',
  text: `INSERT INTO trellis.organizations
      (${['id', 'version', 'created_at', 'updated_at', 'created_by', 'updated_by', ...columns.map(({ name }) => name)].join(', ')})
    VALUES (${[...Array(6), ...columns].map((_, index) => `$${index + 1}`).join(', ')})`,
};
const update: Statement = {
  name: 'update_organizations',
  text: `UPDATE trellis.organizations SET version = $2, updated_at = $3, updated_by = $4,
      ${changeable.map(({ name }, index) => `${name} = $${index + 5}`).join(', ')}
    WHERE id = $1`,
};

export const organizationStorage: Storage = {
  columns,
  from: { working: 'trellis.organizations r', published: 'trellis.organizations r' },
  insert: ({ after }) => [
    step(insert, [
      ...[
        after.id,
        String(after.version),
        after.createdAt,
        after.updatedAt,
        after.createdBy,
        after.updatedBy,
      ],
      ...columns.map(({ field, kind }) => encodeColumn(kind, after.values[field])),
    ]),
  ],
  update: ({ after }) => [
    step(update, [
      after.id,
      String(after.version),
      after.updatedAt,
      after.updatedBy,
      ...changeable.map(({ field, kind }) => encodeColumn(kind, after.values[field])),
    ]),
  ],
  remove(_organizationId: string, _record: StoredRecord) {
    throw new Error('organizations are not deleted as records');
  },
};

/** Rules of the organization: administrators may read the events of it. */
export const organizationRules: Rules<typeof organizations> = { readers: () => ['OWNER', 'ADMIN'] };
