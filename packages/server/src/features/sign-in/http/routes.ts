/** The interface below `/auth`, by which people sign in. It is called by pages of this origin, and by nothing else. */
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { refuseFaults } from '@trellis/schema/validation/faults.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { renderOnce, sendDocument } from '../../../kernel/contract/documentation/rendered-document.ts';
import type { Admission } from '../../../kernel/http/admission.ts';
import { parseBody, readNoBody } from '../../../kernel/http/calls.ts';
import { type Interface, registerOperations } from '../../../kernel/http/interface.ts';
import type { LaterWork } from '../../../kernel/http/later-work.ts';
import type { ReceivedRequest } from '../../../kernel/http/operation.ts';
import { readParameters } from '../../../kernel/http/parameters.ts';
import { checkRecentSignIn } from '../../../kernel/identity/actor.ts';
import { checkSameOrigin, checkUser, readUserHeader } from '../../../kernel/identity/browser-requests.ts';
import { unauthenticated } from '../../../kernel/lib/fair-queue.ts';
import { addressPrefix } from '../../../kernel/lib/network-address.ts';
import type { RateLimiter } from '../../../kernel/rate-limits/rate-limiter.ts';
import { accountKey, findAccount } from '../accounts.ts';
import type { SignInContext } from '../context.ts';
import { checkMayAdd } from '../credential-change.ts';
import { describeDevice } from '../device.ts';
import { invalidSession } from '../refusals.ts';
import { findSession, type OpenedSession, sessionLifetime } from '../sessions.ts';
import { buildSignInDocument } from './document.ts';
import type { AuthCall, AuthOperation, AuthResponse } from './operation.ts';

/** Bytes of a body. */
const bodyBytes = 65_536;
/** A body of these operations is too small for a pause. */
const noPause = () => undefined;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the operations below `/auth`. */
    currentSession?: OpenedSession | null;
  }
}

/** What the process shares with other interfaces. */
export interface SignInProcess {
  /** Does work after responses were sent. */
  readonly work: LaterWork;
  readonly admission: Admission;
  /** Anybody may begin a sign-in, which the database has to remember. */
  readonly limiter: RateLimiter;
}

/** Registers the operations and `/auth/openapi.json`. */
export function registerSignIn(
  app: FastifyInstance,
  operations: readonly AuthOperation[],
  context: SignInContext,
  { work, admission, limiter }: SignInProcess,
): void {
  const pages: Interface<AuthOperation> = {
    bodyBytes,
    // Before the body is received: who it is, and whether a page of ours asks.
    admit: async (operation, request, reply) => {
      reply.headers({ 'cache-control': 'no-store', vary: 'Cookie, Origin, Sec-Fetch-Site, Trellis-User' });
      const network = { name: 'network', key: networkOf(request), quota: context.callsPerNetwork };
      reply.headers(await limiter.take([network]));
      checkSameOrigin(request.headers, context.cookie.origin());
      refuseToken(request);
      request.currentSession = await findCurrent(context, operation, request);
    },
    respond: async (operation, received, request, reply) => {
      const { headers, params, requestId } = received;
      const current = request.currentSession ?? null;
      // By now a session was read, and the body has arrived.
      const turn = admission.continue(ownerOf(current), request);
      if (turn !== undefined) await turn;
      readParameters(received.query, operation.queryParameters);
      const call: AuthCall = {
        ...(await readBody(operation, received)),
        requestId,
        network: networkOf(request),
        browser: context.cookie.readBrowser(headers.cookie),
        device: describeDevice(headers['user-agent']),
        params,
        current,
        checkUser: () => {
          if (current !== null) checkUser(readUserHeader(headers), current.session.userId);
        },
        later: (task) => work.run({ requestId, route: operation.path }, task),
      };
      const response = await handle(operation, call);
      reply.headers(await cookiesOf(context, call, response));
      const { body } = response;
      return {
        status: operation.success.status,
        headers: {},
        body: body === null ? null : JSON.stringify(body),
      };
    },
  };
  registerOperations(app, operations, pages);
  const render = renderOnce(() => buildSignInDocument(operations, context.cookie));
  app.get('/auth/openapi.json', async (request, reply) =>
    sendDocument(request, reply, render(context.cookie.origin())),
  );
}

/** The body, checked and as it was sent. @throws Problem for every fault */
async function readBody(
  { body }: AuthOperation,
  received: ReceivedRequest,
): Promise<Pick<AuthCall, 'body' | 'rawBody'>> {
  const raw = await (body === null
    ? readNoBody(received, noPause)
    : parseBody(received, body.mediaTypes, limits.bodyDepth, noPause));
  const checked = body?.check(raw);
  refuseFaults(checked?.faults ?? []);
  return { body: toObject(checked?.body), rawBody: toObject(raw) };
}

/** The network that a request comes from, in one form for each. */
function networkOf({ ip }: FastifyRequest): string {
  return addressPrefix(ip) ?? 'unknown';
}

/** The owner of the request's turn on the event loop, so that signed-in people do not wait for unauthenticated requests. */
function ownerOf(current: OpenedSession | null): string {
  return current === null ? unauthenticated : `person ${current.session.userId}`;
}

/** A token has no place in a page: a request with one is rejected. @throws Problem invalid_header */
function refuseToken({ headers }: FastifyRequest): void {
  if (headers.authorization === undefined) return;
  const detail = 'Bearer tokens are not accepted here: people sign in.';
  throw new Problem('invalid_header', `Authorization: ${detail}`, {
    errors: [{ header: 'Authorization', code: 'unexpected', detail }],
  });
}

/**
 * The session of the cookie.
 * @throws Problem session_invalid, invalid_header, wrong_user, insufficient_user_authentication where the operation needs one
 */
async function findCurrent(
  { auth, cookie }: SignInContext,
  { access, tellsUser }: AuthOperation,
  { headers }: FastifyRequest,
): Promise<OpenedSession | null> {
  const secret = cookie.read(headers.cookie);
  const session = secret === null ? null : await findSession(auth, secret);
  const current = session === null || secret === null ? null : { session, secret };
  if (access === 'anyone') return current;
  if (current === null) throw invalidSession();
  if (tellsUser !== true) checkUser(readUserHeader(headers), current.session.userId);
  if (access === 'recent') checkRecentSignIn(current.session);
  if (access === 'newFactor') await checkMayAdd(auth, current.session);
  return current;
}

async function handle(operation: AuthOperation, call: AuthCall): Promise<AuthResponse> {
  if (operation.access === 'anyone') return operation.handle(call);
  if (call.current === null) throw invalidSession();
  return operation.handle({ ...call, current: call.current });
}

/** The Set-Cookie headers of a response. */
async function cookiesOf(
  { auth, browsers, cookie }: SignInContext,
  call: AuthCall,
  { cookie: change, knownFor }: AuthResponse,
): Promise<{ 'set-cookie'?: string[] }> {
  const cookies: string[] = [];
  if (change === 'clear') cookies.push(cookie.clear());
  else if (change !== undefined) {
    cookies.push(cookie.write(change.secret, change.keep ? sessionLifetime.keptSignedIn : null));
  }
  // Read after the operation, which may have raised the version.
  const account = knownFor === undefined ? null : await findAccount(auth, knownFor);
  if (account !== null) {
    const known = { key: accountKey(account.email), version: account.credentialVersion };
    cookies.push(cookie.writeBrowser(browsers.add(call.browser, known)));
  }
  return cookies.length === 0 ? {} : { 'set-cookie': cookies };
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}
