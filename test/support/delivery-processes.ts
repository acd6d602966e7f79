/** Starts and kills the delivery processes of a test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { killChild } from './children.ts';
import type { TestDatabase } from './database.ts';
import { environmentFor } from './process-database.ts';

const script = fileURLToPath(new URL('./delivery-process.ts', import.meta.url));
const running = new Set<ChildProcess>();

export interface DeliveryProcess {
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

/** A process that has loaded its modules, which takes long, but delivers nothing yet. */
export interface PreparedProcess {
  /** Waits until it delivers. */
  begin(): Promise<DeliveryProcess>;
}

/**
 * Starts a process without deliveries.
 * @param leaseMs duration of its leases; a call may take half as long
 */
export async function prepareDeliveryProcess(
  database: TestDatabase,
  leaseMs: number,
): Promise<PreparedProcess> {
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      ...environmentFor(database),
      TEST_LEASE_MS: String(leaseMs),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.add(child);
  const exited = once(child, 'exit').then(() => running.delete(child));
  await once(child.stdout, 'data');
  return {
    async begin() {
      const begun = once(child.stdout, 'data');
      child.stdin.write('begin\n');
      await begun;
      return {
        async kill() {
          child.kill('SIGKILL');
          await exited;
        },
      };
    },
  };
}

/** Starts a process that delivers, and waits until it has begun. */
export async function startDeliveryProcess(
  database: TestDatabase,
  leaseMs: number,
): Promise<DeliveryProcess> {
  return (await prepareDeliveryProcess(database, leaseMs)).begin();
}

/** Kills the remaining processes; for the end of a test that failed. */
export async function killDeliveryProcesses(): Promise<void> {
  await Promise.all([...running].map(killChild));
}
