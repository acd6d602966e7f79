/**
 * Storage of invitations: a row with the hashes of its links, which the serving role writes and never reads. Expiry is computed
 * when a row is read.
 */

import { invitations } from '@trellis/schema/resources/invitations.ts';
import { normalizeAddress } from '@trellis/schema/values/address.ts';
import { type Statement, type Step, step } from '../../../kernel/database/batch.ts';
import { type Storage, tableColumns } from '../../../kernel/pipeline/storage.ts';

/** The hexadecimal hash of the shown link, in the values of a record that gets a new one. It is not a field and is never returned. */
export const secretHash = 'secretHash';

const from = `(
    SELECT i.organization_id, i.id, i.version, i.created_at, i.updated_at, i.created_by, i.updated_by, i.email, i.role_id, i.expires_at, i.user_id,
      CASE WHEN i.status = 'PENDING' AND i.expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE i.status END AS status
    FROM trellis.invitations i
  ) r`;

const insert: Statement = {
  name: 'insert_invitations',
  text: `INSERT INTO trellis.invitations (organization_id, id, version, created_at, updated_at, created_by, updated_by, sent_by, email,
      email_normalized, role_id, status, expires_at, secret_hash)
    VALUES ($1, $2, $3, $4, $4, $5, $5, $5, $6, $7, $8, 'PENDING', $9, decode($10, 'hex'))`,
};
const renew: Statement = {
  name: 'renew_invitations',
  text: `UPDATE trellis.invitations SET version = $3, updated_at = $4, updated_by = $5, sent_by = $5, expires_at = $6,
      secret_hash = decode($7, 'hex')
    WHERE organization_id = $1 AND id = $2`,
};
const revoke: Statement = {
  name: 'revoke_invitations',
  text: `UPDATE trellis.invitations SET version = $3, updated_at = $4, updated_by = $5, status = 'REVOKED'
    WHERE organization_id = $1 AND id = $2`,
};
const storeMailedLink: Statement = {
  name: 'store_mailed_link',
  text: `UPDATE trellis.invitations SET mail_hash = decode($3, 'hex') WHERE organization_id = $1 AND id = $2`,
};
const remove: Statement = {
  name: 'delete_invitations',
  text: 'DELETE FROM trellis.invitations WHERE organization_id = $1 AND id = $2',
};

/** Storage of invitations. A change either gives new links or revokes. */
export const invitationStorage: Storage = {
  columns: tableColumns(invitations),
  from: { working: from, published: from },
  insert: ({ organizationId, after: { id, version, createdAt, createdBy, values } }) => [
    step(insert, [
      organizationId,
      id,
      String(version),
      createdAt,
      createdBy,
      String(values.email),
      normalizeAddress(String(values.email)),
      String(values.roleId),
      String(values.expiresAt),
      hashIn(values[secretHash]),
    ]),
  ],
  update: ({ organizationId, after: { id, version, updatedAt, updatedBy, values } }) => {
    const stamp = [organizationId, id, String(version), updatedAt, updatedBy];
    return values.status === 'REVOKED'
      ? [step(revoke, stamp)]
      : [step(renew, [...stamp, String(values.expiresAt), hashIn(values[secretHash])])];
  },
  remove: (organizationId, { id }) => [step(remove, [organizationId, id])],
};

/** Stores the hash of the link that is mailed. @param id uuid of the invitation @param hash hexadecimal */
export function storeMailedLinkStep(organizationId: string, id: string, hash: string): Step {
  return step(storeMailedLink, [organizationId, id, hash]);
}

function hashIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
