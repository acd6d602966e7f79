/**
 * Why: one call to somebody else's server, which may be slow, hostile, or not theirs at all. Everything it can do to us
 * has a bound: the whole exchange ends by a deadline (also when bytes drip in for ever), little is read and less is kept,
 * redirects are not followed, and it is reached at the addresses that the guard has passed, and at no others.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import {
  type AddressGuard,
  type Destination,
  RefusedDestinationError,
  UnresolvedNameError,
} from './address-guard.ts';
import { parseRetryAfter } from './schedule.ts';

/** A call to be made: a POST of JSON. */
export interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of a call. */
export interface CallOutcome {
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  readonly latencyMs: number;
  /** The first 2 KB of the answer as text; empty for none. */
  readonly excerpt: string;
  /** Why there was no answer, for people; null when there was one. */
  readonly error: string | null;
  /** What the answer's Retry-After says, in ms from now. */
  readonly retryAfterMs: number | null;
}

/** From the lookup of the name to the last byte that is read, in ms. */
export const callDeadlineMs = 15_000;
/** Bytes of an answer that are read at most, and kept. */
export const maxReadBytes = 65_536;
export const keptBytes = 2_048;

export interface SendOptions {
  readonly guard: AddressGuard;
  /** Ends the call before its time, when the process stops. */
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
}

/** Makes the call. Never rejects: what goes wrong is an outcome. */
export async function sendCall(call: OutgoingCall, options: SendOptions): Promise<CallOutcome> {
  const begun = performance.now();
  const { guard, signal: stopping, deadlineMs = callDeadlineMs } = options;
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([deadline, stopping]);
  const outcome = (more: Partial<CallOutcome>): CallOutcome => ({
    status: null,
    excerpt: '',
    error: null,
    retryAfterMs: null,
    ...more,
    latencyMs: Math.round(performance.now() - begun),
  });
  try {
    const destination = await abortable(guard.resolve(call.url, signal), signal);
    const response = await abortable(post(destination, call, signal), signal);
    // The status is the receiver's word; an answer that never ends does not take it back.
    const excerpt = await readExcerpt(response, signal);
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], Date.now());
    return outcome({ status: response.statusCode ?? null, excerpt, retryAfterMs });
  } catch (error) {
    if (deadline.aborted)
      return outcome({ error: `There was no answer within ${deadlineMs / 1_000} seconds.` });
    if (stopping.aborted) return outcome({ error: 'The server was stopped.' });
    return outcome({ error: describeFailure(error) });
  }
}

/** Ends in one way or another with the connection: Node tells of an upgrade nobody listens to by 'close' alone. */
function post(destination: Destination, call: OutgoingCall, signal: AbortSignal): Promise<IncomingMessage> {
  const { url } = destination;
  const [request, Agent] =
    url.protocol === 'https:' ? [requestHttps, HttpsAgent] : ([requestHttp, HttpAgent] as const);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request(url, {
    method: 'POST',
    headers: { ...call.headers, 'content-length': Buffer.byteLength(call.body) },
    // A connection for each call: one that is kept would be used without its address being judged again.
    agent: new Agent({ keepAlive: false }),
    lookup: answering(destination),
    signal,
  });
  outgoing.on('response', resolve);
  outgoing.on('error', reject);
  outgoing.on('upgrade', (_response, socket) => {
    socket.destroy();
    reject(new UpgradeError());
  });
  outgoing.on('close', () => reject(new ClosedError()));
  outgoing.end(call.body);
  return promise;
}

/** Hands the addresses that were judged to the socket. Node asks it for names only: a literal is its own address. */
function answering({ addresses }: Destination): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** Reads as much as may be read, and keeps the beginning. A connection that breaks meanwhile ends it. */
async function readExcerpt(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const kept: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (read < keptBytes) kept.push(chunk.subarray(0, keptBytes - read));
      read += chunk.length;
      if (read >= maxReadBytes || signal.aborted) break;
    }
  } catch {
    // What has been read by then is kept.
  } finally {
    response.destroy();
  }
  // A database cannot keep NUL in a text; what is no UTF-8, or cut in the middle of a character, shows as such.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\ufffd');
}

async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The receiver wants to speak something else than HTTP. */
class UpgradeError extends Error {}

/** The connection ended, and nothing says why. */
class ClosedError extends Error {
  readonly code = 'ECONNRESET';
}

const failures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before there was an answer.',
  EPIPE: 'The connection was closed before there was an answer.',
  ETIMEDOUT: 'The host could not be reached.',
  EHOSTUNREACH: 'The host could not be reached.',
  ENETUNREACH: 'The host could not be reached.',
  EPROTO: 'The host does not speak TLS as it should.',
  HPE_HEADER_OVERFLOW: 'The headers of the answer are too large.',
};

/** In one sentence, without what only this machine's own network is concerned with. */
function describeFailure(error: unknown): string {
  if (error instanceof RefusedDestinationError || error instanceof UnresolvedNameError) return error.message;
  if (error instanceof UpgradeError) return 'The answer switches to another protocol than HTTP.';
  if (error instanceof AggregateError) return describeFailure(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = failures[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'The answer is not HTTP.';
  if (code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || /CERT|SELF_SIGNED|VERIFY/.test(code))
    return `The certificate of the host was not accepted (${code}).`;
  return code === '' ? 'The call failed.' : `The call failed (${code}).`;
}
