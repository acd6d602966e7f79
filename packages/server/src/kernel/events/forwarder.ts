/**
 * Forwards logged events to a message system (the sink): all of them, each organization's in order, at least once. The
 * forwarder reads the log from the sink's cursors, sends, and moves the cursors after the sink has acknowledged. It may be
 * killed at any moment: events that were sent without moving the cursor are sent again under the same id.
 *
 * One process at a time sends, however many nodes run this loop. A lease cannot stop a message that is being sent, so
 * sending gets less time than is left of the lease when it begins.
 */

import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Database } from '../database/database.ts';
import { traceWork } from '../lib/tracing.ts';
import { toCloudEvent } from './cloud-event.ts';
import type { Lease } from './lease.ts';
import { LeasedLoop, type LoopTiming, type WorkFound } from './leased-loop.ts';
import type { EventSink } from './sink.ts';
import {
  type Backlog,
  type BacklogQuery,
  type BacklogSizes,
  moveSinkCursors,
  readBacklogs,
} from './sink-cursors.ts';

export interface ForwarderOptions {
  /** Pool of the role `trellis_worker`. One connection at a time is used. */
  readonly database: Database;
  readonly sink: EventSink;
  /** Public origin of the server, without a trailing slash. */
  readonly origin: string;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly timing?: Partial<LoopTiming>;
  readonly sizes?: Partial<BacklogSizes>;
}

/** When sending begins, two thirds of the lease (4 s) are left for `sendMs` and a response that does not come. */
const defaultTiming: LoopTiming = {
  leaseMs: 6_000,
  standbyMs: 1_000,
  pollMs: 500,
  gatherMs: 20,
  firstBackoffMs: 100,
  lastBackoffMs: 5_000,
};
const sendMs = 1_000;
const defaultSizes: BacklogSizes = { organizations: 32, eventsOfEach: 100 };

/**
 * Interval of full scans. Comparing all organizations with their cursors every half second is expensive when there are
 * many. After a full scan that left nothing, only organizations with recent events are compared until the next one.
 */
const fullScanMs = 60_000;
const recentMs = 300_000;

/** A forwarder that runs until it is stopped. */
export interface Forwarder {
  /** Announces that events were logged in this process. */
  nudge(): void;
  /** Finishes the current batch, releases the lease and closes the sink. Never rejects. */
  stop(): Promise<void>;
}

/** Starts the loop. Failures are logged and retried; it ends only with `stop`. */
export function startForwarder(options: ForwarderOptions): Forwarder {
  const { database, sink, log } = options;
  const sizes = { ...defaultSizes, ...options.sizes };
  /** When the next full scan is due, in `performance.now()` milliseconds. */
  let fullScanAt = 0;
  const loop = new LeasedLoop({
    database,
    lease: sink.lease,
    title: sink.title,
    timing: { ...defaultTiming, ...options.timing },
    log,
    async runOnce(lease, self) {
      const now = performance.now();
      const isDue = now >= fullScanAt;
      const next = isDue ? now + fullScanMs : fullScanAt;
      // The next iteration scans all again, unless this one succeeds and leaves nothing.
      fullScanAt = 0;
      const query = { ...sizes, withinMs: isDue ? null : recentMs };
      const found = await forward(options, query, lease, self);
      if (found !== 'full') fullScanAt = next;
      return found;
    },
  });
  return {
    nudge: () => loop.nudge(),
    async stop() {
      await loop.stop();
      await sink.close();
    },
  };
}

/**
 * Sends the next events of the organizations that are behind, and records what was acknowledged, even when sending
 * failed.
 */
async function forward(
  { database, sink, origin, log }: ForwarderOptions,
  query: BacklogQuery,
  lease: Lease,
  loop: LeasedLoop,
): Promise<WorkFound> {
  await sink.open();
  const backlogs = await readBacklogs(database, sink.name, query);
  if (backlogs.length === 0) return 'none';
  await loop.renewIfDue(lease);
  const signal = AbortSignal.timeout(sendMs);
  const results = await Promise.all(
    backlogs.map((backlog) => {
      const { organizationId } = backlog;
      const events = backlog.events.map((event) => toCloudEvent(event, origin));
      const attributes = { 'trellis.organization.id': organizationId, 'trellis.events': events.length };
      return traceWork({ name: `forward events to ${sink.name}`, kind: 'producer', attributes }, async () => {
        const sent = await sink.send(encodeId('org', organizationId), events, signal);
        return { backlog, ...sent, position: positionAfter(backlog, sent.acknowledged) };
      });
    }),
  );
  const reached = results.flatMap(({ backlog: { organizationId }, position }) =>
    position === null ? [] : [{ organizationId, position }],
  );
  if (reached.length > 0) {
    await moveSinkCursors(database, lease, sink.name, reached);
    loop.markRenewed();
  }
  for (const { backlog, position } of results) {
    if (position === null || backlog.dropped === 0) continue;
    log('Events were deleted from the log before they could be forwarded', {
      organization: encodeId('org', backlog.organizationId),
      events: backlog.dropped,
    });
  }
  const failed = results.find(({ failure }) => failure !== null);
  if (failed?.failure) throw failed.failure;
  const isMore = results.some(
    ({ backlog: { events }, acknowledged }) =>
      acknowledged < events.length || events.length === query.eventsOfEach,
  );
  return isMore || backlogs.length === query.organizations ? 'full' : 'partial';
}

/** The new position of the cursor after this number of acknowledged events; null when it does not move. */
function positionAfter({ events, latest }: Backlog, acknowledged: number): number | null {
  // Events that the log no longer holds are never sent.
  if (events.length === 0) return latest;
  return events[acknowledged - 1]?.position ?? null;
}
