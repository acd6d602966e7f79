/** Rules of invitations that need the database: nobody invites to a role beyond their own, or somebody who is already a member or invited. */

import { Problem } from '@trellis/schema/problem.ts';
import { invitations } from '@trellis/schema/resources/invitations.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { withChanges } from '@trellis/schema/resources/stored-values.ts';
import { normalizeAddress } from '@trellis/schema/values/address.ts';
import { toInstant } from '@trellis/schema/values/clock.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type Row, type Statement, type Step, step } from '../../../kernel/database/batch.ts';
import type { Actor } from '../../../kernel/identity/actor.ts';
import { type MemberRole, readRole } from '../../../kernel/identity/role.ts';
import { advisoryLock } from '../../../kernel/pipeline/locks.ts';
import type { Rules } from '../../../kernel/pipeline/model.ts';
import { Refusal } from '../../../kernel/pipeline/refusal.ts';
import { storedRole } from '../members/storage.ts';
import { checkWithin } from '../rights.ts';

/** How long a link is good, in ms. */
const lifetimeMs = 7 * 86_400_000;

/** What stands against an invitation: a member of the address, another pending invitation to it, and how many there are. */
const readOthers = (wanted: string) => `SELECT
    EXISTS (SELECT FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
      WHERE m.organization_id = $1 AND lower(u.email) IN (lower(w.email), w.normalized)),
    (SELECT i.id FROM trellis.invitations i WHERE i.organization_id = $1 AND i.email_normalized = w.normalized
      AND i.status = 'PENDING' AND i.id IS DISTINCT FROM w.id),
    (SELECT count(*) FROM trellis.invitations i WHERE i.organization_id = $1 AND i.status = 'PENDING'
      AND i.expires_at > clock_timestamp() AND i.id IS DISTINCT FROM w.id)
  FROM (${wanted}) w (id, email, normalized)`;
const findOthersOfAddress: Statement = {
  name: 'find_others_of_address',
  text: readOthers('VALUES (NULL::uuid, $2::text, $3::text)'),
};
const findOthersOfInvitation: Statement = {
  name: 'find_others_of_invitation',
  text: readOthers(
    'SELECT id, email, email_normalized FROM trellis.invitations WHERE organization_id = $1 AND id = $2',
  ),
};
const findRole: Statement = {
  name: 'find_role_to_invite_to',
  text: 'SELECT id, key, grants FROM trellis.roles WHERE organization_id = $1 AND id = $2',
};
const findRoleOf: Statement = {
  name: 'find_role_of_invitation',
  text: `SELECT r.id, r.key, r.grants FROM trellis.invitations i
    JOIN trellis.roles r ON r.organization_id = i.organization_id AND r.id = i.role_id
    WHERE i.organization_id = $1 AND i.id = $2`,
};

/** What is read before an invitation is made. */
type InvitationReads = {
  /** What stands against it; behind a lock, so that each create sees what the one before has made. */
  readonly others: readonly Step[];
  readonly role: Step;
};

/** Rules of invitations. */
export const invitationRules: Rules<typeof invitations, InvitationReads> = {
  reads: ({ organizationId }, { values: { email, roleId } }) => ({
    others: [
      advisoryLock(organizationId, invitations.name),
      step(findOthersOfAddress, [organizationId, String(email), normalizeAddress(String(email))]),
    ],
    role: step(findRole, [organizationId, String(roleId)]),
  }),
  create(values, { actor, instant, rows }) {
    const refused =
      checkSender(actor) ??
      checkInvitedRole(actor.role, rows.role.rows[0]) ??
      checkOthers(values.email, rows.others.rows[0]);
    return refused ?? withChanges(values, { status: 'PENDING', expiresAt: expiryOf(instant) });
  },
};

/** When a link expires that is made at an instant. */
export function expiryOf(instant: string): string {
  return toInstant(Date.parse(instant) + lifetimeMs);
}

/** Reads the role of an invitation, for `checkInvitedRole`. */
export function roleOfInvitation(organizationId: string, id: string): Step {
  return step(findRoleOf, [organizationId, id]);
}

/** Reads what stands against sending an invitation again, for `checkOthers`. The access lock, held exclusively, keeps it true. */
export function othersOfInvitation(organizationId: string, id: string): Step {
  return step(findOthersOfInvitation, [organizationId, id]);
}

/**
 * Refuses a service member. A link is good while its sender could send it, and what a service member may depends on who made its token,
 * which a link outlives.
 */
export function checkSender({ isService }: Actor): Refusal | null {
  if (!isService) return null;
  return new Refusal(
    new Problem('permission_denied', 'A service member sends no invitations: a person sends them.'),
  );
}

/** Refuses a role with more permissions than the caller's. @param row the role: its id, key and permissions */
export function checkInvitedRole(caller: MemberRole, row: Row | undefined): Refusal | null {
  const role = readInvitedRole(row);
  return role === null ? null : checkWithin(caller.rights, role.rights, `The role "${role.key}"`);
}

/** The role in a row of its id, key and permissions; null where there is none. */
export function readInvitedRole([id, key, grants]: Row = []): MemberRole | null {
  return id ? readRole(storedRole(id), key, grants) : null;
}

/** Refuses an invitation of a member, a second one to an address, and one beyond the limit. */
export function checkOthers(email: string, row: Row | undefined): Refusal | null {
  const [isMember, invitationId, pending] = row ?? [];
  if (isMember === 't') return conflict(`${email} is already a member.`, {});
  if (invitationId) {
    const existingId = encodeId(invitations.idPrefix, invitationId);
    return conflict(`${email} is invited already: send that invitation again, or revoke it first.`, {
      existingId,
    });
  }
  if (Number(pending) < limits.invitations) return null;
  const detail = `An organization has at most ${limits.invitations} pending invitations.`;
  return new Refusal(new Problem('quota_reached', detail));
}

function conflict(detail: string, existing: Readonly<Record<string, string>>): Refusal {
  const errors = [{ pointer: '/email', code: 'conflict', detail }];
  return new Refusal(new Problem('conflict', detail, { members: { field: 'email', ...existing }, errors }));
}
