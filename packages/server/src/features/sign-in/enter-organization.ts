/** Enters organizations with a session: which ones a person may enter, and the tokens that the session gets there. */
import { Problem } from '@trellis/schema/problem.ts';
import { allScopes, draftScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { compareAlphabetically } from '@trellis/schema/values/text.ts';
import { type Statement, type Step, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, flag, text } from '../../kernel/database/row.ts';
import { textArray } from '../../kernel/database/values.ts';
import { needsTwoFactors } from '../../kernel/identity/actor.ts';
import { deriveTokenHash } from '../../kernel/identity/secrets.ts';
import { changePerson } from './person-change.ts';
import { type EnteredSession, sessionEventSteps } from './person-events.ts';
import { invalidSession } from './refusals.ts';
import { lockSessionStep, type OpenedSession, type Session } from './sessions.ts';

/** An organization that a person may enter. */
export interface EnterableOrganization {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly role: string;
  /** Whether it asks for two factors, which the session has not shown. */
  readonly needsSecondFactor: boolean;
}

const organizationRow = defineRow({
  id: text('o.id'),
  key: text('o.key'),
  name: text('o.name'),
  role: text('coalesce(r.key, m.role)'),
  needsSecondFactor: flag('o.mfa_required AND NOT $2::boolean'),
});
const readOrganizations: Statement = {
  name: 'session_organizations',
  text: `
    SELECT ${organizationRow.list}
    FROM trellis.memberships m JOIN trellis.organizations o ON o.id = m.organization_id
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    WHERE m.user_id = $1 AND m.status = 'ACTIVE' AND o.status = 'ACTIVE'`,
};
/** The organizations that the person is a member of, by name. */
export async function listOrganizations(auth: Database, session: Session): Promise<EnterableOrganization[]> {
  const read = step(readOrganizations, [session.userId, String(session.multiFactor)]);
  const [result] = await auth.queryInBackground([read]);
  return organizationRow
    .all(result)
    .map((found) => ({ ...found, id: encodeId('org', found.id) }))
    .sort(
      (one, other) => compareAlphabetically(one.name, other.name) || compareAlphabetically(one.id, other.id),
    );
}

const membershipRow = defineRow({ needsTwoFactors: flag('o.mfa_required') });
/** Waits for a concurrent end of the membership, after which it finds no row and creates no token. */
const lockMembership: Statement = {
  name: 'session_membership',
  text: `SELECT ${membershipRow.list} FROM trellis.memberships m JOIN trellis.organizations o ON o.id = m.organization_id
    WHERE m.organization_id = $1 AND m.user_id = $2 AND m.status = 'ACTIVE' AND o.status = 'ACTIVE' FOR KEY SHARE OF m`,
};
const clientRow = defineRow({ clientId: text('id') });
/** Every organization is created with a client of the console, and keeps an active one; there may be others. */
const findConsoleClient: Statement = {
  name: 'session_console_client',
  text: `SELECT ${clientRow.list} FROM trellis.clients WHERE organization_id = $1 AND kind = 'CONSOLE' AND status = 'ACTIVE' ORDER BY created_at, id LIMIT 1`,
};
const tokenRow = defineRow({ clientId: text('client_id'), isValid: flag('revoked_at IS NULL') });
const lockTokens: Statement = {
  name: 'session_lock_tokens',
  text: `SELECT ${tokenRow.list} FROM trellis.tokens
    WHERE organization_id = $1 AND session_id = $2 ORDER BY id FOR UPDATE`,
};
/** The hash of a token that is there already follows from the same secret. */
const openToken: Statement = {
  name: 'session_open_token',
  text: `
    INSERT INTO trellis.tokens (organization_id, id, user_id, client_id, secret_hash, resources, scopes, expires_at, session_id,
      idle_seconds, authenticated_at, sign_in_methods, multi_factor, device, drafts_only, last_used_at)
    SELECT $1::uuid, $2::uuid, s.user_id, $6::uuid, decode($4, 'hex'), '{api}', $5::text[], s.expires_at, s.id, s.idle_seconds,
      s.authenticated_at, s.methods, s.multi_factor, s.device, $7::boolean, s.last_used_at
    FROM trellis.sessions s WHERE s.id = $3
    ON CONFLICT (organization_id, session_id, drafts_only) WHERE session_id IS NOT NULL
      DO UPDATE SET last_used_at = excluded.last_used_at`,
};

/**
 * Creates the session's tokens in an organization, one with all scopes and one that cannot publish. Pages call this automatically, so it
 * does not count as activity of the session.
 */
export async function enterOrganization(
  auth: Database,
  { session, secret }: OpenedSession,
  organizationId: string,
  requestId: string,
): Promise<void> {
  await changePerson(auth, {
    userId: session.userId,
    requestId,
    reads: {
      session: lockSessionStep(session, secret),
      membership: step(lockMembership, [organizationId, session.userId]),
      client: step(findConsoleClient, [organizationId]),
      tokens: step(lockTokens, [organizationId, session.id]),
    },
    decide({ rows, context }) {
      const membership = membershipRow.first(rows.membership);
      if (membership === undefined) throw new Problem('not_found');
      if (rows.session.affected !== 1) throw invalidSession();
      if (membership.needsTwoFactors && !session.multiFactor) throw needsTwoFactors();
      const tokens = tokenRow.all(rows.tokens);
      // An administrator has ended this session in the organization: a new sign-in is required.
      if (tokens.some(({ isValid }) => !isValid)) throw invalidSession();
      // Idempotency keys belong to the client, so both tokens have the same one.
      const client = tokens.at(0) ?? clientRow.first(rows.client);
      if (client === undefined)
        throw new Problem('not_found', 'The organization has no active client of the kind CONSOLE.');
      const entered = { sessionId: session.id, organizationId, clientId: client.clientId };
      return {
        steps: [
          ...openTokenSteps(entered, secret),
          ...(tokens.length === 0 ? sessionEventSteps([entered], 'created', [], context) : []),
        ],
        result: () => undefined,
      };
    },
  });
}

function openTokenSteps({ organizationId, sessionId, clientId }: EnteredSession, secret: string): Step[] {
  return [false, true].map((isForDrafts) =>
    step(openToken, [
      organizationId,
      newUuid(),
      sessionId,
      deriveTokenHash(secret, organizationId, isForDrafts),
      textArray(isForDrafts ? draftScopes : allScopes),
      clientId,
      String(isForDrafts),
    ]),
  );
}
