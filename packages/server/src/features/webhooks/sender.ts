/**
 * Sends one webhook call. The receiver may be slow or hostile, so everything has a limit: the whole exchange has a deadline
 * (even when bytes keep trickling in), little is read and less is kept, redirects are not followed, and only addresses that
 * the guard has passed are connected to.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { withDeadline } from '../../kernel/lib/deadline.ts';
import {
  type AddressGuard,
  type Destination,
  RefusedDestinationError,
  UnresolvedNameError,
} from './address-guard.ts';
import { parseRetryAfter } from './schedule.ts';

/** A call to make: a POST of JSON. */
export interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of a call. */
export interface CallOutcome {
  /** HTTP status; null when there was no response. */
  readonly status: number | null;
  readonly latencyMs: number;
  /** The first 2 KB of the response as text; may be empty. */
  readonly excerpt: string;
  /** Why there was no response, for the user; null when there was one. */
  readonly error: string | null;
  /** The Retry-After of the response, in ms from now. */
  readonly retryAfterMs: number | null;
}

/** From resolving the name to the last byte that is read, in ms. */
export const callDeadlineMs = 15_000;
/** The maximum number of bytes of a response that are read, and that are kept. */
const maxReadBytes = 65_536;
export const keptBytes = 2_048;

export interface SendOptions {
  readonly guard: AddressGuard;
  /** Ends the call early, when the process stops. */
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
}

/** Makes the call. Never rejects: failures are outcomes. */
export async function sendCall(call: OutgoingCall, options: SendOptions): Promise<CallOutcome> {
  const begun = performance.now();
  const { guard, signal: stopping, deadlineMs = callDeadlineMs } = options;
  const outcome = (more: Partial<CallOutcome>): CallOutcome => ({
    status: null,
    excerpt: '',
    error: null,
    retryAfterMs: null,
    ...more,
    latencyMs: Math.round(performance.now() - begun),
  });
  return withDeadline(deadlineMs, stopping, async (signal) => {
    try {
      const destination = await abortable(guard.resolve(call.url, signal), signal);
      const response = await abortable(post(destination, call, signal), signal);
      // The status counts even when the response never ends.
      const excerpt = await readExcerpt(response, signal);
      const retryAfterMs = parseRetryAfter(response.headers['retry-after'], Date.now());
      return outcome({ status: response.statusCode ?? null, excerpt, retryAfterMs });
    } catch (error) {
      if (stopping.aborted) return outcome({ error: 'The server was stopped.' });
      if (signal.aborted) return outcome({ error: `No response within ${deadlineMs / 1_000} seconds.` });
      return outcome({ error: describeFailure(error) });
    }
  });
}

/** Sends the request. Settles at the latest with the connection: Node reports an ignored upgrade only by 'close'. */
function post(destination: Destination, call: OutgoingCall, signal: AbortSignal): Promise<IncomingMessage> {
  const { url } = destination;
  const [request, Agent] =
    url.protocol === 'https:' ? [requestHttps, HttpsAgent] : ([requestHttp, HttpAgent] as const);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request(url, {
    method: 'POST',
    headers: { ...call.headers, 'content-length': Buffer.byteLength(call.body) },
    // One connection per call: a kept connection would be used again without checking its address.
    agent: new Agent({ keepAlive: false }),
    lookup: resolveTo(destination),
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

/** Hands the checked addresses to the socket. Node calls this for names only; a literal is its own address. */
function resolveTo({ addresses }: Destination): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** Reads up to the limit and keeps the beginning. A connection that breaks meanwhile ends the reading. */
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
    // Keeps what was read until then.
  } finally {
    response.destroy();
  }
  // A PostgreSQL text cannot contain NUL; invalid UTF-8, or a character cut in the middle, becomes U+FFFD.
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

/** The receiver wants to switch to another protocol. */
class UpgradeError extends Error {}

/** The connection ended without an error. */
class ClosedError extends Error {
  readonly code = 'ECONNRESET';
}

const failures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response arrived.',
  EPIPE: 'The connection was closed before a response arrived.',
  ETIMEDOUT: 'The host could not be reached.',
  EHOSTUNREACH: 'The host could not be reached.',
  ENETUNREACH: 'The host could not be reached.',
  EPROTO: 'The TLS handshake failed.',
  HPE_HEADER_OVERFLOW: 'The headers of the response are too large.',
};

/** A sentence without details of this machine's own network. */
function describeFailure(error: unknown): string {
  if (error instanceof RefusedDestinationError || error instanceof UnresolvedNameError) return error.message;
  if (error instanceof UpgradeError) return 'The response switches to another protocol than HTTP.';
  if (error instanceof AggregateError) return describeFailure(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = failures[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'The response is not HTTP.';
  if (code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || /CERT|SELF_SIGNED|VERIFY/.test(code))
    return `The certificate of the host was not accepted (${code}).`;
  return code === '' ? 'The call failed.' : `The call failed (${code}).`;
}
