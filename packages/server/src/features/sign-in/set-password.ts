/** Storing a password that a person has chosen. */
import { type Statement, type Step, step } from '../../kernel/database/batch.ts';
import { defineRow, text } from '../../kernel/database/row.ts';
import type { Account } from './accounts.ts';
import { hashOwnerOf } from './attempt-subjects.ts';
import { claimReads, claimSteps, needsClaim } from './claim.ts';
import type { SignInContext } from './context.ts';
import { type ChangeRequester, changeCredentials } from './credential-change.ts';
import { raiseVersionStep } from './credential-version.ts';
import { readLinkUser, spendResetsStep, takeLinkStep } from './links.ts';
import { checkNewPassword } from './password-policy.ts';
import { changePerson } from './person-change.ts';
import { credentialEventSteps } from './person-events.ts';
import { invalidLink } from './refusals.ts';
import { endSteps } from './sessions.ts';

const storePassword: Statement = {
  name: 'password_store',
  text: `INSERT INTO trellis.passwords (user_id, hash) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET hash = $2, changed_at = now()`,
};

const organizationRow = defineRow({ key: text('o.key'), name: text('o.name') });
/** The number of organizations that one person can be expected to have. */
const maxOrganizations = 100;
const organizationNames: Statement = {
  name: 'password_organization_names',
  text: `SELECT ${organizationRow.list} FROM trellis.memberships m JOIN trellis.organizations o ON o.id = m.organization_id
    WHERE m.user_id = $1 ORDER BY m.created_at, o.id LIMIT ${maxOrganizations}`,
};

const changed = { what: 'password_changed', changed: ['hasPassword'] } as const;
const redeemed = { what: 'link_redeemed', changed: [] } as const;
/** Sets the caller's password, and ends their other sessions, because a thief of the old password may have opened one. */
export async function setPassword(
  context: SignInContext,
  account: Account,
  password: string,
  by: ChangeRequester,
): Promise<void> {
  const organizations = await readOrganizationNames(context, account.userId);
  const hash = await hashNewPassword(context, account, organizations, password);
  await changeCredentials(context.auth, by, {
    reads: {},
    decide: () => ({ steps: storeSteps(account.userId, hash), event: changed, result: () => undefined }),
  });
}

/**
 * Sets the password of the user of a mailed link, and ends all of their sessions. The same transaction uses up the link, and claims an
 * account that another user may have prepared.
 */
export async function setPasswordByLink(
  context: SignInContext,
  account: Account,
  password: string,
  { link, requestId }: { readonly link: string; readonly requestId: string },
): Promise<void> {
  const { userId } = account;
  const organizations = await readOrganizationNames(context, account.userId);
  const hash = await hashNewPassword(context, account, organizations, password);
  await changePerson(context.auth, {
    userId,
    requestId,
    reads: {
      claim: claimReads(userId, null, null),
      link: takeLinkStep(link, ['RESET']),
    },
    decide({ rows: { claim, link: taken }, context: caused }) {
      if (readLinkUser(taken) !== userId) throw invalidLink();
      return {
        steps: [
          ...(needsClaim(claim)
            ? claimSteps(claim, caused)
            : [raiseVersionStep(userId), ...endSteps(claim.sessions, caused)]),
          ...storeSteps(userId, hash),
          ...credentialEventSteps(claim.memberships.rows, [redeemed, changed], caused),
        ],
        result: () => undefined,
      };
    },
  });
}

/**
 * Hashes a password that somebody has chosen.
 * @param organizations names of those that the person belongs to
 * @throws Problem validation_failed, overloaded
 */
export async function hashNewPassword(
  { hasher }: SignInContext,
  { email, name }: Pick<Account, 'email' | 'name'>,
  organizations: readonly string[],
  password: string,
): Promise<string> {
  await checkNewPassword(password, ['trellis', email, name, ...organizations]);
  return hasher.hash(password, hashOwnerOf({ email }));
}

/** Keys and names of the organizations that a person belongs to: passwords are often made of them. */
async function readOrganizationNames({ auth }: SignInContext, userId: string): Promise<string[]> {
  const [found] = await auth.queryInBackground([step(organizationNames, [userId])]);
  return organizationRow.all(found).flatMap(({ key, name }) => [key, name]);
}

/** Stores the hash of a password. @param hash PHC text */
export function storePasswordStep(userId: string, hash: string): Step {
  return step(storePassword, [userId, hash]);
}

/** Deletes other open reset links, which only a thief could still use. */
function storeSteps(userId: string, hash: string): Step[] {
  return [storePasswordStep(userId, hash), spendResetsStep(userId)];
}
