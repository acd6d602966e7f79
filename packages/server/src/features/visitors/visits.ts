/**
 * What is shown of the visits of websites: the visitors of a site, seen last first, and counts by day and site. Visitors who do not want to
 * be recognized are in neither. Reading costs the same however many visits there are: a page, or the newest visits.
 */
import { sites } from '@trellis/schema/resources/sites.ts';
import { countedDays, visitors } from '@trellis/schema/resources/visitors.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { toInstant, toWallTime } from '@trellis/schema/values/zones.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database, Scope } from '../../kernel/database/database.ts';
import { defineRow, instant, nullable, number, text } from '../../kernel/database/row.ts';
import { textArray } from '../../kernel/database/values.ts';
import type { Position } from '../../kernel/pipeline/cursor.ts';

/** A visitor of a site in the list. Instants are RFC 3339 in UTC. */
export interface ListedVisitor {
  readonly visitorId: string;
  readonly siteId: string;
  /** How often it was identified. */
  readonly visits: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  /** Of the newest visit; null if that is longer ago than single visits are kept. */
  readonly browser: string | null;
  readonly deviceType: string | null;
}

const listedRow = defineRow({
  id: text('v.id'),
  visits: number('v.version'),
  firstSeenAt: instant('v.first_seen_at'),
  lastSeenAt: instant('v.last_seen_at'),
  browser: nullable(text('i.browser_name')),
  deviceType: nullable(text('i.device_type')),
});
const listStatement: Statement = {
  name: 'visitors_list',
  text: `SELECT ${listedRow.list}
    FROM (SELECT * FROM trellis.visitors
      WHERE organization_id = $1 AND site_id = $2 AND NOT transient AND expires_at > statement_timestamp()
        AND ($3::timestamptz IS NULL OR (last_seen_at, id) < ($3, $4::uuid))
      ORDER BY last_seen_at DESC, id DESC LIMIT $5) v
    LEFT JOIN LATERAL (SELECT * FROM trellis.identifications i
      WHERE i.organization_id = $1 AND i.visitor_id = v.id AND i.expires_at > statement_timestamp()
      ORDER BY i.id DESC LIMIT 1) i ON true
    ORDER BY v.last_seen_at DESC, v.id DESC`,
};

/** A page of the visitors of a site. */
export async function listVisitors(
  database: Database,
  scope: Scope,
  wanted: { readonly siteId: string; readonly after: Position | null; readonly limit: number },
): Promise<{ readonly items: readonly ListedVisitor[]; readonly next: Position | null }> {
  const { siteId, after, limit } = wanted;
  const [seenAt = null, id = null] = after ?? [];
  const [found] = await database.query(scope, [
    step(listStatement, [scope.organizationId, siteId, seenAt, id, String(limit + 1)]),
  ]);
  const rows = listedRow.all(found);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ id: visitorId, ...row }) => ({
      visitorId: encodeId(visitors.idPrefix, visitorId),
      siteId: encodeId(sites.idPrefix, siteId),
      ...row,
    })),
    next: rows.length > limit && last !== undefined ? [last.lastSeenAt, last.id] : null,
  };
}

/** Visits that are looked at. */
export const countedVisits = 50_000;

/** The visits of a site on a day, without those of bots and of visitors who do not want to be recognized. */
export interface DayOfSite {
  /** `2026-11-28`, on the clock of the zone. */
  readonly day: string;
  readonly siteId: string;
  readonly visits: number;
  readonly visitors: number;
}

export interface VisitCounts {
  /** The first day that is counted as a whole; null if not even today is. */
  readonly from: string | null;
  /** The newest first. */
  readonly items: readonly DayOfSite[];
}

const countRow = defineRow({
  day: number('day'),
  siteId: text('site_id'),
  visits: number('count(*)'),
  visitors: number('count(DISTINCT visitor_id)'),
  examined: number('(sum(count(*)) OVER ())::bigint'),
});
const countStatement: Statement = {
  name: 'visits_count',
  text: `SELECT ${countRow.list}
    FROM (SELECT width_bucket(counted_at, $2::timestamptz[]) AS day, site_id, visitor_id FROM trellis.identifications
      WHERE organization_id = $1 AND counted_at >= ($2::timestamptz[])[1] ORDER BY counted_at DESC LIMIT ${countedVisits}) newest
    GROUP BY day, site_id ORDER BY day DESC, count(*) DESC, site_id`,
};

/** Counts the newest visits by day and site. @param zone IANA name, whose midnights divide the days */
export async function countVisits(
  database: Database,
  scope: Scope,
  zone: string,
  now: Date,
): Promise<VisitCounts> {
  const days = daysUntil(now, zone);
  const midnights = days.map((day) => toInstant(`${day}T00:00`, zone)?.toISOString() ?? '');
  const [found] = await database.query(scope, [
    step(countStatement, [scope.organizationId, textArray(midnights)]),
  ]);
  const rows = countRow.all(found);
  const isCut = (rows[0]?.examined ?? 0) >= countedVisits;
  // Of the day with the oldest visit that was looked at, others were not.
  const first = isCut ? (rows.at(-1)?.day ?? 0) + 1 : 1;
  return {
    from: days[first - 1] ?? null,
    items: rows
      .filter(({ day }) => day >= Math.min(first, days.length))
      .map(({ day, siteId, visits, visitors: different }) => ({
        day: days[day - 1] ?? '',
        siteId: encodeId(sites.idPrefix, siteId),
        visits,
        visitors: different,
      })),
  };
}

/** The days that are counted, the oldest first. */
function daysUntil(now: Date, zone: string): string[] {
  const today = Date.parse(`${toWallTime(now, zone).slice(0, 10)}T00:00Z`);
  return Array.from({ length: countedDays }, (_, index) =>
    new Date(today - (countedDays - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}
