/** Tests of knowledge files: upload, text extraction, download and search, for those who may see the file only. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { sweepObjects } from '@trellis/server/features/knowledge/object-sweep.ts';
import { pino } from 'pino';
import { buildPdf } from '../support/documents.ts';
import { createMember, createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { readUploads } from '../support/pictures.ts';
import { type Json, startTestServer, type TestResponse } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startTestServer();
const { worker, api } = server.database;
const extraction = await readUploads(server);
const log = pino({ level: 'silent' });
after(async () => {
  await extraction.stop();
  await server.close();
});

interface Member {
  readonly id: string;
  readonly token: string;
}

async function member(role: 'OWNER' | 'ADMIN' | 'EDITOR' | 'AUTHOR' | 'VIEWER'): Promise<Member> {
  const userId = await createMember(worker, server.organization, role);
  const { token } = await createToken(worker, server.organization, userId);
  return { id: encodeId('user', userId), token };
}

const ada = await member('EDITOR');
const ben = await member('EDITOR');
const eva = await member('ADMIN');
const vic = await member('VIEWER');
const everybody = { ada, ben, eva, vic };

async function createFile(owner: Member, body: object): Promise<Json> {
  const response = await server.call('POST', '/v1/knowledge-files', { token: owner.token, body });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

function upload(owner: Member, id: string, bytes: Buffer, query = '', key?: string): Promise<TestResponse> {
  return server.call('PUT', `/v1/knowledge-files/${id}/content${query}`, {
    token: owner.token,
    rawBody: bytes,
    headers: { 'content-type': 'application/x-whatever' },
    ...(key === undefined ? {} : { key }),
  });
}

async function settled(owner: Member, id: string): Promise<Json> {
  return until('the text is extracted', async () => {
    const { json } = await server.call('GET', `/v1/knowledge-files/${id}`, { token: owner.token });
    return json.status === 'READY' || json.status === 'FAILED' ? json : undefined;
  });
}

async function eventsOf(id: string): Promise<string[]> {
  const rows = await worker.run('SELECT type, subject_id FROM trellis.outbox ORDER BY subject_version');
  return rows.flatMap(([type, subject]) => (encodeId('kf', subject ?? '') === id ? [type ?? ''] : []));
}

async function namesFound(who: Member, query: string): Promise<string[]> {
  const path = `/v1/knowledge-files/search?query=${encodeURIComponent(query)}`;
  const { json } = await server.call('GET', path, { token: who.token });
  return json.items.map((item: Json) => item.title).sort();
}

test('a PDF is uploaded, extracted in the background, found by its page and downloaded again', async () => {
  const file = await createFile(ada, { name: 'Report', visibility: 'ORGANIZATION' });
  assert.equal(file.status, 'PENDING_UPLOAD');
  assert.equal(file.ownerUserId, ada.id);
  const absent = await server.call('GET', `/v1/knowledge-files/${file.id}/content`, { token: ada.token });
  assert.equal(absent.json.code, 'not_found');
  const pdf = buildPdf(['Nothing here', 'The quick zebra jumps', 'The end']);
  const uploaded = await upload(ada, file.id, pdf, '?fileName=Bericht%20%C3%BC.pdf');
  assert.equal(uploaded.status, 200, uploaded.text);
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  assert.equal(uploaded.json.status, 'PROCESSING');
  assert.equal(uploaded.json.mediaType, 'application/pdf');
  assert.equal(uploaded.json.sha256, sha256);
  assert.equal(uploaded.json.sizeBytes, pdf.length);
  assert.equal(uploaded.json.contentVersion, 1);
  const ready = await settled(ada, file.id);
  assert.equal(ready.status, 'READY', ready.failureReason);
  assert.equal(ready.pageCount, 3);
  assert.equal(ready.updatedBy, null, 'nobody asked for it');
  assert.deepEqual(await eventsOf(file.id), [
    'knowledge-file.created',
    'knowledge-file.updated',
    'knowledge-file.ready',
  ]);
  const { json } = await server.call('GET', '/v1/knowledge-files/search?query=zebra', { token: vic.token });
  assert.deepEqual(json.items[0].highlights, [
    { field: 'content', snippet: 'The quick <mark>zebra</mark> jumps', page: 2 },
  ]);
  // Words on different pages, and in the name.
  assert.deepEqual(await namesFound(vic, 'report zebra end'), ['Report']);

  const whole = await fetch(`${server.url}/v1/knowledge-files/${file.id}/content`, {
    headers: { authorization: `Bearer ${vic.token}` },
  });
  assert.equal(whole.status, 200);
  assert.equal(whole.headers.get('content-type'), 'application/pdf');
  assert.equal(whole.headers.get('x-content-type-options'), 'nosniff');
  // Whatever a file contains runs nothing in a browser.
  assert.match(
    whole.headers.get('content-security-policy') ?? '',
    /^sandbox; default-src 'none'; frame-ancestors 'none'$/,
  );
  assert.equal(
    whole.headers.get('content-disposition'),
    `attachment; filename="Bericht _.pdf"; filename*=UTF-8''Bericht%20%C3%BC.pdf`,
  );
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), pdf);
});

test('ranges, conditions and their edges', async () => {
  const text = 'abcdefghij';
  const file = await createFile(ada, { name: 'Letters', content: text, visibility: 'ORGANIZATION' });
  const path = `/v1/knowledge-files/${file.id}/content`;
  const ask = (headers: Record<string, string>) => server.call('GET', path, { token: ada.token, headers });
  const cases: readonly [string, number, string | null, string][] = [
    ['bytes=0-0', 206, 'bytes 0-0/10', 'a'],
    ['bytes=2-4', 206, 'bytes 2-4/10', 'cde'],
    ['bytes=8-', 206, 'bytes 8-9/10', 'ij'],
    ['bytes=-3', 206, 'bytes 7-9/10', 'hij'],
    ['bytes=-99', 206, 'bytes 0-9/10', text],
    ['bytes=5-99', 206, 'bytes 5-9/10', 'fghij'],
    ['bytes=4-2', 200, null, text],
    ['bytes=0-1,3-4', 200, null, text],
    ['lines=0-1', 200, null, text],
  ];
  for (const [range, status, contentRange, expected] of cases) {
    const response = await ask({ range });
    assert.equal(response.status, status, range);
    assert.equal(response.headers.get('content-range'), contentRange, range);
    assert.equal(response.text, expected, range);
  }
  for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
    const response = await ask({ range });
    assert.equal(response.json.code, 'range_not_satisfiable', range);
    assert.equal(response.headers.get('content-range'), 'bytes */10', range);
  }
  const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
  assert.equal((await ask({ 'if-none-match': etag })).status, 304);
  assert.equal((await ask({ range: 'bytes=0-1', 'if-range': etag })).status, 206);
  assert.equal((await ask({ range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
});

test('a user who may not see a file cannot read, list, find, change, delete, download or refer to it', async () => {
  const secret = 'quetzalcoatl';
  const body = (name: string, more: object) => ({ name, content: `The word is ${secret}.`, ...more });
  await createFile(ada, body('private', {}));
  await createFile(ada, body('for ben', { visibility: 'RESTRICTED', allowedUserIds: [ben.id] }));
  await createFile(ada, body('for viewers', { visibility: 'RESTRICTED', allowedRoles: ['VIEWER'] }));
  await createFile(ada, body('for all', { visibility: 'ORGANIZATION' }));
  const seen: Record<keyof typeof everybody, string[]> = {
    ada: ['for all', 'for ben', 'for viewers', 'private'],
    ben: ['for all', 'for ben'],
    eva: ['for all'],
    vic: ['for all', 'for viewers'],
  };
  const all = (await server.call('GET', '/v1/knowledge-files?limit=100', { token: ada.token })).json.items;
  const named = all.filter((file: Json) => seen.ada.includes(file.name));
  for (const file of named) await settled(ada, file.id);
  for (const [who, expected] of Object.entries(seen)) {
    const { token } = everybody[who as keyof typeof everybody];
    assert.deepEqual(await namesFound({ id: '', token }, secret), expected, who);
    for (const query of [
      '?limit=100',
      '?limit=100&sort=name',
      `?search=${'for'}&limit=100`,
      // A word of the contents.
      `?search=${secret}&limit=100`,
      '?status=READY&limit=100',
    ]) {
      const { json } = await server.call('GET', `/v1/knowledge-files${query}`, { token });
      const names = json.items
        .map((file: Json) => file.name)
        .filter((name: string) => seen.ada.includes(name));
      const wanted = query.includes('search=for')
        ? expected.filter((name) => name.includes('for'))
        : expected;
      assert.deepEqual(names.sort(), wanted, `${who} ${query}`);
    }
    for (const file of named) {
      const path = `/v1/knowledge-files/${file.id}`;
      const mayRead = expected.includes(file.name);
      assert.equal(
        (await server.call('GET', path, { token })).status,
        mayRead ? 200 : 404,
        `${who} ${file.name}`,
      );
      assert.equal((await server.call('GET', `${path}/content`, { token })).status, mayRead ? 200 : 404);
      if (mayRead || who === 'vic') continue;
      const changes = [
        await server.call('PATCH', path, { token, body: { name: 'mine' } }),
        await server.call('DELETE', path, { token }),
        await upload({ id: '', token }, file.id, Buffer.from('mine')),
        await server.call('POST', `${path}/extract`, { token }),
      ];
      for (const change of changes) assert.equal(change.json.code, 'not_found', change.text);
      const book = { title: 'B', coverFileId: file.id, fileIds: [file.id] };
      const refused = await server.call('POST', '/v1/books', { token, body: book });
      assert.equal(refused.json.code, 'reference_not_found');
      assert.equal(refused.json.errors.length, 2);
    }
  }
});

test('a file with a new owner is visible to that owner only', async () => {
  const file = await createFile(ada, { name: 'gift', content: 'okapi' });
  await settled(ada, file.id);
  const path = `/v1/knowledge-files/${file.id}`;
  const given = await server.call('PATCH', path, { token: ada.token, body: { ownerUserId: ben.id } });
  assert.equal(given.status, 200, given.text);
  assert.equal((await server.call('GET', path, { token: ada.token })).status, 404);
  assert.equal((await server.call('GET', path, { token: ben.token })).json.ownerUserId, ben.id);
  assert.deepEqual(await namesFound(ada, 'okapi'), []);
  assert.deepEqual(await namesFound(ben, 'okapi'), ['gift']);
});

test('only the owner and administrators change who sees a file; others may change everything else', async () => {
  const file = await createFile(ada, { name: 'shared', visibility: 'ORGANIZATION' });
  const path = `/v1/knowledge-files/${file.id}`;
  for (const body of [
    { visibility: 'PRIVATE' },
    { ownerUserId: ben.id },
    { allowedRoles: ['EDITOR'] },
    { allowedUserIds: [ben.id] },
  ]) {
    const refused = await server.call('PATCH', path, { token: ben.token, body });
    assert.equal(refused.json.code, 'permission_denied', JSON.stringify(body));
  }
  const renamed = await server.call('PATCH', path, { token: ben.token, body: { description: 'by ben' } });
  assert.equal(renamed.status, 200);
  const moved = await server.call('PATCH', path, { token: eva.token, body: { visibility: 'RESTRICTED' } });
  assert.equal(moved.status, 200);
  assert.equal((await server.call('GET', path, { token: eva.token })).status, 404, 'administrators included');
  assert.equal((await server.call('GET', path, { token: ada.token })).status, 200);
});

test('an author uploads files and changes own ones, and not those of others', async () => {
  const author = await member('AUTHOR');
  const own = await createFile(author, { name: 'My picture', visibility: 'ORGANIZATION' });
  const path = `/v1/knowledge-files/${own.id}`;
  assert.equal((await upload(author, own.id, Buffer.from('mine'))).status, 200);
  const changed = await server.call('PATCH', path, {
    token: author.token,
    body: { alternativeText: 'A tree' },
  });
  assert.deepEqual([changed.status, changed.json.alternativeText], [200, 'A tree']);
  const publishing = await server.call('POST', `${path}/publish-picture`, { token: author.token });
  assert.equal(publishing.json.code, 'permission_denied');
  const other = await createFile(ada, { name: 'Her picture', visibility: 'ORGANIZATION' });
  const otherPath = `/v1/knowledge-files/${other.id}`;
  for (const refused of [
    await upload(author, other.id, Buffer.from('mine')),
    await server.call('PATCH', otherPath, { token: author.token, body: { name: 'Mine' } }),
    await server.call('DELETE', otherPath, { token: author.token }),
  ])
    assert.equal(refused.json.code, 'permission_denied');
  assert.equal((await server.call('DELETE', path, { token: author.token })).status, 204);
  const viewed = await server.call('POST', '/v1/knowledge-files', { token: vic.token, body: { name: 'x' } });
  assert.equal(viewed.json.code, 'permission_denied');
});

test('words of files that are not visible change neither ranking nor pages', async () => {
  for (let index = 0; index < 30; index += 1) await createFile(ben, { name: `axolotl ${index}` });
  const mine = await createFile(ada, { name: 'axolotl notes' });
  const { json } = await server.call('GET', '/v1/knowledge-files/search?query=axolotl&limit=1', {
    token: ada.token,
  });
  assert.deepEqual(
    json.items.map((item: Json) => item.id),
    [mine.id],
  );
  assert.equal(json.pageInfo.nextCursor, null);
  // One typo: the titles of others are not compared either.
  assert.deepEqual(await namesFound(ada, 'axolotk'), ['axolotl notes']);
});

test('new content removes the old text immediately', async () => {
  const file = await createFile(ada, { name: 'changing', content: 'pangolin' });
  await settled(ada, file.id);
  assert.deepEqual(await namesFound(ada, 'pangolin'), ['changing']);
  await upload(ada, file.id, Buffer.from('aardvark'), '?fileName=a.txt');
  assert.deepEqual(await namesFound(ada, 'pangolin'), []);
  const ready = await settled(ada, file.id);
  assert.equal(ready.contentVersion, 2);
  assert.deepEqual(await namesFound(ada, 'aardvark'), ['changing']);
  const renamed = await server.call('PATCH', `/v1/knowledge-files/${file.id}`, {
    token: ada.token,
    body: { name: 'renamed' },
  });
  assert.equal(renamed.status, 200);
  await runIndexJobs(server.database);
  assert.deepEqual(await namesFound(ada, 'aardvark renamed'), ['renamed'], 'a new name keeps the text');
});

test('a file without readable text is FAILED with a reason, can be downloaded and retried', async () => {
  const file = await createFile(ada, { name: 'noise' });
  await upload(ada, file.id, randomBytes(2_000));
  const failed = await settled(ada, file.id);
  assert.equal(failed.status, 'FAILED');
  assert.match(failed.failureReason, /No text is extracted from files of this type/);
  assert.equal((await eventsOf(file.id)).at(-1), 'knowledge-file.failed');
  const path = `/v1/knowledge-files/${file.id}`;
  assert.equal((await server.call('GET', `${path}/content`, { token: ada.token })).status, 200);
  const again = await server.call('POST', `${path}/extract`, { token: ada.token });
  assert.equal(again.json.status, 'PROCESSING');
  assert.equal((await settled(ada, file.id)).status, 'FAILED');
  const empty = await createFile(ada, { name: 'without content' });
  const refused = await server.call('POST', `/v1/knowledge-files/${empty.id}/extract`, { token: ada.token });
  assert.equal(refused.json.code, 'invalid_transition');
});

test('an upload can be retried under its key with the same bytes only', async () => {
  const file = await createFile(ada, { name: 'retried' });
  const first = await upload(ada, file.id, Buffer.from('one'), '', 'upload-1');
  const second = await upload(ada, file.id, Buffer.from('one'), '', 'upload-1');
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.equal(second.text, first.text);
  const other = await upload(ada, file.id, Buffer.from('two'), '', 'upload-1');
  assert.equal(other.json.code, 'idempotency_key_reused');
  assert.deepEqual((await eventsOf(file.id)).slice(0, 2), [
    'knowledge-file.created',
    'knowledge-file.updated',
  ]);
  const stale = await server.call('PUT', `/v1/knowledge-files/${file.id}/content`, {
    token: ada.token,
    rawBody: 'three',
    headers: { 'if-match': '"1"' },
  });
  assert.equal(stale.json.code, 'version_mismatch');
});

test('content that is too large is refused, and nothing is stored', async () => {
  const file = await createFile(ada, { name: 'large' });
  const refused = await upload(ada, file.id, randomBytes(1_000_001));
  assert.equal(refused.json.code, 'body_too_large');
  const inline = await server.call('POST', '/v1/knowledge-files', {
    token: ada.token,
    body: { name: 'inline', content: 'x'.repeat(262_145) },
  });
  assert.equal(inline.json.errors[0].pointer, '/content');
  const patched = await server.call('PATCH', `/v1/knowledge-files/${file.id}`, {
    token: ada.token,
    body: { content: 'x' },
  });
  assert.equal(patched.json.code, 'unknown_field', 'only a create takes content');
});

test('an upload that is cut off leaves nothing visible, and can be sent again under its key', async () => {
  const file = await createFile(ada, { name: 'cut' });
  const abort = new AbortController();
  const bytes = randomBytes(200_000);
  async function* half() {
    yield bytes.subarray(0, 100_000);
    abort.abort();
    await new Promise(() => undefined);
  }
  const path = `${server.url}/v1/knowledge-files/${file.id}/content`;
  const headers = { authorization: `Bearer ${ada.token}`, 'idempotency-key': 'cut-1' };
  await assert.rejects(
    fetch(path, {
      method: 'PUT',
      headers,
      body: half(),
      duplex: 'half',
      signal: abort.signal,
    } as RequestInit),
  );
  const { json } = await server.call('GET', `/v1/knowledge-files/${file.id}`, { token: ada.token });
  assert.equal(json.status, 'PENDING_UPLOAD');
  assert.equal(json.version, 1);
  const again = await upload(ada, file.id, bytes, '', 'cut-1');
  assert.equal(again.status, 200);
  assert.equal(again.headers.get('idempotent-replayed'), null);
});

test('a referenced file cannot be deleted, and bytes are removed after the last file that uses them', async () => {
  const content = `only once ${randomBytes(8).toString('hex')}`;
  const one = await createFile(ada, { name: 'one', content, visibility: 'ORGANIZATION' });
  const two = await createFile(ada, { name: 'two', content });
  const book = await server.call('POST', '/v1/books', {
    token: ada.token,
    body: { title: 'With files', coverFileId: one.id, fileIds: [one.id] },
  });
  assert.equal(book.status, 201, book.text);
  const used = await server.call('DELETE', `/v1/knowledge-files/${one.id}`, { token: ada.token });
  assert.equal(used.json.code, 'in_use');
  assert.deepEqual(used.json.usedBy, [{ resource: 'books', count: 1 }]);
  assert.deepEqual(used.json.uses, [
    {
      type: 'book',
      id: book.json.id,
      path: `/v1/books/${book.json.id}`,
      title: 'With files',
      published: false,
    },
  ]);
  await server.call('DELETE', `/v1/books/${book.json.id}`, { token: ada.token });
  const sha256 = createHash('sha256').update(content).digest('hex');
  const organizationId = server.organization.id;
  const sweep = (graceMs: number) =>
    sweepObjects({
      api,
      objects: server.objects,
      graceMs,
      now: Date.now() + 1_000,
      signal: new AbortController().signal,
      log,
    });
  for (const { id } of [one, two]) {
    await sweep(0);
    assert.equal(await server.objects.has(organizationId, sha256), true);
    await settled(ada, id);
    // What is only deleted is kept with its bytes in the trash.
    const erased = await server.call('DELETE', `/v1/knowledge-files/${id}?erase=true`, { token: ada.token });
    assert.equal(erased.status, 204, erased.text);
  }
  await sweep(60_000);
  assert.equal(await server.objects.has(organizationId, sha256), true, 'young bytes are spared');
  await sweep(0);
  assert.equal(await server.objects.has(organizationId, sha256), false);
});
