/**
 * Authentication of bearer tokens, and of sessions by their cookie. Reads may use identity state that is up to two seconds old,
 * so most of them need no query. Writes are authorized by current state in their transaction; the cached state only serves to
 * refuse them before their body is received.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@trellis/schema/problem.ts';
import { type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { defineRow, text } from '../database/row.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import {
  type Actor,
  type Audience,
  type Identity,
  identify,
  identityStep,
  invalidToken,
  permit,
  type Requirement,
  readIdentity,
} from './actor.ts';
import {
  checkSameOrigin,
  checkUser,
  readOrganizationHeader,
  readUserHeader,
  refuseSessionScopes,
  requestsDraftScopes,
} from './browser-requests.ts';
import { deriveTokenHash, isWellFormedSecret } from './secrets.ts';
import type { SessionCookie } from './session-cookie.ts';
import { hashToken, parseToken } from './tokens.ts';

/** Maximum age of the state that authorizes a read, in ms. */
const stateMaxAgeMs = 2_000;
/** Maximum number of cached tokens per process. */
const maxCached = 10_000;
/** How often the instants of last use are written, in ms; `lastUsedAt` is accurate within a minute. */
const touchIntervalMs = 15_000;

/** A presented token and its immutable bindings. Its validity has not been checked yet. */
export interface Credentials {
  readonly organizationId: string;
  readonly userId: string;
  readonly clientId: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
}

/** How long it is remembered that the token of a hash does not exist, in ms. */
const unknownMs = 5_000;

interface CachedIdentity {
  readonly identity: Identity | undefined;
  /** The actors built from it, by audience. */
  readonly actors: Map<Audience, Actor>;
  /** When it was requested, by the monotonic clock in ms. */
  readonly readAtMs: number;
  /** Until when reads may use it, by the monotonic clock in ms. */
  readonly usableUntilMs: number;
}

const bindingRow = defineRow({
  organizationId: text('organization_id'),
  userId: text('user_id'),
  clientId: text('client_id'),
});

/**
 * Reads the bindings of a presented token before the organization is set. The token text names an organization, which a client can forge;
 * the lookup is safe because the hash covers the whole text.
 */
const readBinding: Statement = {
  name: 'token_binding',
  text: `SELECT ${bindingRow.list} FROM trellis.tokens WHERE organization_id = $1 AND secret_hash = $2`,
};

const touchTokens: Statement = {
  name: 'touch_tokens',
  text: `
    WITH used AS (
      SELECT id FROM trellis.tokens WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE)
    UPDATE trellis.tokens t SET last_used_at = statement_timestamp() FROM used WHERE t.organization_id = $1 AND t.id = used.id`,
};

export class Authenticator {
  private readonly database: Database;
  private readonly cookie: SessionCookie;
  private readonly bindings = new BoundedMap<string, Credentials>(maxCached);
  /**
   * When a hash was found to match no bearer token, by the monotonic clock. Caching this is safe for bearer tokens: nobody can present one
   * before it exists. It is not for session tokens, whose secret exists before the organization is entered.
   */
  private readonly unknown = new BoundedMap<string, number>(maxCached);
  /** Lookups in progress, by hash: concurrent requests of one caller share one. */
  private readonly lookUps = new Map<string, Promise<Credentials | null>>();
  private readonly identities = new BoundedMap<string, CachedIdentity>(maxCached);
  /** When access was changed last here, by organization and the monotonic clock: older rows are not used. */
  private readonly changed = new BoundedMap<string, number>(maxCached);
  /** When anything was changed in any organization, likewise. */
  private allChangedAtMs = Number.NEGATIVE_INFINITY;
  private readonly used = new Map<string, Set<string>>();
  private readonly timer: NodeJS.Timeout;

  constructor(database: Database, cookie: SessionCookie) {
    this.database = database;
    this.cookie = cookie;
    this.timer = setInterval(() => void this.writeLastUsed(), touchIntervalMs);
    this.timer.unref();
  }

  /**
   * Reads who calls from a request's headers: a bearer token, or the cookie of a session with the organization and user that are meant.
   * @param beforeLookup as for `present`
   * @throws Problem token_missing, token_invalid, invalid_header, cross_site_request, wrong_user
   */
  async presentRequest(
    headers: IncomingHttpHeaders,
    beforeLookup?: () => Promise<void>,
  ): Promise<Credentials> {
    const secret = this.cookie.read(headers.cookie);
    if (secret === null) {
      refuseSessionScopes(headers);
      return this.present(headers.authorization, beforeLookup);
    }
    this.cookie.refuseBearer(headers.authorization);
    checkSameOrigin(headers, this.cookie.origin());
    const expectedId = readUserHeader(headers);
    if (!isWellFormedSecret(secret)) throw invalidToken();
    const organizationId = readOrganizationHeader(headers);
    const hash = deriveTokenHash(secret, organizationId, requestsDraftScopes(headers));
    const credentials = await this.lookUp(hash, organizationId, beforeLookup);
    if (credentials === null) throw invalidToken();
    checkUser(expectedId, credentials.userId);
    return credentials;
  }

  /**
   * Reads the Authorization header and finds the organization that the token is bound to.
   * @param beforeLookup called for a token that is not cached, and awaited before the database is queried; may throw
   * @throws Problem token_missing, token_invalid
   */
  async present(authorization: string | undefined, beforeLookup?: () => Promise<void>): Promise<Credentials> {
    if (authorization === undefined || authorization === '') throw missingToken();
    const match = /^Bearer +([^\s]+)$/i.exec(authorization);
    if (match === null) {
      if (/^Bearer\b/i.test(authorization)) throw invalidToken();
      throw missingToken();
    }
    const token = match[1] ?? '';
    const organizationId = parseToken(token);
    if (organizationId === null) throw invalidToken();
    const hash = hashToken(token);
    const foundAtMs = this.unknown.get(hash);
    if (foundAtMs !== undefined && performance.now() - foundAtMs < unknownMs) throw invalidToken();
    const credentials = await this.lookUp(hash, organizationId, beforeLookup);
    if (credentials !== null) return credentials;
    this.unknown.set(hash, performance.now());
    throw invalidToken();
  }

  /**
   * Finds the bindings of the token with a hash; null when there is none.
   * @param organizationId the organization named in the token, which the hash covers
   */
  private async lookUp(
    tokenHash: string,
    organizationId: string,
    beforeLookup?: () => Promise<void>,
  ): Promise<Credentials | null> {
    const known = this.bindings.get(tokenHash);
    if (known !== undefined) return known;
    const underWay = this.lookUps.get(tokenHash);
    // A token may have been created after the running lookup began, so a miss is looked up again.
    const joined = underWay === undefined ? null : await underWay.catch(() => null);
    if (joined !== null) return joined;
    const lookUp = this.queryBinding(tokenHash, organizationId, beforeLookup);
    this.lookUps.set(tokenHash, lookUp);
    try {
      return await lookUp;
    } finally {
      if (this.lookUps.get(tokenHash) === lookUp) this.lookUps.delete(tokenHash);
    }
  }

  private async queryBinding(
    tokenHash: string,
    organizationId: string,
    beforeLookup?: () => Promise<void>,
  ): Promise<Credentials | null> {
    await beforeLookup?.();
    const hash = Buffer.from(tokenHash, 'hex');
    const [found] = await this.database.queryPresented(
      'token_hash',
      tokenHash,
      step(readBinding, [organizationId, hash]),
    );
    if (found === undefined) return null;
    const credentials = { ...bindingRow.read(found), tokenHash };
    this.bindings.set(tokenHash, credentials);
    return credentials;
  }

  /** The actor, from state at most two seconds old; for reads. */
  async actorForRead(credentials: Credentials, audience: Audience): Promise<Actor> {
    const cached = this.findCached(credentials);
    if (cached !== undefined) return identifyCached(cached, audience);
    return this.currentActor(credentials, audience);
  }

  /** The actor, from current state. */
  async currentActor(credentials: Credentials, audience: Audience): Promise<Actor> {
    const readAtMs = performance.now();
    const [result] = await this.database.query(credentials, [identityStep(credentials)]);
    const identity = readIdentity(result);
    this.rememberIdentity(credentials, identity, readAtMs);
    const actor = identify(identity, audience);
    this.noteUse(actor, identity);
    return actor;
  }

  /**
   * Checks before the body of a request is received whether the token permits the operation: by state at most two seconds
   * old, and if that does not permit it, by current state, so that new rights apply at once.
   * @returns the actor of that state
   * @throws Problem as `identify` and `permit` do
   */
  async authorizeEarly(
    credentials: Credentials,
    audience: Audience,
    requirement: Requirement,
  ): Promise<Actor> {
    const cached = this.findCached(credentials);
    if (cached !== undefined) {
      try {
        const actor = identifyCached(cached, audience);
        permit(actor, requirement);
        return actor;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    }
    const actor = await this.currentActor(credentials, audience);
    permit(actor, requirement);
    return actor;
  }

  /**
   * Caches the state that a write has read in its transaction, so that further requests need no query.
   * @param readAtMs an instant before the transaction began, by the monotonic clock
   */
  noteIdentity(
    credentials: Credentials,
    actor: Actor,
    identity: Identity | undefined,
    readAtMs: number,
  ): void {
    this.rememberIdentity(credentials, identity, readAtMs);
    this.noteUse(actor, identity);
  }

  /**
   * Discards the cached state of an organization after rights were changed, by this process or by another that has notified it. Processes that
   * are not notified use the state for up to two more seconds.
   */
  forgetOrganization(organizationId: string): void {
    this.changed.set(organizationId, performance.now());
  }

  /** Like `forgetOrganization`, for all. */
  forgetAll(): void {
    this.allChangedAtMs = performance.now();
  }

  /**
   * Records that the token was used, for `lastUsedAt`. The use of a session is reported by the page when the person is active, because
   * pages also send requests on their own (`sign-in/sessions.ts`).
   */
  noteUse(actor: Actor, identity: Identity | undefined): void {
    if (actor.session !== null || identity?.isUseToBeNoted !== true) return;
    const ids = this.used.get(actor.organizationId) ?? new Set();
    ids.add(actor.tokenId);
    this.used.set(actor.organizationId, ids);
  }

  /** Writes the remaining instants of last use and stops. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.writeLastUsed();
  }

  /** The cached state of a token, if it may still be used. */
  private findCached({ tokenHash, organizationId }: Credentials): CachedIdentity | undefined {
    const cached = this.identities.get(tokenHash);
    if (cached === undefined || performance.now() >= cached.usableUntilMs) return undefined;
    const changedAtMs = this.changed.get(organizationId) ?? Number.NEGATIVE_INFINITY;
    return cached.readAtMs > Math.max(changedAtMs, this.allChangedAtMs) ? cached : undefined;
  }

  /** Caches a result, unless a newer one is cached already. */
  private rememberIdentity(
    { tokenHash }: Credentials,
    identity: Identity | undefined,
    readAtMs: number,
  ): void {
    const known = this.identities.get(tokenHash);
    if (known !== undefined && known.readAtMs > readAtMs) return;
    const usableUntilMs = readAtMs + usableForMs(identity);
    this.identities.set(tokenHash, { identity, actors: new Map(), readAtMs, usableUntilMs });
  }

  private async writeLastUsed(): Promise<void> {
    const batch = [...this.used];
    this.used.clear();
    for (const [organizationId, ids] of batch) {
      try {
        await this.database.execute({ organizationId, userId: null }, [
          step(touchTokens, [organizationId, `{${[...ids].join(',')}}`]),
        ]);
      } catch {
        // The database cannot be reached: the next use of the token records it again.
      }
    }
  }
}

/**
 * The actor of a cached state. Its rights are made once and not for every request.
 * @throws Problem as `identify` does
 */
function identifyCached({ identity, actors }: CachedIdentity, audience: Audience): Actor {
  const known = actors.get(audience);
  if (known !== undefined) return known;
  const actor = identify(identity, audience);
  actors.set(audience, actor);
  return actor;
}

/**
 * How long reads may use a state, in ms from its request, but not beyond the expiry of the token. Expiry and now are both
 * taken from the database's clock.
 */
function usableForMs(identity: Identity | undefined): number {
  if (identity === undefined || identity.hasEnded || identity.expiresAt === null) return stateMaxAgeMs;
  return Math.min(stateMaxAgeMs, Date.parse(identity.expiresAt) - Date.parse(identity.now));
}

function missingToken(): Problem {
  return new Problem('token_missing', undefined, { headers: { 'www-authenticate': 'Bearer' } });
}
