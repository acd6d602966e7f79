/**
 * The interface for browsers on pages of other sites. It is the only one that allows other origins, and the only one that accepts
 * a publishable key.
 */
import { randomBytes } from 'node:crypto';
import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { visitors } from '@trellis/schema/resources/visitors.ts';
import { createBodyCheck } from '@trellis/schema/validation/check-body.ts';
import { refuseFaults } from '@trellis/schema/validation/faults.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../kernel/database/database.ts';
import { parseBody } from '../../../kernel/http/calls.ts';
import {
  allowOrigin,
  forbidOrigin,
  type Interface,
  registerOperations,
} from '../../../kernel/http/interface.ts';
import type { Metrics } from '../../../kernel/http/metrics.ts';
import type { OperationDescription, ReceivedRequest } from '../../../kernel/http/operation.ts';
import { readParameters } from '../../../kernel/http/parameters.ts';
import { invalidToken } from '../../../kernel/identity/actor.ts';
import { type PublishableKeyBinding, PublishableKeys } from '../../../kernel/identity/publishable-access.ts';
import { hashAddressPrefix } from '../../../kernel/lib/network-address.ts';
import type { RateLimiter } from '../../../kernel/rate-limits/rate-limiter.ts';
import { authorizeIdentify, identifyVisitor } from '../identify.ts';
import { deriveVisitorKeys } from '../keys.ts';
import { visitorLimits } from '../limits.ts';
import type { IdentifyBody } from '../signals.ts';
import { registerAgent } from './agent.ts';
import { identifyOperation } from './document.ts';
import { identifyBody } from './schemas.ts';

/** The operator's settings. */
export interface VisitorOptions {
  /** 32 bytes: what signals are hashed and stored tokens signed under is derived from it. */
  readonly key: Buffer;
  /** Identify calls a minute with one publishable key; 0 is no limit. */
  readonly callsPerKey: number;
  /** Identify calls a minute from one network (/24 of IPv4, /56 of IPv6); 0 is no limit. */
  readonly callsPerNetwork: number;
}

interface VisitorContext extends VisitorOptions {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly limiter: RateLimiter;
}

/** Headers of a response that a page may read. */
const exposedHeaders = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';

const checkIdentifyBody = createBodyCheck(identifyBody);

/** Registers the identify call with its preflight, and `/agent.js`. */
export function registerVisitors(app: FastifyInstance, context: VisitorContext): void {
  const { database, metrics, limiter } = context;
  const countIdentification = metrics.counter<string>(
    'trellis_visitor_identifications_total',
    'Identify calls that succeeded: visitors recognized by token or signals, new ones, and those who refused recognition.',
    [],
  );
  const publishableKeys = new PublishableKeys(database);
  const keys = deriveVisitorKeys(context.key);
  // Where nodes share limits, the key follows from theirs. Otherwise it is created at each start and never stored, so that it cannot be
  // determined which networks have called.
  const addressKey = limiter.isShared ? keys.networks : randomBytes(32);

  /** Counts the sender's network, and lets the page read the response if its origin is anybody's. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('cache-control', 'no-store').header('vary', 'Origin');
    const nowMs = Date.now();
    const origin = originOf(request);
    // From memory, before the rate limit, so that the page can read the refusal.
    if (publishableKeys.remembersOrigin(origin, nowMs)) allowOrigin(reply, origin, exposedHeaders);
    const key = hashAddressPrefix(addressKey, request.ip);
    reply.headers(await limiter.take([{ name: 'network', key, quota: context.callsPerNetwork }]));
    if (await publishableKeys.isKnownOrigin(origin, nowMs)) allowOrigin(reply, origin, exposedHeaders);
  }

  const browsers: Interface<OperationDescription> = {
    bodyBytes: visitorLimits.identifyBodyBytes,
    crossOrigin: {
      allowedHeaders: 'Content-Type, X-Client-Key',
      preflightSeconds: 7_200,
      admit,
    },
    admit: async (_operation, request, reply) => {
      await admit(request, reply);
      // Refused, because a server's token must not be in a page.
      if (request.headers.authorization !== undefined) throw tokenInBrowser();
      const binding = await publishableKeys.present(request.headers['x-client-key']);
      request.publishableKey = binding;
      const quota = context.callsPerKey;
      addLimits(reply, await limiter.take([{ name: 'key', key: binding.clientId, quota }]));
      await refusing(reply, () => publishableKeys.authorizeEarly(binding, originOf(request), 'visitors'));
    },
    respond: async (_operation, received, request, reply) => {
      const { publishableKey: binding } = request;
      if (binding === undefined) throw new Error('a visitor was identified without a publishable key');
      const origin = originOf(request);
      return refusing(reply, async () => {
        const body = await readIdentifyBody(received, origin).catch(async (defect: unknown) => {
          await authorizeIdentify(database, { binding, origin });
          throw defect;
        });
        const { headers, requestId } = received;
        const found = await identifyVisitor(database, keys, { binding, origin, requestId, headers, body });
        countIdentification(found.outcome);
        const identification = {
          visitorId: encodeId(visitors.idPrefix, found.visitorId),
          requestId,
          confidence: { score: found.score },
          storedToken: found.storedToken,
        };
        return { status: 200, headers: {}, body: JSON.stringify(identification) };
      });
    },
  };
  registerAgent(app);
  registerOperations(app, [identifyOperation], browsers);
}

/** Does the work; a page of an origin that is not the key's own may not even read why it is refused. */
async function refusing<T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.code === 'origin_not_allowed') {
      forbidOrigin(reply);
    }
    throw error;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the identify call's route. */
    publishableKey?: PublishableKeyBinding;
  }
}

function originOf({ headers }: FastifyRequest): string {
  const { origin } = headers;
  return typeof origin === 'string' && origin.length <= visitorLimits.originCharacters ? origin : '';
}

/** Adds the remaining requests of another limit to the headers of the first one. */
function addLimits(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const before = reply.getHeader(name);
    reply.header(name, before === undefined ? value : `${before}, ${value}`);
  }
}

/**
 * The validated body.
 * @throws Problem for every fault of the request
 */
async function readIdentifyBody(received: ReceivedRequest, origin: string): Promise<IdentifyBody> {
  readParameters(received.query, identifyOperation.queryParameters);
  const body = await parseBody(
    received,
    identifyOperation.body.mediaTypes,
    visitorLimits.identifyBodyDepth,
    // A body of this route is too small for a pause.
    () => undefined,
  );
  const checked = checkIdentifyBody(body);
  refuseFaults(checked.faults);
  const identification = checked.body as IdentifyBody;
  if (identification.page.origin !== origin) refuseFaults([otherOrigin]);
  return identification;
}

const otherOrigin: Fault = {
  pointer: '/page/origin',
  code: 'origin',
  detail: 'Must be the origin of the calling page, as in the Origin header.',
};

function tokenInBrowser(): Problem {
  const detail =
    'A bearer token is not accepted here: it belongs on a server. Send only the publishable key, in X-Client-Key.';
  return new Problem('token_invalid', detail, {
    errors: [{ header: 'Authorization', code: 'token', detail }],
    headers: invalidToken().headers,
  });
}
