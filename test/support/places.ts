/** Loops of background work in the process of a test, at each place of its database, as a node runs them. */
import { type Statement, step } from '@trellis/server/database/batch.ts';
import type { Database } from '@trellis/server/database/database.ts';
import type { BackgroundDatabase } from '@trellis/server/database/parts.ts';
import { type Relay, type RelayOptions, startRelay } from '@trellis/server/events/relay.ts';
import type { Loop } from '@trellis/server/node/background/dependencies.ts';
import type { Place } from '@trellis/server/node/background/workplaces.ts';
import type { TestDatabase } from './database.ts';
import { type DatabaseLocation, openDistributed } from './workplaces.ts';

/** The places of a test's database. */
export interface TestPlaces {
  /** Pool of the role `trellis_worker`; of a distributed database, to its coordinator. */
  readonly worker: Database;
  list(): readonly Place[];
  /** Does something in each part of each place, one after the other. @returns the results */
  everywhere<T>(work: (part: BackgroundDatabase) => Promise<T>): Promise<T[]>;
  /** The part that has an organization. */
  partOf(organizationId: string): Promise<BackgroundDatabase>;
  /** Closes what was opened for them. */
  close(): Promise<void>;
}

/** What the places of a database need of it. */
export type PlacedDatabase = DatabaseLocation & Pick<TestDatabase, 'worker' | 'api'>;

/** The places of a plain database, which is one with the pools of the test, or of a distributed one. */
export async function openPlaces(database: PlacedDatabase): Promise<TestPlaces> {
  const { worker, api } = database;
  if (await worker.isDistributed()) {
    const { workplaces, close } = await openDistributed(database);
    return placesOf(workplaces.worker, () => workplaces.list(), close);
  }
  const place = { api, parts: () => worker.parts() };
  return placesOf(
    worker,
    () => [place],
    async () => undefined,
  );
}

/** Every organization has roles. */
const findRoles: Statement = {
  name: 'test_find_roles',
  text: 'SELECT FROM trellis.roles WHERE organization_id = $1 LIMIT 1',
};

function placesOf(worker: Database, list: TestPlaces['list'], close: TestPlaces['close']): TestPlaces {
  const parts = () => list().flatMap((place) => place.parts());
  return {
    worker,
    list,
    async everywhere(work) {
      const results = [];
      for (const part of parts()) results.push(await work(part));
      return results;
    },
    async partOf(organizationId) {
      for (const part of parts()) {
        const [roles] = await part.queryInBackground([step(findRoles, [organizationId])]);
        if (roles?.rows.length === 1) return part;
      }
      throw new Error(`No part has the organization ${organizationId}`);
    },
    close,
  };
}

/** Starts a loop at each place, until stopped. */
export async function startAtPlaces(database: PlacedDatabase, start: (place: Place) => Loop): Promise<Loop> {
  const places = await openPlaces(database);
  const loops = places.list().map((place) => start(place));
  return {
    stop: once(async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await places.close();
    }),
  };
}

/** Starts a relay for the servers of a test's database. */
export async function startTestRelay(
  database: PlacedDatabase,
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
    stop: once(async () => {
      await relay.stop();
      await places.close();
    }),
  };
}

/** Stops the first time that it is called, as loops do. */
function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= stop();
    return stopped;
  };
}
