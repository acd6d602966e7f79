/**
 * Why: events that are logged go on to a message system, all of them, each organization's in their order, at least once.
 * The forwarder reads the log behind the sink's cursors, sends, and moves the cursors after the sink has acknowledged.
 * It may be killed at any moment: what was sent and not noted is sent again under the same id.
 *
 * One process at a time sends, however many nodes run this loop. A lease cannot reach into the message system, so sending
 * is given less time than is left of the lease when it begins.
 */
import type { Database } from '../database/database.ts';
import { encodeId } from '../lib/ids.ts';
import { toCloudEvent } from './cloud-event.ts';
import type { Lease } from './lease.ts';
import { type Found, LeasedLoop, type LoopTiming } from './leased-loop.ts';
import { type Backlog, type BacklogSizes, moveSinkCursors, readBacklogs } from './sink-cursors.ts';
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
  const loop = new LeasedLoop({
    database,
    lease: sink.lease,
    title: sink.title,
    timing: { ...defaultTiming, ...options.timing },
    log,
    turn: (lease, self) => forward(options, sizes, lease, self),
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
  sizes: BacklogSizes,
  lease: Lease,
  loop: LeasedLoop,
): Promise<Found> {
  await sink.open();
  const backlogs = await readBacklogs(database, sink.name, sizes);
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
  const isFull = backlogs.some(({ events }) => events.length === sizes.eventsOfEach);
  return isFull || backlogs.length === sizes.organizations ? 'much' : 'little';
}

/** Where the cursor goes after so many acknowledged events; null when it stays. */
function positionAfter({ events, latest }: Backlog, acknowledged: number): number | null {
  // What the log no longer holds will never be sent.
  if (events.length === 0) return latest;
  return events[acknowledged - 1]?.position ?? null;
}
