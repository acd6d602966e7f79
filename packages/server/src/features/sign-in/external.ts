/**
 * Signs in by an account at an OpenID Connect provider: authorization code flow with PKCE, state and nonce (OpenID Connect Core
 * 1.0, RFC 7636, RFC 9207). Accounts are identified by issuer and subject only.
 */
import { Problem } from '@trellis/schema/problem.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, instant, number, text } from '../../kernel/database/row.ts';
import type { Owner } from './accounts.ts';
import { type ChangeRequester, changeCredentials } from './credential-change.ts';
import { versionOf } from './credential-version.ts';
import { signInFailed } from './refusals.ts';

/** The operator's settings of the provider. */
export interface ExternalSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the page calls it. */
  readonly name: string;
}

/** The state to keep until the browser returns from the provider. */
export interface ExternalRequest {
  readonly codeVerifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly redirectUri: string;
  /** Since when the provider must have asked the person, in ms since 1970; null: it may know them from before. */
  readonly askedSinceMs: number | null;
}

/** An account at the provider. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Whether the provider says that it has asked for several factors (RFC 8176: `mfa`). */
  readonly isMultiFactor: boolean;
  /** When the person has signed in there, in ms since 1970; where the provider does not say, as long ago as is asked for at most. */
  readonly authenticatedAtMs: number;
}

/** How long ago the sign-in at the provider may be, in seconds (`max_age`); with this parameter it has to say when it was. */
const oldestSignInSeconds = 86_400;
/** By how much the clock of the provider may differ, in ms. */
const clockToleranceMs = 30_000;

/** Path of the page that the provider sends the browser back to. */
const callbackPath = '/console/external';
/** Seconds that the provider may take to respond. */
const timeoutSeconds = 10;

export class ExternalProvider {
  readonly name: string;
  private readonly settings: ExternalSettings;
  private configuration: Promise<Configuration> | undefined;

  constructor(settings: ExternalSettings) {
    this.settings = settings;
    this.name = settings.name;
  }

  /**
   * The URL that the browser is sent to, and the state to store.
   * @param asksAgain whether the provider must ask the person, also when it knows who they are
   * @throws Problem external_unavailable
   */
  async begin(origin: string, asksAgain: boolean): Promise<{ url: string; request: ExternalRequest }> {
    const configuration = await this.configure();
    const codeVerifier = randomPKCECodeVerifier();
    const request = {
      codeVerifier,
      state: randomState(),
      nonce: randomNonce(),
      redirectUri: `${origin}${callbackPath}`,
      askedSinceMs: asksAgain ? Date.now() : null,
    };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: request.redirectUri,
      scope: 'openid',
      state: request.state,
      nonce: request.nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(asksAgain ? { prompt: 'login', max_age: '0' } : { max_age: String(oldestSignInSeconds) }),
    });
    return { url: url.href, request };
  }

  /**
   * Exchanges what the browser has come back with.
   * @param query of the page's address, without the question mark
   * @throws Problem sign_in_failed, external_unavailable
   */
  async finish(request: ExternalRequest, query: string): Promise<ExternalIdentity> {
    const configuration = await this.configure();
    const url = new URL(request.redirectUri);
    url.search = query;
    const tokens = await authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: request.codeVerifier,
      expectedState: request.state,
      expectedNonce: request.nonce,
      idTokenExpected: true,
    }).catch((cause: unknown) => {
      throw signInFailed('The provider has not confirmed who you are.', cause);
    });
    const claims = tokens.claims();
    if (claims === undefined) throw signInFailed('The provider has not confirmed who you are.');
    const { amr, auth_time: signedInAt } = claims;
    const now = Date.now();
    const authenticatedAtMs =
      typeof signedInAt === 'number' ? Math.min(signedInAt * 1_000, now) : now - oldestSignInSeconds * 1_000;
    if (request.askedSinceMs !== null && authenticatedAtMs < request.askedSinceMs - clockToleranceMs) {
      throw signInFailed('The provider did not ask you to sign in again.');
    }
    return {
      authenticatedAtMs,
      issuer: claims.iss,
      subject: claims.sub,
      isMultiFactor: Array.isArray(amr) && amr.includes('mfa'),
    };
  }

  /** Reads the provider's metadata once; again after a failure. */
  private async configure(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    // The operator has written http themselves: a provider on the same machine, or in a test.
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    this.configuration ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      timeout: timeoutSeconds,
    });
    try {
      return await this.configuration;
    } catch (cause) {
      this.configuration = undefined;
      throw new Problem('external_unavailable', undefined, { headers: { 'retry-after': '5' }, cause });
    }
  }
}

const ownerRow = defineRow({ userId: text('e.user_id'), credentialVersion: number(versionOf('e.user_id')) });
const readOwner: Statement = {
  name: 'external_owner',
  text: `SELECT ${ownerRow.list} FROM trellis.external_identities e WHERE e.issuer = $1 AND e.subject = $2`,
};
const insertIdentity: Statement = {
  name: 'external_insert',
  text: `INSERT INTO trellis.external_identities (id, issuer, subject, user_id) VALUES ($1, $2, $3, $4)
    ON CONFLICT (issuer, subject) DO NOTHING`,
};
const identityRow = defineRow({
  id: text('id'),
  issuer: text('issuer'),
  subject: text('subject'),
  createdAt: instant('created_at'),
});
const readIdentities: Statement = {
  name: 'external_read',
  text: `SELECT ${identityRow.list} FROM trellis.external_identities WHERE user_id = $1 ORDER BY id`,
};
const deleteIdentity: Statement = {
  name: 'external_delete',
  text: 'DELETE FROM trellis.external_identities WHERE user_id = $1 AND id = $2',
};

/** The user with the external account; null if there is none. */
export async function findOwner(
  auth: Database,
  { issuer, subject }: ExternalIdentity,
): Promise<Owner | null> {
  const [result] = await auth.queryInBackground([step(readOwner, [issuer, subject])]);
  return ownerRow.first(result) ?? null;
}

/** Links the account to the caller. Repeating it is not an error. @throws Problem conflict when it is linked to somebody else */
export async function connectIdentity(
  auth: Database,
  by: ChangeRequester,
  identity: ExternalIdentity,
): Promise<void> {
  const { userId } = by.current.session;
  const { issuer, subject } = identity;
  const isNew = await changeCredentials(auth, by, {
    reads: { inserted: step(insertIdentity, [newUuid(), issuer, subject, userId]) },
    decide: ({ inserted }) =>
      inserted.affected === 1
        ? { steps: [], event: { what: 'factor_added', changed: ['external'] }, result: () => true }
        : { steps: [], event: null, result: () => false },
  });
  if (isNew || (await findOwner(auth, identity))?.userId === userId) return;
  throw new Problem('conflict', 'The account at the provider is connected with another user.', {
    members: { field: 'subject' },
  });
}

/** An account at the provider that is connected with a user. */
export interface ConnectedIdentity {
  /** Uuid. */
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly createdAt: string;
}

/** The accounts of a user. */
export async function listIdentities(auth: Database, userId: string): Promise<ConnectedIdentity[]> {
  const [result] = await auth.queryInBackground([step(readIdentities, [userId])]);
  return identityRow.all(result);
}

/** Removes the caller's external account. @returns whether there was one */
export async function disconnectIdentity(auth: Database, by: ChangeRequester, id: string): Promise<boolean> {
  return changeCredentials(auth, by, {
    reads: { deleted: step(deleteIdentity, [by.current.session.userId, id]) },
    decide: ({ deleted }) =>
      deleted.affected === 1
        ? { steps: [], event: { what: 'factor_removed', changed: ['external'] }, result: () => true }
        : { steps: [], event: null, result: () => false },
  });
}
