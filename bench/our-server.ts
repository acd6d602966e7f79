/** The product's API server in a separate process, with all checks. */

import { Database } from '@trellis/server/kernel/database/database.ts';
import { buildServer } from '@trellis/server/node/api/server.ts';
import { pino } from 'pino';
import { testFeatures } from '../test/support/features.ts';
import { unusedStore } from '../test/support/stores.ts';
import { reportUsage } from './usage.ts';

const log = pino({ level: 'warn' }, pino.destination(2));
const database = new Database({
  url: process.env.BENCH_DATABASE_URL ?? '',
  poolSize: Number(process.env.BENCH_CONNECTIONS),
  prepare: true,
  acquireTimeoutMs: 1_000,
  applicationName: 'trellis bench',
  log: (message, detail) => log.warn(detail, message),
});
const cursorKey = Buffer.alloc(32, 1);
const server = await buildServer({
  database,
  cursorKey,
  features: testFeatures({ cursorKey, visitorKey: Buffer.alloc(32, 2) }),
  // High enough never to refuse, but counted: the limits are part of what is measured.
  rateLimits: { perToken: 100_000_000, perOrganization: 100_000_000 },
  // A busy machine stalls the event loop for other reasons than the load.
  maxLagMs: Number.POSITIVE_INFINITY,
  idempotencyRetentionSeconds: 7 * 86_400,
  trashRetentionSeconds: 30 * 86_400,
  origin: null,
  objects: unusedStore,
  maxContentBytes: 1_000_000,
  nudge: () => undefined,
  log,
});
reportUsage((await server.listen({ host: '127.0.0.1', port: 0 })).port);
