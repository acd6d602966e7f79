/**
 * Writes that differ only in when they commit, for tests of the event log. They do the steps of the pipeline that
 * matter for events: read the clock, lock the record, write the next version, append the event.
 */

import { newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '@trellis/server/kernel/database/batch.ts';
import type { Database, Scope } from '@trellis/server/kernel/database/database.ts';
import { parseTimestamp } from '@trellis/server/kernel/database/values.ts';
import { appendEvents, type DomainEvent } from '@trellis/server/kernel/events/append.ts';
import { readLog } from '@trellis/server/kernel/events/log.ts';
import type { LoggedEvent } from '@trellis/server/kernel/events/logged-event.ts';

const insertSite: Statement = {
  name: 'test_insert_site',
  text: `INSERT INTO trellis.sites (organization_id, id, version, created_at, updated_at, name, key, default_locale,
    domains, timezone) VALUES ($1, $2, 0, now(), now(), 'Site', $3, 'en', '[]', 'UTC')`,
};
const readClock: Statement = { name: 'test_clock', text: 'SELECT clock_timestamp()::timestamptz(3)' };
const lockSite: Statement = {
  name: 'test_lock_site',
  text: 'SELECT version, updated_at FROM trellis.sites WHERE organization_id = $1 AND id = $2 FOR UPDATE',
};
const changeSite: Statement = {
  name: 'test_change_site',
  text: 'UPDATE trellis.sites SET version = $3, updated_at = $4 WHERE organization_id = $1 AND id = $2',
};
const pauseStatement: Statement = { name: 'test_dawdle', text: 'SELECT pg_sleep($1)' };

/** The scope of an organization with what every member may see. */
export function everybodyIn(organizationId: string): Scope {
  return { organizationId, userId: null };
}

/** Creates a site without a version; its first write is version 1. */
export async function createSite(api: Database, organizationId: string): Promise<string> {
  const id = newUuid();
  await api.execute({ organizationId, userId: null }, [step(insertSite, [organizationId, id, id])]);
  return id;
}

export interface WriteOptions {
  readonly requestId?: string;
  /** How long the transaction stays open after its writes, in ms. */
  readonly openMs?: number;
  /** Rolls back instead of committing. */
  readonly rollBack?: boolean;
}

/** Writes the next version of a site with its event; returns the version. */
export function writeSite(
  api: Database,
  organizationId: string,
  siteId: string,
  options: WriteOptions = {},
): Promise<number> {
  const { requestId = 'test', openMs = 0, rollBack = false } = options;
  const first = [step(readClock), step(lockSite, [organizationId, siteId])];
  return api.transaction({ organizationId, userId: null }, first, async ([clock, locked], transaction) => {
    const now = parseTimestamp(clock?.rows[0]?.[0] ?? '');
    const [before, updatedAt] = locked?.rows[0] ?? [];
    const version = Number(before) + 1;
    const last = parseTimestamp(updatedAt ?? '');
    const instant = now > last ? now : last;
    const context = { organizationId, userId: null, clientId: null, tokenId: null, methods: null, requestId };
    await transaction.send([
      step(changeSite, [organizationId, siteId, String(version), instant]),
      ...appendEvents([siteEvent(siteId, version, instant)], context),
      step(pauseStatement, [String(openMs / 1_000)]),
    ]);
    if (!rollBack) await transaction.commit([]);
    return version;
  });
}

/** The event of a site's version. */
function siteEvent(siteId: string, version: number, occurredAt: string): DomainEvent {
  return {
    type: version === 1 ? 'site.created' : 'site.updated',
    subjectType: 'site',
    subjectId: siteId,
    parentId: null,
    subjectVersion: version,
    changedFields: ['name'],
    readers: null,
    occurredAt,
  };
}

/** Reads all events in an organization's log. */
export async function readWholeLog(api: Database, organizationId: string): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let from: number | 'earliest' = 'earliest'; ; ) {
    const page = await readLog(api, everybodyIn(organizationId), { from, limit: 1_000 });
    events.push(...page.events);
    if (!page.more) return events;
    from = page.next;
  }
}

/** The number of events in the outbox, of all organizations. */
export async function countWaiting(worker: Database): Promise<number> {
  const rows = await worker.run('SELECT count(*) FROM trellis.outbox');
  return Number(rows[0]?.[0]);
}
