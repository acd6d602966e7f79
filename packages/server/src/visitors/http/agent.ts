/** Serves the browser script: one small file, the same for every site, that any origin may load. */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type Agent, buildAgent } from '../agent-build.ts';

/** How long a browser may use its copy without asking, in seconds: a new version is everywhere within the hour. */
const maxAgeSeconds = 3_600;

/** The agent, and its source as compressed by gzip. */
interface PackedAgent extends Agent {
  readonly compressed: Buffer;
}

let packed: PackedAgent | undefined;

/** Builds the agent for its first request: removing the types loads a compiler. */
function packAgent(): PackedAgent {
  if (packed !== undefined) return packed;
  const agent = buildAgent();
  packed = { ...agent, compressed: gzipSync(agent.source, { level: 9 }) };
  return packed;
}

/** Registers `/agent.js`. */
export function registerAgent(app: FastifyInstance): void {
  app.get('/agent.js', async (request, reply) => {
    const { source, digest, compressed } = packAgent();
    const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
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
    const tags = (request.headers['if-none-match'] ?? '')
      .split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''));
    if (tags.includes(etag) || tags.includes('*')) return reply.status(304).send();
    reply.type('text/javascript; charset=utf-8');
    return isPacked ? reply.header('content-encoding', 'gzip').send(compressed) : reply.send(source);
  });
}
