/**
 * Tests of clients that do not read: they occupy a limited amount of memory for a limited time, at no cost to other
 * organizations.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { after, test } from 'node:test';
import { limits } from '@trellis/schema/resources/limits.ts';
import { maximumPendingRequests } from '@trellis/server/kernel/http/pipelining.ts';
import { type Reader, UnreadResponses } from '@trellis/server/kernel/http/unread-responses.ts';
import { openRawConnection, type RawConnection, requestHead } from '../../support/connections.ts';
import { createOtherWorld } from '../../support/fixtures.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { noteOpenedContents } from '../../support/opened-contents.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const mebibyte = 1_048_576;
const share = 8 * mebibyte;
const server = await startTestServer({
  poolSize: 4,
  maxContentBytes: 32 * mebibyte,
  connections: {
    unreadBytes: 3 * share,
    unreadBytesPerOrganization: share,
    responseTimeoutMs: 8_000,
    streamStallMs: 1_000,
    checkIntervalMs: 100,
  },
});
after(() => server.close());
const other = await createOtherWorld(server);

/** Creates large articles. @returns the path of their list */
async function createArticles(token: string, on: TestServer = server): Promise<string> {
  const site = await on.call('POST', '/v1/sites', { body: { name: 'Large', key: 'large' }, token });
  const path = `/v1/sites/${site.json.id}/articles`;
  const body = 'x'.repeat(500_000);
  for (let index = 0; index < 8; index += 1) {
    const response = await on.call('POST', path, {
      body: { versionData: { title: 'Large', body } },
      token,
    });
    assert.equal(response.status, 201, response.text);
  }
  return path;
}
const articles = await createArticles(server.token);
const ask = requestHead('GET', `${articles}?limit=100`, [`Authorization: Bearer ${server.token}`]);

const opened: RawConnection[] = [];
after(() => {
  for (const { socket } of opened) socket.destroy();
});

/** A client that sends requests and never reads. */
async function openDeaf(requests: number, request = ask, url = server.url): Promise<RawConnection> {
  const connection = await openRawConnection(url, { reads: false });
  opened.push(connection);
  connection.write(request.repeat(requests));
  return connection;
}

/** Bytes of this process that are referenced, with those outside the JavaScript heap, where unread responses are. */
function memory(): number {
  // The first collection frees buffers in the background; the second one ends that.
  collectGarbage();
  collectGarbage();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

test('unread pages of one organization do not use up the memory of others', async () => {
  const before = memory();
  // The buffers of the network hold one or two pages of a connection, so that further ones stay here, however slowly they come.
  await Promise.all(Array.from({ length: 48 }, () => openDeaf(4)));
  let highest = 0;
  await until('the share is used up', async () => {
    const theirs = await server.call('GET', '/v1/sites', { token: other.token });
    assert.equal(theirs.status, 200, theirs.text);
    highest = Math.max(highest, memory() - before);
    return (await askForPage()) === 503;
  });
  // 48 pages of 4 MiB would be 192 MiB. Four pages are being read at a time, and each of them is there up to three times, as rows, as JSON and as
  // bytes: on a busy machine up to 84 MiB were seen.
  assert.ok(highest < 16 * share, `${Math.round(highest / mebibyte)} MiB`);
  // Nobody has read anything.
  await until('there is room again', async () => (await askForPage()) === 200);
});

test('documents and scripts that nobody reads take no memory, and are served to others', async () => {
  const paths = ['/docs/openapi.json', '/docs/assets/scalar.js', '/docs/operations', '/agent.js'];
  // They are made for their first request.
  for (const path of paths) assert.equal((await fetch(server.url + path)).status, 200, path);
  const script = await fetch(`${server.url}/docs/assets/scalar.js`, {
    headers: { 'accept-encoding': 'gzip;q=0' },
  });
  assert.deepEqual([script.status, script.headers.get('content-encoding')], [200, null]);
  assert.match(await script.text(), /Scalar/);
  const before = memory();
  for (const path of paths) {
    await Promise.all(Array.from({ length: 60 }, () => openDeaf(4, requestHead('GET', path))));
    const response = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(response.status, 200, path);
    await response.text();
  }
  // 60 times each of them would be more than 300 MiB.
  const held = memory() - before;
  assert.ok(held < 2 * share, `${Math.round(held / mebibyte)} MiB`);
});

test('callers without a token that read slowly make room for others, first those of the network that has most', (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const few = {
    unreadBytes: 400,
    unreadBytesPerOrganization: 80,
    responseTimeoutMs: 60_000,
    checkIntervalMs: 60_000,
  };
  const unread = new UnreadResponses(few);
  context.after(() => unread.close());
  const from = (network: string): Reader => ({ network });
  const sent: Record<string, ServerResponse[]> = {};
  const send = (network: string, bytes: number) => {
    unread.check(from(network), bytes);
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    unread.add(from(network), bytes, response);
    sent[network] = [...(sent[network] ?? []), response];
  };
  const ended = (network: string) => (sent[network] ?? []).map(({ destroyed }) => destroyed);
  // A network has an eighth: 10 bytes.
  send('a', 6);
  send('a', 4);
  assert.throws(() => send('a', 1), /unread/);
  now = 1_001;
  send('a', 6);
  assert.deepEqual(ended('a'), [true, false, false]);
  for (const network of 'bcdefgh') send(network, 9);
  send('i', 9);
  assert.deepEqual(ended('a'), [true, true, false]);
  assert.throws(() => send('j', 9), /unread/);
  now = 3_000;
  send('j', 9);
  assert.deepEqual([ended('a'), ended('b'), ended('c')], [[true, true, false], [true], [false]]);
  // An organization is told, since it is its own clients that do not read.
  const own: Reader = { organizationId: 'org', tokenHash: null };
  unread.add(own, 80, new ServerResponse(new IncomingMessage(new Socket())));
  now = 9_000;
  assert.throws(() => unread.check(own, 1), /unread/);
});

test('a token has half of the share of its organization', (context) => {
  const unread = new UnreadResponses({
    unreadBytes: 400,
    unreadBytesPerOrganization: 80,
    responseTimeoutMs: 60_000,
    checkIntervalMs: 60_000,
  });
  context.after(() => unread.close());
  const of = (tokenHash: string | null): Reader => ({ organizationId: 'org', tokenHash });
  unread.add(of('first'), 40, new ServerResponse(new IncomingMessage(new Socket())));
  assert.throws(() => unread.check(of('first'), 1), /unread/);
  unread.check(of('second'), 40);
  unread.check(of(null), 40);
  assert.throws(() => unread.check(of('second'), 41), /unread/);
});

/** Asks for a page as the organization whose clients do not read, and reads none of it either. */
async function askForPage(): Promise<number> {
  const response = await fetch(`${server.url}${articles}?limit=100`, {
    // What is compressed would be too small to be refused.
    headers: { authorization: `Bearer ${server.token}`, 'accept-encoding': 'identity' },
  });
  if (response.status === 200) {
    await response.body?.cancel();
    return 200;
  }
  const { code } = (await response.json()) as { code: string };
  assert.deepEqual([response.status, code], [503, 'overloaded']);
  assert.equal(response.headers.get('retry-after'), '1');
  return 503;
}

test('of many requests on one connection that reads nothing one is handled at a time', async (context) => {
  // It ends no response that a busy machine is slow to read, and holds no other page.
  const patient = await startTestServer();
  context.after(() => patient.close());
  const path = await createArticles(patient.token, patient);
  const { api } = patient.database;
  const read = api.query.bind(api);
  let pages = 0;
  const reading = { now: 0, most: 0 };
  api.query = async (scope, steps) => {
    if (!steps.some(({ statement }) => statement.name.startsWith('list_articles'))) return read(scope, steps);
    reading.now += 1;
    reading.most = Math.max(reading.most, reading.now);
    const results = await read(scope, steps).finally(() => (reading.now -= 1));
    pages += 1;
    return results;
  };
  const deaf = await openDeaf(
    maximumPendingRequests,
    requestHead('GET', `${path}?limit=100`, [`Authorization: Bearer ${patient.token}`]),
    patient.url,
  );
  await until('a page has been fetched', () => pages > 0);
  assert.equal((await patient.call('GET', '/v1/sites')).status, 200);
  // The buffers of the network hold a few pages, and the next one is fetched for what has left the process.
  assert.ok(pages < maximumPendingRequests, `${pages} pages`);
  let text = '';
  deaf.socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1').replaceAll('xxxxxxxx', '')));
  deaf.socket.resume();
  const statuses = () => text.match(/HTTP\/1\.1 \d+/g) ?? [];
  await until('every request gets a response', () => statuses().length === maximumPendingRequests);
  api.query = read;
  assert.deepEqual([...new Set(statuses())], ['HTTP/1.1 200']);
  assert.deepEqual([pages, reading.most], [maximumPendingRequests, 1]);
  deaf.socket.destroy();
});

test('an unread download is ended, and its resources are freed', async () => {
  const file = await server.call('POST', '/v1/knowledge-files', { body: { name: 'Large' } });
  const path = `/v1/knowledge-files/${file.json.id}/content`;
  const sent = await server.call('PUT', path, {
    rawBody: Buffer.alloc(900_000, 'x'),
    headers: { 'content-type': 'text/plain' },
  });
  assert.equal(sent.status, 200, sent.text);
  const { contents, end } = noteOpenedContents(server);
  const deaf = await openRawConnection(server.url, { reads: false });
  opened.push(deaf);
  // More downloads than the buffers of the network hold.
  deaf.write(requestHead('GET', path, [`Authorization: Bearer ${server.token}`]).repeat(20));
  await until('a download is ended before its end', () =>
    contents.some(({ destroyed, readableEnded }) => destroyed && !readableEnded),
  );
  end();
  assert.ok(
    contents.every(({ destroyed }) => destroyed),
    'a content is still open',
  );
  deaf.socket.resume();
  await Promise.race([once(deaf.socket, 'close'), deaf.closed]);
  assert.ok(deaf.socket.bytesRead < 20 * 900_000, `${deaf.socket.bytesRead} bytes came`);
});

test('of many downloads that a token does not read it has a few open, and another organization is served', async () => {
  const file = await server.call('POST', '/v1/knowledge-files', { body: { name: 'Many times' } });
  const path = `/v1/knowledge-files/${file.json.id}/content`;
  const sent = await server.call('PUT', path, { rawBody: Buffer.alloc(20_000_000, 'x') });
  assert.equal(sent.status, 200, sent.text);
  const { perToken } = limits.openDownloads;
  const { contents, end } = noteOpenedContents(server);
  const head = requestHead('GET', path, [`Authorization: Bearer ${server.token}`]);
  const deaf = await Promise.all(Array.from({ length: 64 }, () => openDeaf(1, head)));
  const download = () => fetch(server.url + path, { headers: { authorization: `Bearer ${server.token}` } });
  await until('it has as many as it may', async () => {
    const response = await download();
    if (response.status === 200) {
      await response.body?.cancel();
      return false;
    }
    const { code } = (await response.json()) as { code: string };
    assert.deepEqual([response.status, code], [429, 'rate_limited']);
    return true;
  });
  assert.equal((await server.call('GET', '/v1/sites', { token: other.token })).status, 200);
  const openNow = contents.filter(({ destroyed }) => !destroyed).length;
  assert.ok(openNow <= perToken, `${openNow} are open`);
  const part = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${server.token}`, range: 'bytes=0-9' },
  });
  assert.deepEqual(
    [part.status, await part.text()],
    [206, 'x'.repeat(10)],
    'a small part is no such download',
  );
  for (const { socket } of deaf) socket.destroy();
  await until('all are closed', () => contents.every(({ destroyed }) => destroyed));
  end();
  assert.equal((await (await download()).arrayBuffer()).byteLength, 20_000_000);
});
