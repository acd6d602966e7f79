/**
 * The server of a test: the real one over HTTP, on a database of its own. Every response of its interfaces is checked
 * against the OpenAPI documents of the same server.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsolePlace } from '@trellis/server/console/prepare.ts';
import {
  defaultRendererLimits,
  type RendererLimits,
} from '@trellis/server/features/knowledge/pictures/renderer.ts';
import type { SignInSettings } from '@trellis/server/features/sign-in/context.ts';
import type { WebhookSettings } from '@trellis/server/features/webhooks/settings.ts';
import type { Arrivals } from '@trellis/server/kernel/events/arrivals.ts';
import type { ConnectionLimits } from '@trellis/server/kernel/http/connection-limits.ts';
import { createMetrics, type Metrics } from '@trellis/server/kernel/http/metrics.ts';
import type { ObjectStore } from '@trellis/server/kernel/objects/object-store.ts';
import { buildServer, type Server } from '@trellis/server/node/api/server.ts';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { testFeatures } from './features.ts';
import { createMember, createOrganization, createToken, type TestOrganization } from './identities.ts';
import { type ReceivedResponse, send } from './send.ts';
import { openTestStore } from './stores.ts';
import { type ResponseValidator, responseValidator } from './validate-response.ts';

export interface TestServer {
  readonly url: string;
  readonly database: TestDatabase;
  readonly server: Server;
  readonly metrics: Metrics;
  readonly objects: ObjectStore;
  readonly organization: TestOrganization;
  /** Token with every scope of a user with the role OWNER. */
  readonly token: string;
  readonly ownerId: string;
  /** Calls the server as the owner, unless another token (or null, for none) is given. */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** Checks a response against the server's documents. Returns no faults for paths that no document describes. */
  readonly faultsOf: ResponseValidator;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly token?: string | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly rawBody?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Idempotency-Key; a fresh one for writes unless given, none when null. */
  readonly key?: string | null;
}

export interface TestResponse extends ReceivedResponse {
  /** The parsed body; undefined for an empty one. */
  readonly json: Json;
}

/** The type of JSON.parse: tests access members freely, and an assertion fails when the shape differs. */
export type Json = ReturnType<typeof JSON.parse>;

export interface TestServerOptions {
  readonly poolSize?: number;
  /** Whether its database is in a cluster of its own with durability, as in production; false by default. */
  readonly durable?: boolean;
  /** How long a statement of a request may take, also waiting for a lock, in ms; as in production when absent. */
  readonly statementTimeoutMs?: number;
  /** Requests a minute of one token; 0 for no limit. */
  readonly rateLimit?: number;
  /** Bytes of the largest content of a file; 1,000,000 when absent. */
  readonly maxContentBytes?: number;
  /** Identify calls a minute; no limits when absent. */
  readonly visitorLimits?: { readonly perKey: number; readonly perNetwork: number };
  /** Trusted proxies; none when absent. */
  readonly trustedProxies?: string;
  /** Duration of an event stream, in ms; 200 when absent. */
  readonly streamLifetimeMs?: number;
  /** Different records of a resource that a session reads in a day without a recent sign-in; as in production when absent. */
  readonly recordsPerDay?: number;
  /** Interval of heartbeats on an event stream, in ms; as in production when absent. */
  readonly heartbeatMs?: number;
  /** The arrivals of events that a relay of the test reports. */
  readonly arrivals?: Arrivals;
  /** Event loop lag above which calls are refused, in ms; never when absent. */
  readonly maxLagMs?: number;
  /** Limits of time and memory for connections that differ from the defaults. */
  readonly connections?: Partial<ConnectionLimits>;
  /** Addresses that webhooks may call; only public ones when absent. */
  readonly webhooks?: WebhookSettings;
  /** Gets each warning and error that the server logs. */
  readonly log?: (line: string) => void;
  /** The level from which on `log` gets what the server logs; `warn` when absent. */
  readonly logLevel?: 'trace' | 'warn';
  /** How long deleted records are kept, in seconds; 30 days when absent. */
  readonly trashRetentionSeconds?: number;
  /** The built console; none is served when absent. */
  readonly console?: ConsolePlace;
  /** Limits of the making of renditions that differ from `patientLimits` and the defaults. */
  readonly renditions?: Partial<RendererLimits>;
  /** Settings of signing in, if not the default ones. */
  readonly signIn?: Partial<SignInSettings>;
}

/** Limits of a renderer that do not end its work on a busy machine. */
export const patientLimits: Pick<RendererLimits, 'deadlineMs' | 'extraction'> = {
  deadlineMs: 300_000,
  extraction: { ...defaultRendererLimits.extraction, wallMilliseconds: 300_000 },
};

/** Starts a server with one organization and its owner. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = await createTestDatabase(options);
  try {
    return await startOn(database, options);
  } catch (error) {
    // A test file whose server does not start must end instead of waiting for its database.
    await database.drop();
    throw error;
  }
}

async function startOn(database: TestDatabase, options: TestServerOptions): Promise<TestServer> {
  const organization = await createOrganization(database.worker, `org-${randomBytes(4).toString('hex')}`);
  const ownerId = await createMember(database.worker, organization, 'OWNER');
  const { token } = await createToken(database.worker, organization, ownerId);
  const objects = await openTestStore();
  const metrics = createMetrics();
  const cursorKey = randomBytes(32);
  const server = await buildServer({
    database: database.api,
    metrics,
    objects: objects.store,
    maxContentBytes: options.maxContentBytes ?? 1_000_000,
    cursorKey,
    features: testFeatures({
      cursorKey,
      visitorKey: randomBytes(32),
      visitorLimits: options.visitorLimits,
      webhooks: options.webhooks,
      renditions: { ...patientLimits, ...options.renditions },
    }),
    trustedProxies: options.trustedProxies ?? null,
    rateLimits: { perToken: options.rateLimit ?? 0, perOrganization: 0 },
    idempotencyRetentionSeconds: 7 * 86_400,
    trashRetentionSeconds: options.trashRetentionSeconds ?? 30 * 86_400,
    signIn: {
      database: database.auth,
      idleSeconds: 3_600,
      callsPerNetwork: 0,
      mail: null,
      external: null,
      ...options.signIn,
    },
    console: options.console ?? null,
    origin: null,
    // Test and server share a process: the test's own computation must not look like an overload.
    maxLagMs: options.maxLagMs ?? Number.POSITIVE_INFINITY,
    // Tests read streams to their end.
    streamLifetimeMs: options.streamLifetimeMs ?? 200,
    ...(options.recordsPerDay === undefined ? {} : { recordsPerDay: options.recordsPerDay }),
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
    ...(options.arrivals === undefined ? {} : { arrivals: options.arrivals }),
    ...(options.connections === undefined ? {} : { connections: options.connections }),
    nudge: () => undefined,
    log:
      options.log === undefined
        ? pino({ level: process.env.TRELLIS_TEST_LOG ?? 'silent' })
        : pino({ level: options.logLevel ?? 'warn' }, { write: options.log }),
  });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${port}`;
  const faultsOf = await readContracts(url);
  return {
    url,
    database,
    server,
    metrics,
    objects: objects.store,
    organization,
    token,
    ownerId,
    call: (method, path, callOptions = {}) => call({ url, token, faultsOf }, method, path, callOptions),
    faultsOf,
    async close() {
      await server.close();
      await objects.close();
      await database.drop();
    },
  };
}

async function readContracts(url: string): Promise<ResponseValidator> {
  // The public copies, which need no token and have no rate limit.
  const tenantApi = await readContract(url, '/docs/openapi.json');
  const signIn = await readContract(url, '/auth/openapi.json');
  const sandbox = await readContract(url, '/sandbox/openapi.json');
  return (observed) => {
    if (observed.path.startsWith('/v1')) return tenantApi(observed);
    if (observed.path.startsWith('/auth/') && observed.path !== '/auth/openapi.json') return signIn(observed);
    // The document of the sandbox does not describe itself.
    const isSandbox = observed.path.startsWith('/sandbox') && observed.path !== '/sandbox/openapi.json';
    return isSandbox ? sandbox(observed) : [];
  };
}

/**
 * Validators by the text of their documents, apart from the server's address: the schemas that a validator has compiled serve
 * for all servers of this process with the same document.
 */
const validators = new Map<string, ResponseValidator>();

/** A server without a configured origin calls itself `localhost` in its documents. */
const localAddresses = /http:\/\/(?:localhost|127\.0\.0\.1):\d+/g;

async function readContract(origin: string, path: string): Promise<ResponseValidator> {
  const text = (await readDocument(`${origin}${path}`)).replace(localAddresses, '');
  const validator = validators.get(text) ?? responseValidator(JSON.parse(text));
  validators.set(text, validator);
  return validator;
}

/** Reads a document; retries, since a server on a busy machine may refuse its first calls. */
async function readDocument(address: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(address);
    const text = await response.text();
    if (response.status === 200) return text;
    assert.ok(response.status === 503 && tries < 50, `${address} responded with ${response.status}: ${text}`);
    await sleep(100);
  }
}

async function call(
  { url, token: ownerToken, faultsOf }: { url: string; token: string; faultsOf: ResponseValidator },
  method: string,
  target: string,
  options: CallOptions,
): Promise<TestResponse> {
  const token = options.token === undefined ? ownerToken : options.token;
  const isWrite = method !== 'GET' && method !== 'HEAD';
  const body = options.rawBody ?? (options.body === undefined ? null : JSON.stringify(options.body));
  const given = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers: Record<string, string> = {
    ...(body === null
      ? {}
      : { 'content-type': /\/content(\?|$)/.test(target) ? 'application/octet-stream' : 'application/json' }),
    ...Object.fromEntries(given),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(isWrite && options.key !== null ? { 'idempotency-key': options.key ?? randomUUID() } : {}),
  };
  const response = await send(`${url}${target}`, { method, headers, body });
  const { status, text } = response;
  const [path = '', query = ''] = target.split('?');
  const faults = faultsOf({ method, path, query, status, headers: response.headers, text });
  if (faults.length > 0) {
    const described = `${status} ${text.slice(0, 2_000)}`;
    assert.fail(`${method} ${target} has an undocumented response: ${faults.join('; ')}\n${described}`);
  }
  return {
    status,
    headers: response.headers,
    text,
    json: isJson(response) && text !== '' ? JSON.parse(text) : undefined,
  };
}

function isJson(response: ReceivedResponse): boolean {
  return /^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '');
}
