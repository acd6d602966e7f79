/** One article's life, end to end over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('an article lives from draft to deletion', async () => {
  const site = await server.call('POST', '/v1/sites', {
    body: { name: 'Blog', key: 'blog', defaultLocale: 'en-gb' },
  });
  assert.equal(site.status, 201, site.text);
  assert.equal(site.json.defaultLocale, 'en-GB');
  const base = `/v1/sites/${site.json.id}`;
  const category = await server.call('POST', `${base}/categories`, { body: { name: 'Größe & Café' } });
  assert.equal(category.status, 201, category.text);
  assert.equal(category.json.slug, 'grosse-cafe');
  const created = await server.call('POST', `${base}/articles`, {
    body: {
      articleData: { categoryIds: [category.json.id], authors: [{ name: 'Ada' }] },
      versionData: { title: 'Hello Wörld', body: '  first\r\nline \n' },
    },
  });
  assert.equal(created.status, 201, created.text);
  assert.equal(created.json.versionData.body, '  first\r\nline \n');
  assert.equal(created.headers.get('location'), `${base}/articles/${created.json.id}`);
  const path = `${base}/articles/${created.json.id}`;
  const read = await server.call('GET', path);
  assert.equal(read.status, 200);
  assert.deepEqual(read.json, created.json);
  const patched = await server.call('PATCH', path, { body: { versionData: { status: 'PUBLISHED' } } });
  assert.equal(patched.status, 200, patched.text);
  assert.equal(patched.json.state, 'PUBLISHED');
  const edited = await server.call('PATCH', path, { body: { versionData: { title: 'Second' } } });
  assert.equal(edited.status, 200, edited.text);
  assert.equal(edited.json.state, 'CHANGED');
  const list = await server.call('GET', `${base}/articles?limit=5&search=WORLD`);
  assert.equal(list.status, 200, list.text);
  const found = await server.call('GET', `${base}/articles/search?query=seco`);
  assert.equal(found.status, 200, found.text);
  assert.equal(found.json.items[0]?.id, created.json.id, found.text);
  const typo = await server.call('GET', `${base}/articles/search?query=secnod`);
  assert.equal(typo.json.items[0]?.id, created.json.id, typo.text);
  const removed = await server.call('DELETE', path);
  assert.equal(removed.status, 204, removed.text);
});
