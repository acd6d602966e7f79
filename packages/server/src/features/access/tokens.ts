/** Administration of tokens: creates, lists and revokes them. A token is shown once; only its hash is stored. */

import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';

import type { Database } from '../../kernel/database/database.ts';
import { defineRow, instant, nullable, text, texts } from '../../kernel/database/row.ts';
import { type Audience, audiences } from '../../kernel/identity/actor.ts';
import { hashToken } from '../../kernel/identity/tokens.ts';
import { planDelete } from '../../kernel/pipeline/write/plans.ts';
import { administer, operatorModels, planNew, targetOf } from './administer.ts';
import { AdministrationError, checkScopes } from './checks.ts';
import { findOrMakeClient } from './clients.ts';
import { findOrganization, organizationUuid } from './organizations.ts';
import { planSessionEnd } from './sessions/sessions.ts';
import { newToken } from './tokens/plans.ts';
import { findUser, labelOf } from './users.ts';

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

const tokenRow = defineRow({
  id: text('t.id'),
  organizationId: text('t.organization_id'),
  organization: text('o.key'),
  sessionId: nullable(text('t.session_id')),
  user: nullable(text('u.email')),
  userName: text('u.name'),
  client: text('c.name'),
  resources: texts('t.resources'),
  scopes: texts('t.scopes'),
  expiresAt: nullable(instant('t.expires_at')),
  revokedAt: nullable(instant('t.revoked_at')),
  lastUsedAt: nullable(instant('t.last_used_at')),
  createdAt: instant('t.created_at'),
});
type TokenRow = ReturnType<typeof tokenRow.read>;
const tokenTables = `trellis.tokens t JOIN trellis.organizations o ON o.id = t.organization_id
  JOIN trellis.users u ON u.id = t.user_id
  JOIN trellis.clients c ON c.organization_id = t.organization_id AND c.id = t.client_id`;

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
  const organizationId = organizationUuid(organization);
  const { token, values: secret } = newToken(organizationId);
  const seconds = wanted.expiresInSeconds;
  const values = {
    name: client.name,
    clientId: decodeId('client', client.id),
    userId: decodeId('user', user.id),
    scopes,
    resources: wanted.audiences,
    ...(seconds === null ? { neverExpires: true } : { lifetimeDays: seconds / 86_400 }),
  };
  await administer(
    worker,
    organizationId,
    planNew(operatorModels.tokens, organizationId, values, { values: secret }),
  );
  return { token, record: describeToken(await findToken(worker, token)) };
}

/** Tokens of one organization, or of all, the newest first. Of a session the first one, which the second one, for drafts, ends with. */
export async function listTokens(worker: Database, organization?: string): Promise<TokenRecord[]> {
  if (organization !== undefined) await findOrganization(worker, organization);
  const rows = await worker.run(
    `SELECT ${tokenRow.list} FROM ${tokenTables} WHERE NOT t.drafts_only AND ($1::text IS NULL OR o.key = $1) ORDER BY t.id DESC`,
    [organization ?? null],
  );
  return rows.map((row) => describeToken(tokenRow.read(row)));
}

/** Revokes a token by its id or by its text, such as one found in a log. Revoking it again is not an error. */
export async function revokeToken(worker: Database, idOrToken: string): Promise<TokenRecord> {
  const { organizationId, id, sessionId } = await findToken(worker, idOrToken);
  const target = targetOf(organizationId, id);
  const plan =
    sessionId === null ? planDelete(operatorModels.tokens, target) : planSessionEnd(target, sessionId);
  await administer(worker, organizationId, plan);
  return describeToken(await findToken(worker, idOrToken));
}

/** By its id or by its text. @throws AdministrationError when there is none */
async function findToken(worker: Database, idOrToken: string): Promise<TokenRow> {
  const [row] = await worker.run(
    `SELECT ${tokenRow.list} FROM ${tokenTables}
     WHERE t.id = $1 OR t.secret_hash = decode($2, 'hex')`,
    [decodeId('token', idOrToken), hashToken(idOrToken)],
  );
  if (row === undefined)
    throw new AdministrationError('There is no token with that id. "trellis token list" shows all.');
  return tokenRow.read(row);
}

function describeToken(token: TokenRow): TokenRecord {
  const { id, organizationId, organization, sessionId, user, userName, ...others } = token;
  return {
    id: encodeId('token', id),
    organization,
    user,
    serviceMember: user === null ? userName : null,
    ...others,
    resources: audiences.filter((audience) => others.resources.includes(audience)),
  };
}
