/**
 * The HTTP server of the interfaces: converts requests to calls of operations and their results to responses, and refuses calls
 * under overload.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

import { registerConsole } from '../../console/http/routes.ts';
import type { ConsolePlace } from '../../console/prepare.ts';
import { accountKey } from '../../features/sign-in/accounts.ts';
import {
  createSignInContext,
  type SignInContext,
  type SignInSettings,
} from '../../features/sign-in/context.ts';
import { registerSignIn, type SignInProcess } from '../../features/sign-in/http/routes.ts';
import { sweepSignIn } from '../../features/sign-in/sweep.ts';
import { createModels } from '../../features.ts';
import { registerDocumentation } from '../../kernel/contract/documentation.ts';
import type { Database } from '../../kernel/database/database.ts';
import { Listener } from '../../kernel/database/listener.ts';
import type { DomainEvent } from '../../kernel/events/append.ts';
import { Arrivals } from '../../kernel/events/arrivals.ts';
import type { Feature } from '../../kernel/feature.ts';
import { Admission } from '../../kernel/http/admission.ts';
import {
  createApp,
  createState,
  drain,
  listen,
  organizationOf,
  refuseContentCoding,
} from '../../kernel/http/app.ts';
import { type ConnectionLimits, defaultConnectionLimits } from '../../kernel/http/connection-limits.ts';
import type { HttpContext, MailSender } from '../../kernel/http/context.ts';
import { ExportGuard } from '../../kernel/http/export-guard.ts';
import { registerOperations } from '../../kernel/http/interface.ts';
import { LaterWork } from '../../kernel/http/later-work.ts';
import { createMetrics, type Metrics } from '../../kernel/http/metrics.ts';
import { limitsOfMembers, OpenBodies } from '../../kernel/http/open-bodies.ts';
import { OpenStreams } from '../../kernel/http/open-streams.ts';
import type { Operation } from '../../kernel/http/operation.ts';
import { collectRoutes, type Routes, registerOtherMethods } from '../../kernel/http/other-methods.ts';
import { OverloadGuard } from '../../kernel/http/overload.ts';
import { isProbe, registerProbes } from '../../kernel/http/probes.ts';
import { ReadAfter } from '../../kernel/http/read-after.ts';
import { tenantInterface } from '../../kernel/http/tenant-interface.ts';
import { AccessNotifier, accessChannel } from '../../kernel/identity/access-notifier.ts';
import { Authenticator } from '../../kernel/identity/authenticator.ts';
import { deriveKey } from '../../kernel/identity/secrets.ts';
import { SessionCookie } from '../../kernel/identity/session-cookie.ts';
import { Sealer } from '../../kernel/lib/sealer.ts';
import type { ObjectStore } from '../../kernel/objects/object-store.ts';
import { CursorSealer } from '../../kernel/pipeline/cursor.ts';
import type { Models } from '../../kernel/pipeline/model.ts';
import {
  limitTenants,
  RateLimiter,
  type SharedCounts,
  type TenantLimits,
} from '../../kernel/rate-limits/rate-limiter.ts';
import { authOperations } from './auth-operations.ts';
import { buildApi } from './operations.ts';

export interface ServerOptions {
  readonly database: Database;
  /** 32 bytes. */
  readonly cursorKey: Buffer;
  readonly rateLimits: TenantLimits;
  /** Redis, where nodes count requests together; absent or null: each process counts for itself. */
  readonly sharedCounts?: SharedCounts | null;
  readonly idempotencyRetentionSeconds: number;
  readonly trashRetentionSeconds: number;
  /** The models; created here if absent. A process with other uses for them passes them in. */
  readonly models?: Models;
  /** The store of file contents, with the maximum bytes of a content. */
  readonly objects: ObjectStore;
  readonly maxContentBytes: number;
  readonly features: readonly Feature[];
  /** How people sign in; absent or null: only bearer tokens are accepted. */
  readonly signIn?: SignInOptions | null;
  /** The console; absent or null: none is served. It needs `signIn`. */
  readonly console?: ConsolePlace | null;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted, separated by commas; none if absent. */
  readonly trustedProxies?: string | null;
  /** Public scheme, host and port; null for the address that the server listens on. */
  readonly origin: string | null;
  /** Public address of the sandbox; absent or null: `/sandbox` of the origin. */
  readonly sandboxUrl?: string | null;
  /** Lag of the event loop above which new calls get 503, in ms; 250 when absent. */
  readonly maxLagMs?: number;
  /** Limits of connections that differ from the defaults. */
  readonly connections?: Partial<ConnectionLimits>;
  /** Called after a commit with the events that it appended. */
  readonly nudge: (events: readonly DomainEvent[]) => void;
  /**
   * Where PostgreSQL tells what other processes have changed, a URL as the serving role; absent or null: reads see it within two
   * seconds.
   */
  readonly listenerUrl?: string | null;
  /** Wakes event streams when this node has logged events; they also poll. */
  readonly arrivals?: Arrivals;
  /** How long a stream of events lasts, in ms; 15 minutes when absent. */
  readonly streamLifetimeMs?: number;
  /** Different records of a resource that a session reads in a day without a recent sign-in; `recordsPerDay` when absent. */
  readonly recordsPerDay?: number;
  /** After how long without events a stream sends a heartbeat, in ms; 15 seconds if absent. */
  readonly heartbeatMs?: number;
  /** The metrics; created here if absent. */
  readonly metrics?: Metrics;
  readonly log: Logger;
}

/** As the role that signs people in, with what the operator has set. */
interface SignInOptions extends SignInSettings {
  readonly database: Database;
}

export interface Server {
  /** Starts to listen; port 0 picks a free one. */
  listen(options: { host: string; port: number }): Promise<{ port: number }>;
  /** Shuts down: reports not ready, finishes running requests, and ends within 25 s. */
  close(): Promise<void>;
  /** All operations of the tenant API; for tests and the document. */
  readonly operations: readonly Operation[];
  /** For tests: the methods of all paths, including those that are not operations; parameters as `:name`. */
  readonly routes: Routes;
}

const defaultStreamLifetimeMs = 15 * 60_000;
const defaultHeartbeatMs = 15_000;

/** Builds the server; it does not listen yet. */
export async function buildServer(options: ServerOptions): Promise<Server> {
  const { database, log } = options;
  const { features } = options;
  const state = createState(
    options.origin,
    features.flatMap(({ errorFormat }) => (errorFormat === undefined ? [] : [errorFormat])),
  );
  const cookie = new SessionCookie(options.cursorKey, () => state.origin);
  const authenticator = new Authenticator(database, cookie);
  const access = connectAccessChanges(options, authenticator);
  const arrivals = options.arrivals ?? new Arrivals();
  const stopping = new AbortController();
  const connections = { ...defaultConnectionLimits, ...options.connections };
  const { signIn = null } = options;
  const people =
    signIn === null ? null : createSignInContext(signIn.database, cookie, options.cursorKey, signIn, log);
  const later = new LaterWork(log);
  const context: HttpContext = {
    log,
    origin: () => state.origin,
    mail: people === null ? null : createMailSender(people, later),
    database,
    authenticator,
    accessNotifier: access?.notifier ?? null,
    models: options.models ?? createModels(),
    cursors: new CursorSealer(options.cursorKey),
    objects: options.objects,
    downloads: new OpenBodies(limitsOfMembers, database.turns),
    maxContentBytes: options.maxContentBytes,
    uploadIdleMs: connections.uploadIdleMs,
    events: {
      streamLifetimeMs: options.streamLifetimeMs ?? defaultStreamLifetimeMs,
      heartbeatMs: options.heartbeatMs ?? defaultHeartbeatMs,
      stopping: stopping.signal,
      open: new OpenStreams(),
      wait: (organizationId, milliseconds) => arrivals.wait(organizationId, milliseconds),
    },
    exports: new ExportGuard(options.recordsPerDay),
    mailedLinkKey: deriveKey(options.cursorKey, 'mailed invitations'),
    readAfter:
      database.replicasState() === null
        ? null
        : new ReadAfter(deriveKey(options.cursorKey, 'read positions')),
    tokenSealer: new Sealer(deriveKey(options.cursorKey, 'token secrets')),
    writes: {
      database,
      idempotencyRetentionSeconds: options.idempotencyRetentionSeconds,
      trashRetentionSeconds: options.trashRetentionSeconds,
      nudge: options.nudge,
      noteUse: (actor, identity) => authenticator.noteUse(actor, identity),
    },
  };
  const guard = new OverloadGuard(database.turns, options.maxLagMs);
  const admission = new Admission(database.turns, guard);
  const metrics = options.metrics ?? createMetrics();
  metrics.watchPool(() => database.poolState());
  metrics.watchReplicas(() => database.replicasState());
  metrics.watchEventLoop(() => guard.lag() / 1_000);
  const { sharedCounts: shared = null } = options;
  if (shared !== null) metrics.watchSharedCounts(() => shared.isReachable());
  const limiterOf = (scope: string) =>
    new RateLimiter({ scope, shared, countCheck: (where) => metrics.countRateLimitCheck(where) });
  const takeTenant = limitTenants(limiterOf('tenants'), options.rateLimits);
  const api = buildApi(context, features);
  const { operations } = api;
  const app = createApp(state, options.trustedProxies ?? null, metrics, log, connections);

  app.addHook('onRequest', async (request) => {
    // Probes always get a response: a supervisor must not restart an overloaded process. Operations ask when they know the
    // organization. Files in memory cost as little as a refusal, and a browser does not ask for a script again.
    const { knowsCallers = false, isInMemory = false } = request.routeOptions.config;
    if (isProbe(request.routeOptions.url) || knowsCallers || isInMemory) return;
    await admission.admit(null, request);
  });
  app.addHook('onError', async (request) => {
    if (!isProbe(request.routeOptions.url)) admission.chargeRefusal(organizationOf(request));
  });
  const collected = collectRoutes(app);
  const tenants = tenantInterface(context, { takeTenant, admission, metrics });
  const register = (scope: FastifyInstance, acceptsContent: boolean) =>
    registerOperations(
      scope,
      operations.filter((operation) => (operation.acceptsContent ?? false) === acceptsContent),
      tenants,
    );
  register(app, false);
  await app.register(async (scope) => {
    // The handler reads bodies of any type as a stream.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async (request: FastifyRequest) => {
      refuseContentCoding(request.headers['content-encoding']);
    });
    register(scope, true);
  });
  const sandboxUrl = () => options.sandboxUrl ?? `${state.origin}/sandbox`;
  for (const { register } of api.served) register?.(app, { takeTenant, limiterOf, metrics, sandboxUrl });
  const sweep =
    people === null
      ? null
      : startSignIn(app, people, { work: later, admission, limiter: limiterOf('sign-in') }, log);
  if (people !== null && options.console) {
    registerConsole(app, options.console, (cookies) => cookie.read(cookies) !== null);
  }
  registerProbes(app, { database, isDraining: () => state.draining });
  await registerDocumentation(app, api, () => state.origin, sandboxUrl);
  const routes = structuredClone(collected);
  registerOtherMethods(app, routes);
  state.paths = [...routes.keys()]
    .filter((path) => /^\/v1\/(.+\/)?[a-z-]+$/.test(path))
    .map((path) => path.replaceAll(/:(\w+)/g, '{$1}'))
    .sort((left, right) => left.length - right.length);
  await app.ready();

  return {
    operations,
    routes,
    async listen(place) {
      const listening = await listen(app, state, { ...place, origin: options.origin });
      guard.reset();
      return listening;
    },
    async close() {
      stopping.abort();
      arrivals.notifyAll();
      await drain(app, state);
      clearInterval(sweep ?? undefined);
      people?.mailer?.stop();
      await later.finish();
      for (const { close } of api.served) await close?.();
      guard.close();
      await access?.listener.close();
      await access?.notifier.finish();
      await authenticator.close();
    },
  };
}

/** Receives and sends notifications of changed rights; null where there are none. */
function connectAccessChanges({ listenerUrl = null, database }: ServerOptions, authenticator: Authenticator) {
  if (listenerUrl === null) return null;
  const listener = new Listener(listenerUrl, accessChannel, (organizationId) => {
    if (organizationId === '') authenticator.forgetAll();
    else authenticator.forgetOrganization(organizationId);
  });
  return { listener, notifier: new AccessNotifier(database) };
}

/** How often what signing in leaves behind is deleted, in ms. */
const signInSweepMs = 10 * 60_000;

/** Registers the routes for signing in, and periodically deletes expired sessions, links and challenges. */
function startSignIn(
  app: FastifyInstance,
  context: SignInContext,
  shared: SignInProcess,
  log: Logger,
): NodeJS.Timeout {
  registerSignIn(app, authOperations(context), context, shared);
  return setInterval(() => {
    sweepSignIn(context.auth).catch((error: unknown) =>
      log.warn({ err: error }, 'the sweep of sign-ins failed'),
    );
  }, signInSweepMs).unref();
}

/** Sends mail after responses, of one organization to one address at growing intervals; null where no mail is set up. */
function createMailSender({ mailer, delays }: SignInContext, later: LaterWork): MailSender | null {
  if (mailer === null) return null;
  return {
    send: (about, compose) =>
      later.run(about, async () => {
        const outgoing = await compose();
        if (outgoing === null) return;
        const { message, organizationId } = outgoing;
        const value = `${organizationId}\n${accountKey(message.to)}`;
        if (await delays.tryTake([{ kind: 'mail', value }])) await mailer.send(message);
      }),
  };
}
