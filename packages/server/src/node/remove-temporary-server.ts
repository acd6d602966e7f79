/** The process that removes a temporary server (temporary-server.ts) when its standard input ends: it does so with the process that has begun it. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { dataFolder } from './temporary-server.ts';

/** How often it looks again, and after what time, in ms: a program that was making the cluster writes for a moment more. */
const rounds = 20;
const pauseMs = 250;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('The folder is missing.');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
for await (const _ of process.stdin);
for (let round = 0; round < rounds && existsSync(folder); round += 1) {
  await removeEmbedded(join(folder, dataFolder));
  rmSync(folder, { recursive: true, force: true });
  await sleep(pauseMs);
}
