/**
 * The real server as a process that can be killed, for the fault tests. Runs on the database in the environment and
 * reports on standard output when it is ready.
 */

import { Database } from '@trellis/server/database/database.ts';
import { buildServer } from '@trellis/server/node/api/server.ts';
import { pino } from 'pino';
import { unusedStore } from './stores.ts';

const database = new Database({
  url: process.env.TEST_DATABASE_URL ?? '',
  poolSize: 16,
  prepare: true,
  acquireTimeoutMs: 1_000,
  applicationName: 'trellis fault test',
  log: () => undefined,
});
const server = await buildServer({
  database,
  cursorKey: Buffer.alloc(32, 7),
  visitors: { key: Buffer.alloc(32, 8), callsPerKey: 0, callsPerNetwork: 0 },
  rateLimits: { perToken: 0, perOrganization: 0 },
  idempotencyRetentionSeconds: 86_400,
  origin: 'http://localhost',
  objects: unusedStore,
  maxContentBytes: 1_000_000,
  nudge: () => undefined,
  log: pino({ level: 'fatal' }, pino.destination(2)),
});
const { port } = await server.listen({ host: '127.0.0.1', port: Number(process.env.TEST_PORT ?? 0) });
process.stdout.write(`${JSON.stringify({ port })}\n`);
process.on('SIGTERM', () => {
  server
    .close()
    .then(() => database.close())
    .then(() => process.exit(0));
});
