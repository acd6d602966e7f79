/** Serves the browser script: one small file, the same for every site, that any origin may load. */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { acceptsGzip } from '../../../kernel/http/compression.ts';
import { isUnchanged } from '../../../kernel/http/preconditions.ts';
import { share } from '../../../kernel/http/shared-content.ts';
import { type Agent, buildAgent } from '../agent-build.ts';

/** How long a browser may use its copy without asking, in seconds: a new version is everywhere within the hour. */
const maxAgeSeconds = 3_600;

/** The agent in the forms in which it is sent. */
interface PackedAgent extends Pick<Agent, 'digest'> {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

let packed: PackedAgent | undefined;

/** Builds the agent for its first request: removing the types loads a compiler. */
function packAgent(): PackedAgent {
  if (packed !== undefined) return packed;
  const { digest, source } = buildAgent();
  const compressed = share(gzipSync(source, { level: 9 }));
  packed = { digest, plain: share(Buffer.from(source)), compressed };
  return packed;
}

/** Registers `/agent.js`. */
export function registerAgent(app: FastifyInstance): void {
  app.get('/agent.js', async (request, reply) => {
    const { plain, digest, compressed } = packAgent();
    const isPacked = acceptsGzip(request.headers['accept-encoding']);
    // What differs in its bytes must have another strong tag (RFC 9110, 8.8.3.3).
    const etag = isPacked ? `"${digest}-gzip"` : `"${digest}"`;
    reply.headers({
      etag,
      'cache-control': `public, max-age=${maxAgeSeconds}`,
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    if (isUnchanged(request, etag)) return reply.status(304).send();
    reply.type('text/javascript; charset=utf-8');
    return isPacked ? reply.header('content-encoding', 'gzip').send(compressed) : reply.send(plain);
  });
}
