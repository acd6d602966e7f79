/**
 * Authorization by publishable keys. A publishable key is not a secret: it is valid for certain origins only, and can be disabled at once.
 * Its bindings are immutable and cached; its validity is read for each call.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { Module } from '@trellis/schema/resources/resource.ts';
import { type Statement, type Step, type StepResult, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { defineRow, flag, instant, text, texts } from '../database/row.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { invalidToken } from './actor.ts';
import { parsePublishableKey } from './publishable-key.ts';

/** The bindings of a publishable key: uuids. */
export interface PublishableKeyBinding {
  readonly organizationId: string;
  readonly clientId: string;
  readonly siteId: string;
}

/** Maximum number of cached keys, and of cached origins, per process. */
const maxCached = 10_000;
/** How long an origin of some key is cached, in ms. */
const originMaxAgeMs = 60_000;
/** How long it is remembered that a key does not exist, in ms. */
const unknownMs = 5_000;
/** Maximum age of the state by which a key is accepted before the body is received, in ms. */
const acceptanceMaxAgeMs = 2_000;

const bindingRow = defineRow({
  organizationId: text('organization_id'),
  clientId: text('client_id'),
  siteId: text('site_id'),
});
const readBinding: Statement = {
  name: 'publishable_key_binding',
  text: `SELECT ${bindingRow.list} FROM trellis.publishable_keys WHERE organization_id = $1 AND key = $2`,
};
/** A row if a key has the origin. */
const readOrigin: Statement = {
  name: 'publishable_key_origin',
  text: 'SELECT FROM trellis.publishable_key_origins WHERE origin = $1 LIMIT 1',
};
const stateRow = defineRow({
  organization: text('o.status'),
  modules: texts('o.modules'),
  client: text('c.status'),
  hasOrigin: flag(`EXISTS (SELECT FROM trellis.publishable_key_origins g
    WHERE g.organization_id = $1 AND g.client_id = c.id AND g.origin = $3)`),
  hasSite: flag('EXISTS (SELECT FROM trellis.sites s WHERE s.organization_id = $1 AND s.id = $4)'),
  now: instant('clock_timestamp()::timestamptz(3)'),
});
const readState: Statement = {
  name: 'publishable_key_state',
  text: `
    SELECT ${stateRow.list}
    FROM trellis.clients c JOIN trellis.organizations o ON o.id = c.organization_id
    WHERE c.organization_id = $1 AND c.id = $2`,
};

/** Looks up publishable keys and origins for requests of browsers. */
export class PublishableKeys {
  private readonly database: Database;
  private readonly bindings = new BoundedMap<string, PublishableKeyBinding>(maxCached);
  /** When a key was found not to exist, in ms. Safe to cache, because no client can have a key before its creation. */
  private readonly unknown = new BoundedMap<string, number>(maxCached);
  private readonly origins = new BoundedMap<string, number>(maxCached);
  /** When a key was last found valid for an origin, in ms. */
  private readonly accepted = new BoundedMap<string, number>(maxCached);

  constructor(database: Database) {
    this.database = database;
  }

  /**
   * Finds what the key in an `X-Client-Key` header is bound to.
   * @throws Problem token_missing, token_invalid
   */
  async present(header: string | string[] | undefined): Promise<PublishableKeyBinding> {
    if (header === undefined || header === '') {
      throw new Problem('token_missing', 'Send the publishable key of the site in X-Client-Key.', {
        errors: [{ header: 'X-Client-Key', code: 'required', detail: 'This header is required.' }],
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    const parsed = parsePublishableKey(header);
    if (parsed === null) throw invalidKey();
    const { key, organizationId } = parsed;
    const known = this.bindings.get(key);
    if (known !== undefined) return known;
    if (Date.now() - (this.unknown.get(key) ?? 0) < unknownMs) throw invalidKey();
    const [found] = await this.database.queryPresented(
      'publishable_key',
      key,
      step(readBinding, [organizationId, key]),
    );
    if (found === undefined) {
      this.unknown.set(key, Date.now());
      throw invalidKey();
    }
    const binding = bindingRow.read(found);
    this.bindings.set(key, binding);
    return binding;
  }

  /**
   * Checks before the body of a call is received whether a key is valid for an origin: by state at most two seconds old, and
   * if that refuses it, by current state. The call itself checks again.
   * @throws Problem as `authorizeKey` does
   */
  async authorizeEarly(binding: PublishableKeyBinding, origin: string, module: Module): Promise<void> {
    const use = `${binding.clientId} ${module} ${origin}`;
    const nowMs = Date.now();
    const acceptedAtMs = this.accepted.get(use);
    if (acceptedAtMs !== undefined && nowMs - acceptedAtMs < acceptanceMaxAgeMs) return;
    const scope = { organizationId: binding.organizationId, userId: null };
    const [state] = await this.database.query(scope, [keyStateStep(binding, origin)]);
    authorizeKey(state, origin, module);
    this.accepted.set(use, nowMs);
  }

  /**
   * Whether any key has this origin, as of the last minute. A preflight does not name the key; the call checks that the
   * origin belongs to the key.
   */
  async isKnownOrigin(origin: string, nowMs: number): Promise<boolean> {
    if (origin === '') return false;
    if (this.remembersOrigin(origin, nowMs)) return true;
    const found = await this.database.queryPresented('origin', origin, step(readOrigin, [origin]));
    const isKnown = found.length > 0;
    if (isKnown) this.origins.set(origin, nowMs);
    return isKnown;
  }

  /** Whether `isKnownOrigin` would return true without a query. */
  remembersOrigin(origin: string, nowMs: number): boolean {
    const readAtMs = this.origins.get(origin);
    return readAtMs !== undefined && nowMs - readAtMs < originMaxAgeMs;
  }
}

/** The step that reads the current state of a key and an origin, for `authorizeKey`. */
export function keyStateStep(binding: PublishableKeyBinding, origin: string): Step {
  return step(readState, [binding.organizationId, binding.clientId, origin, binding.siteId]);
}

/** Validates the result of `keyStateStep`: organization and client are active, the origin belongs to the key, the module is on. */
export function authorizeKey(result: StepResult | undefined, origin: string, module: Module): string {
  const state = stateRow.first(result);
  if (state?.client !== 'ACTIVE' || !state.hasSite) throw invalidKey();
  if (state.organization !== 'ACTIVE') throw new Problem('organization_suspended');
  if (!state.hasOrigin) throw originNotAllowed(origin);
  if (!state.modules.includes(module)) {
    throw new Problem('module_disabled', `The module "${module}" is switched off in this organization.`);
  }
  return state.now;
}

/** The problem for a page whose origin does not belong to the key. */
function originNotAllowed(origin: string): Problem {
  const detail =
    origin === ''
      ? 'The Origin header is missing: only web pages may call this operation.'
      : `The key is not valid for pages of ${origin}.`;
  return new Problem('origin_not_allowed', detail, {
    errors: [{ header: 'Origin', code: 'origin', detail }],
  });
}

/** The problem for every defect of a key. It does not say which defect. */
function invalidKey(): Problem {
  const detail = 'The publishable key in X-Client-Key is malformed, unknown or disabled.';
  return new Problem('token_invalid', detail, {
    errors: [{ header: 'X-Client-Key', code: 'invalid', detail }],
    headers: invalidToken().headers,
  });
}
