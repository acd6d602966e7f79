/**
 * The HTTP server of the interfaces: converts requests to calls of operations and their results to responses, and refuses calls
 * under overload.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { registerConsole } from '../../console/http/routes.ts';
import type { ConsolePlace } from '../../console/prepare.ts';
import { registerDocumentation } from '../../contract/documentation.ts';
import type { Database } from '../../database/database.ts';
import { Listener } from '../../database/listener.ts';
import type { DomainEvent } from '../../events/append.ts';
import { Arrivals } from '../../events/arrivals.ts';
import { Admission } from '../../http/admission.ts';
import {
  createApp,
  createState,
  drain,
  listen,
  organizationOf,
  refuseContentCoding,
} from '../../http/app.ts';
import { type ConnectionLimits, defaultConnectionLimits } from '../../http/connection-limits.ts';
import type { HttpContext, MailSender } from '../../http/context.ts';
import { ExportGuard } from '../../http/export-guard.ts';
import { registerOperations } from '../../http/interface.ts';
import { LaterWork } from '../../http/later-work.ts';
import { createMetrics, type Metrics } from '../../http/metrics.ts';
import { limitsOfMembers, OpenBodies } from '../../http/open-bodies.ts';
import { OpenStreams } from '../../http/open-streams.ts';
import type { Operation } from '../../http/operation.ts';
import { collectRoutes, type Routes, registerOtherMethods } from '../../http/other-methods.ts';
import { OverloadGuard } from '../../http/overload.ts';
import { isProbe, registerProbes } from '../../http/probes.ts';
import { ReadAfter } from '../../http/read-after.ts';
import { tenantInterface } from '../../http/tenant-interface.ts';
import { AccessNotifier, accessChannel } from '../../identity/access-notifier.ts';
import { Authenticator } from '../../identity/authenticator.ts';
import { accountKey } from '../../identity/sign-in/accounts.ts';
import {
  createSignInContext,
  type SignInContext,
  type SignInSettings,
} from '../../identity/sign-in/context.ts';
import { registerSignIn, type SignInProcess } from '../../identity/sign-in/http/routes.ts';
import { deriveKey } from '../../identity/sign-in/secrets.ts';
import { SessionCookie } from '../../identity/sign-in/session-cookie.ts';
import { sweepSignIn } from '../../identity/sign-in/sweep.ts';
import { Sealer } from '../../lib/sealer.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { CursorSealer } from '../../pipeline/cursor.ts';
import type { Models } from '../../pipeline/model.ts';
import { limitTenants, RateLimiter, type TenantLimits } from '../../rate-limits/rate-limiter.ts';
import type { SharedCounts } from '../../rate-limits/shared-counts.ts';
import { registerPictures } from '../../resources/knowledge-files/http/pictures.ts';
import {
  defaultRendererLimits,
  PictureRenderer,
  type RendererLimits,
} from '../../resources/knowledge-files/pictures/renderer.ts';
import { createModels } from '../../resources/models.ts';
import { registerSandbox } from '../../sandbox/http/routes.ts';
import { registerVisitors, type VisitorOptions } from '../../visitors/http/routes.ts';
import { createWebhookSettings, type WebhookSettings } from '../../webhooks/settings.ts';
import { buildOperations } from './operations.ts';

export interface ServerOptions {
  readonly database: Database;
  /** 32 bytes. */
  readonly cursorKey: Buffer;
  readonly rateLimits: TenantLimits;
  /** Redis, where nodes count requests together; absent or null: each process counts for itself. */
  readonly sharedCounts?: SharedCounts | null;
  readonly idempotencyRetentionSeconds: number;
  readonly trashRetentionSeconds: number;
  /** How fast large responses are stored under their keys; the production values if absent. */
  /** The models; created here if absent. A process with other uses for them passes them in. */
  readonly models?: Models;
  /** The store of file contents, with the maximum bytes of a content. */
  readonly objects: ObjectStore;
  readonly maxContentBytes: number;
  /** Limits of the making of renditions that differ from the defaults. */
  readonly renditions?: Partial<RendererLimits>;
  readonly visitors: VisitorOptions;
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
  /** Permitted addresses of webhooks and the key of their secrets; by default public addresses and the cursor key. */
  readonly webhooks?: WebhookSettings;
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
  const state = createState(options.origin);
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
  const renderer = new PictureRenderer({
    database,
    objects: options.objects,
    limits: { ...defaultRendererLimits, ...options.renditions },
    log,
  });
  const context: HttpContext = {
    origin: () => state.origin,
    mail: people === null ? null : createMailSender(people, later),
    database,
    authenticator,
    accessNotifier: access?.notifier ?? null,
    models: options.models ?? createModels(),
    cursors: new CursorSealer(options.cursorKey),
    objects: options.objects,
    downloads: new OpenBodies(limitsOfMembers, database.turns),
    renderer,
    maxContentBytes: options.maxContentBytes,
    uploadIdleMs: connections.uploadIdleMs,
    events: {
      streamLifetimeMs: options.streamLifetimeMs ?? defaultStreamLifetimeMs,
      heartbeatMs: options.heartbeatMs ?? defaultHeartbeatMs,
      stopping: stopping.signal,
      open: new OpenStreams(),
      wait: (organizationId, milliseconds) => arrivals.wait(organizationId, milliseconds),
    },
    webhooks: options.webhooks ?? createWebhookSettings(options.cursorKey, []),
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
  const operations = buildOperations(context, () => state.origin);
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
  registerSandbox(app, context, takeTenant, sandboxUrl);
  registerVisitors(app, { database, metrics, limiter: limiterOf('visitors'), ...options.visitors });
  registerPictures(app, { database, objects: options.objects, renderer });
  const sweep =
    people === null
      ? null
      : startSignIn(app, people, { work: later, admission, limiter: limiterOf('sign-in') }, log);
  if (people !== null && options.console) {
    registerConsole(app, options.console, (cookies) => cookie.read(cookies) !== null);
  }
  registerProbes(app, { database, isDraining: () => state.draining });
  await registerDocumentation(app, operations, () => state.origin, sandboxUrl);
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
      await renderer.close();
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
  registerSignIn(app, context, shared);
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
