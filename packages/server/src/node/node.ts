/**
 * A node's process: opens what its roles need, starts the server and the background work, and closes them in order.
 */

import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import type { Logger } from 'pino';
import { RedisCounts } from '../adapters/redis/redis-counts.ts';
import { startTracing } from '../adapters/tracing/start.ts';
import type { ConsolePlace } from '../console/prepare.ts';
import type { SignInSettings } from '../features/sign-in/context.ts';
import { createFeatures, createModels } from '../features.ts';
import type { Loop } from '../kernel/background/roles.ts';
import { Signals } from '../kernel/background/signals.ts';
import { type Config, publicOrigin } from '../kernel/config/config.ts';
import type { Role } from '../kernel/config/roles.ts';
import type { Database } from '../kernel/database/database.ts';
import { describeProblem } from '../kernel/database/failures.ts';
import { InterruptedRestoreError, pendingMigrations } from '../kernel/database/migrate.ts';
import { checkServingRole, UnsafeRoleError } from '../kernel/database/role-check.ts';
import { OutdatedDatabaseError } from '../kernel/database/schema.ts';
import type { DomainEvent } from '../kernel/events/append.ts';
import { Arrivals } from '../kernel/events/arrivals.ts';
import type { Feature } from '../kernel/feature.ts';
import { createMetrics, type Metrics } from '../kernel/http/metrics.ts';
import { deriveKey } from '../kernel/identity/secrets.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';
import type { ObjectStore } from '../kernel/objects/object-store.ts';
import type { Models } from '../kernel/pipeline/model.ts';
import { type MetricsServer, startMetricsServer } from './api/metrics-server.ts';
import { buildProbeServer } from './api/probe-server.ts';
import { buildServer, type Server } from './api/server.ts';
import { startBackground } from './background.ts';
import { openFileStore } from './file-store.ts';
import { type Installation, openDatabase, requestSilenceMs, requestTimeoutMs } from './installation.ts';

/** The parts of the installation that a node needs. */
export type InstallationAccess = Pick<Installation, 'urls' | 'cursorKey' | 'visitorKey'>;

export interface NodeOptions {
  readonly config: Config;
  readonly installation: InstallationAccess;
  /** The roles of this process. */
  readonly roles: readonly Role[];
  /** The port to listen on; null for a process that does not listen. */
  readonly port: number | null;
  /** The console; absent or null: none is served. */
  readonly console?: ConsolePlace | null;
  /** Signals shared with other processes; by default the process is alone. */
  readonly signals?: Signals;
  /** The metrics to update; by default its own. */
  readonly metrics?: Metrics;
  /** The addresses, when they do not follow from the port that this process listens on. */
  readonly addresses?: Addresses;
  readonly log: Logger;
}

/** A running process. */
export interface Node {
  /** As clients see them. */
  readonly addresses: Addresses;
  /** The port that it listens on; null if it does not listen. */
  readonly port: number | null;
  /** The metrics in Prometheus text format. */
  renderMetrics(): Promise<string>;
  /** Finishes current requests, then the background work, and ends. */
  close(): Promise<void>;
}

/** The public addresses, as clients see them. */
export interface Addresses {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
}

export function addressesOf(config: Config, port: number): Addresses {
  const baseUrl = publicOrigin(config) ?? `http://localhost:${port}`;
  return { baseUrl, sandboxUrl: config.sandboxUrl ?? `${baseUrl}/sandbox` };
}

/**
 * Starts a process. If something fails, everything that was opened is closed.
 * @throws InstallationError, UnsafeRoleError for errors that an operator has to correct
 */
export async function startNode(options: NodeOptions): Promise<Node> {
  const { config, installation, roles, log } = options;
  const signals = options.signals ?? new Signals();
  const metrics = options.metrics ?? createMetrics();
  const features = createFeatures({ ...config, ...installation });
  // Once for all roles of the process.
  const models = createModels();
  // Closed in reverse order, also when opening a later one fails.
  const opened = new AsyncDisposableStack();
  try {
    opened.adopt(await startTracing(process.env, log), (it) => it?.close());
    const api = opened.adopt(await openServingDatabase(options), (it) => it.close());
    const auth = await openAuthDatabase(options);
    if (auth !== null) opened.adopt(auth, (it) => it.close());
    const objects = opened.adopt(await openFileStore(config), (it) => it.close());
    const sharedCounts = await openSharedCounts(options);
    if (sharedCounts !== null) opened.adopt(sharedCounts, (it) => it.close());
    // Started after the server, whose address it needs, and stopped after it: the last requests create work.
    let background: Loop | null = null;
    opened.defer(async () => background?.stop());
    const common = {
      ...options,
      api,
      auth,
      objects,
      sharedCounts,
      models,
      signals,
      metrics,
      features,
    };
    const port = options.port === null ? null : await listenOn(options.port, common, opened);
    const addresses = options.addresses ?? addressesOf(config, port ?? config.port);
    if (roles.includes('delivery') && !roles.includes('api') && options.addresses === undefined) {
      warnOfAddress(config, log);
    }
    background = startBackground(features, roles, installation.urls.worker, {
      ...common,
      origin: addresses.baseUrl,
    });
    const all = opened.move();
    return {
      addresses,
      port,
      renderMetrics: () => metrics.render(),
      close: () => all.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

interface ServingParts extends NodeOptions {
  readonly api: Database;
  /** Null if nobody can sign in here. */
  readonly auth: Database | null;
  readonly objects: ObjectStore;
  readonly sharedCounts: RedisCounts | null;
  readonly models: Models;
  readonly features: readonly Feature[];
  readonly signals: Signals;
  readonly metrics: Metrics;
}

/** Starts the API server, or only the probes on a node without the role `api`. Returns the port. */
async function listenOn(port: number, parts: ServingParts, opened: AsyncDisposableStack): Promise<number> {
  const { config, roles, api, metrics, log } = parts;
  const server = roles.includes('api')
    ? await buildApiServer(parts)
    : await buildProbeServer({
        database: api,
        metrics,
        origin: publicOrigin(config),
        log,
      });
  opened.adopt(server, (it) => it.close());
  try {
    return (await server.listen({ host: config.host, port })).port;
  } catch (error) {
    throw describeListenFailure(error, config.host, port);
  }
}

function buildApiServer(parts: ServingParts): Promise<Server> {
  const { config, installation, signals } = parts;
  const arrivals = new Arrivals();
  signals.on('logged', (organizationIds) => arrivals.notify(organizationIds));
  return buildServer({
    database: parts.api,
    listenerUrl: installation.urls.api,
    objects: parts.objects,
    models: parts.models,
    maxContentBytes: config.maxContentBytes,
    cursorKey: installation.cursorKey,
    signIn: parts.auth === null ? null : { database: parts.auth, ...signInSettings(config) },
    console: parts.console ?? null,
    trustedProxies: config.trustedProxies,
    sharedCounts: parts.sharedCounts,
    rateLimits: { perToken: config.rateLimitToken, perOrganization: config.rateLimitOrganization },
    idempotencyRetentionSeconds: config.idempotencyRetentionSeconds,
    trashRetentionSeconds: config.trashRetentionSeconds,
    origin: publicOrigin(config),
    sandboxUrl: config.sandboxUrl,
    features: parts.features,
    nudge: (events) => signalCommit(signals, events),
    arrivals,
    metrics: parts.metrics,
    log: parts.log,
  });
}

/** What the operator has set of signing in. */
function signInSettings(config: Config): SignInSettings {
  const { smtpUrl, mailFrom, oidcIssuer, oidcClientId, oidcClientSecret } = config;
  const external =
    oidcIssuer === null || oidcClientId === null || oidcClientSecret === null
      ? null
      : { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret, name: config.oidcName };
  return {
    idleSeconds: config.sessionIdleSeconds,
    callsPerNetwork: config.rateLimitSignIn,
    mail: smtpUrl === null || mailFrom === null ? null : { smtpUrl, from: mailFrom },
    external,
  };
}

/** Connects to Redis; null where it is not configured, and on nodes without the role `api`, which limit nobody. */
async function openSharedCounts({ config, installation, roles, log }: NodeOptions) {
  const { redisUrl } = config;
  if (redisUrl === null || !roles.includes('api')) return null;
  return RedisCounts.open({ url: redisUrl, key: deriveKey(installation.cursorKey, 'rate limits'), log });
}

/** Connections of one process for signing in: there are never many sign-ins at once. */
const authPoolSize = 4;

/** Opens the pool of the role that signs users in; null without that role's URL, or without the role `api`. */
async function openAuthDatabase({ config, installation, roles, log }: NodeOptions): Promise<Database | null> {
  const { auth } = installation.urls;
  if (auth === null || !roles.includes('api')) return null;
  const database = openDatabase(config, auth, {
    name: 'trellis auth',
    acquireTimeoutMs: requestTimeoutMs,
    silenceMs: requestSilenceMs,
    poolSize: authPoolSize,
    log: (message, detail) => log.warn(detail, message),
  });
  try {
    await checkServingRole(database);
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof UnsafeRoleError) throw error;
    throw new InstallationError(
      `The database cannot be reached as the role that signs people in: ${describeProblem(error)}.`,
    );
  }
}

/** Tells the other roles of a commit; the extractor only of those that it may have work from. */
function signalCommit(signals: Signals, events: readonly DomainEvent[]): void {
  signals.emit('committed');
  if (events.some(({ subjectType }) => subjectType === knowledgeFiles.singular)) signals.emit('filed');
}

/** Warns when deliveries would contain the address of this node, which serves no API. */
function warnOfAddress(config: Config, log: Logger): void {
  if (publicOrigin(config) !== null) return;
  log.warn(
    'TRELLIS_BASE_URL is not set: webhooks of this node contain an address that serves no API. Set it to the public address of the API',
  );
}

/** Opens the pool of the serving role. Refuses a role that row-level security does not apply to. */
async function openServingDatabase({ config, installation, roles, log }: NodeOptions): Promise<Database> {
  const { api } = installation.urls;
  if (api === null) throw new InstallationError('Serving needs a database: set TRELLIS_DATABASE_URL.');
  const database = openDatabase(config, api, {
    name: 'trellis api',
    acquireTimeoutMs: requestTimeoutMs,
    silenceMs: requestSilenceMs,
    replicaUrl: roles.includes('api') ? config.databaseReplicaUrl : null,
    log: (message, detail) => log.warn(detail, message),
  });
  try {
    await checkServingRole(database);
    const pending = await pendingMigrations(database);
    if (pending.length > 0) {
      log.warn({ pending }, 'Not ready: run "trellis migrate" to apply the missing migrations');
    }
    return database;
  } catch (error) {
    await database.close();
    const ownErrors = [UnsafeRoleError, InterruptedRestoreError, OutdatedDatabaseError];
    if (ownErrors.some((type) => error instanceof type)) throw error;
    throw new InstallationError(`The database cannot be reached: ${describeProblem(error)}.`);
  }
}

/**
 * Starts the listener for Prometheus; null when it is switched off.
 * @throws InstallationError when the address cannot be listened on
 */
export async function openMetrics({ metrics }: Config, log: Logger): Promise<MetricsServer | null> {
  if (metrics === null) return null;
  try {
    return await startMetricsServer(metrics, log);
  } catch (error) {
    throw describeListenFailure(error, metrics.host, metrics.port, 'TRELLIS_METRICS');
  }
}

/** Explains an address that cannot be listened on. @param setting what selects the port */
function describeListenFailure(
  error: unknown,
  host: string,
  port: number,
  setting = '--port (or PORT)',
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const place = `${host}:${port}`;
  if (code === 'EADDRINUSE') {
    return new InstallationError(
      `${place} is already in use. Choose another port with ${setting}; 0 picks a free one.`,
    );
  }
  if (code === 'EACCES')
    return new InstallationError(`This user may not listen on ${place}. Choose a port above 1023.`);
  if (code === 'EADDRNOTAVAIL') return new InstallationError(`This machine has no address ${host}.`);
  return error;
}
