/** The probes `/healthz` and `/readyz` for load balancers and supervisors. They need no token and show no tenant data. */
import type { FastifyInstance } from 'fastify';
import { ReadOnlyHostError } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { pendingMigrations } from '../database/migrate.ts';

const paths = { health: '/healthz', readiness: '/readyz' } as const;

/** Whether the route is one of the probes. */
export function isProbe(url: string | undefined): boolean {
  return Object.values(paths).some((path) => path === url);
}

/** Registers `/healthz` and `/readyz`. */
export function registerProbes(
  app: FastifyInstance,
  sources: { database: Database; isDraining: () => boolean },
): void {
  app.get(paths.health, async () => ({ status: 'ok' }));
  app.get(paths.readiness, async (_request, reply) => {
    const reason = await whyNotReady(sources);
    if (reason !== null) return reply.status(503).send({ status: 'not ready', reason });
    // A node is ready without any of them, because the primary serves what they do not. Addresses are not for everybody.
    const replicas = sources.database.replicasState()?.replicas.map(({ condition }) => condition);
    return { status: 'ready', ...(replicas === undefined ? {} : { replicas }) };
  });
}

async function whyNotReady({
  database,
  isDraining,
}: {
  database: Database;
  isDraining: () => boolean;
}): Promise<string | null> {
  if (isDraining()) return 'stopping';
  try {
    const pending = await pendingMigrations(database);
    return pending.length === 0 ? null : `migrations pending: ${pending.join(', ')}`;
  } catch (error) {
    return error instanceof ReadOnlyHostError ? 'no database takes writes' : 'database unreachable';
  }
}
