/** Storage of clients: a table row, and for the kind BROWSER a publishable key with its origins. */

import { clients } from '@trellis/schema/resources/clients.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../../../kernel/database/batch.ts';
import { textArray } from '../../../kernel/database/values.ts';
import { type Change, type Storage, tableColumns } from '../../../kernel/pipeline/storage.ts';

const from = `(
    SELECT c.organization_id, c.id, c.version, c.created_at, c.updated_at, c.created_by, c.updated_by, c.name, c.kind, c.status,
      k.site_id, k.key AS publishable_key,
      coalesce((SELECT json_agg(g.origin ORDER BY g.origin) FROM trellis.publishable_key_origins g
        WHERE g.organization_id = $1 AND g.client_id = c.id), '[]') AS origins
    FROM trellis.clients c
    LEFT JOIN trellis.publishable_keys k ON k.organization_id = c.organization_id AND k.client_id = c.id
  ) r`;

/** Fields that are not columns of the table of clients. */
const derived = ['siteId', 'origins', 'publishableKey'];

const insert: Statement = {
  name: 'insert_clients',
  text: `INSERT INTO trellis.clients (organization_id, id, version, created_at, updated_at, created_by, updated_by, name, kind, status)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};
const insertPublishableKey: Statement = {
  name: 'insert_publishable_keys',
  text: 'INSERT INTO trellis.publishable_keys (organization_id, client_id, key, site_id) VALUES ($1, $2, $3, $4)',
};
const update: Statement = {
  name: 'update_clients',
  text: `UPDATE trellis.clients SET version = $3, updated_at = $4, updated_by = $5, name = $6, status = $7
    WHERE organization_id = $1 AND id = $2`,
};
const removeOtherOrigins: Statement = {
  name: 'remove_other_origins',
  text: `DELETE FROM trellis.publishable_key_origins
    WHERE organization_id = $1 AND client_id = $2 AND origin <> ALL ($3::text[])`,
};
const insertOrigins: Statement = {
  name: 'insert_origins',
  text: `INSERT INTO trellis.publishable_key_origins (organization_id, client_id, origin)
    SELECT $1, $2, o.origin FROM unnest($3::text[]) AS o (origin) ON CONFLICT DO NOTHING`,
};

const removeKey: Statement = {
  name: 'delete_publishable_keys',
  text: 'DELETE FROM trellis.publishable_keys WHERE organization_id = $1 AND client_id = $2',
};
const remove: Statement = {
  name: 'delete_clients',
  text: 'DELETE FROM trellis.clients WHERE organization_id = $1 AND id = $2',
};

/** Tokens that have ended are no longer records and cannot be used. */
const removeEndedTokens: Statement = {
  name: 'delete_ended_tokens_of_client',
  text: `DELETE FROM trellis.tokens WHERE organization_id = $1 AND client_id = $2
    AND (revoked_at IS NOT NULL OR session_id IS NOT NULL AND expires_at <= now())`,
};

/** Storage of clients. */
export const clientStorage: Storage = {
  columns: tableColumns(clients).map((column) =>
    derived.includes(column.field) ? { ...column, derived: true } : column,
  ),
  from: { working: from, published: from },
  insert: (change) => {
    const { organizationId, after } = change;
    const { name, kind, status, siteId, publishableKey } = after.values;
    const key = keyOf(organizationId, after);
    const row = step(insert, [
      ...key,
      String(after.version),
      after.createdAt,
      after.updatedAt,
      after.createdBy,
      after.updatedBy,
      String(name),
      String(kind),
      String(status),
    ]);
    if (kind !== 'BROWSER') return [row];
    return [
      row,
      step(insertPublishableKey, [...key, String(publishableKey), String(siteId)]),
      ...originSteps(change),
    ];
  },
  update: (change) => {
    const { organizationId, before, after } = change;
    const row = step(update, [
      ...keyOf(organizationId, after),
      String(after.version),
      after.updatedAt,
      after.updatedBy,
      String(after.values.name),
      String(after.values.status),
    ]);
    const same = JSON.stringify(before?.values.origins) === JSON.stringify(after.values.origins);
    return same ? [row] : [row, ...originSteps(change)];
  },
  remove: (organizationId, record) => {
    const key = keyOf(organizationId, record);
    return [
      step(removeOtherOrigins, [...key, '{}']),
      step(removeKey, key),
      step(removeEndedTokens, key),
      step(remove, key),
    ];
  },
};

function originSteps({ organizationId, after }: Change): Step[] {
  const values = [...keyOf(organizationId, after), textArray(after.values.origins as readonly string[])];
  return [step(removeOtherOrigins, values), step(insertOrigins, values)];
}

function keyOf(organizationId: string, { id }: Pick<StoredRecord, 'id'>): [string, string] {
  return [organizationId, id];
}
