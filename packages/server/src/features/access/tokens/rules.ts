/**
 * Rules of tokens: people make them for themselves, and for service members if they manage members. Nobody makes, replaces or revokes one
 * that may do more than they may, whether by its scopes, its interfaces or the role of the user that it acts for.
 */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { scopeOf } from '@trellis/schema/resources/resource.ts';
import { namesOf, type ValuesOf, withChanges } from '@trellis/schema/resources/stored-values.ts';
import type { tokens } from '@trellis/schema/resources/tokens.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { toInstant } from '@trellis/schema/values/clock.ts';
import { type Statement, type Step, type StepResult, step } from '../../../kernel/database/batch.ts';
import { defineRow, flag, text } from '../../../kernel/database/row.ts';
import { type Actor, findGrant, operator } from '../../../kernel/identity/actor.ts';
import { roleColumn } from '../../../kernel/identity/role.ts';
import { claimedCondition } from '../../../kernel/pipeline/locks.ts';
import type { Rules } from '../../../kernel/pipeline/model.ts';
import { Refusal } from '../../../kernel/pipeline/refusal.ts';
import type { Target } from '../../../kernel/pipeline/storage.ts';
import { checkWithin } from '../rights.ts';

/** The values of a token. */
export type TokenValues = ValuesOf<typeof tokens>;

const ownerRow = defineRow({ role: roleColumn(), isService: flag('m.responsible_user_id IS NOT NULL') });
/** A membership that is ending meanwhile is waited for, and has no token afterwards. */
const shareMembership: Statement = {
  name: 'share_membership',
  text: `SELECT ${ownerRow.list} FROM trellis.memberships m
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    WHERE m.organization_id = $1 AND m.user_id = $2 AND ${claimedCondition} FOR KEY SHARE OF m`,
};
const kindRow = defineRow({ kind: text('kind') });
const findKind: Statement = {
  name: 'find_kind_of_client',
  text: `SELECT ${kindRow.list} FROM trellis.clients WHERE organization_id = $1 AND id = $2`,
};
const findRoleOfOwner: Statement = {
  name: 'find_role_of_token',
  text: `SELECT ${ownerRow.list} FROM trellis.tokens t
    JOIN trellis.memberships m ON m.organization_id = t.organization_id AND m.user_id = t.user_id
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    WHERE t.organization_id = $1 AND t.id = $2`,
};

/** What is read before a token is made. */
type CreationReads = {
  /** The role of the user that the token is to act for. */
  readonly role?: Step;
  readonly client?: Step;
};
/** What is read before a token is replaced or revoked. */
export type OwnerReads = { readonly role: Step };

/** Kinds of clients whose tokens are not records: those of pages would be public, those of the console belong to sessions. */
const withoutTokens: readonly unknown[] = ['BROWSER', 'CONSOLE'];

/** Rules of tokens. */
export const tokenRules: Rules<typeof tokens, CreationReads, OwnerReads> = {
  reads({ organizationId, userId, id }, { values }) {
    if (id !== null) return {};
    return {
      role: step(shareMembership, [organizationId, String(values.userId ?? userId)]),
      client: step(findKind, [organizationId, String(values.clientId)]),
    };
  },
  create(given, { actor, instant, rows }) {
    const values = withChanges(given, {
      userId: given.userId ?? actor.userId,
      resources: given.resources.length === 0 ? ['api'] : given.resources,
      expiresAt: given.neverExpires ? null : endOf(instant, given.lifetimeDays),
      // An operator may give a part of a day.
      lifetimeDays: Math.ceil(given.lifetimeDays),
    });
    return checkKind(rows.client) ?? checkTokenRights(actor, values, rows.role) ?? values;
  },
  update(before, patch, merged) {
    const faults = namesOf(patch)
      .filter(
        (name) => name !== 'name' && JSON.stringify(merged[name]) !== JSON.stringify(before.values[name]),
      )
      .map((name): Fault => ({ pointer: `/${name}`, code: 'fixed', detail: 'Cannot be changed.' }));
    if (faults.length > 0)
      return new Refusal(new Problem('validation_failed', undefined, { errors: faults }));
    return { values: merged, events: ['updated'] };
  },
  removalReads: (target) => ownerReads(target),
  remove: (before, { actor, rows }) => checkTokenRights(actor, before.values, rows.role, false) ?? [],
};

/** When a token ends that is made at an instant. */
export function endOf(instant: string, lifetimeDays: number): string {
  return toInstant(Date.parse(instant) + Math.round(lifetimeDays * 86_400_000));
}

/** Reads the role of the user that a token acts for. */
export function ownerReads({ organizationId, id }: Target): OwnerReads {
  return { role: step(findRoleOfOwner, [organizationId, id]) };
}

/**
 * Refuses what goes beyond the rights of the caller.
 * @param role the role of the user that the token acts for; a former member has none
 * @param gives whether the caller obtains a token, as opposed to revoking one
 */
export function checkTokenRights(
  actor: Actor,
  { userId, scopes, resources }: TokenValues,
  role: StepResult | undefined,
  gives = true,
): Refusal | null {
  const owner = ownerRow.first(role);
  const held = owner?.role ?? null;
  const isOwn = userId === actor.userId;
  const refused = gives ? checkMaker(actor, isOwn, owner?.isService === true) : null;
  if (refused !== null) return refused;
  if (!isOwn && held !== null) {
    const beyond = checkWithin(actor.role.rights, held.rights, `The role "${held.key}"`);
    if (beyond !== null) return beyond;
  }
  if (!gives) return null;
  if (held === null) return new Refusal(new Problem('permission_denied', 'The user is no longer a member.'));
  const known = scopes.filter((scope) => allScopes.includes(scope));
  const granted = findGrant(actor, { scopes: known, module: null, permission: null });
  if (granted instanceof Problem) return new Refusal(granted);
  // A session is the person, who may use every interface.
  const beyond = resources.find(
    (resource) => actor.session === null && !actor.audiences.some((audience) => audience === resource),
  );
  if (beyond === undefined) return null;
  const detail = `Your token is not for the resource "${beyond}", so it cannot create one that is.`;
  return new Refusal(new Problem('permission_denied', detail));
}

/** Whoever keeps the secret of a token acts as its user: that is themselves, or a program that they may manage. */
function checkMaker(actor: Actor, isOwn: boolean, isService: boolean): Refusal | null {
  if (actor.isService) return denied('A service member makes no tokens: a person makes them.');
  if (isOwn || actor === operator) return null;
  if (!isService)
    return denied(
      'A token acts for the person who creates it. For a program, create a service member and a token for it.',
    );
  const permission = { resource: members.name, action: 'update' } as const;
  const granted = findGrant(actor, { scopes: [scopeOf(members, 'write')], module: null, permission });
  return granted instanceof Problem ? new Refusal(granted) : null;
}

function denied(detail: string): Refusal {
  return new Refusal(new Problem('permission_denied', detail));
}

function checkKind(found: StepResult | undefined): Refusal | null {
  const kind = kindRow.first(found)?.kind;
  if (!withoutTokens.includes(kind)) return null;
  const detail = `A client of the kind ${kind} has no tokens.`;
  const errors = [{ pointer: '/clientId', code: 'kind', detail }];
  return new Refusal(new Problem('validation_failed', `/clientId: ${detail}`, { errors }));
}
