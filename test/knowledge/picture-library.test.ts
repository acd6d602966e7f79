/** Tests of what a library of pictures needs: pictures alone, thumbnails for members, where a file is used, and replaced pictures. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { createMember, createToken } from '../support/identities.ts';
import { halves, type PictureServer, startPictureServer } from '../support/pictures.ts';
import type { Json } from '../support/server.ts';
import { create, succeed } from '../support/writes.ts';

let server: PictureServer;
let viewer: string;
let site: Json;

before(async () => {
  server = await startPictureServer();
  const { worker } = server.database;
  const userId = await createMember(worker, server.organization, 'VIEWER');
  viewer = (await createToken(worker, server.organization, userId)).token;
  site = await create(server, '/v1/sites', { name: 'Blog', key: 'blog' });
});
after(() => server.close());

const pathOf = ({ id }: Json) => `/v1/knowledge-files/${id}`;

/** The titles of what the usage of a file names. */
async function usesOf(file: Json, token?: string): Promise<string[]> {
  const response = await server.call('GET', `${pathOf(file)}/usage`, token === undefined ? {} : { token });
  assert.equal(response.status, 200, response.text);
  return response.json.items.map(({ title }: Json) => title);
}

const addArticle = (title: string, body: string) =>
  create(server, `/v1/sites/${site.id}/articles`, { versionData: { title, body } });
const articlePath = ({ id }: Json) => `/v1/sites/${site.id}/articles/${id}`;

async function act(path: string): Promise<void> {
  const { status, text } = await server.call('POST', path);
  assert.equal(status, 200, text);
}

test('pictures are listed without other files, and found by the words of their alternative texts', async () => {
  const tree = await server.add(await halves(64, 32), { name: 'a.jpg', alternativeText: 'An apple tree' });
  const pear = await server.add(await halves(32, 64), { name: 'b.jpg', alternativeText: 'A pear' });
  const note = await server.add(Buffer.from('About an apple tree'), { name: 'apple tree.txt' });
  const ids = async (query: string) =>
    (await server.call('GET', `/v1/knowledge-files?sort=createdAt&${query}`)).json.items.map(
      ({ id }: Json) => id,
    );
  assert.deepEqual(await ids('picture=true'), [tree.id, pear.id]);
  assert.deepEqual(await ids('picture=true&search=apple'), [tree.id]);
  assert.deepEqual(await ids('picture=false'), [note.id]);
});

test('a thumbnail is small, needs no publication, and is for those who see the file', async () => {
  const file = await server.add(await halves(1_000, 500), { visibility: 'PRIVATE' });
  const load = (token?: string) =>
    fetch(`${server.url}${pathOf(file)}/thumbnail`, {
      headers: { authorization: `Bearer ${token ?? server.token}` },
    });
  const [first, second] = await Promise.all([load(), load()]);
  for (const response of [first, second]) {
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp']);
    const { width, height } = await sizeOf(await response.arrayBuffer());
    assert.deepEqual([width, height], [320, 160]);
  }
  assert.equal((await load(viewer)).status, 404);
  assert.equal((await server.load(`${file.picturePath}?w=320&format=webp`)).status, 404);
  await server.call('PUT', `${pathOf(file)}/content`, { rawBody: await halves(400, 800) });
  const { width, height } = await sizeOf(await (await load()).arrayBuffer());
  assert.deepEqual([width, height], [160, 320], 'of the new content');
});

test('what is no picture has no thumbnail', async () => {
  for (const file of [
    await server.add(Buffer.from('words')),
    await create(server, '/v1/knowledge-files', { name: 'empty' }),
  ]) {
    const { status, json } = await server.call('GET', `${pathOf(file)}/thumbnail`);
    assert.deepEqual([status, json.code, json.detail], [404, 'not_found', 'The file is no picture.']);
  }
});

test('the usage of a file names the articles whose text or cover it is, until they no longer are', async () => {
  const file = await server.add(await halves(64, 32));
  const other = await server.add(await halves(32, 64));
  assert.deepEqual(await usesOf(file), []);
  const article = await addArticle('Trees', `![Tree](https://cms.example.com${file.picturePath}?w=1280)`);
  const cover = await create(server, `/v1/sites/${site.id}/articles`, {
    versionData: { title: 'Covers', coverFileId: file.id },
  });
  await create(server, '/v1/books', { title: 'Orchards', coverFileId: file.id });
  await addArticle('Others', `<img src="/v1/knowledge-files/${other.id}/content">`);
  assert.deepEqual(await usesOf(file), ['Covers', 'Trees', 'Orchards']);
  assert.deepEqual(await usesOf(other), ['Others']);
  const { json } = await server.call('GET', `${pathOf(file)}/usage`);
  assert.deepEqual(json.items[1], {
    type: 'article',
    id: article.id,
    url: `http://localhost:${new URL(server.url).port}${articlePath(article)}`,
    title: 'Trees',
    published: false,
    preventsDeletion: false,
  });
  assert.deepEqual(
    json.items.filter(({ preventsDeletion }: Json) => preventsDeletion).map(({ title }: Json) => title),
    ['Covers', 'Orchards'],
  );
  assert.equal(json.hasMore, false);
  await succeed(server, 'PATCH', articlePath(article), { versionData: { body: 'No picture' } });
  await succeed(server, 'DELETE', articlePath(cover));
  assert.deepEqual(await usesOf(file), ['Orchards']);
});

test('a text that readers see counts beside a newer draft, and a restored article counts again', async () => {
  const file = await server.add(await halves(64, 32));
  const article = await addArticle('Published', file.picturePath);
  await succeed(server, 'PATCH', articlePath(article), { versionData: { status: 'PUBLISHED' } });
  await succeed(server, 'PATCH', articlePath(article), { versionData: { body: 'A draft without it' } });
  assert.deepEqual(await usesOf(file), ['Published']);
  await succeed(server, 'DELETE', articlePath(article));
  assert.deepEqual(await usesOf(file), []);
  await act(`/v1/trash/${article.id}/restore`);
  assert.deepEqual(await usesOf(file), ['Published']);
  await succeed(server, 'PATCH', articlePath(article), { versionData: { status: 'PUBLISHED' } });
  assert.deepEqual(await usesOf(file), [], 'a former version is seen by nobody');
});

test('the usage of a file tells what readers see from drafts and from what is not published', async () => {
  const file = await server.add(await halves(64, 32));
  const usage = async () => {
    const { json } = await server.call('GET', `${pathOf(file)}/usage`);
    return Object.fromEntries(json.items.map(({ title, published }: Json) => [title, published]));
  };
  const shown = await addArticle('Shown', file.picturePath);
  await succeed(server, 'PATCH', articlePath(shown), { versionData: { status: 'PUBLISHED' } });
  const cover = await create(server, `/v1/sites/${site.id}/articles`, {
    versionData: { title: 'Cover', coverFileId: file.id },
  });
  await succeed(server, 'PATCH', articlePath(cover), { versionData: { status: 'PUBLISHED' } });
  // Readers see a version without the file, and the draft beside it has it.
  const later = await addArticle('Later', 'Without');
  await succeed(server, 'PATCH', articlePath(later), { versionData: { status: 'PUBLISHED' } });
  await succeed(server, 'PATCH', articlePath(later), { versionData: { body: file.picturePath } });
  await addArticle('Draft', file.picturePath);
  const book = await create(server, '/v1/books', { title: 'Book', coverFileId: file.id });
  const magazine = await create(server, '/v1/magazines', { title: 'Magazine', coverFileId: file.id });
  const bookStatus = (await server.call('GET', `/v1/books/${book.id}`)).json.status;
  assert.equal(bookStatus, 'DRAFT');
  assert.deepEqual(await usage(), {
    Shown: true,
    Cover: true,
    Later: false,
    Draft: false,
    Book: false,
    Magazine: null,
  });
  await succeed(server, 'PATCH', `/v1/books/${book.id}`, { status: 'PUBLISHED' });
  // Neither the mention nor the cover of what readers see is in the newer drafts.
  await succeed(server, 'PATCH', articlePath(shown), { versionData: { body: 'Without' } });
  await succeed(server, 'PATCH', articlePath(cover), { versionData: { coverFileId: null } });
  assert.deepEqual(await usage(), {
    Shown: true,
    Cover: true,
    Later: false,
    Draft: false,
    Book: true,
    Magazine: null,
  });
  const refused = await server.call('DELETE', pathOf(file));
  const uses = refused.json.uses.map(({ title, published }: Json) => [title, published]);
  // A mention in a text does not keep a file from being deleted.
  assert.deepEqual(Object.fromEntries(uses), { Cover: true, Book: true, Magazine: null });
  await succeed(server, 'PATCH', `/v1/magazines/${magazine.id}`, { coverFileId: null });
});

test('the usage of a file names fifty records, and nothing that the caller may not read', async () => {
  const file = await server.add(await halves(64, 32));
  const hidden = await server.add(await halves(32, 64), { visibility: 'PRIVATE' });
  for (let number = 1; number <= 51; number += 1) await addArticle(`Article ${number}`, file.picturePath);
  await create(server, '/v1/books', { title: 'Orchards', coverFileId: file.id });
  const { json } = await server.call('GET', `${pathOf(file)}/usage`);
  assert.deepEqual([json.items.length, json.items[0].title, json.hasMore], [50, 'Article 51', true]);
  assert.equal((await server.call('GET', `${pathOf(hidden)}/usage`, { token: viewer })).status, 404);
  const { worker } = server.database;
  const userId = await createMember(worker, server.organization, 'OWNER');
  const scopes = ['knowledge-files:read', 'books:read'];
  const { token } = await createToken(worker, server.organization, userId, { scopes });
  assert.deepEqual(await usesOf(file, token), ['Orchards']);
});

test('the address of a replaced picture leads to the new one once that is public, and to nothing before', async () => {
  const file = await server.add(await halves(640, 480));
  await act(`${pathOf(file)}/publish-picture`);
  const old = `${file.picturePath}?w=320&format=png`;
  const load = (path: string) => fetch(server.url + path, { redirect: 'manual' });
  assert.equal((await load(old)).status, 200);
  const replaced = await server.replace(file, await halves(480, 640));
  assert.equal((await load(old)).status, 404);
  await act(`${pathOf(file)}/publish-picture`);
  const response = await load(old);
  assert.deepEqual(
    [response.status, response.headers.get('location'), response.headers.get('cache-control')],
    [307, `${replaced.picturePath}?w=320&format=png`, 'public, max-age=300'],
  );
  const shown = await server.load(old);
  const { width, height } = await sizeOf(await shown.arrayBuffer());
  assert.deepEqual([shown.status, width, height], [200, 320, 427]);
  assert.equal((await load(`${file.picturePath}?w=321`)).status, 400);
  await act(`${pathOf(file)}/unpublish-picture`);
  assert.equal((await load(old)).status, 404);
});

function sizeOf(bytes: ArrayBuffer) {
  return sharp(Buffer.from(bytes)).metadata();
}
