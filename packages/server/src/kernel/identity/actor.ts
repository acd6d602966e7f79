/**
 * Authentication and authorization, as functions of one row with the current state. Their result, the actor, is passed on as
 * an argument.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { modules } from '@trellis/schema/resources/resource.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { checkRight, type MissingRight, type NeededRight } from '@trellis/schema/rights/check-right.ts';
import { findExcess, type Grant, grantIn, rightsOf } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { type Statement, type Step, type StepResult, step } from '../database/batch.ts';
import { defineRow, flag, instant, nullable, number, text, texts } from '../database/row.ts';
import { type MemberRole, readRole, roleColumn } from './role.ts';

/** The interfaces a token can be for (RFC 8707 resource indicators): `{base}/v1` and `{base}/sandbox`. */
export const audiences = ['api', 'sandbox'] as const;
export type Audience = (typeof audiences)[number];

/** The session of a token: the methods and the time of the sign-in. */
export interface ActorSession {
  /** Uuid. */
  readonly id: string;
  /** Seconds since the person last proved their identity, at the time of the read. */
  readonly authenticatedSecondsAgo: number;
  /** How the person signed in: `PASSWORD`, `TOTP`, `PASSKEY` … */
  readonly methods: readonly string[];
}

/** The caller: the token's bindings, and the state against which it was checked. */
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

/** An operator, as rules see them: they have all rights, but are not a user. Records that they change have no editor. */
export const operator: Actor = {
  organizationId: '',
  tokenId: '',
  userId: '',
  clientId: '',
  role: { id: builtInRoleIds.OWNER, key: 'OWNER', builtIn: 'OWNER', rights: rightsOf('OWNER') },
  scopes: new Set(allScopes),
  audiences,
  modules: new Set(modules),
  country: null,
  session: null,
  isService: false,
};

/** The requirements of an operation, checked in the order of the specification: scope, module, role. */
export type Requirement = NeededRight;

/** How long a sign-in counts as recent, in seconds. */
const recentSignInSeconds = 15 * 60;

/** When a session's token ends unless it is used; null for other tokens. The instant of last use is right within a minute. */
const idleEnd = 'coalesce(t.last_used_at, t.created_at) + make_interval(secs => t.idle_seconds)';

/**
 * The role of the creator of a token that acts for another user, as JSON for `readRole`; null for tokens made by the user or an operator,
 * and for creators who are no longer active members.
 */
const makerRole = `CASE WHEN t.created_by <> t.user_id THEN (
      SELECT json_build_array(k.role, kr.key, kr.grants::text)::text FROM trellis.memberships k
      JOIN trellis.users ku ON ku.id = k.user_id AND ku.status = 'ACTIVE'
      LEFT JOIN trellis.roles kr ON kr.organization_id = k.organization_id AND kr.id = k.role_id
      WHERE k.organization_id = $1 AND k.user_id = t.created_by AND k.status = 'ACTIVE') END`;

/** The state of a token and of everything it is bound to. What is joined may be missing. */
export const identityRow = defineRow({
  tokenId: text('t.id'),
  userId: text('t.user_id'),
  clientId: text('t.client_id'),
  organizationId: text('t.organization_id'),
  audiences: texts('t.resources'),
  scopes: texts('t.scopes'),
  organization: text('o.status'),
  modules: texts('o.modules'),
  country: nullable(text('o.default_country')),
  client: text('c.status'),
  user: nullable(text('u.status')),
  membership: nullable(text('m.status')),
  role: roleColumn(),
  isService: flag('m.responsible_user_id IS NOT NULL'),
  isMadeByOther: flag('t.created_by <> t.user_id'),
  maker: nullable(text(makerRole)),
  hasEnded: flag(
    `t.revoked_at IS NOT NULL OR t.expires_at <= clock_timestamp() OR ${idleEnd} <= clock_timestamp()`,
  ),
  expiresAt: nullable(instant(`least(t.expires_at, ${idleEnd})`)),
  isUseToBeNoted: flag(
    `t.last_used_at IS NULL OR t.last_used_at < clock_timestamp() - interval '45 seconds'`,
  ),
  sessionId: nullable(text('t.session_id')),
  authenticatedSecondsAgo: nullable(number('extract(epoch FROM clock_timestamp() - t.authenticated_at)')),
  methods: nullable(texts('t.sign_in_methods')),
  lacksFactor: flag('o.mfa_required AND NOT t.multi_factor'),
  now: instant('clock_timestamp()::timestamptz(3)'),
});

/** The state of a token, as it was read. */
export type Identity = ReturnType<typeof identityRow.read>;

/**
 * SQL that reads the state of a token; no row for an unknown one. $1 and $2 are the organization and the hash.
 * @param further what else is read with it, as a select list
 * @param joins where that comes from
 */
export const identityQuery = (further = '', joins = '') => `
    SELECT ${identityRow.list}${further}
    FROM trellis.tokens t
    JOIN trellis.organizations o ON o.id = t.organization_id
    JOIN trellis.clients c ON c.organization_id = t.organization_id AND c.id = t.client_id
    LEFT JOIN trellis.memberships m ON m.organization_id = t.organization_id AND m.user_id = t.user_id
    LEFT JOIN trellis.users u ON u.id = m.user_id
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    ${joins}
    WHERE t.organization_id = $1 AND t.secret_hash = $2`;
const identityStatement: Statement = { name: 'identity', text: identityQuery() };

/** The hash of a token, hexadecimal, and the organization that it is for. */
interface TokenHash {
  readonly organizationId: string;
  readonly tokenHash: string;
}

/** The step that reads the state of a token. */
export function identityStep(token: TokenHash): Step {
  return step(identityStatement, identityValues(token));
}

/** The parameters $1 and $2 of `identityQuery`. */
export function identityValues({ organizationId, tokenHash }: TokenHash): [string, Buffer] {
  return [organizationId, Buffer.from(tokenHash, 'hex')];
}

/** Decodes the result of `identityQuery`; undefined for an unknown token. */
export function readIdentity(result: StepResult | undefined): Identity | undefined {
  return identityRow.all(result)[0];
}

/** Checks 1 and 2: the token, and that organization, user, membership and client are active. */
export function identify(found: Identity | undefined, audience: Audience): Actor {
  if (found === undefined || found.hasEnded) throw invalidToken();
  const { organizationId, tokenId, userId, clientId, role, audiences, organization, isService, sessionId } =
    found;
  const active = [found.user, found.membership, found.client].every((status) => status === 'ACTIVE');
  if (!audiences.includes(audience))
    throw active && organization === 'ACTIVE' ? otherInterface(audience) : invalidToken();
  if (organization !== 'ACTIVE') throw new Problem('organization_suspended');
  if (!active || role === null) throw invalidToken();
  if (found.isMadeByOther && !(isService && mayHold(found.maker, role))) throw invalidToken();
  if (found.lacksFactor) throw needsTwoFactors();
  return {
    organizationId,
    tokenId,
    userId,
    clientId,
    role,
    scopes: new Set(found.scopes),
    audiences,
    modules: new Set(found.modules),
    country: found.country,
    session:
      sessionId === null
        ? null
        : {
            id: sessionId,
            // Without an instant the sign-in counts as too long ago.
            authenticatedSecondsAgo: found.authenticatedSecondsAgo ?? Number.POSITIVE_INFINITY,
            methods: found.methods ?? [],
          },
    isService,
  };
}

/** Whether the creator of a service member's token currently has all permissions of its role. @param maker see `makerRole` */
function mayHold(maker: string | null, role: MemberRole): boolean {
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

/** Whether the person of a session has proved their identity within the given time. */
export function hasRecentSignIn(
  { authenticatedSecondsAgo }: Pick<ActorSession, 'authenticatedSecondsAgo'>,
  withinSeconds = recentSignInSeconds,
): boolean {
  return authenticatedSecondsAgo < withinSeconds;
}

/**
 * The response to a session whose sign-in is longer ago than that.
 * @param reason the begin of the sentence, where it says why: `Deleting more`
 */
export function needsRecentSignIn(withinSeconds = recentSignInSeconds, reason?: string): Problem {
  const end = `a sign-in within the last ${withinSeconds / 60} minutes.`;
  const detail = reason === undefined ? `Requires ${end}` : `${reason} requires ${end}`;
  return insufficientAuthentication(detail, withinSeconds);
}

/** The response to a session of one factor in an organization that asks for two. */
export function needsTwoFactors(): Problem {
  return insufficientAuthentication('The organization requires two factors to sign in.');
}

/**
 * The response to a caller whose authentication is insufficient (RFC 9470).
 * @param maxAgeSeconds how long ago the sign-in may be
 */
function insufficientAuthentication(detail: string, maxAgeSeconds?: number): Problem {
  const maxAge = maxAgeSeconds === undefined ? '' : `, max_age="${maxAgeSeconds}"`;
  return new Problem('insufficient_user_authentication', detail, {
    headers: { 'www-authenticate': `Bearer error="insufficient_user_authentication"${maxAge}` },
  });
}

/** Names of the interfaces in messages. */
const interfaces: Readonly<Record<Audience, string>> = { api: 'the API under /v1', sandbox: 'the sandbox' };

/** The problem for a valid token of the other interface. Naming that interface is safe, because the token proves its owner. */
function otherInterface(audience: Audience): Problem {
  const other = audiences.find((name) => name !== audience) ?? audience;
  return invalidToken(
    `This token is for ${interfaces[other]}, not for ${interfaces[audience]}, which needs a token of its own: \`trellis token create --resource ${audience} …\` makes one.`,
  );
}

/** The problem for every defect of a token. Without a detail it does not say which defect. */
export function invalidToken(detail?: string): Problem {
  return new Problem('token_invalid', detail, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}
