/**
 * Why: what the relay does to the outbox is two questions to the database, and their exact form is what makes the log
 * complete and ordered; they stand here apart from the process around them.
 *
 * Complete: rows commit in another order than they are made, so there is no "last one seen" to go on from. The waiting
 * rows are read as they are, and moved by their ids; one that commits later is found later, however old it is, and
 * an open transaction holds up nobody.
 *
 * Ordered: a record's writes follow one another under its lock, and its instants never go backwards. So whoever sees an
 * event also sees the earlier ones of that record, and (instant, version) puts them in the order of versions, whatever
 * the clocks of nodes say; any beginning of the waiting rows in this order may be moved by itself.
 */
import type { Database } from '../database/database.ts';
import { type Statement, type Step, step } from '../database/flight.ts';
import { uuidArray } from '../database/values.ts';
import { checkHeld, holdStepCount, holdSteps, type Lease } from './lease.ts';
import { type AppendedEvent, decodeEvent, eventColumns, type LoggedEvent } from './logged-event.ts';

/**
 * Makes of events what is to be done about them, in the transaction that logs them: a delivery for each webhook
 * endpoint that wants one. Called once for each batch, which may be of several organizations; a batch whose
 * transaction fails is handed over again.
 */
export type FanOut = (events: readonly LoggedEvent[]) => readonly Step[];

/** The outbox was not as it had been read: a commit whose answer was lost has moved rows of it. Read it again. */
export class OutboxChangedError extends Error {
  constructor() {
    super('Events were moved to the log since the outbox was read.');
    this.name = 'OutboxChangedError';
  }
}

const columns = eventColumns.join(', ');

const readWaiting: Statement = {
  name: 'read_outbox',
  text: `SELECT ${columns} FROM trellis.outbox ORDER BY occurred_at, subject_version, id LIMIT $1`,
};

/** So many are counted at most: the question must not cost more the more it is needed. */
const countedAtMost = 100_000;
const measure: Statement = {
  name: 'measure_outbox',
  text: `SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0)
    FROM (SELECT occurred_at FROM trellis.outbox LIMIT ${countedAtMost}) o`,
};

// The row of an organization's last position stays locked until the commit: positions become visible in their order.
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
    RETURNING id, position`,
};

/** The committed events that wait, at most so many, in the order in which they are to be moved. */
export async function readOutbox(database: Database, limit: number): Promise<AppendedEvent[]> {
  const [waiting] = await database.query([step(readWaiting, [String(limit)])]);
  return (waiting?.rows ?? []).map(decodeEvent);
}

/** How far behind the log is. */
export interface OutboxState {
  /** Committed events that wait, counted up to 100,000. */
  readonly events: number;
  /** How long the oldest of these has waited; 0 when none does. */
  readonly oldestSeconds: number;
}

/** Looks how much waits, of all organizations. @param worker pool of the role `trellis_worker` */
export async function measureOutbox(worker: Database): Promise<OutboxState> {
  const [measured] = await worker.query([step(measure)]);
  const [events, seconds] = measured?.rows[0] ?? [];
  // Instants are of the clocks of nodes, which may be a little ahead of the database's.
  return { events: Number(events), oldestSeconds: Math.max(0, Number(seconds)) };
}

/**
 * Numbers events, moves them from the outbox to the log and does what follows from them: all in one transaction under the
 * lease, or not at all.
 * @param events as `readOutbox` gave them, from the first one on
 * @throws LeaseLostError, OutboxChangedError; then nothing was changed
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
  return database.backgroundTransaction([...holdSteps(lease), move], async (results, transaction) => {
    checkHeld(lease, results);
    const logged = withPositions(events, results[holdStepCount]?.rows ?? []);
    await transaction.commit(fanOut(logged));
    return logged;
  });
}

function withPositions(events: readonly AppendedEvent[], rows: readonly (readonly (string | null)[])[]) {
  const positions = new Map(rows.map(([id, position]) => [id, Number(position)]));
  return events.map((event): LoggedEvent => {
    const position = positions.get(event.id);
    if (position === undefined) throw new OutboxChangedError();
    return { ...event, position };
  });
}
