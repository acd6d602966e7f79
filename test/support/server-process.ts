/**
 * The real server as a process that can be killed, for the fault tests. Runs on the database in the environment and
 * reports on standard output when it is ready.
 */

import { Database } from '@trellis/server/kernel/database/database.ts';
import { buildServer } from '@trellis/server/node/api/server.ts';
import { pino } from 'pino';
import { testFeatures } from './features.ts';
import { unusedStore } from './stores.ts';

const connect = (url: string) =>
  new Database({
    url,
    poolSize: 16,
    prepare: true,
    acquireTimeoutMs: 1_000,
    applicationName: 'trellis fault test',
    log: () => undefined,
  });
const database = connect(process.env.TEST_DATABASE_URL ?? '');
// With the console people sign in, too.
const { TEST_CONSOLE: folder, TEST_AUTH_DATABASE_URL: authUrl } = process.env;
const auth = authUrl === undefined ? null : connect(authUrl);
const cursorKey = Buffer.alloc(32, 7);
const server = await buildServer({
  database,
  cursorKey,
  features: testFeatures({ cursorKey, visitorKey: Buffer.alloc(32, 8) }),
  rateLimits: { perToken: 0, perOrganization: 0 },
  idempotencyRetentionSeconds: 86_400,
  trashRetentionSeconds: 30 * 86_400,
  origin: auth === null ? 'http://localhost' : null,
  ...(auth === null
    ? {}
    : { signIn: { database: auth, idleSeconds: 3_600, callsPerNetwork: 0, mail: null, external: null } }),
  console: folder === undefined ? null : { folder },
  // A browser and a build beside it must not look like an overload, which would refuse the files of the console.
  ...(folder === undefined ? {} : { maxLagMs: Number.POSITIVE_INFINITY }),
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
    .then(() => auth?.close())
    .then(() => process.exit(0));
});
