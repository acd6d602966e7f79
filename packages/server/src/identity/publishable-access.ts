/**
 * Why: a publishable key is no secret, so all it is worth rests on where it may be used, and on being worth nothing as
 * soon as it is switched off. What it is bound to never changes and is remembered; whether it holds is read each time.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { Module } from '@trellis/schema/resources/resource.ts';
import { type Row, type Statement, type Step, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { parseTextArray, parseTimestamp } from '../database/values.ts';
import { invalidToken } from './actor.ts';
import { parsePublishableKey } from './publishable-key.ts';

/** What a publishable key is bound to: uuids. */
export interface PublishableKeyBinding {
  readonly organizationId: string;
  readonly clientId: string;
  readonly siteId: string;
}

/** Keys and origins remembered per process. */
const remembered = 10_000;
/** How long an origin that some key has may be taken for one, in ms. */
const originMaxAgeMs = 60_000;
/** How old the state may be by which a key is accepted before a body is received, in ms. */
const acceptanceMaxAgeMs = 2_000;

const readBinding: Statement = {
  name: 'publishable_key_binding',
  text: 'SELECT organization_id, client_id, site_id FROM trellis.publishable_keys WHERE key = $1',
};
const readOrigin: Statement = {
  name: 'publishable_key_origin',
  text: 'SELECT EXISTS (SELECT FROM trellis.publishable_key_origins WHERE origin = $1)',
};
const readState: Statement = {
  name: 'publishable_key_state',
  text: `
    SELECT o.status, o.modules, c.status,
      EXISTS (SELECT FROM trellis.publishable_key_origins g
              WHERE g.organization_id = c.organization_id AND g.client_id = c.id AND g.origin = $3),
      EXISTS (SELECT FROM trellis.sites s WHERE s.organization_id = c.organization_id AND s.id = $4),
      clock_timestamp()::timestamptz(3)
    FROM trellis.clients c JOIN trellis.organizations o ON o.id = c.organization_id
    WHERE c.organization_id = $1 AND c.id = $2`,
};

/** Finds what keys and origins are, for requests of browsers. */
export class PublishableKeys {
  private readonly database: Database;
  private readonly bindings = new Map<string, PublishableKeyBinding>();
  private readonly origins = new Map<string, number>();
  /** When a key was last found to hold for an origin, in ms. */
  private readonly accepted = new Map<string, number>();

  constructor(database: Database) {
    this.database = database;
  }

  /**
   * What the key in an `X-Client-Key` header is bound to.
   * @throws Problem token_missing, token_invalid
   */
  async present(header: string | string[] | undefined): Promise<PublishableKeyBinding> {
    if (header === undefined || header === '') {
      throw new Problem('token_missing', 'Send the publishable key of the site in X-Client-Key.', {
        errors: [{ header: 'X-Client-Key', code: 'required', detail: 'This header is required.' }],
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    const key = parsePublishableKey(header);
    if (key === null) throw invalidKey();
    const known = this.bindings.get(key);
    if (known !== undefined) return known;
    const [found] = await this.database.queryPresented('publishable_key', key, [step(readBinding, [key])]);
    const [organizationId, clientId, siteId] = found?.rows[0] ?? [];
    if (!organizationId || !clientId || !siteId) throw invalidKey();
    const binding = { organizationId, clientId, siteId };
    remember(this.bindings, key, binding);
    return binding;
  }

  /**
   * Checks, before the body of a call is received, whether a key holds for an origin: as of the last two seconds if it did
   * then, else now. The call itself asks again.
   * @throws Problem as `authorizeKey` does
   */
  async authorizeEarly(binding: PublishableKeyBinding, origin: string, module: Module): Promise<void> {
    const use = `${binding.clientId} ${module} ${origin}`;
    const nowMs = Date.now();
    const acceptedAtMs = this.accepted.get(use);
    if (acceptedAtMs !== undefined && nowMs - acceptedAtMs < acceptanceMaxAgeMs) return;
    const scope = { organizationId: binding.organizationId, userId: null };
    const [state] = await this.database.query(scope, [keyStateStep(binding, origin)]);
    authorizeKey(state?.rows[0], origin, module);
    remember(this.accepted, use, nowMs);
  }

  /**
   * Whether pages of this origin use any key at all, as of the last minute. A browser asks in advance without naming
   * the key; that the origin is the key's own is checked with the key.
   */
  async isKnownOrigin(origin: string, nowMs: number): Promise<boolean> {
    if (origin === '') return false;
    if (this.remembersOrigin(origin, nowMs)) return true;
    const [found] = await this.database.queryPresented('origin', origin, [step(readOrigin, [origin])]);
    const isKnown = found?.rows[0]?.[0] === 't';
    if (isKnown) remember(this.origins, origin, nowMs);
    return isKnown;
  }

  /** Whether `isKnownOrigin` would say yes without asking the database. */
  remembersOrigin(origin: string, nowMs: number): boolean {
    const readAtMs = this.origins.get(origin);
    return readAtMs !== undefined && nowMs - readAtMs < originMaxAgeMs;
  }
}

/** The step that reads whether a key holds for an origin now; for `authorizeKey`. */
export function keyStateStep(binding: PublishableKeyBinding, origin: string): Step {
  return step(readState, [binding.organizationId, binding.clientId, origin, binding.siteId]);
}

/**
 * Judges the row of `keyStateStep`: organization and client active, the origin one of the key's, the module on.
 * @returns the database's clock, RFC 3339
 * @throws Problem token_invalid, organization_suspended, origin_not_allowed, module_disabled
 */
export function authorizeKey(row: Row | undefined, origin: string, module: Module): string {
  const [organization, modules, client, hasOrigin, hasSite, instant] = row ?? [];
  if (client !== 'ACTIVE' || hasSite !== 't') throw invalidKey();
  if (organization !== 'ACTIVE') throw new Problem('organization_suspended');
  if (hasOrigin !== 't') throw originNotAllowed(origin);
  if (!parseTextArray(modules ?? '{}').includes(module)) {
    throw new Problem('module_disabled', `The module "${module}" is switched off in this organization.`);
  }
  return parseTimestamp(instant ?? '');
}

/** The answer to a page that the key was not made for. */
export function originNotAllowed(origin: string): Problem {
  const detail =
    origin === ''
      ? 'Only pages may ask: there is no Origin header.'
      : `The key is not for pages of ${origin}.`;
  return new Problem('origin_not_allowed', detail, {
    errors: [{ header: 'Origin', code: 'origin', detail }],
  });
}

/** The answer to every defect of a key; which defect it was is nobody's business. */
function invalidKey(): Problem {
  const detail = 'The publishable key in X-Client-Key is malformed, unknown or switched off.';
  return new Problem('token_invalid', detail, {
    errors: [{ header: 'X-Client-Key', code: 'invalid', detail }],
    headers: invalidToken().headers,
  });
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
