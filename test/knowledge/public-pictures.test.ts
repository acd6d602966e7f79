/** Tests of public pictures: who makes them public and takes them back, what does so by accident, and what readers get. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { parsePicturePath, picturePathOf } from '@trellis/schema/resources/pictures.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import sharp from 'sharp';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { animation, bomb, halves, startPictureServer } from '../support/pictures.ts';
import type { Json } from '../support/server.ts';
import { write } from '../support/writes.ts';

const server = await startPictureServer();
const { worker } = server.database;
after(() => server.close());

const pathOf = ({ id }: Json) => `/v1/knowledge-files/${id}`;
const publish = (file: Json) => write(server, 'POST', `${pathOf(file)}/publish-picture`);
const takeBack = (file: Json) => write(server, 'POST', `${pathOf(file)}/unpublish-picture`);
const typesOf = ({ events }: Awaited<ReturnType<typeof publish>>) => events.map(({ type }) => type);

async function addPublic(body: object = {}): Promise<Json> {
  const file = await server.add(await halves(64, 32), body);
  const published = await publish(file);
  assert.equal(published.status, 200, published.text);
  return published.json;
}

async function tokenFor(role: 'EDITOR' | 'AUTHOR', scopes: readonly string[] = allScopes): Promise<string> {
  const userId = await createMember(worker, server.organization, role);
  return (await createToken(worker, server.organization, userId, { scopes })).token;
}

async function assertGone(path: string, why: string): Promise<void> {
  for (const query of ['', '?w=160']) {
    const response = await server.load(path + query);
    assert.equal(response.status, 404, why);
    assert.equal(response.headers.get('cache-control'), 'no-store', why);
  }
}

test('a picture has a size and no text, and is no failure', async () => {
  const file = await server.add(await halves(64, 32, { orientation: 6 }));
  const { status, failureReason, width, height, extractedCharacters } = file;
  assert.deepEqual([status, failureReason, extractedCharacters], ['NOT_APPLICABLE', null, null]);
  assert.deepEqual([width, height], [32, 64], 'as people see it');
  const [event] = await worker.run(
    `SELECT string_agg(type, ' ' ORDER BY subject_version) FROM trellis.outbox WHERE subject_id = $1`,
    [parsePicturePath(file.picturePath)?.fileId ?? ''],
  );
  assert.deepEqual(event, ['knowledge-file.created knowledge-file.updated knowledge-file.updated']);
});

test('an image in a format that is not read has neither text nor address', async () => {
  const bitmap = Buffer.alloc(100);
  bitmap.write('BM');
  bitmap.writeUInt32LE(100, 2);
  const file = await server.add(bitmap);
  assert.deepEqual([file.mediaType, file.status], ['image/bmp', 'NOT_APPLICABLE']);
  assert.deepEqual([file.width, file.picturePath], [null, null]);
  assert.equal((await publish(file)).json.code, 'invalid_transition');
});

test('readers get a copy of a TIFF, and one that cannot be read has no preview and is no failure', async () => {
  const content = await halves(64, 32, { format: 'tiff' });
  const file = await server.add(content);
  assert.deepEqual(
    [file.mediaType, file.status, file.width, file.height],
    ['image/tiff', 'NOT_APPLICABLE', 64, 32],
  );
  assert.equal((await publish(file)).status, 200);
  const response = await server.load(file.picturePath);
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/jpeg']);
  assert.equal(response.headers.get('vary'), 'Accept');
  const webp = await server.load(file.picturePath, { accept: 'image/webp' });
  assert.equal(webp.headers.get('content-type'), 'image/webp');
  // A HEIC whose picture is missing is like one that the decoder does not know.
  const heic = Buffer.from('0000001866747970686569630000000068656963' + '6d696631', 'hex');
  for (const [bytes, mediaType] of [
    [content.subarray(0, 200), 'image/tiff'],
    [heic, 'image/heic'],
  ] as const) {
    const unread = await server.add(Buffer.from(bytes));
    assert.deepEqual(
      [unread.mediaType, unread.status, unread.failureReason, unread.width, unread.picturePath],
      [mediaType, 'NOT_APPLICABLE', null, null, null],
    );
    assert.equal((await publish(unread)).json.code, 'invalid_transition');
  }
});

test('an SVG is only downloaded, whatever precedes it', async () => {
  const root = '<svg xmlns="http://www.w3.org/2000/svg"><title>Logo</title></svg>';
  const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by a program -->\n';
  const type =
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY ns "urn:x">]>\n';
  for (const text of [
    root,
    `\ufeff${prolog}${root}`,
    prolog + type + root,
    root.replaceAll('svg', 's:svg'),
  ]) {
    const file = await server.add(Buffer.from(text));
    assert.deepEqual(
      [file.mediaType, file.status, file.picturePath],
      ['image/svg+xml', 'NOT_APPLICABLE', null],
      text,
    );
    const content = await server.call('GET', `${pathOf(file)}/content`);
    assert.match(content.headers.get('content-disposition') ?? '', /^attachment; /);
  }
});

test('the address of a picture is known before it is public, and follows from its content', async () => {
  const content = await halves(64, 32);
  const file = await server.add(content);
  const { organizationId, fileId } = parsePicturePath(file.picturePath) ?? assert.fail();
  assert.equal(organizationId, server.organization.id);
  assert.equal(encodeId('kf', fileId), file.id);
  assert.equal(file.picturePath, picturePathOf(organizationId, fileId, file.sha256));
  assert.equal(file.publicSince, null);
  await assertGone(file.picturePath, 'not public yet');
});

test('a public picture without metadata is loaded without a token, as it was uploaded, and nothing in it can run', async () => {
  const content = await sharp(await halves(64, 32))
    .jpeg()
    .toBuffer();
  const file = await server.add(content);
  const published = await publish(file);
  assert.equal(published.status, 200, published.text);
  assert.deepEqual(typesOf(published), ['knowledge-file.published']);
  assert.notEqual(published.json.publicSince, null);
  const response = await server.load(file.picturePath);
  assert.equal(response.status, 200);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), content);
  const headers = Object.fromEntries(response.headers);
  assert.equal(headers['content-type'], 'image/jpeg');
  assert.equal(headers['content-length'], String(content.length));
  assert.equal(headers.etag, `"${file.sha256}"`);
  assert.equal(headers['cache-control'], 'public, max-age=86400, s-maxage=300');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  assert.equal(headers['content-disposition'], undefined, 'the name of the file is nobody’s business');
  const head = await server.load(file.picturePath, {}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(content.length)]);
  assert.equal(await head.text(), '');
  const again = await server.load(file.picturePath, { 'if-none-match': `"${file.sha256}"` });
  assert.deepEqual([again.status, await again.text()], [304, '']);
  assert.equal(again.headers.get('cache-control'), headers['cache-control']);
});

test('making public is repeated under its key, and does nothing a second time', async () => {
  const file = await server.add(await halves(64, 32));
  const key = randomUUID();
  const first = await write(server, 'POST', `${pathOf(file)}/publish-picture`, { key });
  const replayed = await write(server, 'POST', `${pathOf(file)}/publish-picture`, { key });
  assert.deepEqual([replayed.text, typesOf(replayed)], [first.text, []]);
  const again = await publish(file);
  assert.deepEqual([again.json, typesOf(again)], [first.json, []]);
});

test('what was taken back is gone at once, and can be made public again', async () => {
  const file = await addPublic();
  assert.equal((await server.load(`${file.picturePath}?w=160`)).status, 200);
  const taken = await takeBack(file);
  assert.deepEqual(typesOf(taken), ['knowledge-file.unpublished']);
  assert.equal(taken.json.publicSince, null);
  await assertGone(file.picturePath, 'taken back');
  assert.deepEqual(typesOf(await takeBack(file)), []);
  await publish(file);
  assert.equal((await server.load(`${file.picturePath}?w=160`)).status, 200);
});

test('nothing but the right call makes a picture public', async () => {
  const content = await halves(64, 32);
  for (const field of ['publicSince', 'picturePath', 'width']) {
    const value = field === 'width' ? 5 : '2026-01-01T00:00:00.000Z';
    const created = await server.call('POST', '/v1/knowledge-files', { body: { name: 'x', [field]: value } });
    assert.equal(created.status, 422, field);
    const file = await server.add(content);
    const patched = await server.call('PATCH', pathOf(file), { body: { [field]: value } });
    assert.equal(patched.status, 422, field);
  }
  const file = await server.add(content, { visibility: 'PRIVATE' });
  const hidden = await publish(file);
  assert.deepEqual([hidden.status, hidden.json.code, typesOf(hidden)], [409, 'invalid_transition', []]);
  assert.match(hidden.json.detail, /visibility/);
  await server.call('PATCH', pathOf(file), { body: { visibility: 'ORGANIZATION' } });
  await assertGone(file.picturePath, 'visible to members is not public');
});

test('a file that is no picture is not made public, SVG among them', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const content of [
    'Some text',
    `<?xml version="1.0"?>${svg}`,
    svg,
    '<html><script>alert(1)</script>',
  ]) {
    const file = await server.add(Buffer.from(content));
    assert.equal(file.picturePath, null, content);
    assert.equal((await publish(file)).json.code, 'invalid_transition', content);
    const forged = picturePathOf(server.organization.id, randomUUID(), file.sha256);
    await assertGone(forged, content);
  }
  const empty = await server.call('POST', '/v1/knowledge-files', {
    body: { name: 'empty', visibility: 'ORGANIZATION' },
  });
  assert.equal((await publish(empty.json)).json.code, 'invalid_transition');
});

test('new content takes the picture back: neither the old nor the new one is public', async () => {
  const file = await addPublic();
  const replaced = await server.call('PUT', `${pathOf(file)}/content`, { rawBody: await halves(32, 64) });
  assert.deepEqual([replaced.status, replaced.json.publicSince], [200, null]);
  assert.notEqual(replaced.json.picturePath, file.picturePath);
  await assertGone(file.picturePath, 'the old content');
  await assertGone(replaced.json.picturePath, 'the new content');
});

test('hiding a file takes its picture back for good, and deleting it as well', async () => {
  for (const visibility of ['PRIVATE', 'RESTRICTED']) {
    const file = await addPublic();
    const hidden = await write(server, 'PATCH', pathOf(file), { body: { visibility } });
    assert.deepEqual([hidden.status, hidden.json.publicSince], [200, null]);
    assert.deepEqual(typesOf(hidden), ['knowledge-file.updated', 'knowledge-file.unpublished']);
    await assertGone(file.picturePath, visibility);
    await server.call('PATCH', pathOf(file), { body: { visibility: 'ORGANIZATION' } });
    await assertGone(file.picturePath, 'visible again');
  }
  const file = await addPublic();
  assert.equal((await server.call('DELETE', pathOf(file))).status, 204);
  await assertGone(file.picturePath, 'deleted');
});

test('other changes and another extraction leave a public picture public', async () => {
  const file = await addPublic();
  const changed = await write(server, 'PATCH', pathOf(file), {
    body: { name: 'renamed', alternativeText: 'Two halves' },
  });
  assert.deepEqual(
    [changed.json.publicSince, typesOf(changed)],
    [file.publicSince, ['knowledge-file.updated']],
  );
  const extracted = await write(server, 'POST', `${pathOf(file)}/extract`);
  assert.deepEqual([extracted.json.status, typesOf(extracted)], ['NOT_APPLICABLE', []]);
  assert.equal((await server.load(file.picturePath)).status, 200);
});

test('who may write but not publish changes nothing that readers see', async () => {
  const file = await addPublic();
  const scopes = allScopes.filter((scope) => scope !== 'knowledge-files:publish');
  const token = await tokenFor('EDITOR', scopes);
  const author = await tokenFor('AUTHOR');
  const attempts: [string, string, object | null][] = [
    ['POST', '/unpublish-picture', null],
    ['POST', '/publish-picture', null],
    ['PATCH', '', { focalPoint: { x: 10, y: 10 } }],
    ['PATCH', '', { visibility: 'PRIVATE' }],
    ['PATCH', '', { expiresAt: new Date(Date.now() + 60_000).toISOString() }],
    ['DELETE', '', null],
  ];
  for (const [method, rest, body] of attempts) {
    const options = { token, ...(body === null ? {} : { body }) };
    const refused = await server.call(method, pathOf(file) + rest, options);
    const isOwners = body !== null && 'visibility' in body;
    assert.equal(
      refused.json.code,
      isOwners ? 'permission_denied' : 'insufficient_scope',
      `${method} ${rest}`,
    );
    const denied = await server.call(method, pathOf(file) + rest, { ...options, token: author });
    assert.equal(denied.json.code, 'permission_denied', `${method} ${rest}`);
  }
  const upload = { token, rawBody: await halves(32, 64) };
  assert.equal((await server.call('PUT', `${pathOf(file)}/content`, upload)).json.code, 'insufficient_scope');
  assert.equal((await server.call('PATCH', pathOf(file), { token, body: { name: 'y' } })).status, 200);
  assert.equal((await server.load(file.picturePath)).status, 200);
});

test('a picture of one organization is not found under another, nor while its organization cannot serve it', async () => {
  const file = await addPublic();
  const { fileId } = parsePicturePath(file.picturePath) ?? assert.fail();
  const other = await createOrganization(worker, `other-${randomUUID().slice(0, 8)}`);
  await assertGone(picturePathOf(other.id, fileId, file.sha256), 'another organization');
  for (const [change, back] of [
    [`status = 'SUSPENDED'`, `status = 'ACTIVE'`],
    [`modules = array_remove(modules, 'knowledge')`, `modules = array_append(modules, 'knowledge')`],
  ]) {
    await worker.run(`UPDATE trellis.organizations SET ${change} WHERE id = $1`, [server.organization.id]);
    await assertGone(file.picturePath, change ?? '');
    await worker.run(`UPDATE trellis.organizations SET ${back} WHERE id = $1`, [server.organization.id]);
    assert.equal((await server.load(file.picturePath)).status, 200);
  }
});

test('addresses that name nothing get the same response', async () => {
  const organization = encodeId('org', server.organization.id);
  const nothing = `${encodeId('kf', randomUUID())}/${'0'.repeat(32)}`;
  for (const rest of [nothing, `kf_x/${'0'.repeat(32)}`, `${encodeId('kf', randomUUID())}/x`, '%00/%2e%2e']) {
    await assertGone(`/pictures/${organization}/${rest}`, rest);
  }
});

test('pictures that are damaged, incomplete or far too large fail to be read, and are not public', async () => {
  const picture = await halves(640, 480);
  const cases: [string, Buffer, RegExp][] = [
    ['truncated JPEG', picture.subarray(0, picture.length / 2), /damaged/],
    ['truncated PNG', (await halves(640, 480, { format: 'png' })).subarray(0, 500), /damaged/],
    [
      'garbage behind a signature',
      Buffer.concat([picture.subarray(0, 20), Buffer.alloc(500, 'x')]),
      /damaged/,
    ],
    ['10 gigapixels in some bytes', await bomb(100_000, 100_000), /more pixels/],
    ['as many as a header can say', await bomb(2 ** 31 - 1, 2 ** 31 - 1), /damaged|more pixels/],
    ['an animation of 60 megapixels', await animation(1_000, 1_000, 60), /more pixels/],
  ];
  for (const [what, content, reason] of cases) {
    const file = await server.add(content);
    assert.deepEqual([file.status, file.width], ['FAILED', null], what);
    assert.match(file.failureReason, reason, what);
    assert.equal((await publish(file)).json.code, 'invalid_transition', what);
  }
});

test('a file that is a picture and something else is served as the picture that it is', async () => {
  const page = Buffer.from('<html><script>alert(1)</script></html>');
  const file = await server.add(Buffer.concat([await halves(64, 32, { format: 'png' }), page]));
  assert.equal((await publish(file)).status, 200);
  const response = await server.load(file.picturePath);
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/);
  assert.equal(Buffer.from(await response.arrayBuffer()).includes('<script>'), false);
  const copy = await server.load(`${file.picturePath}?w=160`);
  assert.equal(Buffer.from(await copy.arrayBuffer()).includes('<script>'), false);
});
