/**
 * Reads and ends sessions in an organization, by revoking their tokens there. The same session stays open in other
 * organizations.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { sessions } from '@trellis/schema/resources/sessions.ts';
import { grantIn } from '@trellis/schema/rights/permissions.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type Row, type Statement, step } from '../../../kernel/database/batch.ts';
import type { Database, Scope } from '../../../kernel/database/database.ts';
import { parseTextArray, parseTimestamp } from '../../../kernel/database/values.ts';
import type { Actor } from '../../../kernel/identity/actor.ts';
import { readRole } from '../../../kernel/identity/role.ts';
import type { Position } from '../../../kernel/pipeline/cursor.ts';
import { claimedCondition } from '../../../kernel/pipeline/locks.ts';
import { Refusal } from '../../../kernel/pipeline/refusal.ts';
import { definePlan } from '../../../kernel/pipeline/write/define-plan.ts';
import type { Plan, Written } from '../../../kernel/pipeline/write/plan.ts';
import { sessionDeleted } from '../../sign-in/person-events.ts';
import { checkWithin } from '../rights.ts';

/** SQL: a valid session, by the first of its tokens. The second one, for drafts, ends with it. */
const inForce = `t.session_id IS NOT NULL AND NOT t.drafts_only AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp()
  AND coalesce(t.last_used_at, t.created_at) + make_interval(secs => t.idle_seconds) > clock_timestamp()`;

const columns = `t.session_id, t.user_id, t.device, t.authenticated_at, t.sign_in_methods, t.last_used_at, t.expires_at, t.created_at`;

const listStatement: Statement = {
  name: 'list_sessions',
  text: `SELECT ${columns}, t.created_at, t.id FROM trellis.tokens t
    WHERE t.organization_id = $1 AND ${inForce} AND ($2::uuid IS NULL OR t.user_id = $2)
      AND ($3::timestamptz IS NULL OR (t.created_at, t.id) < ($3, $4::uuid))
    ORDER BY t.created_at DESC, t.id DESC LIMIT $5`,
};
const readStatement: Statement = {
  name: 'read_session',
  text: `SELECT ${columns} FROM trellis.tokens t
    WHERE t.organization_id = $1 AND t.session_id = $2 AND ${inForce} AND ($3::uuid IS NULL OR t.user_id = $3)`,
};
/** Has the columns that `decodeRecord` expects: whose session it is stands as who created it. */
const lockStatement: Statement = {
  name: 'lock_session_in_organization',
  text: `SELECT t.session_id, t.version, t.created_at, t.updated_at, t.user_id, NULL, NULL FROM trellis.tokens t
    WHERE t.organization_id = $1 AND t.session_id = $2 AND ${inForce} AND ${claimedCondition} FOR NO KEY UPDATE`,
};
const findRole: Statement = {
  name: 'find_role_of_session',
  text: `SELECT m.role, r.key, r.grants FROM trellis.tokens t
    JOIN trellis.memberships m ON m.organization_id = t.organization_id AND m.user_id = t.user_id
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    WHERE t.organization_id = $1 AND t.session_id = $2 AND NOT t.drafts_only`,
};
/** A session by the first of its tokens, also after its end, whoever's it is or a user's. */
const findStatement: Statement = {
  name: 'find_session_in_organization',
  text: `SELECT FROM trellis.tokens t
    WHERE t.organization_id = $1 AND t.session_id = $2 AND NOT t.drafts_only AND ($3::uuid IS NULL OR t.user_id = $3)`,
};
const revokeStatement: Statement = {
  name: 'revoke_session_in_organization',
  text: `UPDATE trellis.tokens SET revoked_at = statement_timestamp()
    WHERE organization_id = $1 AND session_id = $2 AND revoked_at IS NULL`,
};

/** A session as responses show it. Instants are RFC 3339 in UTC. */
export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  readonly device: string;
  readonly methods: readonly string[];
  readonly authenticatedAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly current: boolean;
}

/** Whose sessions a caller sees: null for everybody's, else the caller's own (uuid). */
function sightOf({ role, userId }: Actor): string | null {
  return grantIn(role.rights, members.name, 'delete') === 'all' ? null : userId;
}

/**
 * One page of the sessions that are in force, those entered last first.
 * @param wanted whose (uuid; null: of all that the caller sees), after which position, and how many at most
 */
export async function listSessions(
  database: Database,
  actor: Actor,
  wanted: { readonly userId: string | null; readonly after: Position | null; readonly limit: number },
): Promise<{ readonly items: readonly SessionRecord[]; readonly next: Position | null }> {
  const { organizationId, userId } = actor;
  const sight = sightOf(actor);
  if (sight !== null && wanted.userId !== null && wanted.userId !== sight) return { items: [], next: null };
  const [createdAt = null, id = null] = wanted.after ?? [];
  const [found] = await database.query({ organizationId, userId }, [
    step(listStatement, [organizationId, wanted.userId ?? sight, createdAt, id, String(wanted.limit + 1)]),
  ]);
  const rows = found?.rows ?? [];
  const shown = rows.slice(0, wanted.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > shown.length && last !== undefined;
  return {
    items: shown.map((row) => readSessionRow(row, actor)),
    next: hasMore ? [last[8] ?? '', last[9] ?? ''] : null,
  };
}

/** @throws Problem not_found, also for a session of somebody else that the caller may not see */
export async function readSession(
  database: Database,
  actor: Actor,
  sessionId: string,
): Promise<SessionRecord> {
  const { organizationId, userId } = actor;
  const [found] = await database.query({ organizationId, userId }, [
    step(readStatement, [organizationId, sessionId, sightOf(actor)]),
  ]);
  const row = found?.rows[0];
  if (row === undefined) throw new Problem('not_found');
  return readSessionRow(row, actor);
}

/** For the pipeline: who is signed in decides who has access. */
const written: Written = {
  resource: {
    name: sessions.name,
    scope: 'members:manage',
    module: null,
    idPrefix: sessions.idPrefix,
    table: 'tokens',
    parent: null,
    givesAccess: true,
  },
  storage: { columns: [] },
};

/** Plans the end of a session in the organization. */
export function planSessionEnd({ organizationId }: Scope, sessionId: string): Plan<'erasure'> {
  return definePlan({
    kind: 'erasure',
    model: written,
    lock: [step(lockStatement, [organizationId, sessionId])],
    reads: { role: step(findRole, [organizationId, sessionId]) },
    decide({ actor, instant, rows }, before) {
      const sight = sightOf(actor);
      if (sight !== null && before.createdBy !== sight) return new Refusal(new Problem('not_found'));
      const [stored, key, grants] = rows.role.rows[0] ?? [];
      const held = readRole(stored, key, grants);
      const refused =
        held === null || before.createdBy === actor.userId
          ? null
          : checkWithin(actor.role.rights, held.rights, `The role "${held.key}" of the session`);
      if (refused !== null) return refused;
      return {
        steps: [step(revokeStatement, [organizationId, sessionId])],
        events: [sessionDeleted(sessionId, { userId: before.createdBy ?? '', instant })],
        response: { status: 204, location: null, etag: null, body: null },
        shown: { recordId: sessionId, as: 'other' },
      };
    },
    replay: {
      // Which sessions somebody sees follows from their role, which may be another one by now.
      visibility(_response, actor) {
        const sight = sightOf(actor);
        if (sight === null) return null;
        const find = (userId: string | null) => step(findStatement, [organizationId, sessionId, userId]);
        return { visible: find(sight), existing: [find(null)] };
      },
      show: null,
    },
    usages: () => [],
  });
}

function readSessionRow(row: Row, { session }: Actor): SessionRecord {
  const [id, userId, device, authenticatedAt, methods, lastUsedAt, expiresAt, createdAt] = row;
  return {
    id: encodeId(sessions.idPrefix, id ?? ''),
    userId: encodeId('user', userId ?? ''),
    device: device ?? '',
    methods: parseTextArray(methods ?? '{}'),
    authenticatedAt: parseTimestamp(authenticatedAt ?? ''),
    lastUsedAt: parseTimestamp(lastUsedAt ?? createdAt ?? ''),
    expiresAt: parseTimestamp(expiresAt ?? ''),
    createdAt: parseTimestamp(createdAt ?? ''),
    current: session?.id === id,
  };
}
