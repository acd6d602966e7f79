/**
 * Cursors of sinks: for each organization the position up to which a sink has its events, in the database, so that any
 * node can continue. What is still to be sent follows from the cursor and the log; there is no second queue.
 */

import { type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { defineRow, joined, nullable, number, text } from '../database/row.ts';
import { textArray, uuidArray } from '../database/values.ts';
import { type Lease, transactionUnder } from './lease.ts';
import { type LoggedEvent, loggedEventRow } from './logged-event.ts';

/** The events of an organization that a sink does not have yet. */
export interface Backlog {
  readonly organizationId: string;
  /** The next events in order, up to the limit. Empty when the missing ones have been deleted from the log. */
  readonly events: readonly LoggedEvent[];
  /** Number of events deleted from the log before the sink got them. */
  readonly dropped: number;
  /** Position of the newest event. */
  readonly latest: number;
}

/** Which organizations to compare, and how many events to read. */
export interface BacklogQuery extends BacklogSizes {
  /** Only organizations whose newest event was logged within this number of ms, which is cheaper; null: all. */
  readonly withinMs: number | null;
}

export interface BacklogSizes {
  readonly organizations: number;
  readonly eventsOfEach: number;
}

const backlogRow = defineRow({
  organizationId: text('b.organization_id'),
  forwarded: nullable(number('b.forwarded')),
  latest: number('b.latest'),
  event: joined(loggedEventRow),
});

// Organizations that were served longest ago come first, so that a long backlog of one does not block the others.
const readBehind: Statement = {
  name: 'read_sink_backlogs',
  text: `
    WITH behind AS MATERIALIZED (
      SELECT p.organization_id, p.position AS latest, c.position AS forwarded
      FROM trellis.event_positions p
      LEFT JOIN trellis.event_sink_cursors c ON c.organization_id = p.organization_id AND c.sink = $1
      WHERE p.position > coalesce(c.position, 0)
        AND ($4::integer IS NULL OR p.logged_at > clock_timestamp() - $4 * interval '1 millisecond')
      ORDER BY c.forwarded_at NULLS FIRST, p.organization_id LIMIT $2
    )
    SELECT ${backlogRow.list}
    FROM behind b LEFT JOIN LATERAL (
      SELECT * FROM trellis.events e
      WHERE e.organization_id = b.organization_id AND e.position > coalesce(b.forwarded, 0)
      ORDER BY e.position LIMIT $3
    ) e ON true
    ORDER BY b.organization_id, e.position`,
};

const moveCursors: Statement = {
  name: 'move_sink_cursors',
  text: `
    INSERT INTO trellis.event_sink_cursors (organization_id, sink, position, forwarded_at)
    SELECT organization_id, $1, position, clock_timestamp()
    FROM unnest($2::uuid[], $3::bigint[]) AS reached (organization_id, position)
    ON CONFLICT (organization_id, sink) DO UPDATE
      SET position = excluded.position, forwarded_at = excluded.forwarded_at`,
};

/** Reads the organizations with events that the sink does not have, and the next events of each. */
export async function readBacklogs(
  database: Database,
  sink: string,
  { organizations, eventsOfEach, withinMs }: BacklogQuery,
): Promise<Backlog[]> {
  const within = withinMs === null ? null : String(withinMs);
  const [result] = await database.queryInBackground([
    step(readBehind, [sink, String(organizations), String(eventsOfEach), within]),
  ]);
  const rowsOf = Map.groupBy(backlogRow.all(result), ({ organizationId }) => organizationId);
  return [...rowsOf.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : toBacklog(first, others),
  );
}

type BacklogRow = ReturnType<typeof backlogRow.read>;

function toBacklog(first: BacklogRow, others: readonly BacklogRow[]): Backlog {
  const { organizationId, forwarded, latest } = first;
  const events = [first, ...others].flatMap(({ event }) => event ?? []);
  // Positions have no gaps, so missing ones were deleted. A new sink has missed nothing.
  const next = events[0]?.position ?? latest + 1;
  return { organizationId, events, latest, dropped: next - 1 - (forwarded ?? next - 1) };
}

/** The position that the sink has reached in an organization's log. */
export interface Reached {
  readonly organizationId: string;
  readonly position: number;
}

/**
 * Records acknowledged positions in one transaction under the lease. @throws LeaseLostError; nothing was changed then
 */
export function moveSinkCursors(
  database: Database,
  lease: Lease,
  sink: string,
  reached: readonly Reached[],
): Promise<void> {
  const move = step(moveCursors, [
    sink,
    uuidArray(reached.map(({ organizationId }) => organizationId)),
    textArray(reached.map(({ position }) => String(position))),
  ]);
  return transactionUnder(lease, database, [move], async (_moved, transaction) => {
    await transaction.commit([]);
  });
}
