/** The thread that computes password hashes, at a low priority of the operating system (see `HashThread`). */
import { argon2Sync } from 'node:crypto';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { HashRequest, HashResult } from './hash-thread.ts';

// Niceness 10 leaves a tenth of a processor that others want too. At the lowest, 19, it is a hundredth: on a busy machine people
// would wait for many seconds. Linux gives priorities to threads; elsewhere it would be that of the whole server.
if (process.platform === 'linux') lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on('message', ({ id, parameters }: HashRequest) => {
  parentPort?.postMessage({ id, ...compute(parameters) } satisfies HashResult);
});

/** Some sandboxes refuse the call. Hashes are computed all the same. */
function lowerPriority(priority: number): void {
  try {
    if (getPriority() < priority) setPriority(priority);
  } catch {
    // As it was.
  }
}

function compute(parameters: HashRequest['parameters']): Omit<HashResult, 'id'> {
  try {
    return { hash: argon2Sync('argon2id', parameters), error: null };
  } catch (error) {
    return { hash: null, error: (error as Error).message };
  }
}
