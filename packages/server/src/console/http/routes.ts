/**
 * The routes of the console: one page for all paths below `/console`, whose script shows what belongs to the path, and its
 * files. The page allows only scripts and styles that carry the nonce of its response, and what these load.
 */
import { randomBytes } from 'node:crypto';
import { noncePlaceholder } from '@trellis/console/build/page.ts';
import { Problem } from '@trellis/schema/problem.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsolePlace } from '../prepare.ts';
import { readFailure } from '../prepare.ts';
import { type Asset, type ConsoleFiles, loadFiles } from './files.ts';
import { reloadSource, renderBuilding, renderFailed } from './startup-pages.ts';

const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** A page without scripts, which loads itself again. */
const plainPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Scripts need the nonce or are loaded by one that has it; files of people, which this server also serves, are never run.
 * Styles in attributes are set by scripts through the object model, which no policy restricts.
 */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    // What might take long is read beside the page: the preview of a text.
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    // PDF files in the viewer of the browser.
    'frame-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What a look at the disk has found: the files, or why there are none; neither while they are being built. */
interface Found {
  readonly files: ConsoleFiles | null;
  readonly failure: string | null;
}

/**
 * Registers the routes.
 * @param hasSession whether a Cookie header names a session. It only decides what the page loads early: browsers send the cookie with no
 * page that another site links to.
 */
export function registerConsole(
  app: FastifyInstance,
  place: ConsolePlace,
  hasSession: (cookies: string | undefined) => boolean,
): void {
  let found: Found = { files: null, failure: null };
  let reading: Promise<void> | null = null;
  const readBuild = async () => {
    const files = await loadFiles(place.folder);
    found = { files, failure: files === null ? await readFailure(place) : null };
  };
  // These routes are served during overload, too, so requests that arrive during a look at the disk share it.
  const load = async () => {
    if (found.files !== null) return found;
    reading ??= readBuild().finally(() => {
      reading = null;
    });
    await reading;
    return found;
  };
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ ...commonHeaders, 'cache-control': 'no-store' }).type('text/html; charset=utf-8');
    const { files, failure } = await load();
    if (files === null) return sendWaiting(reply, failure);
    const nonce = randomBytes(18).toString('base64');
    reply.header('content-security-policy', policyOf(nonce));
    const { signedIn, signedOut } = files.pages;
    const html = hasSession(request.headers.cookie) ? signedIn : signedOut;
    return reply.send(html.replaceAll(noncePlaceholder, nonce));
  };
  const options = { config: { isInMemory: true } };
  app.get('/console', options, page);
  app.get('/console/*', options, page);
  app.get<{ Params: { name: string } }>('/console/assets/:name', options, async (request, reply) => {
    const asset = (await load()).files?.assets.get(request.params.name);
    if (asset === undefined) throw new Problem('not_found');
    return sendAsset(request, reply, asset);
  });
}

function sendWaiting(reply: FastifyReply, failure: string | null): FastifyReply {
  reply.status(503).header('content-security-policy', plainPolicy);
  if (failure !== null) return reply.send(renderFailed());
  return reply
    .header('content-security-policy', `${plainPolicy}; script-src ${reloadSource}`)
    .header('retry-after', '1')
    .send(renderBuilding());
}

/** Sends a file, whose name contains the hash of its content. */
function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  reply.headers({
    ...commonHeaders,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  });
  reply.type(asset.type);
  const accepted = request.headers['accept-encoding'] ?? '';
  for (const [coding, content] of [
    ['br', asset.brotli],
    ['gzip', asset.gzip],
  ] as const) {
    if (content !== null && new RegExp(`\\b${coding}\\b`).test(accepted)) {
      return reply.header('content-encoding', coding).send(content);
    }
  }
  return reply.send(asset.content);
}
