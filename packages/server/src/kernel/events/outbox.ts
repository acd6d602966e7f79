/**
 * The two database operations of the relay: reading the outbox and moving its events to the log. Their exact form makes
 * the log complete and ordered.
 *
 * Complete: rows become visible in the order of their commits, not of their creation, so there is no "last one seen" to
 * continue from. The relay reads the rows that are there and moves them by id; a row that commits later is found later,
 * however old it is, and an open transaction delays nobody.
 *
 * Ordered: writes of one record are serialized by its lock, and its instants never go backwards. So whoever sees an event
 * also sees the earlier ones of that record, and (instant, version) sorts them by version, whatever the clocks of nodes
 * say. Any prefix of the rows in this order can be moved separately.
 */

import { type Statement, type Step, type StepResult, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { defineRow, number, text } from '../database/row.ts';
import { uuidArray } from '../database/values.ts';
import { type Lease, transactionUnder } from './lease.ts';
import { type AppendedEvent, appendedEventRow, eventColumns, type LoggedEvent } from './logged-event.ts';

/**
 * Derives further steps from events, in the transaction that logs them: a delivery for each webhook endpoint that
 * subscribes to one. Called once for each batch, which may contain several organizations, and again for a batch whose
 * transaction failed.
 */
export type FanOut = (events: readonly LoggedEvent[]) => readonly Step[];

/**
 * The outbox has changed since it was read: a commit whose result was lost has moved some of its rows. Read it again.
 */
export class OutboxChangedError extends Error {
  constructor() {
    super('Events were moved to the log since the outbox was read.');
    this.name = 'OutboxChangedError';
  }
}

const columns = eventColumns.join(', ');

const readWaiting: Statement = {
  name: 'read_outbox',
  text: `SELECT ${appendedEventRow.list} FROM trellis.outbox ORDER BY occurred_at, subject_version, id LIMIT $1`,
};

/** Rows are counted up to this number, so that measuring a long outbox stays cheap. */
const countedAtMost = 100_000;
const measureRow = defineRow({
  events: number('count(*)'),
  oldestSeconds: number('coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0)'),
});
const measure: Statement = {
  name: 'measure_outbox',
  text: `SELECT ${measureRow.list}
    FROM (SELECT occurred_at FROM trellis.outbox LIMIT ${countedAtMost}) o`,
};

const movedRow = defineRow({ id: text('id'), position: number('position') });
// The row with an organization's last position stays locked until the commit, so positions become visible in order.
const moveToLog: Statement = {
  name: 'move_to_log',
  text: `
    WITH picked AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS p (organization_id, id, place)
    ), taken AS (
      DELETE FROM trellis.outbox o USING picked p
      WHERE o.organization_id = p.organization_id AND o.id = p.id
      RETURNING o.*, p.place
    ), counted AS (
      INSERT INTO trellis.event_positions AS c (organization_id, position, logged_at)
      SELECT organization_id, count(*), clock_timestamp() FROM taken GROUP BY organization_id
      ON CONFLICT (organization_id) DO UPDATE
        SET position = c.position + excluded.position, logged_at = greatest(c.logged_at, excluded.logged_at)
      RETURNING c.organization_id, c.position AS last, c.logged_at
    )
    INSERT INTO trellis.events (position, logged_at, ${columns})
    SELECT c.last + 1 - row_number() OVER (PARTITION BY t.organization_id ORDER BY t.place DESC), c.logged_at,
      ${eventColumns.map((column) => `t.${column}`).join(', ')}
    FROM taken t JOIN counted c ON c.organization_id = t.organization_id
    RETURNING ${movedRow.list}`,
};

/** Reads the committed events, up to the limit, in the order in which they are to be moved. */
export async function readOutbox(database: Database, limit: number): Promise<AppendedEvent[]> {
  const [waiting] = await database.queryInBackground([step(readWaiting, [String(limit)])]);
  return appendedEventRow.all(waiting);
}

/** How far the log is behind. */
export interface OutboxState {
  /** Number of committed events in the outbox, counted up to 100,000. */
  readonly events: number;
  /** Age of the oldest of them; 0 when the outbox is empty. */
  readonly oldestSeconds: number;
}

/** Measures the outbox of all organizations. @param worker pool of the role `trellis_worker` */
export async function measureOutbox(worker: Database): Promise<OutboxState> {
  const [measured] = await worker.queryInBackground([step(measure)]);
  const { events, oldestSeconds } = measureRow.first(measured) ?? { events: 0, oldestSeconds: 0 };
  // Instants come from the clocks of nodes, which may be slightly ahead of the database's.
  return { events, oldestSeconds: Math.max(0, oldestSeconds) };
}

/**
 * Numbers events, moves them from the outbox to the log and runs the fan-out, all in one transaction under the lease.
 * @param events the first ones that `readOutbox` returned
 * @throws LeaseLostError, OutboxChangedError; nothing was changed then
 */
export function moveToEventLog(
  database: Database,
  lease: Lease,
  events: readonly AppendedEvent[],
  fanOut: FanOut,
): Promise<LoggedEvent[]> {
  const move = step(moveToLog, [
    uuidArray(events.map(({ organizationId }) => organizationId)),
    uuidArray(events.map(({ id }) => id)),
  ]);
  return transactionUnder(lease, database, [move], async ([moved], transaction) => {
    const logged = withPositions(events, moved);
    await transaction.commit(fanOut(logged));
    return logged;
  });
}

function withPositions(events: readonly AppendedEvent[], moved: StepResult | undefined) {
  const positions = new Map(movedRow.all(moved).map(({ id, position }) => [id, position]));
  return events.map((event): LoggedEvent => {
    const position = positions.get(event.id);
    if (position === undefined) throw new OutboxChangedError();
    return { ...event, position };
  });
}
