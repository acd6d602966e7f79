/** Tests of the limits of bodies over HTTP, with bodies that are costly to check. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createToken } from '../../support/identities.ts';
import { expectProblem } from '../../support/refusals.ts';
import { type Json, startTestServer } from '../../support/server.ts';

const server = await startTestServer();
after(() => server.close());

const marks = '\u0300\u0316';

async function create(path: string, body: object): Promise<Json> {
  const response = await server.call('POST', path, { body });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

test('bodies with very many items, faults and parameters are refused quickly', async () => {
  for (const item of ['"x"', '{}', '1', '[]']) {
    const rawBody = `{"title":"x","contributors":[${`${item},`.repeat(130_000)}${item}]}`;
    const response = await server.call('POST', '/v1/books', { rawBody });
    expectProblem(response, 422, 'validation_failed', item);
    assert.equal(response.json.detail, '/contributors: Must have at most 100 items.');
    assert.equal(response.json.errors.length, 1);
  }
  const query = Array.from({ length: 2_600 }, (_, index) => `p${index}`).join('&');
  const response = await server.call('GET', `/v1/books?${query}`);
  expectProblem(response, 400, 'unknown_parameter');
  assert.equal(response.json.errors.length, 100);
  assert.ok(response.text.length < 20_000);
});

test('more than thirty combining marks in a row are refused in every text', async () => {
  const site = await create('/v1/sites', { name: 'S', key: 's' });
  const run = `a${marks.repeat(16)}`;
  const longRun = `a${marks.repeat(100_000)}`;
  for (const text of [run, longRun]) {
    for (const [path, body] of [
      ['/v1/books', { title: text }],
      ['/v1/books', { title: 'x', description: text }],
      [`/v1/sites/${site.id}/articles`, { versionData: { title: 'x', body: text } }],
      ['/v1/knowledge-files', { name: 'x', content: text }],
      ['/v1/crm/contacts', { emails: [{ address: `${text}@example.com` }] }],
      ['/v1/crm/contacts', { firstName: 'x', tags: [text] }],
    ] as const) {
      const response = await server.call('POST', path, { body });
      expectProblem(response, 422, 'validation_failed', path);
      assert.equal(response.json.errors.length, 1, response.text);
      assert.match(response.json.detail, /more than 30 combining marks|at most \d+ characters/);
    }
  }
  const taken = await create(`/v1/sites/${site.id}/articles`, {
    versionData: { title: 'x', body: `a${marks.repeat(15)}` },
  });
  for (const query of [`?search=${encodeURIComponent(run)}`, `/search?query=${encodeURIComponent(run)}`]) {
    const response = await server.call('GET', `/v1/sites/${site.id}/articles${query}`);
    expectProblem(response, 400, 'invalid_parameter', query);
  }
  assert.equal(taken.versionData.body, `a${marks.repeat(15)}`);
});

test('texts of plants have the same limits, and an empty tag is null', async () => {
  const { token } = await createToken(server.database.worker, server.organization, server.ownerId, {
    audiences: ['sandbox'],
    scopes: ['plants:read', 'plants:write'],
  });
  const send = (body: object, headers = {}) =>
    server.call('POST', '/sandbox/plants', { token, body, key: null, headers });
  for (const count of [16, 100_000]) {
    for (const body of [
      { id: 1, name: `a${marks.repeat(count)}` },
      { id: 1, name: 'a', tag: `a${marks.repeat(count)}` },
    ]) {
      const response = await send(body);
      assert.equal(response.status, 400, response.text);
      assert.equal(response.json.error, 1002);
    }
  }
  assert.deepEqual((await send({ id: 1, name: 'fern', tag: '' })).json, { name: 'fern' });
  assert.equal(
    (await send({ id: 2, name: 'fern' }, { 'content-type': 'application/json; charset=latin1' })).status,
    415,
  );
});

test('a body in a charset other than UTF-8 is an unsupported media type', async () => {
  const send = (type: string) =>
    server.call('POST', '/v1/books', { body: { title: 'x' }, headers: { 'content-type': type } });
  for (const charset of ['iso-8859-1', '"ISO-8859-1"', 'utf-16', 'x', '']) {
    expectProblem(await send(`application/json; charset=${charset}`), 415, 'unsupported_media_type', charset);
  }
  for (const type of ['charset=utf-8', 'Charset="UTF-8"', 'charset=utf8', 'version=1', '']) {
    const response = await send(`application/json; ${type}`);
    assert.equal(response.status, 201, response.text);
  }
});

test('the detail of a problem describes the fault', async () => {
  const magazine = await create('/v1/magazines', { title: 'M' });
  await create(`/v1/magazines/${magazine.id}/issues`, { title: 'I' });
  const used = await server.call('DELETE', `/v1/magazines/${magazine.id}`);
  expectProblem(used, 409, 'in_use');
  assert.equal(used.json.detail, 'Still used by 1 issue.');
  await create(`/v1/magazines/${magazine.id}/issues`, { title: 'J', number: '2' });
  const more = await server.call('DELETE', `/v1/magazines/${magazine.id}`);
  assert.equal(more.json.detail, 'Still used by 2 issues.');
  const book = await server.call('POST', '/v1/books', { body: { title: 'x', tradeStatus: 'FORTHCOMING' } });
  expectProblem(book, 422, 'validation_failed');
  assert.equal(book.json.detail, '/publicationDate: A FORTHCOMING book requires a publicationDate.');
  const cover = await server.call('POST', '/v1/books', { body: { title: 'x', coverFileId: 'kf_x' } });
  expectProblem(cover, 422, 'reference_not_found');
  assert.equal(cover.json.detail, '/coverFileId: No such record.');
});

test('an address that is too long in ASCII is refused, in every field', async () => {
  const url = `https://example.com/${'漢'.repeat(1_900)}`;
  const site = await create('/v1/sites', { name: 'T', key: 't' });
  for (const [path, body, pointer] of [
    ['/v1/webhook-endpoints', { url, eventTypes: ['*'] }, '/url'],
    ['/v1/magazines', { title: 'x', websiteUrl: url }, '/websiteUrl'],
    ['/v1/crm/companies', { name: 'x', websiteUrl: url }, '/websiteUrl'],
    ['/v1/knowledge-files', { name: 'x', sourceUrl: url }, '/sourceUrl'],
    [
      `/v1/sites/${site.id}/articles`,
      { articleData: { canonicalUrl: url }, versionData: { title: 'x' } },
      '/articleData/canonicalUrl',
    ],
  ] as const) {
    const response = await server.call('POST', path, { body });
    expectProblem(response, 422, 'validation_failed', path);
    assert.deepEqual(
      response.json.errors.map((fault: Json) => [fault.pointer, fault.code]),
      [[pointer, 'maxLength']],
    );
  }
});
