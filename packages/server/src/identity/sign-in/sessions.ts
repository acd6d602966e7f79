/**
 * Sessions: one for each browser in which a person is signed in. A session gives no right to records; it has an ordinary
 * token row in each organization that was entered, and ends together with them.
 */
import { Problem } from '@trellis/schema/problem.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { type Row, type Statement, type Step, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { parseTextArray, parseTimestamp, textArray } from '../../database/values.ts';
import { needsTwoFactors } from '../actor.ts';
import { isMultiFactor, type Method, type Proof } from './methods.ts';
import { invalidSession } from './refusals.ts';
import { deriveTokenHash, hashSecret, isWellFormedSecret, makeSecret } from './secrets.ts';

/** A session that is in force. */
export interface Session {
  /** Uuid. */
  readonly id: string;
  /** Uuid. */
  readonly userId: string;
  readonly device: string;
  readonly methods: readonly Method[];
  readonly multiFactor: boolean;
  /** Seconds since the person last proved who they are, by the database's clock. */
  readonly authenticatedSecondsAgo: number;
  /** RFC 3339. */
  readonly authenticatedAt: string;
  readonly expiresAt: string;
  readonly idleSeconds: number;
  readonly isKeptSignedIn: boolean;
}

/** A session with the secret that its browser is to hold. */
export interface OpenedSession {
  readonly session: Session;
  readonly secret: string;
}

/** Seconds from sign-in to the end of a session, used or not. */
export const sessionLifetime = { usual: 86_400, keptSignedIn: 30 * 86_400 } as const;

/** When it was last used: itself, or one of its tokens. Right within a minute, as for all tokens. */
const lastUse = `greatest(s.last_used_at, (SELECT max(coalesce(t.last_used_at, t.created_at)) FROM trellis.tokens t WHERE t.session_id = s.id))`;

const sessionColumns = `s.id, s.user_id, s.device, s.methods, s.multi_factor,
  extract(epoch FROM clock_timestamp() - s.authenticated_at), s.authenticated_at, s.expires_at, s.idle_seconds,
  s.expires_at - s.created_at > interval '1 day 1 hour'`;

const insertSession: Statement = {
  name: 'session_insert',
  text: `
    INSERT INTO trellis.sessions AS s (id, user_id, secret_hash, device, authenticated_at, methods, multi_factor, last_used_at,
      idle_seconds, expires_at)
    VALUES ($1, $2, $3, $4, clock_timestamp(), $5, $6, clock_timestamp(), $7, clock_timestamp() + make_interval(secs => $8::float8))
    RETURNING ${sessionColumns}`,
};
const readSession: Statement = {
  name: 'session_read',
  text: `
    SELECT ${sessionColumns}, s.last_used_at < clock_timestamp() - interval '45 seconds'
    FROM trellis.sessions s JOIN trellis.users u ON u.id = s.user_id AND u.status = 'ACTIVE'
    WHERE s.secret_hash = $1 AND s.ended_at IS NULL AND s.expires_at > clock_timestamp()
      AND ${lastUse} + make_interval(secs => s.idle_seconds) > clock_timestamp()`,
};
const touchSession: Statement = {
  name: 'session_touch',
  text: 'UPDATE trellis.sessions SET last_used_at = clock_timestamp() WHERE id = $1',
};
const endSessions: Statement = {
  name: 'sessions_end',
  text: 'UPDATE trellis.sessions SET ended_at = clock_timestamp() WHERE id = ANY ($1) AND ended_at IS NULL',
};
const revokeTokens: Statement = {
  name: 'sessions_revoke_tokens',
  text: 'UPDATE trellis.tokens SET revoked_at = clock_timestamp() WHERE session_id = ANY ($1) AND revoked_at IS NULL',
};
const readOthers: Statement = {
  name: 'sessions_of_user',
  text: 'SELECT id FROM trellis.sessions WHERE user_id = $1 AND ended_at IS NULL AND id IS DISTINCT FROM $2::uuid',
};

/** The session of a cookie's secret; null when it has ended, is idle, or never was. */
export async function findSession(auth: Database, secret: string): Promise<Session | null> {
  if (!isWellFormedSecret(secret)) return null;
  const [result] = await auth.queryInBackground([step(readSession, [hashSecret('session', secret)])]);
  const row = result?.rows[0];
  if (row === undefined) return null;
  const session = readSessionRow(row);
  if (row[10] === 't') await auth.executeInBackground([step(touchSession, [session.id])]);
  return session;
}

/** What a new session is like. */
export interface NewSession {
  /** Uuid. */
  readonly userId: string;
  readonly device: string;
  readonly proofs: readonly Proof[];
  readonly staySignedIn: boolean;
  readonly idleSeconds: number;
}

/** Opens a session, under a secret that no browser has had before. */
export async function openSession(auth: Database, wanted: NewSession): Promise<OpenedSession> {
  const secret = makeSecret();
  const [result] = await auth.executeInBackground([
    step(insertSession, [
      newUuid(),
      wanted.userId,
      hashSecret('session', secret),
      wanted.device,
      textArray(wanted.proofs.map(({ method }) => method)),
      String(isMultiFactor(wanted.proofs)),
      String(wanted.idleSeconds),
      String(wanted.staySignedIn ? sessionLifetime.keptSignedIn : sessionLifetime.usual),
    ]),
  ]);
  const row = result?.rows[0];
  if (row === undefined) throw new Error('a session was not stored');
  return { session: readSessionRow(row), secret };
}

/** Ends a session, and with it its tokens. Again is no error. */
export async function endSession(auth: Database, sessionId: string): Promise<void> {
  await auth.backgroundTransaction(endSteps([sessionId]), (_rows, transaction) => transaction.commit([]));
}

/** Ends all sessions of a user but one (null: all of them). */
export async function endOtherSessions(auth: Database, userId: string, kept: string | null): Promise<void> {
  await auth.backgroundTransaction([step(readOthers, [userId, kept])], (results, transaction) =>
    transaction.commit(endSteps((results[0]?.rows ?? []).map(([id]) => id ?? ''))),
  );
}

function endSteps(ids: readonly string[]): Step[] {
  const list = `{${ids.join(',')}}`;
  return [step(endSessions, [list]), step(revokeTokens, [list])];
}

const lockSession: Statement = {
  name: 'session_lock',
  text: 'SELECT FROM trellis.sessions WHERE id = $1 AND secret_hash = $2 AND ended_at IS NULL FOR UPDATE',
};

/** A secret that was renewed meanwhile opens nothing any more. */
function lockStep(session: Session, secret: string): Step {
  return step(lockSession, [session.id, hashSecret('session', secret)]);
}

const readTokens: Statement = {
  name: 'session_tokens',
  text: 'SELECT organization_id FROM trellis.tokens WHERE session_id = $1 AND revoked_at IS NULL',
};
const renewSession: Statement = {
  name: 'session_renew',
  text: `
    UPDATE trellis.sessions s SET secret_hash = $2, authenticated_at = clock_timestamp(), last_used_at = clock_timestamp(),
      methods = ARRAY(SELECT DISTINCT m FROM unnest(s.methods || $3::text[]) m ORDER BY m),
      multi_factor = s.multi_factor OR $4::boolean
    WHERE s.id = $1 RETURNING ${sessionColumns}`,
};
const renewTokens: Statement = {
  name: 'session_renew_tokens',
  text: `
    UPDATE trellis.tokens t SET secret_hash = decode(n.hash, 'hex'), authenticated_at = s.authenticated_at,
      sign_in_methods = s.methods, multi_factor = s.multi_factor
    FROM trellis.sessions s, unnest($2::uuid[], $3::text[]) n (organization_id, hash)
    WHERE s.id = $1 AND t.session_id = s.id AND t.organization_id = n.organization_id`,
};

/**
 * Notes that the person has proven once more who they are, and changes the secret: what somebody may have seen of the old one
 * is worth nothing from then on.
 * @throws Problem session_invalid when the session has ended meanwhile
 */
export async function renewSessionSecret(
  auth: Database,
  { session, secret: before }: OpenedSession,
  proof: Proof,
): Promise<OpenedSession> {
  const secret = makeSecret();
  const known = session.methods.map((method) => ({ method, isMultiFactor: false }));
  const first = [lockStep(session, before), step(readTokens, [session.id])];
  return auth.backgroundTransaction(first, async ([locked, tokens], transaction) => {
    if (locked?.affected !== 1) throw invalidSession();
    const organizations = (tokens?.rows ?? []).map(([id]) => id ?? '');
    const [renewed] = await transaction.commit([
      step(renewSession, [
        session.id,
        hashSecret('session', secret),
        textArray([proof.method]),
        String(isMultiFactor([...known, proof])),
      ]),
      step(renewTokens, [
        session.id,
        `{${organizations.join(',')}}`,
        textArray(organizations.map((id) => deriveTokenHash(secret, id))),
      ]),
    ]);
    const row = renewed?.rows[0];
    if (row === undefined) throw invalidSession();
    return { session: readSessionRow(row), secret };
  });
}

/** An organization that a person may enter. */
export interface EnterableOrganization {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly role: string;
  /** Whether it asks for two factors, which the session has not shown. */
  readonly needsSecondFactor: boolean;
}

const readOrganizations: Statement = {
  name: 'session_organizations',
  text: `
    SELECT o.id, o.key, o.name, coalesce(r.key, m.role), o.mfa_required AND NOT $2::boolean
    FROM trellis.memberships m JOIN trellis.organizations o ON o.id = m.organization_id
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    WHERE m.user_id = $1 AND m.status = 'ACTIVE' AND o.status = 'ACTIVE' ORDER BY o.name, o.id`,
};

/** The organizations that the person is a member of, by name. */
export async function listOrganizations(auth: Database, session: Session): Promise<EnterableOrganization[]> {
  const [result] = await auth.queryInBackground([
    step(readOrganizations, [session.userId, String(session.multiFactor)]),
  ]);
  return (result?.rows ?? []).map(([id, key, name, role, needsSecondFactor]) => ({
    id: encodeId('org', id ?? ''),
    key: key ?? '',
    name: name ?? '',
    role: role ?? '',
    needsSecondFactor: needsSecondFactor === 't',
  }));
}

/** A membership that is ending meanwhile is waited for, and has no token afterwards. */
const lockMembership: Statement = {
  name: 'session_membership',
  text: `SELECT o.mfa_required FROM trellis.memberships m JOIN trellis.organizations o ON o.id = m.organization_id
    WHERE m.organization_id = $1 AND m.user_id = $2 AND m.status = 'ACTIVE' AND o.status = 'ACTIVE' FOR KEY SHARE OF m`,
};
/** The console is one client of the organization, so that it can be switched off for all its members at once. */
const makeConsoleClient: Statement = {
  name: 'session_console_client',
  text: `
    INSERT INTO trellis.clients (organization_id, id, name, kind)
    SELECT $1::uuid, $2::uuid, CASE WHEN EXISTS (SELECT FROM trellis.clients WHERE organization_id = $1 AND name = 'Console')
      THEN 'Console ' || ($2::uuid)::text ELSE 'Console' END, 'CONSOLE'
    WHERE NOT EXISTS (SELECT FROM trellis.clients WHERE organization_id = $1 AND kind = 'CONSOLE')
    ON CONFLICT ON CONSTRAINT clients_name DO NOTHING`,
};
const insertToken: Statement = {
  name: 'session_token',
  text: `
    INSERT INTO trellis.tokens (organization_id, id, user_id, client_id, secret_hash, resources, scopes, expires_at, session_id,
      idle_seconds, authenticated_at, sign_in_methods, multi_factor)
    SELECT $1::uuid, $2::uuid, s.user_id,
      (SELECT id FROM trellis.clients WHERE organization_id = $1 AND kind = 'CONSOLE' ORDER BY created_at, id LIMIT 1),
      decode($4, 'hex'), '{api}', $5::text[], s.expires_at, s.id, s.idle_seconds, s.authenticated_at, s.methods, s.multi_factor
    FROM trellis.sessions s WHERE s.id = $3 AND s.ended_at IS NULL
    ON CONFLICT (organization_id, session_id) WHERE session_id IS NOT NULL
    DO UPDATE SET last_used_at = clock_timestamp()
    RETURNING revoked_at IS NULL`,
};

/**
 * Makes the session's token in an organization, or takes the one that it has out of its idleness.
 * @param organizationId uuid
 * @throws Problem not_found when the person is no member of it, insufficient_user_authentication when it asks for two factors,
 *   session_invalid when the session has ended there
 */
export async function enterOrganization(
  auth: Database,
  { session, secret }: OpenedSession,
  organizationId: string,
): Promise<void> {
  const first = [lockStep(session, secret), step(lockMembership, [organizationId, session.userId])];
  await auth.backgroundTransaction(first, async ([locked, memberships], transaction) => {
    const membership = memberships?.rows[0];
    if (membership === undefined) throw new Problem('not_found');
    if (locked?.affected !== 1) throw invalidSession();
    if (membership[0] === 't' && !session.multiFactor) throw needsTwoFactors();
    const [, tokens] = await transaction.commit([
      step(makeConsoleClient, [organizationId, newUuid()]),
      step(insertToken, [
        organizationId,
        newUuid(),
        session.id,
        deriveTokenHash(secret, organizationId),
        textArray(allScopes),
      ]),
    ]);
    // Somebody who may has ended this session in the organization: it takes another sign-in.
    if (tokens?.rows[0]?.[0] !== 't') throw invalidSession();
  });
}

function readSessionRow(row: Row): Session {
  const [id, userId, device, methods, multiFactor, ago, authenticatedAt, expiresAt, idleSeconds, kept] = row;
  return {
    id: id ?? '',
    userId: userId ?? '',
    device: device ?? '',
    methods: parseTextArray(methods ?? '{}') as Method[],
    multiFactor: multiFactor === 't',
    authenticatedSecondsAgo: Number(ago),
    authenticatedAt: parseTimestamp(authenticatedAt ?? ''),
    expiresAt: parseTimestamp(expiresAt ?? ''),
    idleSeconds: Number(idleSeconds),
    isKeptSignedIn: kept === 't',
  };
}

/** The session as answers show it. */
export function describeSession(session: Session) {
  return {
    id: encodeId('ses', session.id),
    device: session.device,
    methods: session.methods,
    multiFactor: session.multiFactor,
    authenticatedAt: session.authenticatedAt,
    expiresAt: session.expiresAt,
    idleSeconds: session.idleSeconds,
  };
}
