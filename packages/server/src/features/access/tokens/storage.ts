/**
 * Storage of tokens: a row of the table that requests are checked against. Tokens of sessions are in the same table but are not
 * records of this resource. A revoked token keeps its row and is no longer a record.
 */

import { tokens } from '@trellis/schema/resources/tokens.ts';
import { type Statement, step } from '../../../kernel/database/batch.ts';
import { textArray } from '../../../kernel/database/values.ts';
import { type Storage, tableColumns } from '../../../kernel/pipeline/storage.ts';

/** The hash of a token in the values of a new record. It is not a field and is never returned. */
export const secretHash = 'secretHash';

const from = `(SELECT t.* FROM trellis.tokens t WHERE t.session_id IS NULL AND t.revoked_at IS NULL) r`;

const insert: Statement = {
  name: 'insert_tokens',
  text: `INSERT INTO trellis.tokens (organization_id, id, version, created_at, updated_at, created_by, updated_by, name, client_id,
      user_id, scopes, resources, lifetime_days, never_expires, expires_at, start, secret_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, decode($17, 'hex'))`,
};
/** What can change: the name, and the end, which comes nearer when the token is replaced. */
const update: Statement = {
  name: 'update_tokens',
  text: `UPDATE trellis.tokens SET version = $3, updated_at = $4, updated_by = $5, expires_at = $6, name = $7
    WHERE organization_id = $1 AND id = $2`,
};
const revoke: Statement = {
  name: 'revoke_tokens',
  text: 'UPDATE trellis.tokens SET revoked_at = statement_timestamp(), version = version + 1 WHERE organization_id = $1 AND id = $2',
};

/** Storage of tokens. */
export const tokenStorage: Storage = {
  columns: tableColumns(tokens),
  from: { working: from, published: from },
  insert: ({ organizationId, after }) => {
    const { values } = after;
    const text = (name: string) => (values[name] === null ? null : String(values[name]));
    return [
      step(insert, [
        organizationId,
        after.id,
        String(after.version),
        after.createdAt,
        after.updatedAt,
        after.createdBy,
        after.updatedBy,
        text('name'),
        text('clientId'),
        text('userId'),
        textArray(values.scopes as readonly string[]),
        textArray(values.resources as readonly string[]),
        text('lifetimeDays'),
        text('neverExpires'),
        text('expiresAt'),
        text('start'),
        text(secretHash),
      ]),
    ];
  },
  update: ({ organizationId, after }) => [
    step(update, [
      organizationId,
      after.id,
      String(after.version),
      after.updatedAt,
      after.updatedBy,
      after.values.expiresAt === null ? null : String(after.values.expiresAt),
      String(after.values.name),
    ]),
  ],
  remove: (organizationId, { id }) => [step(revoke, [organizationId, id])],
};
