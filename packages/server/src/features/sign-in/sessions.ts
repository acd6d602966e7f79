/**
 * Sessions: one for each browser in which a person is signed in. A session gives no right to records; it has ordinary token
 * rows in each organization that was entered, and ends together with them.
 */
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, type Step, type StepResult, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, flag, instant, number, text, texts } from '../../kernel/database/row.ts';
import { textArray, uuidArray } from '../../kernel/database/values.ts';
import {
  deriveTokenHash,
  hashSecret,
  isWellFormedSecret,
  makeSecret,
} from '../../kernel/identity/secrets.ts';
import { isMultiFactor, type Method, type Proof, secondsSince } from './methods.ts';
import { changePerson } from './person-change.ts';
import { type EnteredSession, type PersonEventContext, sessionEventSteps } from './person-events.ts';
import { invalidSession } from './refusals.ts';

/** A session that is in force. */
export interface Session {
  /** Uuid. */
  readonly id: string;
  /** Uuid. */
  readonly userId: string;
  readonly device: string;
  readonly methods: readonly Method[];
  readonly multiFactor: boolean;
  /** Seconds since the person last proved their identity, by the database's clock. */
  readonly authenticatedSecondsAgo: number;
  /** RFC 3339. */
  readonly authenticatedAt: string;
  /** When the person last did something, as reported by the page. */
  readonly lastUsedAt: string;
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

const sessionRow = defineRow({
  id: text('s.id'),
  userId: text('s.user_id'),
  device: text('s.device'),
  methods: texts('s.methods'),
  multiFactor: flag('s.multi_factor'),
  authenticatedSecondsAgo: number('extract(epoch FROM clock_timestamp() - s.authenticated_at)'),
  authenticatedAt: instant('s.authenticated_at'),
  lastUsedAt: instant('s.last_used_at'),
  expiresAt: instant('s.expires_at'),
  idleSeconds: number('s.idle_seconds'),
  isKeptSignedIn: flag(`s.expires_at - s.created_at > interval '1 day 1 hour'`),
});

const insert: Statement = {
  name: 'session_insert',
  text: `
    INSERT INTO trellis.sessions AS s (id, user_id, secret_hash, device, authenticated_at, methods, multi_factor, last_used_at,
      idle_seconds, expires_at)
    VALUES ($1, $2, $3, $4, clock_timestamp() - make_interval(secs => $9::float8), $5, $6, clock_timestamp(), $7,
      clock_timestamp() + make_interval(secs => $8::float8))
    RETURNING ${sessionRow.list}`,
};
const read: Statement = {
  name: 'session_read',
  text: `
    SELECT ${sessionRow.list}
    FROM trellis.sessions s JOIN trellis.users u ON u.id = s.user_id AND u.status = 'ACTIVE'
    WHERE s.secret_hash = $1 AND s.ended_at IS NULL AND s.expires_at > clock_timestamp()
      AND s.last_used_at + make_interval(secs => s.idle_seconds) > clock_timestamp()`,
};
const readAll: Statement = {
  name: 'sessions_of_user',
  text: `
    SELECT ${sessionRow.list} FROM trellis.sessions s
    WHERE s.user_id = $1 AND s.ended_at IS NULL AND s.expires_at > clock_timestamp()
      AND s.last_used_at + make_interval(secs => s.idle_seconds) > clock_timestamp()
    ORDER BY s.created_at DESC, s.id DESC`,
};
const renew: Statement = {
  name: 'session_renew',
  text: `
    UPDATE trellis.sessions s SET secret_hash = $2, authenticated_at = clock_timestamp(), last_used_at = clock_timestamp(),
      methods = ARRAY(SELECT DISTINCT m FROM unnest(s.methods || $3::text[]) m ORDER BY m),
      multi_factor = s.multi_factor OR $4::boolean
    WHERE s.id = $1 RETURNING ${sessionRow.list}`,
};
/** The rows in the order in which every change of a person locks them. */
const noteUse: Statement = {
  name: 'session_note_use',
  text: `
    WITH used AS (
      UPDATE trellis.sessions SET last_used_at = statement_timestamp() WHERE id = $1 AND ended_at IS NULL RETURNING id, last_used_at),
    locked AS (
      SELECT t.organization_id, t.id, used.last_used_at FROM used JOIN trellis.tokens t ON t.session_id = used.id
      ORDER BY t.organization_id, t.id FOR NO KEY UPDATE OF t)
    UPDATE trellis.tokens t SET last_used_at = locked.last_used_at FROM locked
    WHERE t.organization_id = locked.organization_id AND t.id = locked.id`,
};
/** The session of a cookie's secret; null when it has ended, is idle, or never was. */
export async function findSession(auth: Database, secret: string): Promise<Session | null> {
  if (!isWellFormedSecret(secret)) return null;
  const [result] = await auth.queryInBackground([step(read, [hashSecret('session', secret)])]);
  const found = sessionRow.first(result);
  return found === undefined ? null : toSession(found);
}

/** Notes that the person of a session has done something: it is idle from now on. */
export async function noteUseOfSession(auth: Database, { id }: Session): Promise<void> {
  await auth.executeInBackground([step(noteUse, [id])]);
}

/** The sessions of a user that are in force, the newest first. */
export async function listSessions(auth: Database, userId: string): Promise<Session[]> {
  const [result] = await auth.queryInBackground([step(readAll, [userId])]);
  return sessionRow.all(result).map(toSession);
}

/** The properties of a new session. */
export interface NewSession {
  /** Uuid. */
  readonly userId: string;
  readonly device: string;
  readonly proofs: readonly Proof[];
  readonly staySignedIn: boolean;
  readonly idleSeconds: number;
}

/** Stores a new session; its row is for `sessionOf`. */
export function insertSessionStep(wanted: NewSession, secret: string): Step {
  return step(insert, [
    newUuid(),
    wanted.userId,
    hashSecret('session', secret),
    wanted.device,
    textArray(wanted.proofs.map(({ method }) => method)),
    String(isMultiFactor(wanted.proofs)),
    String(wanted.idleSeconds),
    String(wanted.staySignedIn ? sessionLifetime.keptSignedIn : sessionLifetime.usual),
    String(secondsSince(wanted.proofs)),
  ]);
}

/** Ends a session and its tokens. Repeating it is not an error. @returns whether the session was valid and theirs */
export async function endSession(
  auth: Database,
  { id, userId }: Pick<Session, 'id' | 'userId'>,
  requestId: string,
): Promise<boolean> {
  return changePerson(auth, {
    userId,
    requestId,
    reads: sessionsToEnd(userId, { only: id }),
    decide: ({ rows, context }) => ({
      steps: endSteps(rows, context),
      result: () => rows.sessions.rows.length > 0,
    }),
  });
}

const lockSession: Statement = {
  name: 'session_lock',
  text: 'SELECT FROM trellis.sessions WHERE id = $1 AND secret_hash = $2 AND ended_at IS NULL FOR UPDATE',
};

/** Locks a session by its secret; finds nothing if the secret was renewed in the meantime. */
export function lockSessionStep(session: Session, secret: string): Step {
  return step(lockSession, [session.id, hashSecret('session', secret)]);
}

const renewTokens: Statement = {
  name: 'session_renew_tokens',
  text: `
    UPDATE trellis.tokens t SET secret_hash = decode(n.hash, 'hex'), authenticated_at = s.authenticated_at,
      sign_in_methods = s.methods, multi_factor = s.multi_factor, last_used_at = s.last_used_at
    FROM trellis.sessions s, unnest($2::uuid[], $3::boolean[], $4::text[]) n (organization_id, drafts_only, hash)
    WHERE s.id = $1 AND t.session_id = s.id AND t.organization_id = n.organization_id AND t.organization_id = ANY ($2)
      AND t.drafts_only = n.drafts_only`,
};

/**
 * Records a new proof of identity, and replaces the secret, so that a leaked old one becomes useless.
 * @throws Problem session_invalid when the session has ended in the meantime
 */
export async function renewSessionSecret(
  auth: Database,
  { session, secret: before }: OpenedSession,
  proofs: readonly Proof[],
  requestId: string,
): Promise<OpenedSession> {
  const secret = makeSecret();
  return changePerson(auth, {
    userId: session.userId,
    requestId,
    reads: {
      session: lockSessionStep(session, before),
      entered: step(lockEntered, [session.userId, session.id, null]),
    },
    decide({ rows, context }) {
      if (rows.session.affected !== 1) throw invalidSession();
      return {
        steps: [
          step(renew, [
            session.id,
            hashSecret('session', secret),
            textArray(proofs.map(({ method }) => method)),
            String(isMultiFactor(proofs)),
          ]),
          renewTokensStep(session.id, secret, rows.entered),
          ...sessionEventSteps(readEntered(rows.entered), 'updated', ['authenticatedAt', 'methods'], context),
        ],
        result: ([renewed]) => ({ session: sessionOf(renewed), secret }),
      };
    },
  });
}

/** @param entered the result of `lockEntered` */
function renewTokensStep(sessionId: string, secret: string, entered: StepResult): Step {
  const tokens = enteredRow.all(entered);
  return step(renewTokens, [
    sessionId,
    uuidArray(tokens.map(({ organizationId }) => organizationId)),
    textArray(tokens.map(({ draftsOnly }) => String(draftsOnly))),
    textArray(
      tokens.map(({ organizationId, draftsOnly }) => deriveTokenHash(secret, organizationId, draftsOnly)),
    ),
  ]);
}

const lockedRow = defineRow({ id: text('s.id') });
const lockSessions: Statement = {
  name: 'sessions_lock',
  text: `SELECT ${lockedRow.list} FROM trellis.sessions s
    WHERE user_id = $1 AND ended_at IS NULL AND ($2::uuid IS NULL OR id = $2) AND id IS DISTINCT FROM $3::uuid
    ORDER BY id FOR UPDATE`,
};
const enteredRow = defineRow({
  sessionId: text('t.session_id'),
  organizationId: text('t.organization_id'),
  clientId: text('t.client_id'),
  draftsOnly: flag('t.drafts_only'),
});
const lockEntered: Statement = {
  name: 'sessions_lock_tokens',
  text: `SELECT ${enteredRow.list}
    FROM trellis.tokens t JOIN trellis.sessions s ON s.id = t.session_id
    WHERE s.user_id = $1 AND s.ended_at IS NULL AND t.revoked_at IS NULL
      AND ($2::uuid IS NULL OR s.id = $2) AND s.id IS DISTINCT FROM $3::uuid
    ORDER BY t.organization_id, t.id FOR UPDATE OF t`,
};
const markEnded: Statement = {
  name: 'sessions_end',
  text: 'UPDATE trellis.sessions SET ended_at = clock_timestamp() WHERE id = ANY ($1)',
};
const revokeTokens: Statement = {
  name: 'sessions_revoke_tokens',
  text: `UPDATE trellis.tokens SET revoked_at = statement_timestamp()
    WHERE organization_id = ANY ($2) AND session_id = ANY ($1) AND revoked_at IS NULL`,
};

/**
 * Locks sessions of a user that are to end, and their tokens.
 * @param which the one (uuid), or all but one (uuid; null: all)
 */
export function sessionsToEnd(
  userId: string,
  which: { readonly only: string } | { readonly allBut: string | null },
) {
  const values = 'only' in which ? [userId, which.only, null] : [userId, null, which.allBut];
  return {
    sessions: step(lockSessions, values),
    entered: step(lockEntered, values),
  };
}

/** The steps that end the sessions that `sessionsToEnd` has locked, with the events of it. */
export function endSteps(
  { sessions, entered }: { readonly sessions: StepResult; readonly entered: StepResult },
  context: PersonEventContext,
): Step[] {
  if (sessions.rows.length === 0) return [];
  const ids = uuidArray(lockedRow.all(sessions).map(({ id }) => id));
  const organizations = new Set(enteredRow.all(entered).map(({ organizationId }) => organizationId));
  return [
    step(markEnded, [ids]),
    step(revokeTokens, [ids, uuidArray([...organizations])]),
    ...sessionEventSteps(readEntered(entered), 'deleted', [], context),
  ];
}

/** Organizations that sessions have entered. A session has two tokens in each, but gets one event. */
function readEntered(entered: StepResult): EnteredSession[] {
  return enteredRow.all(entered).filter(({ draftsOnly }) => !draftsOnly);
}

/** @throws Error when a session that was locked or inserted is not there */
export function sessionOf(result: StepResult | undefined): Session {
  const found = sessionRow.first(result);
  if (found === undefined) throw new Error('a session was not stored');
  return toSession(found);
}

function toSession(found: ReturnType<typeof sessionRow.read>): Session {
  return { ...found, methods: found.methods as Method[] };
}

/** The session as responses show it. */
export function describeSession(session: Session) {
  return {
    id: encodeId('ses', session.id),
    device: session.device,
    methods: session.methods,
    multiFactor: session.multiFactor,
    authenticatedAt: session.authenticatedAt,
    lastUsedAt: session.lastUsedAt,
    expiresAt: session.expiresAt,
    idleSeconds: session.idleSeconds,
  };
}
