/**
 * Extraction while servers die, several read at once and contents change: each content is read once and never
 * mistaken for another.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listChildren } from '../support/children.ts';
import { type ContentPlace, type ContentServer, openContentPlace } from '../support/content-server.ts';
import { buildSlowPdf } from '../support/documents.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';

const child = 'extraction/child.ts';
const path = '/v1/knowledge-files';
/** A PDF that takes a second or two to read, and longer on a busy machine. */
const slow = (word: string) => Uint8Array.from(buildSlowPdf(word, 11));

let place: ContentPlace;
let server: ContentServer;
before(async () => {
  place = await openContentPlace();
  server = await place.start();
});
after(() => place?.close());

const isReading = (pid: number) => listChildren(pid, child).length > 0;
const typesOf = async (id: string) =>
  (await place.eventsOf(id)).filter((type) => !/created|updated/.test(type));

async function found(word: string): Promise<string[]> {
  const { json } = await server.call('GET', `${path}/search?query=${word}`);
  return json.items.map(({ id }: Json) => id);
}

/** Makes the leases of files being read expire without waiting. */
async function endLeases(): Promise<void> {
  await place.database.worker.run('UPDATE trellis.extraction_jobs SET available_at = statement_timestamp()');
}

test('content that is replaced while it is read is never found', async () => {
  const file = await server.createFile({ name: 'changing' });
  assert.equal((await server.upload(file.id, slow('oldword'), '?fileName=a.pdf')).status, 200);
  await until('it is being read', () => isReading(server.pid));
  assert.equal((await server.upload(file.id, 'newword', '?fileName=a.txt')).status, 200);
  const ready = await until('the new content is read', async () => {
    assert.deepEqual(await found('oldword'), []);
    const { json } = await server.call('GET', `${path}/${file.id}`);
    return json.status === 'PROCESSING' ? undefined : json;
  });
  assert.deepEqual([ready.status, ready.contentVersion, ready.extractedCharacters], ['READY', 2, 7]);
  assert.deepEqual(await found('newword'), [file.id]);
  await until('nothing is read any more', () => !isReading(server.pid));
  assert.deepEqual(await found('oldword'), []);
  assert.deepEqual(await typesOf(file.id), ['knowledge-file.ready']);
});

test('a file that is deleted while it is read leaves nothing', async () => {
  const file = await server.createFile({ name: 'deleted' });
  await server.upload(file.id, slow('goneword'), '?fileName=a.pdf');
  await until('it is being read', () => isReading(server.pid));
  assert.equal((await server.call('DELETE', `${path}/${file.id}`)).status, 204);
  await until('nothing is left to do', async () => {
    assert.deepEqual(await found('goneword'), []);
    const rows = await place.database.worker.run('SELECT count(*) FROM trellis.extraction_jobs');
    return rows[0]?.[0] === '0';
  });
  assert.deepEqual(await found('goneword'), []);
});

test('a file whose server is killed while reading is read once by the next server', async () => {
  const file = await server.createFile({ name: 'killed' });
  await server.upload(file.id, slow('survivor'), '?fileName=a.pdf');
  await until('it is being read', () => isReading(server.pid));
  await server.end('SIGKILL');
  assert.deepEqual(await typesOf(file.id), []);
  server = await place.start();
  const { json } = await server.call('GET', `${path}/${file.id}`);
  assert.equal(json.status, 'PROCESSING');
  await endLeases();
  assert.equal((await server.settled(file.id)).status, 'READY');
  assert.deepEqual(await found('survivor'), [file.id]);
  assert.deepEqual(await typesOf(file.id), ['knowledge-file.ready']);
});

test('a server that is stopped while reading releases the file at once', async () => {
  const file = await server.createFile({ name: 'stopped' });
  await server.upload(file.id, slow('patient'), '?fileName=a.pdf');
  await until('it is being read', () => isReading(server.pid));
  assert.equal(await server.end('SIGTERM'), 0);
  server = await place.start();
  assert.equal((await server.settled(file.id)).status, 'READY');
  assert.deepEqual(await typesOf(file.id), ['knowledge-file.ready']);
});

test('two servers read each file once', async () => {
  const other = await place.start();
  const files: Json[] = [];
  for (let index = 0; index < 12; index += 1) {
    const from = index % 2 === 0 ? server : other;
    files.push(await from.createFile({ name: `shared ${index}`, content: `sharedword number ${index}` }));
  }
  const readers = new Set<number>();
  for (const { id } of files) {
    await until('it is read', async () => {
      for (const { pid } of [server, other]) if (isReading(pid)) readers.add(pid);
      const { json } = await server.call('GET', `${path}/${id}`);
      return json.status === 'READY';
    });
  }
  assert.equal(readers.size, 2, 'one of them did nothing');
  for (const { id } of files) {
    const { json } = await server.call('GET', `${path}/${id}`);
    assert.deepEqual([json.contentVersion, json.version], [1, 2]);
    assert.deepEqual(await typesOf(id), ['knowledge-file.ready']);
  }
  assert.equal((await found('sharedword')).length, files.length);
  assert.equal(await other.end('SIGTERM'), 0);
});

test('when a lease expires early, two read the same file and one writes the result', async () => {
  const other = await place.start();
  const file = await server.createFile({ name: 'twice' });
  await server.upload(file.id, slow('twofold'), '?fileName=a.pdf');
  // Usually the one that received it.
  const first = await until('it is being read', () => [server, other].find(({ pid }) => isReading(pid)));
  // Held until the second one has read it, however fast either of them is.
  const readers = listChildren(first.pid, child);
  for (const { pid } of readers) process.kill(pid, 'SIGSTOP');
  await endLeases();
  // The server that receives an upload looks for work at once.
  await (first === server ? other : server).createFile({ name: 'nudge', content: 'nudge' });
  assert.equal((await server.settled(file.id)).status, 'READY');
  for (const { pid } of readers) process.kill(pid, 'SIGCONT');
  await until('nothing is read any more', () => !isReading(server.pid) && !isReading(other.pid));
  assert.deepEqual(await typesOf(file.id), ['knowledge-file.ready']);
  const { json } = await server.call('GET', `${path}/${file.id}`);
  assert.equal(json.version, 3);
  assert.deepEqual(await found('twofold'), [file.id]);
});
