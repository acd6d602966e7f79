/**
 * Where the background roles of a process work: in a plain database, or on each server of a distributed one, with connections and loops of its
 * own, so that a server that is away stops only the work of its own organizations.
 */
import type { Database } from '../../database/database.ts';
import type { ServerState, Servers } from '../../database/distribution/servers.ts';
import { Shard } from '../../database/distribution/shard.ts';
import type { BackgroundDatabase, Workplace } from '../../database/parts.ts';
import type { Loop } from './dependencies.ts';

/** A place with what changes the records found there. */
export interface Place extends Workplace {
  /** Pool of the role `trellis_api`; of a server of a distributed database, to that server. */
  readonly api: Database;
}

/** Loops of one kind, one at each place. */
export interface Loops<T extends Loop> extends Loop {
  /** Those that run now. */
  readonly running: Iterable<T>;
}

export interface WorkplacesOptions {
  readonly servers: Servers;
  /** Pool of the role `trellis_worker`; of a distributed database, to its coordinator. */
  readonly worker: Database;
  /** The same for the role `trellis_api`. */
  readonly api: Database;
  /** Open pools of these roles to a server, `host:port`. */
  readonly openWorker: (address: string) => Database;
  readonly openApi: (address: string) => Database;
}

/** The places of one role. Before it is known whether the database is distributed, there is none. */
export class Workplaces {
  /** Pool of the role `trellis_worker` for what belongs to no server, such as leases. */
  readonly worker: Database;
  private readonly options: WorkplacesOptions;
  private readonly places = new Map<string | null, Place>();
  private readonly followers = new Set<() => void>();
  private readonly unsubscribe: () => void;
  private readonly closing = new Set<Promise<void>>();

  constructor(options: WorkplacesOptions) {
    this.options = options;
    this.worker = options.worker;
    this.unsubscribe = options.servers.onChange(() => this.follow());
    this.follow();
  }

  list(): readonly Place[] {
    return [...this.places.values()];
  }

  /** Runs a loop at each place, also at those that are added later. */
  run<T extends Loop>(start: (place: Place) => T): Loops<T> {
    const loops = new Map<Place, T>();
    const ending = new Set<Promise<void>>();
    const end = (loop: T) => {
      const ended = loop.stop().finally(() => ending.delete(ended));
      ending.add(ended);
    };
    const follow = () => {
      const places = new Set<Place>(this.list());
      for (const [place, loop] of loops) if (!places.has(place) && loops.delete(place)) end(loop);
      for (const place of places) if (!loops.has(place)) loops.set(place, start(place));
    };
    this.followers.add(follow);
    follow();
    return {
      get running() {
        return loops.values();
      },
      stop: async () => {
        this.followers.delete(follow);
        for (const loop of loops.values()) end(loop);
        await Promise.all(ending);
      },
    };
  }

  /**
   * Does something in each part of each place: the places at the same time, the parts of one after each other.
   * @returns the results
   * @throws AggregateError after the others, when it failed at some places
   */
  async everywhere<T>(work: (part: BackgroundDatabase, place: Place) => Promise<T>): Promise<T[]> {
    const ended = await Promise.allSettled(
      this.list().map(async (place) => {
        const results: T[] = [];
        for (const part of place.parts()) results.push(await work(part, place));
        return results;
      }),
    );
    const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} servers failed`);
    return ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  }

  async close(): Promise<void> {
    this.unsubscribe();
    await Promise.all([...this.places.values()].map(closePlace));
    await Promise.all(this.closing);
    await this.worker.close();
  }

  private follow(): void {
    const state = this.options.servers.state();
    if (state === undefined) return;
    const { worker, api } = this.options;
    const gone = new Map(this.places);
    for (const server of state ?? []) {
      const known = gone.get(server.address);
      gone.delete(server.address);
      if (known instanceof ServerPlace) known.update(server);
      else this.places.set(server.address, new ServerPlace(this.options, server));
    }
    if (state === null && !gone.delete(null)) this.places.set(null, { api, parts: () => worker.parts() });
    for (const address of gone.keys()) this.places.delete(address);
    for (const follower of this.followers) follower();
    for (const place of gone.values()) {
      const closed = closePlace(place).finally(() => this.closing.delete(closed));
      this.closing.add(closed);
    }
  }
}

async function closePlace(place: Place): Promise<void> {
  if (place instanceof ServerPlace) await place.close();
}

/** A server of a distributed database. */
class ServerPlace implements Place {
  readonly api: Database;
  private readonly worker: Database;
  private readonly whole: Database;
  private state: ServerState;
  private shards: readonly Shard[];

  constructor({ worker, openWorker, openApi }: WorkplacesOptions, state: ServerState) {
    this.whole = worker;
    this.worker = openWorker(state.address);
    this.api = openApi(state.address);
    this.state = state;
    this.shards = this.open(state);
  }

  parts(): readonly BackgroundDatabase[] {
    return this.state.isAway ? [] : this.shards;
  }

  update(state: ServerState): void {
    const { shards, isAway } = this.state;
    this.state = state;
    if (state.shards !== shards) this.shards = this.open(state);
    if (isAway || !state.isAway) return;
    // What waits for it fails now: nothing that has begun can hold up a loop, or the end of the process.
    this.worker.disconnect();
    this.api.disconnect();
  }

  async close(): Promise<void> {
    await Promise.all([this.worker.close(), this.api.close()]);
  }

  private open({ shards }: ServerState): Shard[] {
    return shards.map((tables) => new Shard(this.worker, this.whole, tables));
  }
}
