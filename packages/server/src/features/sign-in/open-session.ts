/** Opens a session, the last step of a sign-in. */
import type { Database } from '../../kernel/database/database.ts';
import { makeSecret } from '../../kernel/identity/secrets.ts';
import { claimReads, claimSteps, needsClaim } from './claim.ts';
import { readLinkUser, takeLinkStep } from './links.ts';
import { changePerson } from './person-change.ts';
import { credentialEventSteps } from './person-events.ts';
import { invalidLink, signInFailed } from './refusals.ts';
import { insertSessionStep, type NewSession, type OpenedSession, sessionOf } from './sessions.ts';

/** A proof of the user's identity. */
export interface ProvenSession extends NewSession {
  /** The credential version when the proof was checked, or the secret of the link that is the proof. */
  readonly proven: { readonly version: number } | { readonly link: string };
  readonly requestId: string;
}

const redeemed = { what: 'link_redeemed', changed: [] } as const;

/**
 * Opens a session with a new secret. If a link is the proof, the same transaction uses it up and claims an account that another user may
 * have prepared: an operator has given the link to the owner of the account.
 * @throws Problem sign_in_failed when the proven credential was changed since, link_invalid when the link was used in the meantime
 */
export async function openSession(auth: Database, wanted: ProvenSession): Promise<OpenedSession> {
  const { userId, proven, requestId } = wanted;
  const secret = makeSecret();
  const isLink = 'link' in proven;
  return changePerson(auth, {
    userId,
    requestId,
    reads: {
      claim: isLink ? claimReads(userId, null, null) : undefined,
      link: isLink ? takeLinkStep(proven.link) : undefined,
    },
    decide({ rows: { claim, link }, version, context }) {
      if (isLink && readLinkUser(link) !== userId) throw invalidLink();
      if (!isLink && proven.version !== version) throw signInFailed();
      return {
        steps: [
          insertSessionStep(wanted, secret),
          ...(claim !== undefined && needsClaim(claim) ? claimSteps(claim, context) : []),
          ...credentialEventSteps(claim?.memberships.rows ?? [], [redeemed], context),
        ],
        result: ([inserted]) => ({ session: sessionOf(inserted), secret }),
      };
    },
  });
}
