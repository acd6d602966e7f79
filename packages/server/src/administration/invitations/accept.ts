/**
 * Accepting an invitation. Who has no account makes one by the link, which signs them in. Who has one must be signed in to it: the link
 * alone gives access to no account that is there, since those who may invite see links too.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { invitations } from '@trellis/schema/resources/invitations.ts';
import { findExcess, grantIn } from '@trellis/schema/rights/permissions.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { type Row, type Statement, type Step, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { nameResults, stepsOf } from '../../database/reads.ts';
import { parseTimestamp } from '../../database/values.ts';
import { appendEvents, type DomainEvent } from '../../events/append.ts';
import { accessLockStep } from '../../identity/access-lock.ts';
import { readRole } from '../../identity/role.ts';
import { claimReads, claimSteps, needsClaim } from '../../identity/sign-in/claim.ts';
import type { SignInContext } from '../../identity/sign-in/context.ts';
import type { AskedBy } from '../../identity/sign-in/credential-change.ts';
import { proofOf } from '../../identity/sign-in/methods.ts';
import { changePerson } from '../../identity/sign-in/person-change.ts';
import { invalidLink, invalidSession } from '../../identity/sign-in/refusals.ts';
import { hashSecret, isWellFormedSecret, makeSecret } from '../../identity/sign-in/secrets.ts';
import { insertSessionStep, lockSessionStep, sessionOf } from '../../identity/sign-in/sessions.ts';
import { hashNewPassword, storePasswordStep } from '../../identity/sign-in/set-password.ts';
import type { Attempt, SignInResult } from '../../identity/sign-in/sign-in.ts';
import { findMemberStep, findUserSteps, insertUserStep, joined, joinSteps } from '../members/creation.ts';
import { storedRole } from '../members/storage.ts';
import { readInvitedRole } from './rules.ts';

/** An invitation that can be accepted. Ids are uuids. */
interface OpenInvitation {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly id: string;
  readonly version: number;
  readonly email: string;
  readonly normalized: string;
  readonly roleId: string;
  readonly roleName: string;
  readonly sentBy: string;
  readonly senderName: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  /** Whether the link is the one that was mailed. */
  readonly isMailed: boolean;
  /** RFC 3339. */
  readonly updatedAt: string;
}

const findOpen: Statement = {
  name: 'invitation_find_open',
  text: `SELECT i.organization_id, o.name, i.id, i.version, i.email, i.email_normalized, i.role_id, r.name, i.sent_by, u.name,
      i.expires_at, coalesce(i.mail_hash = $1, false), r.key, r.grants, m.role, sr.key, sr.grants, i.updated_at
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
  text: `SELECT set_config('trellis.claimed', 'true', true)`,
};
const readClock: Statement = { name: 'invitation_clock', text: 'SELECT clock_timestamp()::timestamptz(3)' };
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
    const invitation = readOpen(open.rows[0]);
    if (invitation === null) throw invalidLink();
    if (user.rows.length > 0) {
      throw new Problem('conflict', 'There is an account of this address: sign in to it to accept.');
    }
    const account = { id: userId, email, normalized, name, isAddressProven: invitation.isMailed };
    const [, inserted] = await transaction.commit([
      insertUserStep(account),
      insertSessionStep(wanted, secret),
      storePasswordStep(userId, passwordHash),
      ...acceptSteps(invitation, userId, parseTimestamp(clock.rows[0]?.[0] ?? ''), requestId),
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
  { current: { session, secret }, requestId }: AskedBy,
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
      const invitation = readOpen(rows.open.rows[0]);
      if (invitation === null) throw invalidLink();
      if (rows.user.rows[0]?.[0] !== userId) {
        throw new Problem('permission_denied', `The invitation is for ${invitation.email}.`);
      }
      if (rows.member.rows.length > 0) throw new Problem('conflict', 'You are a member already.');
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
  const invitation = readOpen(found?.rows[0]);
  if (invitation === null) throw invalidLink();
  return invitation;
}

/** Null where there is none, or its sender could not send it any more: what somebody has lost they cannot pass on by old links. */
function readOpen(row: Row | undefined): OpenInvitation | null {
  if (row === undefined) return null;
  const text = (index: number) => row[index] ?? '';
  const [roleKey, roleGrants, senderRole, senderKey, senderGrants, updatedAt] = row.slice(12);
  const invited = readInvitedRole([text(6), roleKey ?? null, roleGrants ?? null]);
  const sender = readRole(senderRole, senderKey, senderGrants);
  if (invited === null || sender === null) return null;
  if (grantIn(sender.rights, invitations.name, 'create') === null) return null;
  if (findExcess(invited.rights, sender.rights) !== null) return null;
  return {
    organizationId: text(0),
    organizationName: text(1),
    id: text(2),
    version: Number(text(3)),
    email: text(4),
    normalized: text(5),
    roleId: text(6),
    roleName: text(7),
    sentBy: text(8),
    senderName: text(9),
    expiresAt: parseTimestamp(text(10)),
    isMailed: text(11) === 't',
    updatedAt: parseTimestamp(updatedAt ?? ''),
  };
}

/** The steps that accept an invitation for an account that is there, with their events. @param now RFC 3339 */
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
      changedFields: ['status'],
      readers: null,
      occurredAt: instant,
    },
    joined(userId, instant),
  ];
  return [
    // First: the database lets nobody in but for an accepted invitation.
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
