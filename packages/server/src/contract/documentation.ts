/**
 * The public documentation pages and documents of the server, without a token and without requests to other servers.
 */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../http/operation.ts';
import { changelogPage, changelogPath } from '../visitors/http/changelog-page.ts';
import { demonstration, demonstrationScript, visitorsPage } from '../visitors/http/page.ts';
import { renderAsyncApi } from './asyncapi.ts';
import { contentTag } from './documentation/content-tag.ts';
import { layOut, referencePage, referenceScript, stylesheet } from './documentation/layout.ts';
import type { Page } from './documentation/page.ts';
import {
  errorPage,
  errorsPage,
  isProblemCode,
  limitsPage,
  permissionsPage,
  unknownErrorPage,
} from './documentation/pages.ts';
import { sendDocument } from './documentation/rendered-document.ts';
import { loadScalarScript } from './documentation/scalar-script.ts';
import { webhooksPage } from './documentation/webhooks-page.ts';
import { renderOpenApi } from './openapi.ts';

const plainPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For the demonstration page of the agent, which runs two scripts of this server that call this server. */
const demonstrationPolicy = `${plainPolicy}; script-src 'self'; connect-src 'self'`;

/** For the reference page: Scalar adds inline styles, in elements and attributes that have no nonce. */
const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Registers the public pages below /docs and the metadata that 401 challenges refer to. */
export async function registerDocumentation(
  app: FastifyInstance,
  operations: readonly Operation[],
  origin: () => string,
  sandboxUrl: () => string,
): Promise<void> {
  app.get('/', async (_request, reply) => reply.redirect('/docs'));
  app.get('/docs', async (_request, reply) => sendHtml(reply, referencePage, referencePolicy));
  app.get('/docs/openapi.json', async (request, reply) =>
    sendDocument(request, reply, renderOpenApi(operations, origin())),
  );
  app.get('/docs/asyncapi.json', async (request, reply) =>
    sendDocument(request, reply, renderAsyncApi(origin())),
  );
  app.get('/docs/assets/scalar.js', sendScalarScript);
  app.get('/docs/assets/reference.js', async (request, reply) =>
    sendText(request, reply, 'text/javascript; charset=utf-8', referenceScript),
  );
  app.get('/docs/assets/style.css', async (request, reply) =>
    sendText(request, reply, 'text/css; charset=utf-8', stylesheet),
  );
  const pages: Readonly<Record<string, () => Page>> = {
    '/docs/errors': errorsPage,
    '/docs/permissions': permissionsPage,
    '/docs/limits': limitsPage,
    '/docs/webhooks': webhooksPage,
    [changelogPath]: () => changelogPage,
  };
  for (const [path, page] of Object.entries(pages)) {
    let html: string | null = null;
    app.get(path, async (_request, reply) => {
      html ??= layOut(page(), path);
      return sendHtml(reply, html, plainPolicy);
    });
  }
  app.get('/docs/visitors', async (_request, reply) =>
    sendHtml(reply, layOut(visitorsPage, '/docs/visitors', demonstration), demonstrationPolicy),
  );
  app.get('/docs/assets/visitors.js', async (request, reply) =>
    sendText(request, reply, 'text/javascript; charset=utf-8', demonstrationScript),
  );
  app.get<{ Params: { code: string } }>('/docs/errors/:code', async ({ params: { code } }, reply) => {
    if (!isProblemCode(code))
      return sendHtml(reply.status(404), layOut(unknownErrorPage(code), ''), plainPolicy);
    return sendHtml(reply, layOut(errorPage(code, origin()), ''), plainPolicy);
  });
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

/** The metadata of an interface as a protected resource (RFC 9728), as JSON. It names no authorization server: there is none. */
function resourceMetadata(about: {
  readonly resource: string;
  readonly name: string;
  readonly documentation: string;
  readonly scopes: readonly string[];
}): string {
  return JSON.stringify({
    resource: about.resource,
    resource_name: about.name,
    resource_documentation: about.documentation,
    bearer_methods_supported: ['header'],
    scopes_supported: about.scopes,
  });
}

function sendHtml(reply: FastifyReply, html: string, policy: string): FastifyReply {
  return reply
    .headers({ 'cache-control': 'public, max-age=300', 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
    .send(html);
}

/** Sends a text that rarely changes, or 304 if the client has it already. */
function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply {
  const etag = contentTag(text);
  reply.headers({ 'cache-control': 'no-cache', etag });
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  return reply.type(type).send(text);
}

async function sendScalarScript(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { compressed, etag } = await loadScalarScript();
  reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding', etag });
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  reply.type('text/javascript; charset=utf-8');
  if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    return reply.header('content-encoding', 'gzip').send(compressed);
  }
  return reply.send(Readable.from([compressed]).pipe(createGunzip()));
}
