/**
 * Authentication and authorization, as functions of one row with the current state. Their result, the actor, is passed on as
 * an argument.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { checkRight, type MissingRight, type NeededRight } from '@trellis/schema/rights/check-right.ts';
import { findExcess, type Grant, grantIn } from '@trellis/schema/rights/permissions.ts';
import type { Row, Statement } from '../database/batch.ts';
import { parseTextArray, parseTimestamp } from '../database/values.ts';
import { type MemberRole, readRole } from './role.ts';

/** The interfaces a token can be for (RFC 8707 resource indicators): `{base}/v1` and `{base}/sandbox`. */
export const audiences = ['api', 'sandbox'] as const;
export type Audience = (typeof audiences)[number];

/** The session that a token belongs to: how somebody signed in, and when. */
export interface ActorSession {
  /** Uuid. */
  readonly id: string;
  /** Seconds since the person last proved who they are, when the state was read. */
  readonly authenticatedSecondsAgo: number;
  /** How the person signed in: `PASSWORD`, `TOTP`, `PASSKEY` … */
  readonly methods: readonly string[];
}

/** The caller: what the token is bound to, and the state by which it was checked. */
export interface Actor {
  readonly organizationId: string;
  readonly tokenId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly role: MemberRole;
  readonly scopes: ReadonlySet<string>;
  /** The interfaces that the token is for. */
  readonly audiences: readonly string[];
  readonly modules: ReadonlySet<string>;
  /** ISO 3166-1 code of the organization's country, for phone numbers without a country code. */
  readonly country: string | null;
  /** Null for a bearer token. */
  readonly session: ActorSession | null;
  /** Whether the user is a service member: a program, for which a person made the token. */
  readonly isService: boolean;
}

/** The requirements of an operation, checked in the order of the specification: scope, module, role. */
export type Requirement = NeededRight;

/** How long a sign-in counts as recent, in seconds. */
export const recentSignInSeconds = 15 * 60;

/** When a session's token ends unless it is used; null for other tokens. The instant of last use is right within a minute. */
const idleEnd = 'coalesce(t.last_used_at, t.created_at) + make_interval(secs => t.idle_seconds)';

/**
 * The role of who made a token that acts for somebody else, as JSON of what `readRole` takes; null where the user made it, or an operator, and
 * where the maker is no active member.
 */
const makerRole = `CASE WHEN t.created_by <> t.user_id THEN (
      SELECT json_build_array(k.role, kr.key, kr.grants::text)::text FROM trellis.memberships k
      JOIN trellis.users ku ON ku.id = k.user_id AND ku.status = 'ACTIVE'
      LEFT JOIN trellis.roles kr ON kr.organization_id = k.organization_id AND kr.id = k.role_id
      WHERE k.organization_id = t.organization_id AND k.user_id = t.created_by AND k.status = 'ACTIVE') END`;

/**
 * Reads the state of a token and of everything it is bound to: the first row, or none for an unknown token. Nodes of the previous release,
 * which know one token of a session in an organization, may have given both of them the hash of the first.
 */
export const readIdentity: Statement = {
  name: 'identity',
  text: `
    SELECT t.id, t.user_id, t.client_id, t.resources, t.scopes, o.status, o.modules, u.status, m.role, c.status,
      t.revoked_at IS NOT NULL OR t.expires_at <= clock_timestamp() OR ${idleEnd} <= clock_timestamp(),
      t.organization_id,
      t.last_used_at IS NULL OR t.last_used_at < clock_timestamp() - interval '45 seconds',
      clock_timestamp()::timestamptz(3), o.default_country, least(t.expires_at, ${idleEnd}),
      t.session_id, extract(epoch FROM clock_timestamp() - t.authenticated_at), o.mfa_required AND NOT t.multi_factor,
      m.status, r.key, r.grants, t.sign_in_methods,
      m.responsible_user_id IS NOT NULL, t.created_by <> t.user_id, ${makerRole}
    FROM trellis.tokens t
    JOIN trellis.organizations o ON o.id = t.organization_id
    JOIN trellis.clients c ON c.organization_id = t.organization_id AND c.id = t.client_id
    LEFT JOIN trellis.memberships m ON m.organization_id = t.organization_id AND m.user_id = t.user_id
    LEFT JOIN trellis.users u ON u.id = m.user_id
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    WHERE t.organization_id = $1 AND t.secret_hash = $2 ORDER BY t.drafts_only`,
};

/** Reads what a presented token is bound to; runs before the organization is set. */
export const readTokenBinding: Statement = {
  name: 'token_binding',
  text: 'SELECT organization_id, user_id, client_id FROM trellis.tokens WHERE secret_hash = $1',
};

/** The database's clock when the row was read, RFC 3339. It is the instant of a write, so that all nodes agree. */
export function identityInstant(row: Row | undefined): string {
  return parseTimestamp(row?.[13] ?? '');
}

/** When the token expires unless it is used, RFC 3339; null if it never expires or has already ended. */
export function identityExpiry(row: Row | undefined): string | null {
  const [ended, expiresAt] = [row?.[10], row?.[15]];
  return expiresAt && ended !== 't' ? parseTimestamp(expiresAt) : null;
}

/** Checks 1 and 2: the token, and that organization, user, membership and client are active. */
export function identify(row: Row | undefined, audience: Audience): Actor {
  const [
    tokenId,
    userId,
    clientId,
    resources,
    scopes,
    organization,
    modules,
    user,
    storedRole,
    client,
    ended,
    organizationId,
  ] = row ?? [];
  const country = row?.[14] ?? null;
  const [sessionId, authenticatedSecondsAgo, lacksFactor, membership, roleKey, roleGrants, methods] =
    row?.slice(16) ?? [];
  const [isService, isMadeByOther, maker] = row?.slice(23) ?? [];
  if (!tokenId || !userId || !clientId || !organizationId || ended === 't') throw invalidToken();
  const forAudiences = parseTextArray(resources ?? '{}');
  if (!forAudiences.includes(audience)) throw invalidToken();
  if (organization !== 'ACTIVE') throw new Problem('organization_suspended');
  const role = readRole(storedRole, roleKey, roleGrants);
  const active = [user, membership, client].every((status) => status === 'ACTIVE');
  if (!active || role === null) throw invalidToken();
  if (isMadeByOther === 't' && !(isService === 't' && mayHold(maker, role))) throw invalidToken();
  if (lacksFactor === 't') throw needsTwoFactors();
  return {
    organizationId,
    tokenId,
    userId,
    clientId,
    role,
    scopes: new Set(parseTextArray(scopes ?? '{}')),
    audiences: forAudiences,
    modules: new Set(parseTextArray(modules ?? '{}')),
    country,
    session: sessionId
      ? {
          id: sessionId,
          authenticatedSecondsAgo: Number(authenticatedSecondsAgo),
          methods: parseTextArray(methods ?? '{}'),
        }
      : null,
    isService: isService === 't',
  };
}

/** Whether who made a token for a service member may do, now, whatever its role permits. @param maker see `makerRole` */
function mayHold(maker: string | null | undefined, role: MemberRole): boolean {
  const [stored, key, grants] = JSON.parse(maker ?? '[]') as (string | null)[];
  const held = readRole(stored, key, grants);
  return held !== null && findExcess(role.rights, held.rights) === null;
}

/**
 * Checks 3 to 5: scopes, module, role.
 * @returns the grant, which may be limited to the user's own records
 * @throws Problem insufficient_scope, module_disabled, permission_denied
 */
export function permit(actor: Actor, requirement: Requirement): Grant {
  const granted = findGrant(actor, requirement);
  if (granted instanceof Problem) throw granted;
  return granted;
}

/** As `permit`, but returns the problem of the first failed check instead of throwing it. */
export function findGrant(actor: Actor, requirement: Requirement): Grant | Problem {
  const { role, scopes, modules, session } = actor;
  const found = checkRight(
    {
      scopes,
      modules,
      grantOf: (resource, action) => grantIn(role.rights, resource, action),
      hasRecentSignIn: session === null || hasRecentSignIn(session),
    },
    requirement,
  );
  return typeof found === 'string' ? found : describeMissing(role, found);
}

function describeMissing(role: MemberRole, missing: MissingRight): Problem {
  switch (missing.code) {
    case 'insufficient_scope': {
      const needed = missing.scopes.join(' ');
      return new Problem('insufficient_scope', `The token needs the scopes: ${needed}.`, {
        members: { requiredScopes: missing.scopes },
        headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` },
      });
    }
    case 'module_disabled':
      return new Problem(
        'module_disabled',
        `The module "${missing.module}" is switched off in this organization.`,
      );
    case 'insufficient_user_authentication':
      return needsRecentSignIn();
    case 'permission_denied':
      return new Problem(
        'permission_denied',
        `The role ${role.key} may not ${missing.action} ${missing.resource}.`,
      );
  }
}

/** Check 6 for a grant limited to one's own records. */
export function checkOwnership(actor: Actor, grant: Grant, createdBy: string | null): void {
  if (grant === 'own' && createdBy !== actor.userId) {
    throw new Problem(
      'permission_denied',
      `The role ${actor.role.key} may change only records that its user created.`,
    );
  }
}

/** @throws Problem insufficient_user_authentication when it was longer ago than a recent sign-in may be */
export function checkRecentSignIn(session: Pick<ActorSession, 'authenticatedSecondsAgo'>): void {
  if (!hasRecentSignIn(session)) throw needsRecentSignIn();
}

/** Whether the person of a session has proven who they are a short time ago. */
export function hasRecentSignIn({
  authenticatedSecondsAgo,
}: Pick<ActorSession, 'authenticatedSecondsAgo'>): boolean {
  return authenticatedSecondsAgo < recentSignInSeconds;
}

/** The answer to a session whose sign-in is too long ago. */
export function needsRecentSignIn(): Problem {
  return insufficientAuthentication('This needs a sign-in of the last 15 minutes.', recentSignInSeconds);
}

/** The answer to a session of one factor in an organization that asks for two. */
export function needsTwoFactors(): Problem {
  return insufficientAuthentication('The organization requires two factors to sign in.');
}

/**
 * The answer to who is signed in, but not well enough (RFC 9470).
 * @param maxAgeSeconds how long ago the sign-in may be
 */
function insufficientAuthentication(detail: string, maxAgeSeconds?: number): Problem {
  const maxAge = maxAgeSeconds === undefined ? '' : `, max_age="${maxAgeSeconds}"`;
  return new Problem('insufficient_user_authentication', detail, {
    headers: { 'www-authenticate': `Bearer error="insufficient_user_authentication"${maxAge}` },
  });
}

/** The problem for every defect of a token. It does not say which defect. */
export function invalidToken(): Problem {
  return new Problem('token_invalid', undefined, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}
