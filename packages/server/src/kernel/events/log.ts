/**
 * Reads the event log. A reader keeps one number, the position it has read up to, and must neither miss nor repeat events
 * between two calls. Positions have no gaps and become visible in order, so a comparison is enough. They also bound the
 * work of a page: it examines a fixed number of positions, however many its filters skip.
 */

import { type Statement, type Step, type StepResult, step } from '../database/batch.ts';
import type { Database, Scope } from '../database/database.ts';
import { defineRow, joined, number } from '../database/row.ts';
import { textArray } from '../database/values.ts';
import { type LoggedEvent, loggedEventRow } from './logged-event.ts';

/** Which part of an organization's log to read. */
export interface LogQuery {
  /** After this position; from the oldest stored event; only events logged from now on; or changes made at or after an instant. */
  readonly from: number | 'earliest' | 'latest' | { readonly instant: string };
  /** Maximum number of events of the page. */
  readonly limit: number;
  /** Types and patterns such as `article.*`; an event has to match one of them. Null for all. */
  readonly types?: readonly string[] | null;
  /** Uuid of one record; null for all. */
  readonly subjectId?: string | null;
  /** Uuid of the user who made the change; null for all. */
  readonly actorId?: string | null;
  /** Only changes made at or after this instant, RFC 3339; null for all. */
  readonly since?: string | null;
  /** Only changes made before this instant, RFC 3339; null for all. */
  readonly until?: string | null;
  /** Singular names of the resources that the reader may see; null for all. */
  readonly subjectTypes?: readonly string[] | null;
}

/** A page of the log. All positions are those of one snapshot. */
export interface LogPage {
  /**
   * In the order of their positions. May be empty although there is `more`, when filters skip all examined positions.
   */
  readonly events: readonly LoggedEvent[];
  /** The position from which the next page continues: everything up to here has been examined. */
  readonly next: number;
  /** Whether there are more events after `next` now. */
  readonly more: boolean;
  /** Whether events after the requested position have been deleted and can no longer be read. */
  readonly missed: boolean;
  /** Position of the oldest stored event; `latest` + 1 when there is none. */
  readonly earliest: number;
  /** Position of the newest event; 0 when there has never been one. */
  readonly latest: number;
}

/** Positions that a page with a filter by type examines at most. */
const maxPositionsPerPage = 10_000;

/**
 * SQL: the last position that the reader sees and that was logged before the instant $8, by bisection: instants of logging never
 * decrease along positions. A change is logged after it was made, so those made from then on have higher positions.
 */
const lastBefore = `
            WITH RECURSIVE bisection (low, high) AS (
              SELECT earliest - 1, latest
              UNION ALL
              SELECT CASE WHEN e.logged_at < $8 THEN e.position ELSE b.low END,
                CASE WHEN e.logged_at < $8 THEN b.high ELSE b.middle - 1 END
              FROM (SELECT low, high, (low + high + 1) / 2 AS middle FROM bisection WHERE low < high) b
              LEFT JOIN LATERAL (
                SELECT i.position, i.logged_at FROM trellis.events i
                WHERE i.organization_id = $1 AND i.position BETWEEN b.middle AND b.high
                ORDER BY i.position LIMIT 1
              ) e ON true
            )
            SELECT low FROM bisection WHERE low >= high LIMIT 1`;

const pageRow = defineRow({
  earliest: number('s.earliest'),
  latest: number('s.latest'),
  after: number('s.after'),
  event: joined(loggedEventRow),
});

/** A record's events are few and indexed; other filters examine a bounded range of positions. */
function pageStatement(name: string, subject: string, span: string): Statement {
  return {
    name,
    text: `
      WITH bounds AS MATERIALIZED (
        SELECT p.position AS latest, coalesce((SELECT min(e.position) FROM trellis.events e WHERE e.organization_id = $1),
          p.position + 1) AS earliest
        FROM trellis.event_positions p WHERE p.organization_id = $1
      ), span AS MATERIALIZED (
        SELECT earliest, latest, greatest(CASE WHEN $8::timestamptz IS NULL THEN coalesce($2::bigint, latest)
          ELSE (${lastBefore}) END, earliest - 1) AS after FROM bounds
      )
      SELECT ${pageRow.list}
      FROM span s LEFT JOIN LATERAL (
        SELECT * FROM trellis.events e
        WHERE e.organization_id = $1 AND e.position > s.after ${span} AND ${subject}
          AND ($4::text[] IS NULL OR e.type = ANY ($4) OR split_part(e.type, '.', 1) = ANY ($5::text[]))
          AND ($6::text[] IS NULL OR e.subject_type = ANY ($6))
          AND ($9::uuid IS NULL OR e.actor_user_id = $9) AND ($10::timestamptz IS NULL OR e.occurred_at >= $10)
          AND ($11::timestamptz IS NULL OR e.occurred_at < $11)
        ORDER BY e.position LIMIT $7
      ) e ON true
      ORDER BY e.position`,
  };
}

const readPage = pageStatement(
  'read_log',
  '$3::uuid IS NULL',
  `AND e.position <= s.after + ${maxPositionsPerPage}`,
);
const readPageOfSubject = pageStatement('read_log_of_subject', 'e.subject_id = $3::uuid', '');

/** The step that reads a page, to be sent with others of its organization. `decodeLogPage` decodes its result. */
export function logStep(organizationId: string, query: LogQuery): Step {
  const { from, limit, types = null, subjectId = null, subjectTypes = null } = query;
  const { actorId = null, since = null, until = null } = query;
  const begin = typeof from === 'object' ? from.instant : null;
  const after = from === 'latest' ? null : typeof from === 'number' ? String(from) : '0';
  const families = types?.filter((type) => type.endsWith('.*')).map((type) => type.slice(0, -2));
  return step(subjectId === null ? readPage : readPageOfSubject, [
    organizationId,
    after,
    subjectId,
    types === null ? null : textArray(types),
    families === undefined ? null : textArray(families),
    subjectTypes === null ? null : textArray(subjectTypes),
    String(limit),
    begin,
    actorId,
    since,
    until,
  ]);
}

/** The page in the result of `logStep`. */
export function decodeLogPage(query: LogQuery, result: StepResult | undefined): LogPage {
  const from = typeof query.from === 'number' ? query.from : 0;
  const rows = pageRow.all(result);
  const [first] = rows;
  // Nothing has ever been logged for this organization.
  if (first === undefined)
    return { events: [], next: from, more: false, missed: false, earliest: 1, latest: 0 };
  const { earliest, latest, after } = first;
  const events = rows.flatMap(({ event }) => event ?? []);
  const searched = query.subjectId ? latest : Math.min(after + maxPositionsPerPage, latest);
  const last = events.length === query.limit ? events.at(-1)?.position : undefined;
  const next = last ?? Math.max(after, searched);
  const missed = typeof query.from === 'number' && query.from < earliest - 1;
  return { events, next, more: next < latest, missed, earliest, latest };
}

/** Reads a page of an organization's log with the rights of the user. */
export async function readLog(database: Database, scope: Scope, query: LogQuery): Promise<LogPage> {
  const [result] = await database.query(scope, [logStep(scope.organizationId, query)]);
  return decodeLogPage(query, result);
}
