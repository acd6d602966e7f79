/**
 * Why: events that are logged go on to a message system, all of them, each organization's in their order, at least once.
 * The forwarder reads the log behind the sink's cursors, sends, and moves the cursors after the sink has acknowledged.
 * It may be killed at any moment: what was sent and not noted is sent again under the same id.
 *
 * One process at a time sends, however many nodes run this loop. A lease cannot reach into the message system, so sending
 * is given less time than is left of the lease when it begins.
 */

import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Database } from '../database/database.ts';
import { toCloudEvent } from './cloud-event.ts';
import type { Lease } from './lease.ts';
import { type Found, LeasedLoop, type LoopTiming } from './leased-loop.ts';
import {
  type Backlog,
  type BacklogQuery,
  type BacklogSizes,
  moveSinkCursors,
  readBacklogs,
} from './sink-cursors.ts';
import type { EventSink } from './sinks/sink.ts';

export interface ForwarderOptions {
  /** Pool of the role `trellis_worker`. One connection is enough, and all that is used at a time. */
  readonly database: Database;
  readonly sink: EventSink;
  /** Public origin of the server, without a slash at the end. */
  readonly origin: string;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly timing?: Partial<LoopTiming>;
  readonly sizes?: Partial<BacklogSizes>;
}

/** Two thirds of the lease are left when sending begins: 4 s, for `sendMs` and an answer that does not come. */
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
 * Comparing all organizations with their cursors every half second would cost much when there are many. After a look at
 * all of them that left nothing, those with recent events will do, until the next look at all.
 */
const lookAtAllMs = 60_000;
const recentMs = 300_000;

/** A forwarder that runs until it is stopped. */
export interface Forwarder {
  /** Says that events were logged in this process. */
  nudge(): void;
  /** Finishes what is being sent, lets the next process have the lease and closes the sink. Never rejects. */
  stop(): Promise<void>;
}

/** Starts the loop. Failures are logged and tried again; it ends only by `stop`. */
export function startForwarder(options: ForwarderOptions): Forwarder {
  const { database, sink, log } = options;
  const sizes = { ...defaultSizes, ...options.sizes };
  /** When to look at all organizations, as `performance.now()` has it. */
  let lookAtAllAt = 0;
  const loop = new LeasedLoop({
    database,
    lease: sink.lease,
    title: sink.title,
    timing: { ...defaultTiming, ...options.timing },
    log,
    async turn(lease, self) {
      const now = performance.now();
      const isDue = now >= lookAtAllAt;
      const next = isDue ? now + lookAtAllMs : lookAtAllAt;
      // Unless this turn ends well and leaves nothing, the next one looks at all too.
      lookAtAllAt = 0;
      const found = await forward(options, { ...sizes, withinMs: isDue ? null : recentMs }, lease, self);
      if (found !== 'much') lookAtAllAt = next;
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

/** Sends the next events of the organizations that are behind, and notes what has arrived, also when not all has. */
async function forward(
  { database, sink, origin, log }: ForwarderOptions,
  query: BacklogQuery,
  lease: Lease,
  loop: LeasedLoop,
): Promise<Found> {
  await sink.open();
  const backlogs = await readBacklogs(database, sink.name, query);
  if (backlogs.length === 0) return 'nothing';
  await loop.keep(lease);
  const signal = AbortSignal.timeout(sendMs);
  const results = await Promise.all(
    backlogs.map(async (backlog) => {
      const events = backlog.events.map((event) => toCloudEvent(event, origin));
      const sent = await sink.send(encodeId('org', backlog.organizationId), events, signal);
      return { backlog, ...sent, position: positionAfter(backlog, sent.acknowledged) };
    }),
  );
  const reached = results.flatMap(({ backlog: { organizationId }, position }) =>
    position === null ? [] : [{ organizationId, position }],
  );
  if (reached.length > 0) {
    await moveSinkCursors(database, lease, sink.name, reached);
    loop.noteRenewal();
  }
  for (const { backlog, position } of results) {
    if (position === null || backlog.dropped === 0) continue;
    log('events were dropped from the log before they could be forwarded', {
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
  return isMore || backlogs.length === query.organizations ? 'much' : 'little';
}

/** Where the cursor goes after so many acknowledged events; null when it stays. */
function positionAfter({ events, latest }: Backlog, acknowledged: number): number | null {
  // What the log no longer holds will never be sent.
  if (events.length === 0) return latest;
  return events[acknowledged - 1]?.position ?? null;
}
