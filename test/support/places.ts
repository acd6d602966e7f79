/** Loops of background work in the process of a test, at each place of its database, as a node runs them. */
import type { Database } from '@trellis/server/database/database.ts';
import { type Relay, type RelayOptions, startRelay } from '@trellis/server/events/relay.ts';
import type { Loop } from '@trellis/server/node/background/dependencies.ts';
import type { Place } from '@trellis/server/node/background/workplaces.ts';
import type { TestDatabase } from './database.ts';
import { openDistributed } from './workplaces.ts';

/** The places of a test's database. */
interface TestPlaces {
  /** Pool of the role `trellis_worker`; of a distributed database, to its coordinator. */
  readonly worker: Database;
  list(): readonly Place[];
  /** Closes what was opened for them. */
  close(): Promise<void>;
}

/** The places of a plain database, which is one with the pools of the test, or of a distributed one. */
async function openPlaces(database: TestDatabase): Promise<TestPlaces> {
  const { worker, api } = database;
  if (await worker.isDistributed()) {
    const { workplaces, close } = await openDistributed(database);
    return { worker: workplaces.worker, list: () => workplaces.list(), close };
  }
  const place = { api, parts: () => worker.parts() };
  return { worker, list: () => [place], close: async () => undefined };
}

/** Starts a loop at each place, until stopped. */
export async function startAtPlaces(database: TestDatabase, start: (place: Place) => Loop): Promise<Loop> {
  const places = await openPlaces(database);
  const loops = places.list().map((place) => start(place));
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await places.close();
    },
  };
}

/** Starts a relay for the servers of a test's database. */
export async function startTestRelay(
  database: TestDatabase,
  options: Partial<Omit<RelayOptions, 'database' | 'places'>> = {},
): Promise<Relay> {
  const places = await openPlaces(database);
  const relay = startRelay({
    log: () => undefined,
    ...options,
    database: places.worker,
    places: () => places.list(),
  });
  return {
    nudge: () => relay.nudge(),
    term: () => relay.term(),
    async stop() {
      await relay.stop();
      await places.close();
    },
  };
}
