/** The HTTP server of a node without the role `api`: it serves the probes `/healthz` and `/readyz` only. */
import type { Logger } from 'pino';
import type { Database } from '../../kernel/database/database.ts';
import { createApp, createState, drain, listen } from '../../kernel/http/app.ts';
import type { Metrics } from '../../kernel/http/metrics.ts';
import { collectRoutes, registerOtherMethods } from '../../kernel/http/other-methods.ts';
import { registerProbes } from '../../kernel/http/probes.ts';
import type { Server } from './server.ts';

/** Builds the server; it does not listen yet. */
export async function buildProbeServer(options: {
  readonly database: Database;
  readonly metrics: Metrics;
  /** Public scheme, host and port of the installation; null for the address that the server listens on. */
  readonly origin: string | null;
  readonly log: Logger;
}): Promise<Pick<Server, 'listen' | 'close'>> {
  const { database, metrics, origin, log } = options;
  const state = createState(origin, []);
  metrics.watchPool(() => database.poolState());
  const app = createApp(state, null, metrics, log);
  const routes = collectRoutes(app);
  registerProbes(app, { database, isDraining: () => state.draining });
  registerOtherMethods(app, structuredClone(routes));
  await app.ready();
  return {
    listen: (place) => listen(app, state, { ...place, origin }),
    close: () => drain(app, state),
  };
}
