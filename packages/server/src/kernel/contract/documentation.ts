/**
 * The public documentation pages and documents of the server, without a token and without requests to other servers.
 */
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from '../http/compression.ts';
import { isUnchanged } from '../http/preconditions.ts';
import { share } from '../http/shared-content.ts';
import { renderAsyncApi } from './asyncapi.ts';
import type { DescribedApi } from './described-api.ts';
import { contentTag } from './documentation/content-tag.ts';
import { renderIndexForPrograms } from './documentation/index-for-programs.ts';
import { layOut, referencePage, referenceScript, stylesheet } from './documentation/layout.ts';
import { limitsPage } from './documentation/limits-page.ts';
import { operationsPage } from './documentation/operations-page.ts';
import { markdownPath, type Page, renderMarkdownPage } from './documentation/page.ts';
import {
  errorPage,
  errorsPage,
  isProblemCode,
  permissionsPage,
  unknownErrorPage,
} from './documentation/pages.ts';
import { placesOf } from './documentation/places.ts';
import { sendDocument } from './documentation/rendered-document.ts';
import { loadScalarScript } from './documentation/scalar-script.ts';
import type { DocumentationPage } from './feature-documents.ts';
import { renderOpenApi } from './openapi.ts';

const plainPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For a page with a demonstration, which runs scripts of this server that call this server. */
const demonstrationPolicy = `${plainPolicy}; script-src 'self'; connect-src 'self'`;

/** For the reference page: Scalar adds inline styles, in elements and attributes that have no nonce. */
const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const keep = (text: string) => share(Buffer.from(text));
/** Texts that never change. */
const texts = {
  reference: keep(referencePage),
  referenceScript: keep(referenceScript),
  stylesheet: keep(stylesheet),
};

/** Registers the public pages below /docs and the metadata that 401 challenges refer to. */
export async function registerDocumentation(
  app: FastifyInstance,
  api: DescribedApi,
  origin: () => string,
  sandboxUrl: () => string,
): Promise<void> {
  const places = placesOf(api);
  app.get('/', async (_request, reply) => reply.redirect('/docs'));
  app.get('/docs', async (request, reply) =>
    sendPage(request, reply, htmlPage(texts.reference, referencePolicy)),
  );
  app.get('/docs/openapi.json', async (request, reply) =>
    sendDocument(request, reply, renderOpenApi(api, origin())),
  );
  app.get('/docs/asyncapi.json', async (request, reply) =>
    sendDocument(request, reply, renderAsyncApi(api, origin())),
  );
  app.get('/docs/assets/scalar.js', sendScalarScript);
  app.get('/docs/assets/reference.js', async (request, reply) =>
    sendText(request, reply, 'text/javascript; charset=utf-8', texts.referenceScript),
  );
  app.get('/docs/assets/style.css', async (request, reply) =>
    sendText(request, reply, 'text/css; charset=utf-8', texts.stylesheet),
  );
  const pages: Readonly<Record<string, () => Page>> = {
    '/docs/operations': () => operationsPage(api),
    '/docs/errors': errorsPage,
    '/docs/permissions': permissionsPage,
    '/docs/limits': () => limitsPage(api.features.flatMap(({ limits = [] }) => limits)),
  };
  const documented: readonly Pick<DocumentationPage, 'path' | 'page' | 'demonstration'>[] = [
    ...Object.entries(pages).map(([path, page]) => ({ path, page })),
    ...api.features.flatMap((feature) => feature.pages ?? []),
  ];
  for (const { path, page, demonstration } of documented) {
    const policy = demonstration === undefined ? plainPolicy : demonstrationPolicy;
    const html = once(() => layOut(places, page(), path, demonstration?.html));
    const markdown = once(() => renderMarkdownPage(page()));
    app.get(path, async (request, reply) => sendPage(request, reply, htmlPage(html(), policy)));
    if (demonstration !== undefined) {
      const script = keep(demonstration.script.text);
      app.get(demonstration.script.path, async (request, reply) =>
        sendText(request, reply, 'text/javascript; charset=utf-8', script),
      );
    }
    app.get(markdownPath(path), async (request, reply) => sendPage(request, reply, markdownPage(markdown())));
  }
  app.get<{ Params: { code: string } }>('/docs/errors/:code', async (request, reply) => {
    const [, code = '', extension] = /^(.*?)(\.md)?$/s.exec(request.params.code) ?? [];
    const isKnown = isProblemCode(code);
    const page = isKnown ? errorPage(code, origin()) : unknownErrorPage(code);
    if (!isKnown) reply.status(404);
    if (extension !== undefined)
      return sendPage(request, reply, markdownPage(Buffer.from(renderMarkdownPage(page))));
    const html = layOut(places, page, isKnown ? `/docs/errors/${code}` : null);
    return sendPage(request, reply, htmlPage(Buffer.from(html), plainPolicy));
  });
  app.get('/llms.txt', async (request, reply) =>
    sendPage(request, reply, markdownPage(Buffer.from(renderIndexForPrograms(places, origin())))),
  );
  app.get('/.well-known/oauth-protected-resource/v1', async (request, reply) =>
    sendText(
      request,
      reply,
      'application/json',
      resourceMetadata({
        resource: `${origin()}/v1`,
        name: 'Trellis tenant API',
        documentation: `${origin()}/docs`,
        scopes: allScopes.filter((scope) => !scope.startsWith('plants:')),
      }),
    ),
  );
  app.get('/.well-known/oauth-protected-resource/sandbox', async (request, reply) =>
    sendText(
      request,
      reply,
      'application/json',
      resourceMetadata({
        resource: sandboxUrl(),
        name: 'Trellis plant store',
        documentation: `${origin()}/docs`,
        scopes: allScopes.filter((scope) => scope.startsWith('plants:')),
      }),
    ),
  );
}

/** The metadata of an interface as a protected resource (RFC 9728), in JSON. It names no authorization server: there is none. */
function resourceMetadata(about: {
  readonly resource: string;
  readonly name: string;
  readonly documentation: string;
  readonly scopes: readonly string[];
}): Buffer {
  const metadata = {
    resource: about.resource,
    resource_name: about.name,
    resource_documentation: about.documentation,
    bearer_methods_supported: ['header'],
    scopes_supported: about.scopes,
  };
  return Buffer.from(JSON.stringify(metadata));
}

interface SentPage {
  readonly text: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

function htmlPage(text: Buffer, policy: string): SentPage {
  return { text, headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy } };
}

function markdownPage(text: Buffer): SentPage {
  return { text, headers: { 'content-type': 'text/markdown; charset=utf-8' } };
}

/** Sends a page, or 304 if the client has it already. A page that says that something does not exist has no validator. */
function sendPage(request: FastifyRequest, reply: FastifyReply, { text, headers }: SentPage): FastifyReply {
  reply.header('cache-control', 'public, max-age=300').headers(headers);
  if (reply.statusCode !== 200) return reply.send(text);
  const etag = contentTag(text);
  reply.header('etag', etag);
  if (isUnchanged(request, etag)) return reply.status(304).removeHeader('content-type').send();
  return reply.send(text);
}

/** A text that is made for the first request, and kept. */
function once(make: () => string): () => Buffer {
  let text: Buffer | null = null;
  return () => {
    text ??= keep(make());
    return text;
  };
}

/** Sends a text that rarely changes, or 304 if the client has it already. */
function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: Buffer): FastifyReply {
  const etag = contentTag(text);
  reply.headers({ 'cache-control': 'no-cache', etag });
  if (isUnchanged(request, etag)) return reply.status(304).send();
  return reply.type(type).send(text);
}

async function sendScalarScript(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { compressed, plain, etag } = await loadScalarScript();
  reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding', etag });
  if (isUnchanged(request, etag)) return reply.status(304).send();
  reply.type('text/javascript; charset=utf-8');
  if (acceptsGzip(request.headers['accept-encoding'])) {
    return reply.header('content-encoding', 'gzip').send(compressed);
  }
  return reply.send(await plain());
}
