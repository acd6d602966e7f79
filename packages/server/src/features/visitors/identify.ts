/**
 * The identify call, from top to bottom: two batches of statements with the decision between them. The first one checks the
 * key and finds candidates; the second one stores what may be stored.
 */

import { newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, type Step, type StepResult, step } from '../../kernel/database/batch.ts';
import type { Database, Scope } from '../../kernel/database/database.ts';
import { defineRow, flag, text } from '../../kernel/database/row.ts';
import {
  authorizeKey,
  keyStateStep,
  type PublishableKeyBinding,
} from '../../kernel/identity/publishable-access.ts';
import { type ClientDescription, describeClient, type RequestHeaders } from './client.ts';
import { type Decision, decideIdentity, mayStore } from './identity.ts';
import type { VisitorKeys } from './keys.ts';
import { visitorLimits } from './limits.ts';
import { hashSignals, type IdentifyBody } from './signals.ts';
import { sealStoredToken, verifyStoredToken } from './stored-token.ts';

/** An identify call with a validated body. */
export interface IdentifyRequest {
  readonly binding: PublishableKeyBinding;
  /** The `Origin` header. */
  readonly origin: string;
  readonly requestId: string;
  readonly headers: RequestHeaders;
  readonly body: IdentifyBody;
}

/** The result. */
export interface Identification {
  /** A uuid. */
  readonly visitorId: string;
  readonly score: number;
  /** Null when the visitor does not want to be recognized. */
  readonly storedToken: string | null;
  /** How the visitor was recognized, for metrics. */
  readonly outcome: 'token' | 'signals' | 'new' | 'refused';
}

/** How often a call starts over because its visitor was erased meanwhile. */
const attempts = 3;

const recentDays = visitorLimits.recentMatchDays;
const alive = 'expires_at > statement_timestamp()';

const lockSignals: Statement = {
  name: 'visitor_lock_signals',
  text: 'SELECT pg_advisory_xact_lock($1)',
};
const byTokenRow = defineRow({ id: text('id'), signalsMatch: flag('signals_hash = $4') });
const findByToken: Statement = {
  name: 'visitor_by_token',
  text: `SELECT ${byTokenRow.list} FROM trellis.visitors
    WHERE organization_id = $1 AND id = $2 AND site_id = $3 AND NOT transient AND ${alive}`,
};
const bySignalsRow = defineRow({
  id: text('id'),
  isRecent: flag(`last_seen_at > clock_timestamp() - interval '${recentDays} days'`),
});
const findBySignals: Statement = {
  name: 'visitors_by_signals',
  text: `SELECT ${bySignalsRow.list} FROM trellis.visitors
    WHERE organization_id = $1 AND site_id = $2 AND signals_hash = $3 AND ${alive}
    ORDER BY last_seen_at DESC LIMIT ${visitorLimits.candidates}`,
};
const insertVisitor: Statement = {
  name: 'visitor_insert',
  text: `INSERT INTO trellis.visitors
      (organization_id, id, site_id, version, signals_hash, transient, first_seen_at, last_seen_at, expires_at)
    VALUES ($1, $2, $3, 1, $4, $5, $6, $6, $6::timestamptz + make_interval(hours => $7))`,
};
/** A visitor who returns without usable signals keeps the earlier ones. */
const touchVisitor: Statement = {
  name: 'visitor_touch',
  text: `UPDATE trellis.visitors SET version = version + 1, signals_hash = coalesce($3, signals_hash),
      last_seen_at = greatest(last_seen_at, $4), expires_at = greatest(expires_at, $4::timestamptz + make_interval(hours => $5))
    WHERE organization_id = $1 AND id = $2 AND ${alive}`,
};
const insertIdentification: Statement = {
  name: 'identification_insert',
  text: `INSERT INTO trellis.identifications
      (organization_id, visitor_id, id, request_id, score, browser_name, browser_version, device_type, expires_at, site_id, counted_at)
    SELECT organization_id, id, $3, $4, $5, $6, $7, $8, $9::timestamptz + make_interval(hours => $10), site_id,
      CASE WHEN $11::boolean THEN $9::timestamptz END
    FROM trellis.visitors WHERE organization_id = $1 AND id = $2`,
};

/**
 * Checks only the key, for a call that is refused for another reason: a caller without a valid key learns only that.
 */
export async function authorizeIdentify(
  database: Database,
  { binding, origin }: Pick<IdentifyRequest, 'binding' | 'origin'>,
): Promise<void> {
  const [state] = await database.query(scopeOf(binding), [keyStateStep(binding, origin)]);
  authorizeKey(state, origin, 'visitors');
}

/**
 * Identifies the visitor of a page.
 * @throws Problem when the key is not valid, or not for this origin
 */
export async function identifyVisitor(
  database: Database,
  keys: VisitorKeys,
  request: IdentifyRequest,
): Promise<Identification> {
  const client = describeClient(request.headers, request.body.signals.touchPoints);
  const stores = mayStore(request.body.consent, request.headers['sec-gpc']);
  const { organizationId, siteId } = request.binding;
  const signalsHash = stores ? hashOf(keys, organizationId, request.body, client) : null;
  const named =
    stores && request.body.storedToken !== undefined
      ? verifyStoredToken(keys.storedTokens, request.binding, request.body.storedToken, Date.now())
      : null;
  const first = [
    keyStateStep(request.binding, request.origin),
    ...(named === null ? [] : [step(findByToken, [organizationId, named, siteId, signalsHash])]),
    // Two pages that a browser opens at once are one visitor: the second call waits until the first has committed.
    ...(signalsHash === null || named !== null ? [] : [step(lockSignals, [lockNumber(signalsHash)])]),
    ...(signalsHash === null ? [] : [step(findBySignals, [organizationId, siteId, signalsHash])]),
  ];
  for (let attempt = 1; ; attempt += 1) {
    const found = await database.transaction(scopeOf(request.binding), first, async (rows, transaction) => {
      const instant = authorizeKey(rows.at(0), request.origin, 'visitors');
      const byToken = named === null ? undefined : byTokenRow.first(rows.at(1));
      const alike = signalsHash === null ? [] : bySignalsRow.all(rows.at(-1));
      const decision = decideIdentity({
        token: byToken?.id ?? null,
        tokenSignalsMatch: byToken?.signalsMatch ?? false,
        candidates: alike.filter(({ isRecent }) => isRecent).map(({ id }) => id),
        olderMatches: alike.filter(({ isRecent }) => !isRecent).length,
        bot: client.bot,
        mayStore: stores,
      });
      const visitorId = decision.visitorId ?? newUuid();
      const kept = await transaction.commit(
        keepSteps({ request, client, signalsHash, decision, visitorId, instant }),
      );
      return wasKept(kept) ? { decision, visitorId, instant } : null;
    });
    if (found === null) {
      if (attempt < attempts) continue;
      throw new Error('The visitor was erased repeatedly while it was being recognized');
    }
    const { decision, visitorId, instant } = found;
    return {
      visitorId,
      score: decision.score,
      storedToken: decision.giveToken
        ? sealStoredToken(keys.storedTokens, request.binding, visitorId, Date.parse(instant))
        : null,
      outcome: outcomeOf(decision, named),
    };
  }
}

interface Kept {
  readonly request: IdentifyRequest;
  readonly client: ClientDescription;
  readonly signalsHash: Buffer | null;
  readonly decision: Decision;
  readonly visitorId: string;
  readonly instant: string;
}

/** The steps that store the visitor and the identification. Address, signals and page are not stored. */
function keepSteps({ request, client, signalsHash, decision, visitorId, instant }: Kept): Step[] {
  const { organizationId, siteId } = request.binding;
  const isTransient = decision.store === 'transient';
  const visitorHours = isTransient ? visitorLimits.transientHours : visitorLimits.visitorDays * 24;
  const identificationHours = isTransient
    ? visitorLimits.transientHours
    : visitorLimits.identificationDays * 24;
  const visitor =
    decision.visitorId === null
      ? step(insertVisitor, [
          organizationId,
          visitorId,
          siteId,
          isTransient ? null : signalsHash,
          String(isTransient),
          instant,
          String(visitorHours),
        ])
      : step(touchVisitor, [organizationId, visitorId, signalsHash, instant, String(visitorHours)]);
  const identification = step(insertIdentification, [
    organizationId,
    visitorId,
    newUuid(),
    request.requestId,
    String(decision.score),
    client.browser.name,
    client.browser.version,
    client.device.type,
    instant,
    String(identificationHours),
    String(!isTransient && !client.bot),
  ]);
  return [visitor, identification];
}

function wasKept(results: readonly StepResult[]): boolean {
  return results.every(({ affected }) => affected === 1);
}

function hashOf(
  keys: VisitorKeys,
  organizationId: string,
  body: IdentifyBody,
  { browser, os, bot }: ClientDescription,
): Buffer | null {
  return hashSignals(keys.signals(organizationId), body.signals, {
    browserName: browser.name,
    osName: os.name,
    bot,
  });
}

/** A 64-bit number for the signals, as the key of an advisory lock. */
function lockNumber(signalsHash: Buffer): string {
  return signalsHash.readBigInt64BE(0).toString();
}

function outcomeOf({ visitorId, store }: Decision, named: string | null): Identification['outcome'] {
  if (store === 'transient') return 'refused';
  if (visitorId === null) return 'new';
  return visitorId === named ? 'token' : 'signals';
}

/** The scope of a browser, which is not a member of the organization. */
function scopeOf({ organizationId }: { readonly organizationId: string }): Scope {
  return { organizationId, userId: null };
}
