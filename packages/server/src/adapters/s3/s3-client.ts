/**
 * Calls of an S3 store through the AWS SDK, with timeouts, retries, and error messages for the operator that contain no
 * secret.
 *
 * The SDK signs requests and finds credentials that change (roles of machines, containers and web identities, session
 * tokens). This module retries calls itself, because the SDK does not retry a call whose body is a stream. Every call is
 * safe to repeat, since the bytes of a key never differ.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Client as AwsClient, S3ServiceException } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { limitBytes } from '../../kernel/objects/limit-bytes.ts';
import { ObjectStoreError } from '../../kernel/objects/object-store.ts';
import type { PulledSource } from '../../kernel/objects/pulled-stream.ts';

/** The S3 store and its credentials. */
export interface S3Location {
  /** The store's address, for example `https://s3.eu-central-1.amazonaws.com`; a path is kept. */
  readonly endpoint: string;
  /** For example `eu-central-1`; stores without regions accept `us-east-1` or `auto`. */
  readonly region: string;
  readonly bucket: string;
  /**
   * An access key; null for the SDK's default chain: the environment (`AWS_ACCESS_KEY_ID` …), shared configuration
   * files, and the role of the web identity, container or machine.
   */
  readonly accessKey: { readonly id: string; readonly secret: string } | null;
  /** Whether the bucket is in the path (most self-hosted stores) or in the host name (AWS). */
  readonly forcePathStyle: boolean;
}

/** Time limits of calls. */
export interface S3Timeouts {
  /** Time until a response begins (of a list: until it ends), and between two pieces of an object, in ms. */
  readonly responseMs: number;
  /** Uploads that are slower fail: their time limit is `responseMs` or their size divided by this, if that is longer. */
  readonly minBytesPerSecond: number;
}

/** How often a call is repeated. */
export interface S3Retries {
  readonly attempts: number;
  /** Maximum delay before the second attempt, in ms; doubled for each further one. */
  readonly baseDelayMs: number;
}

/** Options of a call. */
interface S3CallOptions {
  /** Size of the request body. */
  readonly bytes?: number;
  readonly signal?: AbortSignal;
}

/** A client of one S3 store. */
export interface S3Client {
  /**
   * Makes a call, and repeats it when that can help.
   * @param attempt sends one command with the client and signal that it is given
   * @throws ObjectStoreError `unavailable`; `S3Refusal` for a response that a retry would not change; the reason of
   *   the signal in the options
   */
  call<Output>(
    attempt: (client: AwsClient, signal: AbortSignal) => Promise<Output>,
    options?: S3CallOptions,
  ): Promise<Output>;
  /** The pieces of an object's body. They fail with ObjectStoreError `unavailable`. */
  read(body: AsyncIterable<Uint8Array> & { destroy?(): unknown }): PulledSource;
  /** The error for a store that does not behave like S3. */
  misbehaviour(fact: string, cause?: unknown): ObjectStoreError;
  /** Closes idle connections. */
  close(): void;
}

/** A final error response of the store, whose meaning depends on the call. */
export class S3Refusal extends ObjectStoreError {
  /** HTTP status; 0 for a response that is not in the form of S3. */
  readonly status: number;
  /** S3's error code, such as `NoSuchKey`. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super('unavailable', message);
    this.status = status;
    this.code = code;
  }
}

/** More than the contents that are being sent at once (`http/open-bodies.ts`), so that uploads and sweeps always get one. */
const maxConnections = 256;
/** Maximum size of a list or error, in bytes. */
const maxTextBytes = 4 * 1_048_576;

const redirected = 'responds with a redirect: correct the region and the endpoint';

/** Explanations of error codes. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const meanings: Readonly<Record<string, string>> = {
  NoSuchBucket: 'has no such bucket: create it, or correct its name',
  InvalidAccessKeyId: 'does not know the access key id',
  SignatureDoesNotMatch: 'does not accept the signature: the secret access key is wrong',
  ExpiredToken: 'does not accept the session token: it has expired',
  AccessDenied:
    'denies access: the key needs s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject in it',
  RequestTimeTooSkewed: "finds this machine's clock wrong: synchronize it (NTP)",
  AuthorizationHeaderMalformed: 'does not accept the region: correct it',
  PermanentRedirect: redirected,
  TemporaryRedirect: redirected,
  InvalidBucketName: 'does not accept the name of the bucket',
  QuotaExceeded: 'has no room left',
  XAmzContentSHA256Mismatch: 'received other bytes than were sent',
};

/** Creates a client. @throws TypeError when the endpoint or the bucket is invalid; the message says what is valid */
export function createS3Client(location: S3Location, timeouts: S3Timeouts, retries: S3Retries): S3Client {
  const { host } = checkLocation(location);
  const store = `The object store at ${host} (bucket ${location.bucket})`;
  const unavailable = (fact: string, cause?: unknown) =>
    new ObjectStoreError('unavailable', `${store} ${fact}.`, cause);
  const tooLong = new S3Refusal(0, '', `${store} responded with more than ${maxTextBytes} bytes.`);
  const client = openClient(location, new BoundedHandler(tooLong));

  /** Makes one attempt. The time limit applies until the response begins, and allows for the size of the request body. */
  async function attemptOnce<Output>(
    attempt: (client: AwsClient, signal: AbortSignal) => Promise<Output>,
    { bytes = 0, signal }: S3CallOptions,
  ): Promise<Output> {
    const controller = new AbortController();
    const allowedMs = timeouts.responseMs + (bytes / timeouts.minBytesPerSecond) * 1_000;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, allowedMs);
    const stop = () => controller.abort();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      return await attempt(client, controller.signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (isLate) throw unavailable(`did not respond within ${Math.ceil(allowedMs)} ms`);
      throw describeFailure(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  function describeFailure(error: unknown): ObjectStoreError {
    if (error instanceof ObjectStoreError) return error;
    const reason = describe(error);
    if (!(error instanceof S3ServiceException)) {
      if (reason.startsWith('CredentialsProviderError')) {
        return unavailable(
          `cannot be called without credentials: set TRELLIS_S3_ACCESS_KEY_ID and TRELLIS_S3_SECRET_ACCESS_KEY, or give this machine a role (${reason})`,
        );
      }
      // The SDK attaches the response that it could not read.
      const isUnreadable = error instanceof Error && '$response' in error && !('code' in error);
      if (!isUnreadable) return unavailable(`cannot be reached (${reason})`);
      const fact = `does not respond like S3 (${reason})`;
      return new S3Refusal(0, '', `${store} ${fact}.`);
    }
    // The SDK's error contains the request with its signature, so it is not passed on as a cause.
    const status = error.$metadata.httpStatusCode ?? 0;
    const code = /^[A-Za-z0-9]{1,64}$/.test(error.name) ? error.name : '';
    return new S3Refusal(status, code, `${store} ${meanings[code] ?? describeStatus(status, code)}.`);
  }

  async function call<Output>(
    attempt: (client: AwsClient, signal: AbortSignal) => Promise<Output>,
    options: S3CallOptions = {},
  ): Promise<Output> {
    for (let count = 1; ; count += 1) {
      try {
        return await attemptOnce(attempt, options);
      } catch (error) {
        if (!(error instanceof ObjectStoreError)) throw error;
        if (error instanceof S3Refusal && !isPassing(error.status)) throw error;
        if (count >= retries.attempts) throw error;
        await wait(count, options.signal);
      }
    }
  }

  /** Waits for a random time below a limit that doubles, so that many clients do not retry at the same moment. */
  async function wait(count: number, signal: AbortSignal | undefined): Promise<void> {
    const boundMs = retries.baseDelayMs * 2 ** (count - 1);
    try {
      await sleep(Math.random() * boundMs, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  function read(body: AsyncIterable<Uint8Array> & { destroy?(): unknown }): PulledSource {
    const pieces = body[Symbol.asyncIterator]();
    return {
      async pull() {
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          body.destroy?.();
        }, timeouts.responseMs);
        try {
          const { done, value } = await pieces.next();
          if (isLate) throw new Error('stalled');
          return done === true ? null : value;
        } catch (error) {
          if (isLate) throw unavailable(`sent nothing for ${timeouts.responseMs} ms`);
          throw unavailable(`interrupted its response (${describe(error)})`);
        } finally {
          clearTimeout(timer);
        }
      },
      async release() {
        body.destroy?.();
      },
    };
  }

  return { call, read, misbehaviour: unavailable, close: () => client.destroy() };
}

function openClient(
  { endpoint, region, accessKey, forcePathStyle }: S3Location,
  requestHandler: NodeHttpHandler,
): AwsClient {
  return new AwsClient({
    endpoint,
    region,
    forcePathStyle,
    // A redirect would send the signature and the bytes to a place that is not configured.
    followRegionRedirects: false,
    maxAttempts: 1,
    // Many stores do not support other checksums than the signed SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler,
    ...(accessKey === null
      ? {}
      : { credentials: { accessKeyId: accessKey.id, secretAccessKey: accessKey.secret } }),
  });
}

/** Limits the size of lists and errors, which the SDK would read into memory at any size. */
class BoundedHandler extends NodeHttpHandler {
  private readonly tooLong: Error;

  constructor(tooLong: Error) {
    super({ httpAgent: { maxSockets: maxConnections }, httpsAgent: { maxSockets: maxConnections } });
    this.tooLong = tooLong;
  }

  override async handle(...[request, options]: Parameters<NodeHttpHandler['handle']>) {
    const result = await super.handle(request, options);
    const { response } = result;
    const isText = response.statusCode >= 300 || request.query['list-type'] !== undefined;
    if (isText && response.body !== undefined) {
      response.body = limitBytes(response.body, maxTextBytes, this.tooLong);
    }
    return result;
  }
}

/** Validates the location. @returns the address of calls, with the bucket if it is part of the host */
function checkLocation({ endpoint, bucket, forcePathStyle }: S3Location): URL {
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
  if (forcePathStyle) return url;
  const hostname = `${bucket}.${url.hostname}`;
  url.hostname = hostname;
  // An IP address cannot have a subdomain, and the URL silently stays the same.
  if (url.hostname !== hostname) {
    throw new TypeError(
      'The endpoint of the object store is an IP address, so the bucket must be in the path.',
    );
  }
  return url;
}

/** Whether a retry of the call can succeed. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function describeStatus(status: number, code: string): string {
  if (status >= 300 && status < 400) return redirected;
  if (status === 403) return 'refuses: the access key id, the secret access key or its rights are wrong';
  return `responds with the status ${status}${code === '' ? '' : ` (${code})`}`;
}

/** The name and code of an error, whose message may quote what the store said. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  // The SDK appends advice for developers in a line of its own.
  const [message = ''] = error.message.split('\n');
  return error.name === 'Error' ? message : `${error.name}: ${message}`;
}
