/** The routes below `/auth`, by which people sign in. They are called by pages of this origin, and by nothing else. */
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { createBodyCheck } from '@trellis/schema/validation/check-body.ts';
import { refuseFaults } from '@trellis/schema/validation/faults.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderOnce, sendDocument } from '../../../contract/documentation/rendered-document.ts';
import type { Admission } from '../../../http/admission.ts';
import { parseBody, readNoBody } from '../../../http/calls.ts';
import type { LaterWork } from '../../../http/later-work.ts';
import { readParameters } from '../../../http/parameters.ts';
import { RateLimiter } from '../../../http/rate-limit.ts';
import { unauthenticated } from '../../../lib/fair-queue.ts';
import { addressPrefix } from '../../../visitors/address.ts';
import { checkRecentSignIn } from '../../actor.ts';
import { accountKey, findAccount } from '../accounts.ts';
import { checkSameOrigin, checkUser, readUserHeader } from '../browser-requests.ts';
import type { SignInContext } from '../context.ts';
import { checkMayAdd, checkMayChange } from '../credential-change.ts';
import { describeDevice } from '../device.ts';
import { invalidSession } from '../refusals.ts';
import { findSession, type OpenedSession, sessionLifetime } from '../sessions.ts';
import { buildSignInDocument } from './document.ts';
import { factorRoutes } from './factor-routes.ts';
import { invitationRoutes } from './invitation-routes.ts';
import type { AuthAnswer, AuthCall, AuthRoute } from './route.ts';
import { bodies } from './schemas.ts';
import { sessionRoutes } from './session-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

/** Where the routes are described. */
const signInDocumentPath = '/auth/openapi.json';
/** Bytes of a body. */
const bodyBytes = 65_536;
/** A body of these routes is too small for a pause. */
const noPause = () => undefined;

/** Every route, for the document and the tests too. */
function listRoutes(context: SignInContext): AuthRoute[] {
  return [
    ...signInRoutes(context),
    ...invitationRoutes(context),
    ...sessionRoutes(context),
    ...factorRoutes(context),
  ];
}

/** Registers them. */
export function registerSignIn(app: FastifyInstance, context: SignInContext, shared: SignInProcess): void {
  const routes = listRoutes(context);
  const render = renderOnce(() => buildSignInDocument(routes, context.cookie));
  app.get(signInDocumentPath, async (request, reply) =>
    sendDocument(request, reply, render(context.cookie.origin())),
  );
  // Anybody may begin a sign-in, which the database has to remember.
  const watch = { limiter: new RateLimiter({ perToken: 0, perOrganization: 0 }), ...shared };
  for (const route of routes) registerRoute(app, context, route, watch);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the routes of signing in. */
    currentSession?: OpenedSession | null;
  }
}

/** What the process shares with other routes. */
export interface SignInProcess {
  /** Does what goes on after answers were sent. */
  readonly work: LaterWork;
  readonly admission: Admission;
}

/** What calls are held against, and the process that they run in. */
interface Watch extends SignInProcess {
  readonly limiter: RateLimiter;
}

function registerRoute(app: FastifyInstance, context: SignInContext, route: AuthRoute, watch: Watch): void {
  const { limiter, work, admission } = watch;
  const check = route.body === null ? null : createBodyCheck(bodies[route.body]);
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyBytes,
    // Before the body is received: who it is, and whether a page of ours asks.
    onRequest: async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', vary: 'Cookie, Origin, Sec-Fetch-Site, Trellis-User' });
      const network = { name: 'network', key: networkOf(request), quota: context.callsPerNetwork };
      reply.headers(limiter.takeFrom([network], Date.now()));
      checkSameOrigin(request.headers, context.cookie.origin());
      refuseToken(request);
      request.currentSession = await admit(context, route, request);
    },
    handler: async (request, reply) => {
      const current = request.currentSession ?? null;
      // By now a session was read, and the body has arrived.
      const turn = admission.continue(ownerOf(current), request);
      if (turn !== undefined) await turn;
      const mark = request.url.indexOf('?');
      readParameters(mark === -1 ? '' : request.url.slice(mark + 1), []);
      const sent = {
        headers: request.headers,
        body: Buffer.isBuffer(request.body) ? request.body : undefined,
      };
      const rawBody = await (check === null
        ? readNoBody(sent, noPause)
        : parseBody(sent, ['application/json'], limits.bodyDepth, noPause));
      const checked = check?.(rawBody);
      refuseFaults(checked?.faults ?? []);
      const call: AuthCall = {
        requestId: request.id,
        network: networkOf(request),
        browser: context.cookie.readBrowser(request.headers.cookie),
        device: describeDevice(request.headers['user-agent']),
        body: toObject(checked?.body),
        rawBody: toObject(rawBody),
        params: request.params as Record<string, string>,
        current,
        checkUser: () => {
          if (current !== null) checkUser(readUserHeader(request.headers), current.session.userId);
        },
        later: (task) => work.run({ requestId: request.id, route: route.path }, task),
      };
      const answered = await answer(route, call);
      reply.headers(await cookiesOf(context, call, answered));
      return send(reply, route, answered);
    },
  });
}

/** The network that a request comes from, in one form for each. */
function networkOf({ ip }: FastifyRequest): string {
  return addressPrefix(ip) ?? 'unknown';
}

/** Whose turn of the event loop it is. People who are signed in do not wait for unauthenticated requests. */
function ownerOf(current: OpenedSession | null): string {
  return current === null ? unauthenticated : `person ${current.session.userId}`;
}

/** A token has no place in a page: whoever sends one must hear of it. @throws Problem invalid_header */
function refuseToken({ headers }: FastifyRequest): void {
  if (headers.authorization === undefined) return;
  const detail = 'Bearer tokens are not accepted here: people sign in.';
  throw new Problem('invalid_header', `Authorization: ${detail}`, {
    errors: [{ header: 'Authorization', code: 'unexpected', detail }],
  });
}

/**
 * The session of the cookie.
 * @throws Problem session_invalid, invalid_header, wrong_user, insufficient_user_authentication where the route needs one
 */
async function admit(
  { auth, cookie }: SignInContext,
  { access, tellsUser }: AuthRoute,
  { headers }: FastifyRequest,
): Promise<OpenedSession | null> {
  const secret = cookie.read(headers.cookie);
  const session = secret === null ? null : await findSession(auth, secret);
  const current = session === null || secret === null ? null : { session, secret };
  if (access === 'anyone') return current;
  if (current === null) throw invalidSession();
  if (tellsUser !== true) checkUser(readUserHeader(headers), current.session.userId);
  if (access === 'recent') checkRecentSignIn(current.session);
  if (access === 'firstFactor') await checkMayChange(auth, current.session);
  if (access === 'newFactor') await checkMayAdd(auth, current.session);
  return current;
}

async function answer(route: AuthRoute, call: AuthCall): Promise<AuthAnswer> {
  if (route.access === 'anyone') return route.handle(call);
  if (call.current === null) throw invalidSession();
  return route.handle({ ...call, current: call.current });
}

/** The Set-Cookie headers of a response. */
async function cookiesOf(
  { auth, browsers, cookie }: SignInContext,
  call: AuthCall,
  { cookie: change, knownFor }: AuthAnswer,
): Promise<{ 'set-cookie'?: string[] }> {
  const cookies: string[] = [];
  if (change === 'clear') cookies.push(cookie.clear());
  else if (change !== undefined) {
    cookies.push(cookie.write(change.secret, change.keep ? sessionLifetime.keptSignedIn : null));
  }
  // Read now: what was just done may have raised the version.
  const account = knownFor === undefined ? null : await findAccount(auth, knownFor);
  if (account !== null) {
    const known = { key: accountKey(account.email), version: account.credentialVersion };
    cookies.push(cookie.writeBrowser(browsers.add(call.browser, known)));
  }
  return cookies.length === 0 ? {} : { 'set-cookie': cookies };
}

function send(reply: FastifyReply, { success }: AuthRoute, { body }: AuthAnswer): FastifyReply {
  reply.status(success.status);
  if (body === null) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}
