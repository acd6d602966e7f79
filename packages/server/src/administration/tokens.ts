/** Administration of tokens: creates, lists and revokes them. A token is shown once; only its hash is stored. */

import { tokens } from '@trellis/schema/resources/tokens.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { type Row, type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { parseTextArray, parseTimestamp, textArray } from '../database/values.ts';
import { type Audience, audiences } from '../identity/actor.ts';
import { indexJobsStep } from '../identity/index-jobs.ts';
import { hashToken, makeToken } from '../identity/tokens.ts';
import { administer, unchanged } from './administer.ts';
import { AdministrationError, checkScopes } from './checks.ts';
import { findOrMakeClient } from './clients.ts';
import { findOrganization, organizationUuid } from './organizations.ts';
import { shownCharacters } from './tokens/plans.ts';
import { findUser, goneMember, labelOf } from './users.ts';

/** The stored data of a token; never the token itself. */
export interface TokenRecord {
  readonly id: string;
  readonly organization: string;
  /** E-mail address; null for the token of a service member. */
  readonly user: string | null;
  /** Name of the service member that it acts for; null for that of a person. */
  readonly serviceMember: string | null;
  readonly client: string;
  readonly resources: readonly Audience[];
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

export interface NewToken {
  readonly organization: string;
  /** E-mail address of the member that it acts for, or an id. */
  readonly email: string;
  readonly scopes: readonly string[];
  readonly audiences: readonly Audience[];
  /** Null if the token never expires. */
  readonly expiresInSeconds: number | null;
  /** Name of the client of the token; one of the kind CLI is created if there is none. */
  readonly client: string;
}

const tokenColumns = `t.id, o.key, u.email, c.name, t.resources, t.scopes, t.expires_at,
  t.revoked_at, t.last_used_at, t.created_at, u.name`;
const tokenTables = `trellis.tokens t JOIN trellis.organizations o ON o.id = t.organization_id
  JOIN trellis.users u ON u.id = t.user_id
  JOIN trellis.clients c ON c.organization_id = t.organization_id AND c.id = t.client_id`;

const shareMembership: Statement = {
  name: 'administration_share_membership',
  text: 'SELECT FROM trellis.memberships WHERE organization_id = $1 AND user_id = $2 FOR KEY SHARE',
};
const insertToken: Statement = {
  name: 'administration_insert_token',
  text: `INSERT INTO trellis.tokens (organization_id, id, user_id, client_id, secret_hash, resources, scopes, expires_at,
      name, start, never_expires, lifetime_days)
    VALUES ($1, $2, $3, $4, decode($5, 'hex'), $6, $7, now() + make_interval(secs => $8::float8), $9, $10, $8::float8 IS NULL,
      coalesce(least(365, greatest(1, ceil($8::float8 / 86400)::integer)), 90))`,
};
const lockValidToken: Statement = {
  name: 'administration_lock_token',
  text: 'SELECT FROM trellis.tokens WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL FOR NO KEY UPDATE',
};
/** The tokens of a session end together. */
const revoke: Statement = {
  name: 'administration_revoke_token',
  text: `UPDATE trellis.tokens SET revoked_at = now() WHERE organization_id = $1 AND revoked_at IS NULL
      AND (id = $2 OR session_id = (SELECT session_id FROM trellis.tokens WHERE organization_id = $1 AND id = $2))`,
};

/** Makes a token. The text is returned here and never again: only its hash is kept. */
export async function createToken(
  worker: Database,
  wanted: NewToken,
): Promise<{ token: string; record: TokenRecord }> {
  const scopes = checkScopes(wanted.scopes);
  if (wanted.audiences.length === 0) throw new AdministrationError('A token needs at least one resource.');
  const organization = await findOrganization(worker, wanted.organization);
  const user = await findUser(worker, wanted.organization, wanted.email);
  if (user.status !== 'ACTIVE') throw new AdministrationError(`${labelOf(user)} is disabled.`);
  const client = await findOrMakeClient(worker, organization, wanted.client);
  if (client.status !== 'ACTIVE') throw new AdministrationError(`The client "${client.name}" is disabled.`);
  if (client.kind === 'BROWSER') {
    throw new AdministrationError(
      `The client "${client.name}" is for pages, where a token would be public. Choose another with --client.`,
    );
  }
  const token = makeToken();
  const id = newUuid();
  const organizationId = organizationUuid(organization);
  const userId = decodeId('user', user.id);
  await administer(worker, {
    organizationId,
    subject: 'token',
    // One that is ending meanwhile is waited for, and has no token afterwards.
    reads: { member: step(shareMembership, [organizationId, userId]) },
    decide({ member }) {
      if (member.rows.length === 0) return goneMember(labelOf(user), wanted.organization);
      const values = [
        organizationId,
        id,
        userId,
        decodeId('client', client.id),
        hashToken(token),
        textArray(wanted.audiences),
        textArray(scopes),
        wanted.expiresInSeconds === null ? null : String(wanted.expiresInSeconds),
        client.name,
        token.slice(0, shownCharacters),
      ];
      return {
        steps: [step(insertToken, values), indexJobsStep(organizationId, tokens.singular, [id])],
        events: [{ subject: 'token', id, what: 'created' }],
      };
    },
  });
  return { token, record: await findToken(worker, id) };
}

/** Tokens of one organization, or of all, the newest first. Of a session the first one, which the second one, for drafts, ends with. */
export async function listTokens(worker: Database, organization?: string): Promise<TokenRecord[]> {
  if (organization !== undefined) await findOrganization(worker, organization);
  const rows = await worker.run(
    `SELECT ${tokenColumns} FROM ${tokenTables} WHERE NOT t.drafts_only AND ($1::text IS NULL OR o.key = $1) ORDER BY t.id DESC`,
    [organization ?? null],
  );
  return rows.map(readTokenRow);
}

/** Revokes a token by its id or by its text, such as one found in a log. Revoking it again is not an error. */
export async function revokeToken(worker: Database, idOrToken: string): Promise<TokenRecord> {
  const id = decodeId('token', idOrToken);
  const rows = await worker.run(
    `SELECT organization_id, id FROM trellis.tokens WHERE id = $1 OR secret_hash = decode($2, 'hex')`,
    [id, hashToken(idOrToken)],
  );
  const [organizationId, tokenId] = rows[0] ?? [];
  if (!organizationId || !tokenId)
    throw new AdministrationError('There is no token with that id. "trellis token list" shows all.');
  const key = [organizationId, tokenId];
  await administer(worker, {
    organizationId,
    subject: 'token',
    reads: { valid: step(lockValidToken, key) },
    decide: ({ valid }) =>
      valid.rows.length === 0
        ? unchanged
        : {
            steps: [step(revoke, key), indexJobsStep(organizationId, tokens.singular, [tokenId])],
            events: [{ subject: 'token', id: tokenId, what: 'deleted' }],
          },
  });
  return findToken(worker, tokenId);
}

async function findToken(worker: Database, uuid: string): Promise<TokenRecord> {
  const rows = await worker.run(`SELECT ${tokenColumns} FROM ${tokenTables} WHERE t.id = $1`, [uuid]);
  return readTokenRow(rows[0]);
}

function readTokenRow(row: Row | undefined): TokenRecord {
  const [
    id,
    organization,
    user,
    client,
    resources,
    scopes,
    expiresAt,
    revokedAt,
    lastUsedAt,
    createdAt,
    name,
  ] = row ?? [];
  const named = parseTextArray(resources ?? '{}');
  const instant = (text: string | null | undefined) => (text ? parseTimestamp(text) : null);
  return {
    id: encodeId('token', id ?? ''),
    organization: organization ?? '',
    user: user ?? null,
    serviceMember: user ? null : (name ?? ''),
    client: client ?? '',
    resources: audiences.filter((audience) => named.includes(audience)),
    scopes: parseTextArray(scopes ?? '{}'),
    expiresAt: instant(expiresAt),
    revokedAt: instant(revokedAt),
    lastUsedAt: instant(lastUsedAt),
    createdAt: parseTimestamp(createdAt ?? ''),
  };
}
