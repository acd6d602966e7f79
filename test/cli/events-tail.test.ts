/** `trellis events tail` prints each event once and in order, whatever happens to the server meanwhile. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { renderEvent } from '@trellis/server/commands/events/render.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeDataDirectory } from '../support/folders.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import {
  callServed,
  type RunningProgram,
  runCommand,
  type ServingProgram,
  settingsOf,
  startRunning,
  startServing,
} from '../support/program.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let organization: TestOrganization;
let owner: string;
let token: string;
/** A server that is never killed and receives the writes. */
let steady: ServingProgram;
const folders: string[] = [];
/** Running programs, which are ended when a test fails, since they would keep its process alive. */
const running: RunningProgram[] = [];

before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  organization = await createOrganization(database.worker, 'tail');
  owner = await createMember(database.worker, organization, 'OWNER');
  token = (await createToken(database.worker, organization, owner)).token;
  steady = await serve('0');
});
afterEach(async () => {
  for (const program of running.splice(0)) await program.end('SIGKILL');
});
after(async () => {
  await steady.end('SIGTERM');
  await database.drop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function serve(port: string): Promise<ServingProgram> {
  const folder = await makeDataDirectory('tail');
  folders.push(folder);
  return startServing(['--port', port, '--data-dir', folder], {
    ...settingsOf(database),
    TRELLIS_LOG_LEVEL: 'silent',
  });
}

const call = (method: string, path: string, body?: object): Promise<Json> =>
  callServed(steady.url, token, method, path, body);

const createBook = async (title: string): Promise<string> => (await call('POST', '/v1/books', { title })).id;

const environment = (more: Record<string, string> = {}) => ({
  TRELLIS_URL: steady.url,
  TRELLIS_TOKEN: token,
  ...more,
});

/** The cursor after the last event of the present log. */
async function here(): Promise<string> {
  await until('the outbox is empty', async () => {
    const [row] = await database.worker.run('SELECT count(*) FROM trellis.outbox');
    return row?.[0] === '0';
  });
  return (await call('GET', '/v1/events?from=latest')).pageInfo.nextCursor;
}

function tail(words: readonly string[], more: Record<string, string> = {}): RunningProgram {
  const program = startRunning(['events', 'tail', ...words], environment(more));
  running.push(program);
  return program;
}

const read = (words: readonly string[], more: Record<string, string> = {}) =>
  runCommand(['events', 'tail', '--no-follow', ...words], environment(more));

const eventsOf = (lines: readonly string[]): [string, string][] =>
  lines.map((line) => {
    const { type, subject } = JSON.parse(line);
    return [type, subject];
  });

test('when the server is killed and comes back, every event is printed once, in order, with one message', async () => {
  const from = await here();
  const cut = await serve('0');
  const { port } = new URL(cut.url);
  const program = tail(['--from', from, '--json'], { TRELLIS_URL: cut.url });
  const books: string[] = [];
  const write = async (count: number) => {
    for (let number = 0; number < count; number += 1) books.push(await createBook(`Book ${books.length}`));
  };
  await write(20);
  // Existing events come from pages; those written after these were printed come from the stream.
  for (let number = 0; number < 5; number += 1) {
    await until('all are printed', () => program.lines.length === books.length);
    await write(1);
  }
  // The server is killed while events are being sent.
  const writing = write(20);
  await cut.end('SIGKILL');
  await writing;
  await until('the outage is told', () => program.said() !== '');
  await write(20);
  const back = await serve(port);
  try {
    await write(20);
    await until('all are printed', () => program.lines.length >= books.length);
    const last = await createBook('The last one');
    await until('the last one is printed', () => program.lines.at(-1)?.includes(last));
    assert.deepEqual(
      eventsOf(program.lines),
      [...books, last].map((id) => ['book.created', id]),
    );
    assert.match(program.said(), /^http:\/\/\S+ cannot be reached \(.*\)\. Retrying until it responds\.\n$/);
    assert.equal(await program.end('SIGTERM'), 0);
  } finally {
    await back.end('SIGTERM');
  }
});

test('without --from it starts with new events; SIGINT ends it with code 0 and the cursor to continue from', async () => {
  await createBook('Before');
  await here();
  const program = tail(['--json', '--type', 'book.*']);
  // The start of listening cannot be observed; after the first line no event may be missing.
  const books: string[] = [];
  await until('it follows', async () => {
    books.push(await createBook('While it starts'));
    return program.lines.length > 0;
  });
  await until('it has caught up', () => program.lines.at(-1)?.includes(books.at(-1) ?? ''));
  assert.equal(await program.end('SIGINT'), 0);
  const printed = eventsOf(program.lines).map(([, subject]) => subject);
  assert.deepEqual(printed, books.slice(-printed.length));
  const cursor = /^To continue from here: --from (\S+)\n$/.exec(program.said())?.[1];
  assert.ok(cursor, program.said());
  const next = await createBook('Later');
  await here();
  const later = await read(['--json', '--type', 'book.*', '--from', cursor]);
  assert.deepEqual(eventsOf(later.stdout.trim().split('\n')), [['book.created', next]]);
});

test('filters by type and record across several pages, and prints complete events with --json', async () => {
  const from = await here();
  const books: string[] = [];
  for (let number = 0; number < 120; number += 1) books.push(await createBook(`Page ${number}`));
  const [first = ''] = books;
  await call('PATCH', `/v1/books/${first}`, { title: 'Another title' });
  await here();
  const all = await read(['--from', from, '--json']);
  assert.equal(all.code, 0, all.stderr);
  assert.deepEqual(eventsOf(all.stdout.trim().split('\n')), [
    ...books.map((id) => ['book.created', id]),
    ['book.updated', first],
  ]);
  // A cursor belongs to its filters, so these start with the earliest event.
  const updates = await read(['--type', 'book.updated', '--subject', first, '--json']);
  const event = JSON.parse(updates.stdout);
  const { items } = await call('GET', `/v1/events?type=book.updated&subject=${first}`);
  assert.deepEqual([event], items);
  assert.equal((await read(['--type', 'site.*'])).stdout, '');
  const readable = await read(['--type', 'book.updated', '--subject', first]);
  assert.match(
    readable.stdout,
    new RegExp(`^${event.time}  book\\.updated +${first} +v2 +${event.data.actor.user} +title\\n$`),
  );
});

test('columns are aligned, and coloured only on a terminal', () => {
  const event = (type: string, subject: string, version: number, user: string | null) => ({
    time: '2026-03-01T09:00:00.000Z',
    type,
    subject,
    data: { version, changedFields: ['title', 'state'], actor: { user, client: null } },
  });
  const suffix = '01h455vb4pex5vsknk084sn02q';
  const lines = [
    renderEvent(event('article.schedule_failed', `art_${suffix}`, 12, `user_${suffix}`), false),
    renderEvent(event('book.created', `book_${suffix}`, 1, null), false),
  ];
  for (const part of [/(art|book)_/, / v\d/, /(user_|system)/, /title, state$/]) {
    const [first, second] = lines.map((line) => line.search(part));
    assert.equal(first, second, lines.join('\n'));
  }
  assert.ok(!lines.join('').includes('\u001b'));
  assert.ok(renderEvent(event('book.created', `book_${suffix}`, 1, null), true).includes('\u001b['));
});

test('closing the output, as head does, ends it without a message', async () => {
  const from = await here();
  await createBook('Piped');
  const program = tail(['--json', '--from', from]);
  await until('something is printed', () => program.lines.length > 0);
  program.stopReading();
  // It notices the closed pipe at its next write.
  await createBook('One more');
  assert.equal(await program.ended, 0);
  assert.equal(program.said(), '');
});

test("an error of the API is final, and shown in the API's words", async () => {
  const reader = await createToken(database.worker, organization, owner, { scopes: ['articles:read'] });
  const refusals: [readonly string[], Record<string, string>, RegExp][] = [
    [[], { TRELLIS_TOKEN: `${token.slice(0, -1)}!` }, /token/i],
    [[], { TRELLIS_TOKEN: reader.token }, /scopes: events:read/],
    [['--type', 'Nonsense!'], {}, /type/],
    [['--from', 'no-cursor'], {}, /cursor/],
  ];
  await Promise.all(
    refusals.map(async ([words, more, sentence]) => {
      const result = await runCommand(['events', 'tail', ...words], environment(more));
      assert.equal(result.code, 1, result.stderr);
      assert.match(result.stderr, sentence);
      assert.equal(result.stdout, '');
    }),
  );
});

test('revoking the token ends it', async () => {
  const other = await createToken(database.worker, organization, owner);
  const program = tail(['--json'], { TRELLIS_TOKEN: other.token });
  await until('it follows', async () => {
    await createBook('Seen');
    return program.lines.length > 0;
  });
  await database.worker.run('UPDATE trellis.tokens SET revoked_at = clock_timestamp() WHERE id = $1', [
    other.id,
  ]);
  assert.equal(await program.ended, 1);
  assert.match(program.said(), /token/i);
});

test('an unreachable server is reported soon', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  await new Promise((resolve) => listener.close(resolve));
  const nobody = await runCommand(['events', 'tail'], environment({ TRELLIS_URL: url }));
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /^http:\S+ cannot be reached \(.*\)\.\n$/);
});

test('wrong options are reported before any request', async () => {
  const faults: [readonly string[], Record<string, string>, RegExp][] = [
    [['--form', 'latest'], {}, /unknown option '--form'/],
    [['--from', ''], {}, /--from must not be empty/],
    [[], { TRELLIS_TOKEN: '' }, /No token/],
    [['--url', 'nowhere'], {}, /is not the address of a server/],
  ];
  await Promise.all(
    faults.map(async ([words, more, sentence]) => {
      const result = await runCommand(['events', 'tail', ...words], environment(more));
      assert.equal(result.code, 2, result.stderr);
      assert.match(result.stderr, sentence);
    }),
  );
  const help = await runCommand(['events', 'tail', '--help']);
  assert.match(help.stdout, /Example:\n {2}trellis events tail/);
});
