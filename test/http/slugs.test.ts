/** Slugs of articles, categories and tags that are made from titles and names, in the language of the text or of the site. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

let sites = 0;
async function createSite(defaultLocale: string): Promise<string> {
  sites += 1;
  const body = { name: `Site ${sites}`, key: `site-${sites}`, defaultLocale };
  return `/v1/sites/${(await server.call('POST', '/v1/sites', { body })).json.id}`;
}

async function slugOf(path: string, body: object): Promise<string> {
  const { status, json, text } = await server.call('POST', path, { body });
  assert.equal(status, 201, text);
  return json.slug ?? json.articleData.slug;
}

test('names of tags and categories are written as in the language of the site', async () => {
  for (const [locale, name, slug] of [
    ['de-AT', 'Müller', 'mueller'],
    ['en', 'Müller', 'muller'],
    ['da', 'Smørrebrød', 'smoerrebroed'],
    ['ru', 'Как установить Docker', 'как-установить-docker'],
  ] as const) {
    const site = await createSite(locale);
    assert.equal(await slugOf(`${site}/tags`, { name }), slug);
    assert.equal(await slugOf(`${site}/categories`, { name }), slug);
    assert.equal(await slugOf(`${site}/tags`, { name }), `${slug}-2`);
  }
});

test('C, C++ and C# are three tags', async () => {
  const site = await createSite('en');
  const slugs = [];
  for (const name of ['C', 'C++', 'C#', '.NET', 'net']) slugs.push(await slugOf(`${site}/tags`, { name }));
  assert.deepEqual(slugs, ['c', 'c-plus-plus', 'c-sharp', 'dotnet', 'net']);
});

test('a title is written as in its own language, otherwise in that of the site', async () => {
  const site = await createSite('de');
  const path = `${site}/articles`;
  assert.equal(await slugOf(path, { versionData: { title: 'Über uns' } }), 'ueber-uns');
  assert.equal(await slugOf(path, { versionData: { title: 'Über uns', locale: 'tr' } }), 'uber-uns');
  assert.equal(await slugOf(path, { versionData: { title: 'Über uns', locale: 'de-CH' } }), 'ueber-uns-2');
  assert.equal(await slugOf(path, { versionData: { title: '管理系统' } }), '管理系统');
  assert.equal(await slugOf(path, { versionData: { title: '!!!' } }), 'article');
});

test('creates at the same time get different slugs, whatever their languages are', async () => {
  const site = await createSite('de');
  const locales = [undefined, 'en', 'de', 'tr', undefined, 'da'];
  const slugs = await Promise.all(
    locales.map((locale) => slugOf(`${site}/articles`, { versionData: { title: 'Grün', locale } })),
  );
  assert.deepEqual(slugs.toSorted(), ['gruen', 'gruen-2', 'gruen-3', 'grun', 'grun-2', 'grun-3']);
});
