/** One-time links that replace a sign-in: for the first start, lost factors, and resets. */
import { newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, type Step, type StepResult, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, instant, text } from '../../kernel/database/row.ts';
import { hashSecret, isWellFormedSecret, makeSecret } from '../../kernel/identity/secrets.ts';

/** How long links are good, in seconds. */
const lifetimes = {
  FIRST_START: 600,
  SIGN_IN: 600,
  RESET: 600,
} as const;

export type LinkKind = keyof typeof lifetimes;

/** A link that was made; its secret is shown once. */
export interface NewLink {
  /** With the secret in its fragment, which browsers send to no server and put into no Referer. */
  readonly url: string;
  readonly secret: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

const insertedRow = defineRow({ expiresAt: instant('expires_at') });
const insertLink: Statement = {
  name: 'link_insert',
  text: `INSERT INTO trellis.sign_in_links (id, kind, user_id, secret_hash, expires_at)
    VALUES ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5::float8)) RETURNING ${insertedRow.list}`,
};
const linkRow = defineRow({ userId: text('user_id') });
/** A single statement, so that only one of several concurrent uses succeeds. */
const useLink: Statement = {
  name: 'link_use',
  text: `UPDATE trellis.sign_in_links SET used_at = clock_timestamp()
    WHERE secret_hash = $1 AND kind = ANY ($2) AND used_at IS NULL AND expires_at > clock_timestamp() RETURNING ${linkRow.list}`,
};
const readLink: Statement = {
  name: 'link_read',
  text: `SELECT ${linkRow.list} FROM trellis.sign_in_links
    WHERE secret_hash = $1 AND kind = ANY ($2) AND used_at IS NULL AND expires_at > clock_timestamp()`,
};

/**
 * Makes a link for a user.
 * @param userId uuid
 * @param origin where the page that spends it is
 */
export async function makeLink(
  auth: Database,
  kind: LinkKind,
  userId: string,
  origin: string,
): Promise<NewLink> {
  const secret = makeSecret();
  const [result] = await auth.executeInBackground([
    step(insertLink, [newUuid(), kind, userId, hashSecret('link', secret), String(lifetimes[kind])]),
  ]);
  const page = kind === 'RESET' ? 'reset' : 'link';
  const inserted = insertedRow.first(result);
  if (inserted === undefined) throw new Error('a link was not stored');
  const { expiresAt } = inserted;
  return { url: `${origin}/console/${page}#${secret}`, secret, expiresAt };
}

/** Kinds of links that sign in. */
export const signInLinks: readonly LinkKind[] = ['FIRST_START', 'SIGN_IN'];

/** Spends a link of one of these kinds; `readLinkUser` says whose it was. */
export function takeLinkStep(secret: string, kinds: readonly LinkKind[] = signInLinks): Step {
  return step(useLink, [hashSecret('link', secret), `{${kinds.join(',')}}`]);
}

/** The user (uuid) of a link that was spent or found; null when it was used, has expired or never was. */
export function readLinkUser(result: StepResult | undefined): string | null {
  return linkRow.first(result)?.userId ?? null;
}

/** Whose link it is, without spending it. @returns the user (uuid); null when it was used, has expired or never was */
export async function findLink(
  auth: Database,
  secret: string,
  kinds: readonly LinkKind[],
): Promise<string | null> {
  if (!isWellFormedSecret(secret)) return null;
  const [result] = await auth.queryInBackground([
    step(readLink, [hashSecret('link', secret), `{${kinds.join(',')}}`]),
  ]);
  return readLinkUser(result);
}

const spendResets: Statement = {
  name: 'link_spend_resets',
  text: `UPDATE trellis.sign_in_links SET used_at = clock_timestamp() WHERE user_id = $1 AND kind = 'RESET' AND used_at IS NULL`,
};

/** Spends all links of a user that set a new password. */
export function spendResetsStep(userId: string): Step {
  return step(spendResets, [userId]);
}
