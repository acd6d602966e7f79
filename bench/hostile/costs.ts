/**
 * Processor time by what used it, from `/proc`. Where other programs use the same processors, it says more of an attack than
 * latencies do.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { processorTimeOf, processorTimeOfTree, waitingTimeOf } from '../processor-time.ts';

/** Processor time, in ms. */
export interface Costs {
  /** The thread of the server that runs its JavaScript. */
  readonly loop: number;
  /** How long that thread could have run but had no processor. */
  readonly loopWait: number;
  /** Its other threads: password hashes, compression, files, the collection of garbage. */
  readonly threads: number;
  /** The processes that it started, such as those that extract texts. */
  readonly children: number;
  /** The processes of the database, by role: `trellis_api`, `trellis_worker`, `trellis_auth`. */
  readonly database: Readonly<Record<string, number>>;
}

/** What a server and the connections to its database have used so far. */
export function readCosts(server: number, database: string): Costs {
  const whole = processorTimeOf(server);
  const loop = processorTimeOf(`${server}/task/${server}`);
  return {
    loop,
    loopWait: waitingTimeOf(`${server}/task/${server}`),
    threads: whole - loop,
    children: processorTimeOfTree(server) - whole,
    database: readDatabaseCosts(database),
  };
}

/** What was used between two readings, for each second. */
export function costsPerSecond(before: Costs, after: Costs, milliseconds: number): Costs {
  const rate = (used: number) => (used * 1_000) / milliseconds;
  return {
    loop: rate(after.loop - before.loop),
    loopWait: rate(after.loopWait - before.loopWait),
    threads: rate(after.threads - before.threads),
    children: rate(after.children - before.children),
    database: Object.fromEntries(
      Object.entries(after.database).map(([role, used]) => [role, rate(used - (before.database[role] ?? 0))]),
    ),
  };
}

/** By the titles that PostgreSQL gives its processes: `postgres: ROLE DATABASE ADDRESS STATE`. */
function readDatabaseCosts(database: string): Record<string, number> {
  const costs: Record<string, number> = {};
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const [program, role, name] = readTitle(entry).split(' ');
    if (program !== 'postgres:' || role === undefined || name !== database) continue;
    const used = processorTimeOf(entry);
    // Not a number: the connection was closed meanwhile.
    if (used > 0) costs[role] = (costs[role] ?? 0) + used;
  }
  return costs;
}

function readTitle(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
