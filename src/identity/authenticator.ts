/**
 * Authentication of bearer tokens. Reads may use identity state that is up to two seconds old, so most of them need no
 * question to the database. Writes are decided on current state inside their transaction; what is remembered here only
 * refuses them before their body is received.
 */
import type { Database } from '../database/database.ts';
import { type Row, type Statement, step } from '../database/flight.ts';
import { Problem } from '../lib/problem.ts';
import {
  type Actor,
  type Audience,
  identify,
  invalidToken,
  permit,
  type Requirement,
  readIdentity,
  readTokenBinding,
} from './actor.ts';
import { hashToken, isWellFormedToken } from './tokens.ts';

/** How old the state behind a read may be, in ms. */
const stateMaxAgeMs = 2_000;
/** Tokens remembered per process. */
const remembered = 10_000;
/** How often the instants of last use are written, in ms: `lastUsedAt` is right within a minute. */
const touchIntervalMs = 15_000;

/** A presented token and what it is bound to, which never changes; whether it is still valid has not been checked. */
export interface Credentials {
  readonly organizationId: string;
  readonly userId: string;
  readonly clientId: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
}

interface CachedIdentity {
  readonly row: Row | undefined;
  readonly readAtMs: number;
}

const touchTokens: Statement = {
  name: 'touch_tokens',
  text: 'UPDATE trellis.tokens SET last_used_at = clock_timestamp() WHERE organization_id = $1 AND id = ANY ($2)',
};

export class Authenticator {
  private readonly database: Database;
  private readonly bindings = new Map<string, Credentials>();
  private readonly identities = new Map<string, CachedIdentity>();
  private readonly used = new Map<string, Set<string>>();
  private readonly timer: NodeJS.Timeout;

  constructor(database: Database) {
    this.database = database;
    this.timer = setInterval(() => void this.writeLastUsed(), touchIntervalMs);
    this.timer.unref();
  }

  /**
   * Reads the Authorization header and finds the organization that the token is bound to.
   * @throws Problem token_missing, token_invalid
   */
  async present(authorization: string | undefined): Promise<Credentials> {
    if (authorization === undefined || authorization === '') throw missingToken();
    const match = /^Bearer +([^\s]+)$/i.exec(authorization);
    if (match === null) {
      if (/^Bearer\b/i.test(authorization)) throw invalidToken();
      throw missingToken();
    }
    const token = match[1] ?? '';
    if (!isWellFormedToken(token)) throw invalidToken();
    const tokenHash = hashToken(token);
    const known = this.bindings.get(tokenHash);
    if (known !== undefined) return known;
    const [found] = await this.database.readPresented('token_hash', tokenHash, [
      step(readTokenBinding, [Buffer.from(tokenHash, 'hex')]),
    ]);
    const [organizationId, userId, clientId] = found?.rows[0] ?? [];
    if (!organizationId || !userId || !clientId) throw invalidToken();
    const credentials = { organizationId, userId, clientId, tokenHash };
    remember(this.bindings, tokenHash, credentials);
    return credentials;
  }

  /** The actor, from state at most two seconds old; for reads. */
  async actorForRead(credentials: Credentials, audience: Audience): Promise<Actor> {
    const cached = this.identities.get(credentials.tokenHash);
    if (cached !== undefined && Date.now() - cached.readAtMs < stateMaxAgeMs)
      return identify(cached.row, audience);
    return this.currentActor(credentials, audience);
  }

  /** The actor, from current state. */
  async currentActor(credentials: Credentials, audience: Audience): Promise<Actor> {
    const readAtMs = Date.now();
    const [result] = await this.database.read(credentials, [identityStep(credentials)]);
    const row = result?.rows[0];
    this.rememberIdentity(credentials, row, readAtMs);
    const actor = identify(row, audience);
    this.noteUse(actor, row);
    return actor;
  }

  /**
   * Checks, before the body of a request is received, whether the token permits the operation: by state at most two seconds
   * old if that permits it, else by current state, so that a right that was just given is never denied.
   * @throws Problem as `identify` and `permit` do
   */
  async authorizeEarly(
    credentials: Credentials,
    audience: Audience,
    requirement: Requirement,
  ): Promise<void> {
    const cached = this.identities.get(credentials.tokenHash);
    if (cached !== undefined && Date.now() - cached.readAtMs < stateMaxAgeMs) {
      try {
        permit(identify(cached.row, audience), requirement);
        return;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    }
    permit(await this.currentActor(credentials, audience), requirement);
  }

  /**
   * Keeps the state that a write has read in its transaction, so that a busy writer needs no question of its own.
   * @param readAtMs an instant before the transaction began, by `Date.now()`
   */
  noteIdentity(credentials: Credentials, actor: Actor, row: Row | undefined, readAtMs: number): void {
    this.rememberIdentity(credentials, row, readAtMs);
    this.noteUse(actor, row);
  }

  /** Remembers that the token was used, for `lastUsedAt`. */
  noteUse(actor: Actor, row: Row | undefined): void {
    if (row?.[12] !== 't') return;
    const ids = this.used.get(actor.organizationId) ?? new Set();
    ids.add(actor.tokenId);
    this.used.set(actor.organizationId, ids);
  }

  /** Writes what is left and stops. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.writeLastUsed();
  }

  /** State is never replaced by older state that arrives later. */
  private rememberIdentity({ tokenHash }: Credentials, row: Row | undefined, readAtMs: number): void {
    const known = this.identities.get(tokenHash);
    if (known === undefined || known.readAtMs <= readAtMs)
      remember(this.identities, tokenHash, { row, readAtMs });
  }

  private async writeLastUsed(): Promise<void> {
    const batch = [...this.used];
    this.used.clear();
    for (const [organizationId, ids] of batch) {
      try {
        await this.database.read({ organizationId, userId: null }, [
          step(touchTokens, [organizationId, `{${[...ids].join(',')}}`]),
        ]);
      } catch {
        // The database is away: the next use of the token notes it again.
      }
    }
  }
}

/** The step that reads the state behind credentials, for use inside a write's own transaction. */
export function identityStep(credentials: Credentials) {
  return step(readIdentity, [credentials.organizationId, Buffer.from(credentials.tokenHash, 'hex')]);
}

function missingToken(): Problem {
  return new Problem('token_missing', undefined, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Keeps a map bounded by forgetting what was added first. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= remembered) {
    const oldest = map.keys().next().value;
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, value);
}
