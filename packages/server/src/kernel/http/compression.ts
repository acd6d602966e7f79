/**
 * Compresses pages of records for clients that accept gzip (RFC 9110, 12.5.3). This makes a page some ten times smaller, which matters
 * on slow connections.
 *
 * Only responses of reads without an ETag are compressed: a strong validator names one representation, and those of records name the
 * version that `If-Match` takes. Responses to writes, which may show a new token once, and everything about signing in stay uncompressed, so
 * that no length reveals a secret (BREACH). Streams and contents of files are not compressed either.
 */
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Smaller bodies fit into a packet as they are. */
const smallestBytes = 1_024;
/** Speed matters more than the last percent: level 4 takes half the time of 6 for a tenth more bytes. */
const level = 4;
/** Bodies that are compressed at the same time, in the threads that also check passwords; further ones are sent as they are. */
const mostAtOnce = 3;

let running = 0;

/** Compresses the responses of an application, before anything that is added later counts their bytes. */
export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!mayCompress(request, reply, payload)) return done(null, payload);
    const varies = reply.getHeader('vary');
    reply.header('vary', varies === undefined ? 'Accept-Encoding' : `${varies}, Accept-Encoding`);
    const isSmall = Buffer.byteLength(payload) < smallestBytes;
    const isWanted = request.method === 'GET' && acceptsGzip(request.headers['accept-encoding']);
    if (isSmall || !isWanted || running >= mostAtOnce) return done(null, payload);
    running += 1;
    gzip(payload, { level }, (error, compressed) => {
      running -= 1;
      if (error === null) reply.header('content-encoding', 'gzip').removeHeader('content-length');
      done(null, error === null ? compressed : payload);
    });
  });
}

/** Whether the response is JSON of a successful read without a validator. */
function mayCompress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    reply.statusCode === 200 &&
    !reply.hasHeader('etag') &&
    !reply.hasHeader('content-encoding') &&
    /^application\/json\b/.test(String(reply.getHeader('content-type'))) &&
    request.routeOptions.url?.startsWith('/v1/') === true &&
    (typeof payload === 'string' || Buffer.isBuffer(payload))
  );
}

/** Whether `gzip` is accepted: named, or by `*`, with a weight that is not 0. */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [coding = '', weight = ''] = part.split(';');
        const [, number = '1'] = /^\s*q\s*=\s*([\d.]+)\s*$/.exec(weight) ?? [];
        return [coding.trim(), Number(number)];
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
