/**
 * Tests of the documentation pages: they exist, allow only their own scripts and styles, load nothing from other hosts,
 * and have no broken links.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Script } from 'node:vm';
import { problemCatalogue } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, { headers, redirect: 'manual' });
}

/** An HTML page with everything that must hold for all of them; returns its text. */
async function readPage(path: string, status = 200): Promise<string> {
  const response = await get(path);
  const text = await response.text();
  assert.equal(response.status, status, `${path}: ${text}`);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  assert.ok(response.headers.get('x-request-id'));
  checkPolicy(response.headers.get('content-security-policy') ?? '', path);
  assert.match(text, /^<!doctype html>\n<html lang="en">/);
  assert.match(text, /<title>[^<]+<\/title>/);
  assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:/, 'nothing inline');
  for (const [, target = ''] of text.matchAll(/\s(?:src|href|action)="([^"]*)"/g)) {
    assert.match(target, /^(\/(?!\/)|#|data:,$)/, `${path} refers to ${target}`);
  }
  return text;
}

function checkPolicy(policy: string, path: string): void {
  const directives = new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  assert.equal(directives.get('default-src'), "'none'", path);
  for (const name of ['base-uri', 'form-action', 'frame-ancestors']) {
    assert.equal(directives.get(name), "'none'", `${path}: ${name}`);
  }
  const isReference = path === '/docs';
  const hasScript = isReference || path === '/docs/visitors';
  assert.equal(directives.get('script-src'), hasScript ? "'self'" : undefined, path);
  // Only Scalar, which writes its styles itself, may have them inline.
  assert.equal(directives.get('style-src'), isReference ? "'unsafe-inline'" : "'self'", path);
  for (const [name, sources] of directives) {
    assert.match(sources, /^('none'|'self'|'unsafe-inline'|data:| )+$/, `${path}: ${name} ${sources}`);
  }
}

test('/ redirects to /docs', async () => {
  const response = await get('/');
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('location'), '/docs');
});

test('/docs shows both documents with the scripts of this server alone', async () => {
  const page = await readPage('/docs');
  const scripts = [...page.matchAll(/<script src="([^"]+)">/g)].map(([, path = '']) => path);
  assert.deepEqual(scripts, ['/docs/assets/scalar.js', '/docs/assets/reference.js']);
  for (const path of scripts) {
    const response = await get(path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    await response.arrayBuffer();
  }
  const starter = await (await get('/docs/assets/reference.js')).text();
  const documents = [...starter.matchAll(/url: '([^']+)'/g)].map(([, path = '']) => path);
  assert.deepEqual(documents, ['/docs/openapi.json', '/sandbox/openapi.json']);
  for (const path of documents) {
    const document: Json = await (await get(path)).json();
    assert.match(document.openapi, /^3\.[01]\./);
  }
  assert.doesNotMatch(starter, /https?:\/\//);
  for (const setting of ['telemetry: false', 'withDefaultFonts: false', "proxyUrl: ''"]) {
    assert.ok(starter.includes(setting), setting);
  }
});

test("the reference's script is the same compressed and uncompressed, and is cached", async () => {
  const packed = await get('/docs/assets/scalar.js', { 'accept-encoding': 'gzip' });
  const plain = await get('/docs/assets/scalar.js', { 'accept-encoding': 'identity' });
  assert.equal(packed.headers.get('content-encoding'), 'gzip');
  assert.equal(plain.headers.get('content-encoding'), null);
  const [one, other] = [await packed.text(), await plain.text()];
  assert.ok(one === other && one.length > 1_000_000 && one.includes('createApiReference'));
  const etag = packed.headers.get('etag') ?? '';
  assert.equal((await get('/docs/assets/scalar.js', { 'if-none-match': etag })).status, 304);
});

test('the public copy of the document equals the one of /v1/openapi', async () => {
  const copy = await get('/docs/openapi.json');
  const { text, headers } = await server.call('GET', '/v1/openapi');
  assert.equal(await copy.text(), text);
  assert.equal(copy.headers.get('etag'), headers.get('etag'));
  assert.equal((await get('/docs/openapi.json', { 'if-none-match': headers.get('etag') ?? '' })).status, 304);
});

test('every error code has a page, which the type of its problems refers to', async () => {
  const index = await readPage('/docs/errors');
  for (const [code, { status, title }] of Object.entries(problemCatalogue)) {
    const page = await readPage(`/docs/errors/${code}`);
    assert.ok(page.includes(`<h1>${title}</h1>`), title);
    assert.ok(page.includes(`status ${status}`), code);
    assert.ok(page.includes(`&quot;code&quot;: &quot;${code}&quot;`), `${code} has an example`);
    assert.ok(index.includes(`href="#${code}"`) && index.includes(`id="${code}"`), code);
  }
  const { json } = await server.call('GET', '/v1/nothing');
  assert.equal(new URL(json.type).pathname, `/docs/errors/${json.code}`);
});

test('a code that does not exist gets a page with 404, whatever it contains', async () => {
  const close = await readPage('/docs/errors/not_fond', 404);
  assert.ok(close.includes('href="/docs/errors/not_found"'));
  for (const code of ['%3Cscript%3Ealert(1)%3C%2Fscript%3E', '%22%20onload=x', 'constructor', '__proto__']) {
    const page = await readPage(`/docs/errors/${code}`, 404);
    assert.ok(!page.includes('alert(1)') && !page.includes('onload'), page);
  }
});

test('/docs/permissions has every scope, /docs/limits the current limits', async () => {
  const permissions = await readPage('/docs/permissions');
  for (const scope of allScopes) assert.ok(permissions.includes(`<code>${scope}</code>`), scope);
  const shown = await readPage('/docs/limits');
  for (const limit of [limits.bodyBytes, limits.plants, limits.searchCandidates]) {
    assert.ok(shown.includes(limit.toLocaleString('en')), String(limit));
  }
});

test('/docs/visitors demonstrates the agent with scripts of this server only', async () => {
  const page = await readPage('/docs/visitors');
  const scripts = [...page.matchAll(/<script src="([^"]+)">/g)].map(([, path = '']) => path);
  assert.deepEqual(scripts, ['/agent.js', '/docs/assets/visitors.js']);
  for (const path of scripts) {
    const response = await get(path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.ok(new Script(await response.text()), path);
  }
});

test('there are no broken links and anchors', async () => {
  const paths = [
    '/docs',
    '/docs/errors',
    '/docs/permissions',
    '/docs/limits',
    '/docs/visitors',
    '/docs/errors/conflict',
  ];
  const seen = new Set<string>();
  for (const path of paths) {
    const page = await readPage(path);
    for (const [, target = ''] of page.matchAll(/href="([^"]*)"/g)) {
      if (target.startsWith('#')) assert.ok(page.includes(`id="${target.slice(1)}"`), `${path}${target}`);
      else if (target.startsWith('/')) seen.add(target);
    }
  }
  assert.ok(seen.size >= 6);
  for (const target of seen) {
    const response = await get(target);
    assert.equal(response.status, 200, target);
    await response.arrayBuffer();
  }
});

test('401 challenges refer to the metadata of the protected resource (RFC 9728)', async () => {
  const { headers } = await server.call('GET', '/v1/sites', { token: null });
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
  const { pathname, origin } = new URL(address);
  assert.equal(pathname, '/.well-known/oauth-protected-resource/v1');
  const response = await get(pathname);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json(;|$)/);
  const metadata: Json = await response.json();
  // Clients must refuse metadata whose resource is not the one that they called (section 3.3).
  assert.equal(metadata.resource, `${origin}/v1`);
  assert.deepEqual(metadata.bearer_methods_supported, ['header']);
  for (const scope of metadata.scopes_supported) assert.ok(allScopes.includes(scope), scope);
  assert.equal((await get(new URL(metadata.resource_documentation).pathname)).status, 200);
});

test('the sandbox has its own protected resource metadata', async () => {
  const response = await get('/.well-known/oauth-protected-resource/sandbox');
  assert.equal(response.status, 200);
  const metadata: Json = await response.json();
  assert.equal(new URL(metadata.resource).pathname, '/sandbox');
  assert.deepEqual(metadata.scopes_supported, ['plants:read', 'plants:write']);
});
