/**
 * Why: everything that can go wrong between us and an S3 store is handled once: each call is signed (Signature V4),
 * bounded in time, tried again where that can help, and fails with a sentence for the operator that holds no secret.
 * All calls are safe to repeat, since a key's bytes never differ.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { ObjectStoreError } from './object-store.ts';
import { parseErrorCode } from './s3-answers.ts';

/** Which S3 store, and the right to use it. */
export interface S3Location {
  /** The store's address, for example `https://s3.eu-central-1.amazonaws.com`; a path is kept. */
  readonly endpoint: string;
  /** For example `eu-central-1`; stores that have none take `us-east-1` or `auto`. */
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket is named in the path (most stores of one's own) or in the host (AWS). */
  readonly forcePathStyle: boolean;
}

/** How long a call may take. */
export interface S3Timeouts {
  /** Until an answer begins, and between two pieces of its body. */
  readonly answerMs: number;
  /** What uploads and copies take longer than `answerMs` only if they are slower than this. */
  readonly minBytesPerSecond: number;
}

/** How often a call is made before it counts as failed. */
export interface S3Retries {
  readonly attempts: number;
  /** The longest wait before the second attempt; each further one may wait twice as long. */
  readonly baseDelayMs: number;
}

/** One call. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Key of an object, or empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes to send and their SHA-256 in hexadecimal, which the store verifies. */
  readonly body?: { readonly blob: Blob; readonly sha256: string };
  readonly signal?: AbortSignal;
}

/** An answer whose status may be anything that trying again would not change. */
export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The next piece of the body, null at its end. @throws ObjectStoreError `unavailable` */
  pull(): Promise<Uint8Array | null>;
  /** Lets go of the rest of the body. */
  release(): Promise<void>;
}

/** Makes calls of one S3 store. */
export interface S3Client {
  /** @throws ObjectStoreError `unavailable`; the reason of the request's signal */
  send(request: S3Request): Promise<S3Answer>;
  /** The whole body as text, at most 4 MiB. @throws ObjectStoreError `unavailable` */
  readText(answer: S3Answer): Promise<string>;
  /** The code in an error answer, such as NoSuchKey; empty when there is none. */
  readErrorCode(answer: S3Answer): Promise<string>;
  /** The error for an answer that was not expected. */
  refusal(status: number, code: string): ObjectStoreError;
  /** The error for a store that does not behave like S3. */
  misbehaviour(fact: string, cause?: unknown): ObjectStoreError;
}

const maxTextBytes = 4 * 1_048_576;
/** SHA-256 of no bytes: requests without a body are signed with it. */
const hashOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const redirected = 'answers with a redirect: correct the region and the endpoint';

/** Why a store refuses, by its error code. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const meanings: Readonly<Record<string, string>> = {
  NoSuchBucket: 'has no such bucket: create it, or correct its name',
  InvalidAccessKeyId: 'does not know the access key id',
  SignatureDoesNotMatch: 'does not accept the signature: the secret access key is wrong',
  AccessDenied:
    'denies access: the key needs s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject in it',
  RequestTimeTooSkewed: "finds this machine's clock wrong: synchronize it (NTP)",
  AuthorizationHeaderMalformed: 'does not accept the region: correct it',
  PermanentRedirect: 'keeps this bucket elsewhere: correct the region and the endpoint',
  TemporaryRedirect: 'keeps this bucket elsewhere: correct the region and the endpoint',
  InvalidBucketName: 'does not accept the name of the bucket',
  QuotaExceeded: 'has no room left',
  XAmzContentSHA256Mismatch: 'received other bytes than were sent',
};

/** @throws TypeError when the endpoint or the bucket cannot be used; the message says how they should be */
export function createS3Client(location: S3Location, timeouts: S3Timeouts, retries: S3Retries): S3Client {
  const base = baseUrl(location);
  const store = `The object store at ${base.host} (bucket ${location.bucket})`;
  const signingKeys = new Map<string, ArrayBuffer>();
  const unavailable = (fact: string, cause?: unknown) =>
    new ObjectStoreError('unavailable', `${store} ${fact}.`, cause);
  const refusal = (status: number, code: string) =>
    unavailable(meanings[code] ?? describeStatus(status, code));

  /** One attempt. The time runs until the answer begins; for a body that is sent, it allows for its length. */
  async function attempt(request: S3Request): Promise<S3Answer> {
    const controller = new AbortController();
    const size = request.body?.blob.size ?? 0;
    const allowedMs = timeouts.answerMs + (size / timeouts.minBytesPerSecond) * 1_000;
    const late = () => controller.abort(unavailable(`did not answer within ${Math.ceil(allowedMs)} ms`));
    const stop = () => controller.abort(request.signal?.reason);
    const timer = setTimeout(late, allowedMs);
    request.signal?.addEventListener('abort', stop, { once: true });
    try {
      request.signal?.throwIfAborted();
      const response = await fetchSigned(request, controller.signal);
      return readAnswer(response, controller);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof ObjectStoreError) throw error;
      const reason = describe(error);
      throw unavailable(
        reason === 'unexpected redirect' ? redirected : `cannot be reached (${reason})`,
        error,
      );
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', stop);
    }
  }

  async function fetchSigned(request: S3Request, signal: AbortSignal): Promise<Response> {
    const url = new URL(base);
    url.pathname += request.key;
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const { method, headers } = await new AwsV4Signer({
      method: request.method,
      url: url.href,
      headers: {
        ...request.headers,
        'x-amz-content-sha256': request.body?.sha256 ?? hashOfNothing,
      },
      service: 's3',
      region: location.region,
      accessKeyId: location.accessKeyId,
      secretAccessKey: location.secretAccessKey,
      cache: signingKeys,
    }).sign();
    // A proxy that compresses would break lengths. Not signed, because `fetch` adds the same once more to a range.
    headers.set('accept-encoding', 'identity');
    // A redirect would take the signature, and the bytes, to a place that nobody configured.
    if (request.body === undefined) return await fetch(url, { method, headers, signal, redirect: 'manual' });
    // Unless both of these rule a repetition out, `fetch` keeps all it sends in memory (undici, httpNetworkOrCacheFetch).
    const streamed = { redirect: 'error', window: null } as const;
    return await fetch(url, { method, headers, signal, body: request.body.blob, ...streamed });
  }

  function readAnswer(response: Response, controller: AbortController): S3Answer {
    const reader = response.body?.getReader();
    let ended = reader === undefined;
    return {
      status: response.status,
      headers: response.headers,
      async pull() {
        if (ended || reader === undefined) return null;
        const stalled = unavailable(`sent nothing for ${timeouts.answerMs} ms`);
        const timer = setTimeout(() => controller.abort(stalled), timeouts.answerMs);
        try {
          const { done, value } = await reader.read();
          ended = done;
          return done ? null : value;
        } catch (error) {
          ended = true;
          throw error instanceof ObjectStoreError
            ? error
            : unavailable(`broke off its answer (${describe(error)})`, error);
        } finally {
          clearTimeout(timer);
        }
      },
      async release() {
        if (ended) return;
        ended = true;
        controller.abort();
        await reader?.cancel().catch(() => undefined);
      },
    };
  }

  async function send(request: S3Request): Promise<S3Answer> {
    for (let count = 1; ; count += 1) {
      let failure: ObjectStoreError;
      try {
        const answer = await attempt(request);
        if (answer.status < 400) return answer;
        if (!isPassing(answer.status)) return answer;
        failure = refusal(answer.status, await readErrorCode(answer));
      } catch (error) {
        if (!(error instanceof ObjectStoreError)) throw error;
        failure = error;
      }
      if (count >= retries.attempts) throw failure;
      await wait(count, request.signal);
    }
  }

  /** Waits for a random part of a bound that doubles, so that many clients do not come back at once. */
  async function wait(count: number, signal: AbortSignal | undefined): Promise<void> {
    const boundMs = retries.baseDelayMs * 2 ** (count - 1);
    try {
      await sleep(Math.random() * boundMs, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  async function readText(answer: S3Answer): Promise<string> {
    const pieces: Uint8Array[] = [];
    const startedMs = performance.now();
    let bytes = 0;
    try {
      for (;;) {
        const piece = await answer.pull();
        if (piece === null) return Buffer.concat(pieces).toString('utf8');
        if (performance.now() - startedMs > timeouts.answerMs) {
          throw unavailable(`did not end its answer within ${timeouts.answerMs} ms`);
        }
        bytes += piece.length;
        if (bytes > maxTextBytes) throw unavailable(`answered with more than ${maxTextBytes} bytes`);
        pieces.push(piece);
      }
    } finally {
      await answer.release();
    }
  }

  async function readErrorCode(answer: S3Answer): Promise<string> {
    return parseErrorCode(await readText(answer).catch(() => ''));
  }

  return { send, readText, readErrorCode, refusal, misbehaviour: unavailable };
}

/** Where keys are appended to. */
function baseUrl({ endpoint, bucket, forcePathStyle }: S3Location): URL {
  const url = URL.parse(endpoint);
  const isPlain = url !== null && url.username === '' && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol) || url.password !== '') {
    throw new TypeError('The endpoint of the object store must be an http or https URL without a password.');
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new TypeError(
      'The name of a bucket has 3 to 63 lower-case letters, digits, hyphens and full stops.',
    );
  }
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${forcePathStyle ? `${bucket}/` : ''}`;
  if (forcePathStyle) return url;
  const hostname = `${bucket}.${url.hostname}`;
  url.hostname = hostname;
  // An IP address takes no name in front of it, and the URL then silently stays as it was.
  if (url.hostname !== hostname) {
    throw new TypeError(
      'The endpoint of the object store is an IP address, so the bucket must be in the path.',
    );
  }
  return url;
}

/** Whether the same call may well succeed a moment later. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function describeStatus(status: number, code: string): string {
  if (status >= 300 && status < 400) return redirected;
  if (status === 403) return 'refuses: the access key id, the secret access key or its rights are wrong';
  return `answers with the status ${status}${code === '' ? '' : ` (${code})`}`;
}

/** What `fetch` failed of, which it hides in causes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return describe(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
