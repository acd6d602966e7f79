/** Starts, freezes, resumes and ends the relays and forwarders of a test, and keeps their output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killChild } from './children.ts';
import type { TestDatabase } from './database.ts';
import { environmentFor } from './process-database.ts';
import type { Json } from './server.ts';
import { until } from './until.ts';

const running = new Set<ChildProcess>();

/** A process that works under a lease. */
export interface RelayProcess {
  /** All messages so far. */
  readonly said: readonly Json[];
  /** Sends a signal; for SIGKILL and SIGTERM use `end`. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Sends the signal and waits for the end; returns the exit code, null when killed. */
  end(name: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** Waits until it has ended by itself. */
  ended(): Promise<void>;
  /** Waits until it has acquired the lease a number of times, and returns the term. */
  leads(times?: number): Promise<number>;
  /** Waits for a message. */
  says(message: string): Promise<void>;
}

export interface RelayProcessOptions {
  readonly leaseMs?: number;
  /** The signal that it sends itself in its first transaction. */
  readonly mishap?: 'SIGSTOP' | 'SIGKILL';
}

/** Starts a relay on a database. */
export function startRelayProcess(database: TestDatabase, options: RelayProcessOptions = {}): RelayProcess {
  return startProcess('./relay-process.ts', 'the relay', database, options, {});
}

/** Starts a forwarder of the events of a database to a NATS server. Its mishap comes after sending. */
export function startForwarderProcess(
  database: TestDatabase,
  natsUrl: string,
  options: RelayProcessOptions = {},
): RelayProcess {
  return startProcess('./forwarder-process.ts', 'the forwarder of events to NATS', database, options, {
    TEST_NATS_URL: natsUrl,
  });
}

function startProcess(
  script: string,
  title: string,
  database: TestDatabase,
  options: RelayProcessOptions,
  environment: Record<string, string>,
): RelayProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    env: {
      ...process.env,
      ...environment,
      ...environmentFor(database),
      TEST_LEASE_MS: String(options.leaseMs ?? 2_000),
      ...(options.mishap === undefined ? {} : { TEST_MISHAP: options.mishap }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const exited = once(child, 'exit').then(() => running.delete(child));
  const said: Json[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line)));
  return {
    said,
    signal: (name) => child.kill(name),
    async end(name) {
      child.kill(name);
      await exited;
      return child.exitCode;
    },
    async ended() {
      await exited;
    },
    async leads(times = 1) {
      const taken = await until(
        `the process is ${title}`,
        () => said.filter(({ message }) => message === `This process is ${title}`)[times - 1],
      );
      return taken.term;
    },
    async says(message) {
      await until(`it says "${message}"`, () => said.some((line) => line.message === message));
    },
  };
}

/** Kills the remaining processes; for the end of a test that failed. */
export async function killRelayProcesses(): Promise<void> {
  await Promise.all([...running].map(killChild));
}
