/**
 * Tests of the documentation pages: they exist, as HTML and as Markdown, allow only their own scripts and styles, load nothing from
 * other hosts, and have no broken links.
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
  // Links may lead to other hosts; nothing is loaded from them.
  const loading = text.replaceAll(/<a href="https:[^"]*">/g, '');
  for (const [, target = ''] of loading.matchAll(/\s(?:src|href|action)="([^"]*)"/g)) {
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

/** The paths of all HTML pages, from the routes of the server. */
function htmlPaths(): string[] {
  const paths = [...server.server.routes.keys()].filter(
    (path) => path.startsWith('/docs') && !/[:.]/.test(path),
  );
  assert.ok(paths.length >= 8, paths.join(' '));
  return [...paths, '/docs/errors/conflict'];
}

test('there are no broken links and anchors', async () => {
  const seen = new Set<string>();
  for (const path of htmlPaths()) {
    const page = await readPage(path);
    for (const [, target = ''] of page.matchAll(/href="([^"]*)"/g)) {
      if (target.startsWith('#')) assert.ok(page.includes(`id="${target.slice(1)}"`), `${path}${target}`);
      else if (target.startsWith('/')) seen.add(target);
    }
    const { text } = await readMarkdown(path);
    for (const [, target = ''] of text.matchAll(/\]\((\/[^)]*)\)/g)) {
      assert.match(target, /\.(md|json)$/, `${path} as Markdown refers to ${target}`);
      seen.add(target);
    }
  }
  assert.ok(seen.size >= 16);
  for (const target of seen) {
    const response = await get(target);
    assert.equal(response.status, 200, target);
    await response.arrayBuffer();
  }
});

/** The Markdown page that an HTML page names, with everything that must hold for all of them. */
async function readMarkdown(path: string, status = 200): Promise<{ path: string; text: string }> {
  const html = await (await get(path)).text();
  const [, address = `${path}.md`] =
    /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(html) ?? [];
  const response = await get(address);
  const text = await response.text();
  assert.equal(response.status, status, address);
  assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'public, max-age=300');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.match(text, /^# \S.*\n\n/);
  return { path: address, text };
}

test('every page is also a Markdown page, which it names', async () => {
  for (const path of htmlPaths()) {
    const { path: address, text } = await readMarkdown(path);
    assert.equal(address, path === '/docs' ? '/docs/operations.md' : `${path}.md`);
    const page = await readPage(path === '/docs' ? '/docs/operations' : path);
    const count = (pattern: RegExp, of: string) => [...of.matchAll(pattern)].length;
    assert.equal(`# ${/<h1>([^<]+)<\/h1>/.exec(page)?.[1]}`, /^.*/.exec(text)?.[0]);
    // The demonstration of the agent is not part of the text.
    assert.equal(count(/^## /gm, text), count(/<h2 id="(?!try-it)/g, page), path);
    assert.equal(count(/^\| --- /gm, text), count(/<table>/g, page), path);
    assert.equal(count(/^\| /gm, text), count(/<tr>/g, page) + count(/<table>/g, page), path);
  }
});

test('notation of Markdown is nowhere left in HTML', async () => {
  for (const path of htmlPaths()) {
    const page = (await readPage(path)).replaceAll(/<code>[^<]*<\/code>/g, '');
    assert.doesNotMatch(page, /\]\(|`|\*\*/, path);
  }
  const webhooks = await get('/docs/webhooks');
  assert.match(
    await webhooks.text(),
    /<a href="https:\/\/www\.standardwebhooks\.com">Standard Webhooks<\/a>/,
  );
});

test('HTML and Markdown pages are validated and asked for by HEAD in the same way', async () => {
  for (const path of [...htmlPaths(), '/docs/limits.md', '/docs/errors/conflict.md', '/llms.txt']) {
    const response = await get(path);
    const length = (await response.arrayBuffer()).byteLength;
    const etag = response.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]+"$/, path);
    const again = await get(path, { 'if-none-match': etag });
    assert.deepEqual([again.status, await again.text()], [304, ''], path);
    assert.equal(again.headers.get('etag'), etag, path);
    assert.equal((await get(path, { 'if-match': '"other"' })).status, 412, path);
    const head = await fetch(`${server.url}${path}`, { method: 'HEAD' });
    assert.equal(head.status, 200, path);
    for (const name of ['content-type', 'etag', 'cache-control', 'content-security-policy']) {
      assert.equal(head.headers.get(name), response.headers.get(name), `${path}: ${name}`);
    }
    assert.equal(head.headers.get('content-length'), String(length), path);
  }
});

test('a code that does not exist has no Markdown page, and its 404 has no validator', async () => {
  const { text } = await readMarkdown('/docs/errors/not_fond', 404);
  assert.match(text, /\[not_found\]\(\/docs\/errors\/not_found\.md\)/);
  const absent = await get('/docs/errors/not_fond.md', { 'if-none-match': '*' });
  assert.deepEqual([absent.status, absent.headers.get('etag')], [404, null]);
});

test('/docs/operations has every operation of the tenant API', async () => {
  const { text } = await readMarkdown('/docs/operations');
  const document: Json = await (await get('/docs/openapi.json')).json();
  assert.ok(Object.keys(document.paths).length > 50);
  for (const [path, operations] of Object.entries<Json>(document.paths)) {
    for (const [method, { tags, summary }] of Object.entries<Json>(operations)) {
      const row = `| \`${method.toUpperCase()} ${path}\` | ${summary} |`;
      assert.ok(text.includes(row), `${row} of ${tags}`);
    }
  }
});

test('/llms.txt names the documents and every Markdown page (llmstxt.org)', async () => {
  const response = await get('/llms.txt');
  assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8');
  const text = await response.text();
  const [title, quote, , ...sections] = text.trimEnd().split('\n\n');
  assert.match(title ?? '', /^# \S/);
  assert.match(quote ?? '', /^> \S/);
  const links = new Map<string, string>();
  for (const part of sections) {
    if (/^## \S+$/.test(part)) continue;
    for (const line of part.split('\n')) {
      const [, name = '', address = ''] = /^- \[([^\]]+)\]\(([^)]+)\): \S/.exec(line) ?? [];
      assert.ok(name !== '', line);
      const { origin, pathname } = new URL(address);
      assert.equal(origin, server.url.replace('127.0.0.1', 'localhost'));
      links.set(pathname, name);
    }
  }
  assert.ok(links.has('/docs/openapi.json'));
  for (const path of htmlPaths()) {
    if (path !== '/docs') assert.ok(links.has(`${path}.md`), path);
  }
  for (const code of Object.keys(problemCatalogue)) assert.ok(links.has(`/docs/errors/${code}.md`), code);
  for (const path of links.keys()) {
    const page = await get(path);
    assert.equal(page.status, 200, path);
    await page.arrayBuffer();
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
