/** Starts several nodes on one database, or nodes with very few resources. */

import { randomBytes } from 'node:crypto';
import { Database } from '@trellis/server/kernel/database/database.ts';
import type { ReplicaOptions } from '@trellis/server/kernel/database/replicas.ts';
import type { SharedCounts } from '@trellis/server/kernel/rate-limits/rate-limiter.ts';
import { buildServer, type Server } from '@trellis/server/node/api/server.ts';
import { pino } from 'pino';
import type { TestDatabase } from './database.ts';
import { testFeatures } from './features.ts';
import { unusedStore } from './stores.ts';

/** Another server than that of `startTestServer`, with its own pool on the same database. */
export interface TestNode {
  readonly url: string;
  readonly server: Server;
  readonly database: Database;
  /** Stops the server, then closes its pool. */
  close(): Promise<void>;
}

/** Starts a node; `acquireTimeoutMs`: how long a call may wait for a connection, `silenceMs`: for a database that says nothing. */
export async function startNode(
  { urls }: Pick<TestDatabase, 'urls'>,
  {
    poolSize = 8,
    acquireTimeoutMs = 5_000,
    silenceMs = 65_000,
    listenerUrl = null,
    replicas = null,
    cursorKey = randomBytes(32),
    // The nodes share the process of the test, whose own computation must not look like an overload; nor must a clock that it stops.
    maxLagMs = Number.POSITIVE_INFINITY,
    perToken = 0,
    sharedCounts = null,
  }: {
    poolSize?: number;
    acquireTimeoutMs?: number;
    silenceMs?: number;
    listenerUrl?: string | null;
    replicas?: ReplicaOptions | null;
    cursorKey?: Buffer;
    /** Lag of the event loop above which requests are refused, in ms; never when absent. */
    maxLagMs?: number;
    /** Requests a minute of one token; 0 for no limit. */
    perToken?: number;
    sharedCounts?: SharedCounts | null;
  } = {},
): Promise<TestNode> {
  const database = new Database({
    url: urls.api,
    poolSize,
    prepare: true,
    acquireTimeoutMs,
    silenceMs,
    replicas,
    applicationName: 'trellis test node',
    log: () => undefined,
  });
  const server = await buildServer({
    database,
    listenerUrl,
    cursorKey,
    maxLagMs,
    features: testFeatures({ cursorKey, visitorKey: randomBytes(32) }),
    sharedCounts,
    rateLimits: { perToken, perOrganization: 0 },
    idempotencyRetentionSeconds: 7 * 86_400,
    trashRetentionSeconds: 30 * 86_400,
    origin: null,
    objects: unusedStore,
    maxContentBytes: 1_000_000,
    nudge: () => undefined,
    log: pino({ level: 'silent' }),
  });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    database,
    async close() {
      await server.close();
      await database.close();
    },
  };
}
