/**
 * Accepting an invitation. People without an account create one with the link, which signs them in. People with an account must
 * be signed in to it: a link never opens an existing account, because whoever invites sees the link too.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { invitations } from '@trellis/schema/resources/invitations.ts';
import { findExcess, grantIn } from '@trellis/schema/rights/permissions.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, type Step, type StepResult, step } from '../../../kernel/database/batch.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { nameResults, stepsOf } from '../../../kernel/database/reads.ts';
import { defineRow, flag, instant, number, text } from '../../../kernel/database/row.ts';
import { setLocal } from '../../../kernel/database/scope.ts';
import { appendEvents, type DomainEvent } from '../../../kernel/events/append.ts';
import { accessLockStep } from '../../../kernel/identity/access-lock.ts';
import { roleColumn } from '../../../kernel/identity/role.ts';
import { hashSecret, isWellFormedSecret, makeSecret } from '../../../kernel/identity/secrets.ts';
import { claimReads, claimSteps, needsClaim } from '../../sign-in/claim.ts';
import type { SignInContext } from '../../sign-in/context.ts';
import type { ChangeRequester } from '../../sign-in/credential-change.ts';
import { proofOf } from '../../sign-in/methods.ts';
import { changePerson } from '../../sign-in/person-change.ts';
import { invalidLink, invalidSession } from '../../sign-in/refusals.ts';
import { insertSessionStep, lockSessionStep, sessionOf } from '../../sign-in/sessions.ts';
import { hashNewPassword, storePasswordStep } from '../../sign-in/set-password.ts';
import type { Attempt, SignInResult } from '../../sign-in/sign-in.ts';
import { findMemberStep, findUserSteps, insertUserStep, joined, joinSteps } from '../members/creation.ts';
import { storedRole } from '../members/storage.ts';
import { readInvitedRole } from './rules.ts';

const openRow = defineRow({
  organizationId: text('i.organization_id'),
  organizationName: text('o.name'),
  id: text('i.id'),
  version: number('i.version'),
  email: text('i.email'),
  normalized: text('i.email_normalized'),
  roleId: text('i.role_id'),
  roleName: text('r.name'),
  roleKey: text('r.key'),
  roleGrants: text('r.grants'),
  sentBy: text('i.sent_by'),
  senderName: text('u.name'),
  senderRole: roleColumn('m', 'sr'),
  expiresAt: instant('i.expires_at'),
  isMailed: flag('i.mail_hash = $1'),
  updatedAt: instant('i.updated_at'),
});

/** An invitation that can be accepted, as it was read. `isMailed`: by the link that was mailed. */
type OpenInvitation = ReturnType<typeof openRow.read>;

const findOpen: Statement = {
  name: 'invitation_find_open',
  text: `SELECT ${openRow.list}
    FROM trellis.invitations i
    JOIN trellis.organizations o ON o.id = i.organization_id AND o.status = 'ACTIVE'
    JOIN trellis.roles r ON r.organization_id = i.organization_id AND r.id = i.role_id
    JOIN trellis.memberships m ON m.organization_id = i.organization_id AND m.user_id = i.sent_by AND m.status = 'ACTIVE'
    JOIN trellis.users u ON u.id = m.user_id AND u.status = 'ACTIVE'
    LEFT JOIN trellis.roles sr ON sr.organization_id = m.organization_id AND sr.id = m.role_id
    WHERE (i.secret_hash = $1 OR i.mail_hash = $1) AND i.status = 'PENDING' AND i.expires_at > clock_timestamp()`,
};
/** Permits locking statements, because there is no key to claim first. */
const begin: Statement = {
  name: 'invitation_begin',
  text: `SELECT ${setLocal('trellis.claimed', `'true'`)}`,
};
const clockRow = defineRow({ now: instant('clock_timestamp()::timestamptz(3)') });
const readClock: Statement = { name: 'invitation_clock', text: `SELECT ${clockRow.list}` };
const markAccepted: Statement = {
  name: 'invitation_accept',
  text: `UPDATE trellis.invitations SET status = 'ACCEPTED', user_id = $3, version = version + 1, updated_at = $4, updated_by = $3
    WHERE organization_id = $1 AND id = $2`,
};

/** What the page of a link shows. @throws Problem link_invalid */
export async function describeInvitation(auth: Database, link: string) {
  const { organizationName, email, roleName, senderName, expiresAt } = await findInvitation(auth, link);
  return { organizationName, email, roleName, senderName, expiresAt };
}

/**
 * Makes an account and a membership, and signs in, in one transaction.
 * @throws Problem link_invalid; validation_failed (the link stays good); conflict where the address has an account, overloaded
 */
export async function acceptWithNewAccount(
  context: SignInContext,
  { link, name, password }: { readonly link: string; readonly name: string; readonly password: string },
  { device, staySignedIn, requestId }: Attempt,
): Promise<SignInResult> {
  const { auth, idleSeconds } = context;
  const { organizationId, organizationName, email, normalized } = await findInvitation(auth, link);
  // Before the account is looked for: a refused password tells nothing of it.
  const passwordHash = await hashNewPassword(context, { email, name }, [organizationName], password);
  const reads = {
    begin: step(begin),
    access: accessLockStep('exclusive', organizationId),
    user: findUserSteps(normalized),
    open: findOpenStep(link),
    clock: step(readClock),
  };
  const userId = newUuid();
  const secret = makeSecret();
  const wanted = { userId, device, proofs: [proofOf('LINK')], staySignedIn, idleSeconds };
  const session = await auth.backgroundTransaction(stepsOf(reads), async (found, transaction) => {
    const { user, open, clock } = nameResults(reads, found);
    const invitation = readOpen(open);
    const now = clockRow.first(clock)?.now;
    if (invitation === null) throw invalidLink();
    if (now === undefined) throw new Error('the clock was not read');
    if (user.rows.length > 0) {
      throw new Problem('conflict', 'An account with this address exists. Sign in to it to accept.');
    }
    const account = { id: userId, email, normalized, name, isAddressProven: invitation.isMailed };
    const [, inserted] = await transaction.commit([
      insertUserStep(account),
      insertSessionStep(wanted, secret),
      storePasswordStep(userId, passwordHash),
      ...acceptSteps(invitation, userId, now, requestId),
    ]);
    return sessionOf(inserted);
  });
  const account = { userId, email, name, passwordHash, hasTotp: false, credentialVersion: 0 };
  return { opened: { session, secret }, account, staySignedIn };
}

/**
 * Makes the person of a session a member. The link that was mailed shows besides that the account is theirs, which somebody else may have
 * prepared: it is claimed, and this session is all that stays of it.
 * @throws Problem link_invalid, session_invalid, permission_denied for an invitation of another address, conflict for a member
 */
export async function acceptSignedIn(
  { auth }: SignInContext,
  { current: { session, secret }, requestId }: ChangeRequester,
  link: string,
): Promise<void> {
  const { organizationId, normalized, isMailed } = await findInvitation(auth, link);
  const { userId } = session;
  await changePerson(auth, {
    userId,
    requestId,
    reads: {
      begin: step(begin),
      claim: isMailed ? claimReads(userId, session.id, organizationId) : undefined,
      access: accessLockStep('exclusive', organizationId),
      session: lockSessionStep(session, secret),
      user: findUserSteps(normalized),
      member: findMemberStep(organizationId, normalized),
      open: findOpenStep(link),
    },
    decide({ rows, context }) {
      if (rows.session.affected !== 1) throw invalidSession();
      const invitation = readOpen(rows.open);
      if (invitation === null) throw invalidLink();
      if (rows.user.rows[0]?.[0] !== userId) {
        throw new Problem('permission_denied', `The invitation is for ${invitation.email}.`);
      }
      if (rows.member.rows.length > 0) throw new Problem('conflict', 'You are already a member.');
      const { claim } = rows;
      return {
        steps: [
          ...(claim !== undefined && needsClaim(claim) ? claimSteps(claim, context) : []),
          ...acceptSteps(invitation, userId, context.instant, requestId),
        ],
        result: () => undefined,
      };
    },
  });
}

function findOpenStep(link: string): Step {
  return step(findOpen, [hashSecret('invitation', link)]);
}

/** @throws Problem link_invalid */
async function findInvitation(auth: Database, link: string): Promise<OpenInvitation> {
  if (!isWellFormedSecret(link)) throw invalidLink();
  const [found] = await auth.queryInBackground([findOpenStep(link)]);
  const invitation = readOpen(found);
  if (invitation === null) throw invalidLink();
  return invitation;
}

/** Null if there is none, or if its sender could no longer send it: lost rights cannot be passed on by old links. */
function readOpen(result: StepResult | undefined): OpenInvitation | null {
  const found = openRow.first(result);
  if (found === undefined) return null;
  const { roleId, roleKey, roleGrants, senderRole } = found;
  const invited = readInvitedRole([roleId, roleKey, roleGrants]);
  if (invited === null || senderRole === null) return null;
  if (grantIn(senderRole.rights, invitations.name, 'create') === null) return null;
  return findExcess(invited.rights, senderRole.rights) === null ? found : null;
}

/** The steps that accept an invitation for an existing account, with their events. @param now RFC 3339 */
function acceptSteps(
  { organizationId, id, version, roleId, sentBy, updatedAt }: OpenInvitation,
  userId: string,
  now: string,
  requestId: string,
): Step[] {
  // A record's clock never goes backwards.
  const instant = now > updatedAt ? now : updatedAt;
  const events: DomainEvent[] = [
    {
      type: 'invitation.accepted',
      subjectType: 'invitation',
      subjectId: id,
      parentId: null,
      subjectVersion: version + 1,
      changedFields: ['status', 'userId'],
      readers: null,
      occurredAt: instant,
    },
    joined(userId, instant),
  ];
  return [
    // First, because the database permits memberships of accepted invitations only.
    step(markAccepted, [organizationId, id, userId, instant]),
    ...joinSteps(organizationId, userId, storedRole(roleId), sentBy, instant),
    ...appendEvents(events, {
      organizationId,
      userId,
      clientId: null,
      tokenId: null,
      methods: null,
      requestId,
    }),
  ];
}
