/**
 * An S3 server for tests. It verifies every signature by its own implementation of the standard, keeps objects in
 * memory, responds like S3, and fails on request.
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A fault that replaces the normal response to a request. */
export type Fault =
  /** Responds with a status and an error code. */
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly code: string;
      readonly headers?: Record<string, string>;
    }
  /** Responds with 200 and a text. */
  | { readonly kind: 'say'; readonly body: string }
  /** Closes the connection without a response. */
  | { readonly kind: 'drop' }
  /** Never responds. */
  | { readonly kind: 'ignore' }
  /** Serves the request, but closes the connection in the middle of the body. */
  | { readonly kind: 'cut' }
  /** Serves the request, but stops sending in the middle of the body. */
  | { readonly kind: 'stall' }
  /** Serves the whole object and ignores the range. */
  | { readonly kind: 'ignore range' };

/** A received request and the status of its response; 0 without one. */
interface SeenRequest {
  readonly method: string;
  readonly target: string;
  readonly status: number;
}

export interface S3TestServer {
  /** The location and credentials, as options of a store. */
  readonly location: {
    readonly endpoint: string;
    readonly region: string;
    readonly bucket: string;
    readonly accessKey: { readonly id: string; readonly secret: string };
    readonly forcePathStyle: true;
  };
  /** The objects by key, for tests to read and change. */
  readonly objects: Map<string, { bytes: Buffer; modifiedAt: Date }>;
  readonly seen: SeenRequest[];
  /** Applies these faults to the next requests, one each. */
  failNext(...faults: Fault[]): void;
  /** Serves all requests again. */
  forgetFaults(): void;
  close(): Promise<void>;
}

/** The input of a signature. */
export interface SignedParts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Signed headers in the order of SignedHeaders. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly payloadHash: string;
  /** The time, such as 20130524T000000Z. */
  readonly instant: string;
  readonly region: string;
}

const region = 'test-region-1';
const bucket = 'knowledge';
const accessKey = { id: 'TESTKEYID', secret: 'test+secret/key' };
const allowedSkewMs = 15 * 60_000;
const maxPage = 1_000;

interface S3ServerOptions {
  /** Maximum number of keys in a page of a list. */
  readonly pageSize?: number;
  /** The session token that requests must have, as with temporary credentials; none when absent. */
  readonly sessionToken?: string;
}

/** Starts a server with one bucket. */
export async function startS3Server(options: S3ServerOptions = {}): Promise<S3TestServer> {
  const objects: S3TestServer['objects'] = new Map();
  const seen: SeenRequest[] = [];
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    seen.push({
      method: request.method ?? '',
      target: request.url ?? '',
      get status() {
        return response.writableEnded ? response.statusCode : 0;
      },
    });
    serve(request, response, objects, options, faults.shift()).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    location: {
      endpoint: `http://127.0.0.1:${port}`,
      region,
      bucket,
      accessKey,
      forcePathStyle: true,
    },
    objects,
    seen,
    failNext: (...more) => void faults.push(...more),
    forgetFaults: () => void faults.splice(0),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A refusal of a request. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  objects: S3TestServer['objects'],
  { pageSize = maxPage, sessionToken }: S3ServerOptions,
  fault: Fault | undefined,
): Promise<void> {
  if (fault?.kind === 'drop') return void request.socket.destroy();
  const body = await buffer(request);
  if (fault?.kind === 'ignore') return;
  if (fault?.kind === 'say') return void response.end(fault.body);
  if (fault?.kind === 'refuse') {
    return refuse(request, response, new Refusal(fault.status, fault.code), fault.headers);
  }
  try {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    if (request.headers['x-amz-security-token'] !== sessionToken) throw new Refusal(403, 'InvalidToken');
    verify(request, path, query, body);
    const [, name = '', ...rest] = path.split('/').map(decodeURIComponent);
    if (name !== bucket) throw new Refusal(404, 'NoSuchBucket');
    const key = rest.join('/');
    if (key === '') return list(request, response, objects, new URLSearchParams(query), pageSize);
    if (request.method === 'PUT') {
      objects.set(key, { bytes: body, modifiedAt: new Date() });
      return void response.end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204);
      return void response.end();
    }
    const object = objects.get(key);
    if (object === undefined) throw new Refusal(404, 'NoSuchKey');
    sendObject(request, response, object.bytes, fault);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refuse(request, response, error);
  }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code }: Refusal,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/xml', ...headers });
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const xml = `${declaration}<Error><Code>${code}</Code><Message>No &amp; no.</Message></Error>`;
  response.end(request.method === 'HEAD' ? undefined : xml);
}

function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  fault: Fault | undefined,
): void {
  const range = fault?.kind === 'ignore range' ? undefined : request.headers.range;
  let part = bytes;
  const headers: Record<string, string> = {};
  if (range !== undefined) {
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const start = Number(first);
    const end = Math.min(Number(last), bytes.length - 1);
    if (start >= bytes.length) throw new Refusal(416, 'InvalidRange');
    part = bytes.subarray(start, end + 1);
    headers['content-range'] = `bytes ${start}-${end}/${bytes.length}`;
  }
  headers['content-length'] = String(part.length);
  response.writeHead(range === undefined ? 200 : 206, headers);
  if (request.method === 'HEAD') return void response.end();
  if (fault?.kind !== 'cut' && fault?.kind !== 'stall') return void response.end(part);
  response.write(part.subarray(0, part.length / 2), () => {
    if (fault.kind === 'cut') request.socket.destroy();
  });
}

function list(
  request: IncomingMessage,
  response: ServerResponse,
  objects: S3TestServer['objects'],
  query: URLSearchParams,
  pageSize: number,
): void {
  if (request.method !== 'GET' || query.get('list-type') !== '2') throw new Refusal(501, 'NotImplemented');
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'hex').toString();
  const most = Math.min(Number(query.get('max-keys') ?? maxPage), pageSize);
  const entries = new Map<string, string>();
  for (const [key, { bytes, modifiedAt }] of [...objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!key.startsWith(prefix)) continue;
    const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const name = cut < 0 ? key : key.slice(0, cut + 1);
    if (name <= after) continue;
    const shown = escapeXml(name);
    const instant = modifiedAt.toISOString();
    entries.set(
      name,
      cut < 0
        ? `<Contents><Key>${shown}</Key><LastModified>${instant}</LastModified><ETag>&quot;0&quot;</ETag><Size>${bytes.length}</Size></Contents>`
        : `<CommonPrefixes><Prefix>${shown}</Prefix></CommonPrefixes>`,
    );
  }
  const page = [...entries].slice(0, most);
  const last = page.at(-1)?.[0];
  const isTruncated = page.length < entries.size && last !== undefined;
  const next = isTruncated
    ? `<NextContinuationToken>${Buffer.from(last).toString('hex')}</NextContinuationToken>`
    : '';
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${escapeXml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${next}${page.map(([, xml]) => xml).join('')}</ListBucketResult>`,
  );
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Verifies a signature. @throws Refusal unless the key, time, region and body are correct */
function verify(request: IncomingMessage, path: string, query: string, body: Buffer): void {
  const header = (name: string) => String(request.headers[name] ?? '');
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const match = form.exec(header('authorization'));
  if (match === null) throw new Refusal(403, 'AccessDenied');
  const [, keyId = '', day = '', signedRegion = '', names = '', signature = ''] = match;
  if (keyId !== accessKey.id) throw new Refusal(403, 'InvalidAccessKeyId');
  const instant = header('x-amz-date');
  const signedAt = Date.parse(instant.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (!(Math.abs(Date.now() - signedAt) <= allowedSkewMs)) throw new Refusal(403, 'RequestTimeTooSkewed');
  if (signedRegion !== region || !instant.startsWith(day)) {
    throw new Refusal(400, 'AuthorizationHeaderMalformed');
  }
  const signed = names.split(';');
  const mustBeSigned = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'));
  if (![...mustBeSigned, 'host'].every((name) => signed.includes(name))) {
    throw new Refusal(403, 'AccessDenied');
  }
  const payloadHash = header('x-amz-content-sha256');
  const expected = computeSignature(
    {
      method: request.method ?? '',
      path,
      query,
      headers: signed.map((name) => [name, header(name)]),
      payloadHash,
      instant,
      region,
    },
    accessKey.secret,
  );
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) {
    throw new Refusal(403, 'SignatureDoesNotMatch');
  }
  if (payloadHash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
}

/** Computes the signature of a request, in hexadecimal. */
export function computeSignature(parts: SignedParts, secret: string): string {
  const canonicalQuery = parts.query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=').map((text) => encode(decodeURIComponent(text.replaceAll('+', ' ')))))
    .map(([name = '', value = '']) => `${name}=${value}`)
    .sort()
    .join('&');
  const canonicalRequest = [
    parts.method,
    parts.path
      .split('/')
      .map((segment) => encode(decodeURIComponent(segment)))
      .join('/'),
    canonicalQuery,
    ...parts.headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    parts.headers.map(([name]) => name).join(';'),
    parts.payloadHash,
  ].join('\n');
  const day = parts.instant.slice(0, 8);
  const scope = `${day}/${parts.region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', parts.instant, scope, sha256(canonicalRequest)].join('\n');
  const key = [day, parts.region, 's3', 'aws4_request'].reduce<string | Buffer>(mac, `AWS4${secret}`);
  return mac(key, text).toString('hex');
}

/** Percent-encodes everything but RFC 3986's unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function mac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
