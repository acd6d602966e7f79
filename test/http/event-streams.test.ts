/** Tests of event streams: rights and limits are checked for as long as a stream is open. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { limits } from '@trellis/schema/resources/limits.ts';
import { Arrivals } from '@trellis/server/kernel/events/arrivals.ts';
import { AdminClient } from '../support/admin-client.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import { type Json, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startTestServer({ streamLifetimeMs: 60_000, heartbeatMs: 100 });
const { worker } = server.database;
after(() => server.close());

interface Reader {
  readonly organization: TestOrganization;
  readonly token: string;
  readonly tokenId: string;
}

/** A user in a new organization, whose log is empty. */
async function createReader(): Promise<Reader> {
  const organization = await createOrganization(worker, `org-${randomBytes(4).toString('hex')}`);
  const userId = await createMember(worker, organization, 'OWNER');
  const { token, id } = await createToken(worker, organization, userId);
  return { organization, token, tokenId: id };
}

/** Logs events of books at the positions from the first to the last, which become all that is kept. */
async function fillLog({ organization }: Reader, first: number, last: number): Promise<void> {
  const client = await AdminClient.open(server.database);
  await client.query(
    `INSERT INTO trellis.events (organization_id, position, logged_at, id, type, subject_type, subject_id,
        subject_version, request_id, changed_fields, occurred_at)
      SELECT $1, position, now(), gen_random_uuid(), 'book.created', 'book', gen_random_uuid(), 1, 'test',
        '{title}', now() FROM generate_series($2::bigint, $3::bigint) position`,
    [organization.id, String(first), String(last)],
  );
  await client.query(
    `INSERT INTO trellis.event_positions (organization_id, position, logged_at) VALUES ($1, $2, now())
      ON CONFLICT (organization_id) DO UPDATE SET position = excluded.position`,
    [organization.id, String(last)],
  );
  await client.end();
}

/** Opens a stream, of which nothing is read yet. */
function open({ token }: Reader, query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/v1/events/stream${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
}

test('a stream that lags behind also ends when the token no longer permits it', async () => {
  const reader = await createReader();
  // More than the buffers between server and reader hold.
  const events = 40_000;
  await fillLog(reader, 1, events);
  const stream = await open(reader, '?from=earliest');
  assert.equal(stream.status, 200);
  await worker.run('UPDATE trellis.tokens SET revoked_at = now() WHERE id = $1', [reader.tokenId]);
  await until('reads are refused', async () => {
    const { status } = await server.call('GET', '/v1/events', { token: reader.token });
    return status === 401;
  });
  let text = '';
  await assert.rejects(async () => {
    for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString();
  });
  const seen = text.split('\nevent: ').length - 1;
  assert.ok(seen < events, `${seen} events came`);
});

/** The cursor after everything that is logged now, for a reader with the same filters. */
async function here({ token }: Reader, filters = ''): Promise<string> {
  const { json } = await server.call('GET', `/v1/events?from=latest${filters}`, { token });
  return json.pageInfo.nextCursor;
}

/** The next id of a stream, and the text received until then. */
async function nextId(stream: Response): Promise<{ id: string; text: string }> {
  let text = '';
  const chunks = stream.body?.values({ preventCancel: true });
  assert.ok(chunks);
  for await (const chunk of chunks) {
    text += Buffer.from(chunk).toString();
    const id = /^id: (.+)\n(?:.+\n)*\n/m.exec(text)?.[1];
    if (id !== undefined) return { id, text };
  }
  throw new Error(`no id came: ${text}`);
}

test('a cursor after which events are no longer kept is refused, as Last-Event-ID and as cursor', async () => {
  const reader = await createReader();
  const cursor = await here(reader);
  await fillLog(reader, 101, 110);
  for (const response of [
    await open(reader, `?cursor=${cursor}`),
    await open(reader, '', { 'last-event-id': cursor }),
  ]) {
    assert.equal(response.status, 400);
    const problem = (await response.json()) as Json;
    assert.deepEqual([problem.code, problem.errors[0].code], ['cursor_invalid', 'expired']);
  }
  const again = await open(reader, '?from=earliest');
  assert.match((await nextId(again)).text, /\nevent: book\.created\n/);
  await again.body?.cancel();
});

test('a silent stream sends its position, also past events that its filters exclude', async () => {
  const reader = await createReader();
  const filter = '&type=magazine.*';
  const stream = await open(reader, `?from=latest${filter}`);
  const { id: start, text } = await nextId(stream);
  assert.ok(!/^(data|event):/m.test(text), text);
  await fillLog(reader, 101, 110);
  const ask = (cursor: string) =>
    server.call('GET', `/v1/events?cursor=${cursor}${filter}`, { token: reader.token });
  assert.equal((await ask(start)).status, 400, 'it has grown old');
  await until('the id is one after the events that were left out', async () => {
    const { id, text: lines } = await nextId(stream);
    assert.ok(!/^(data|event):/m.test(lines), lines);
    return (await ask(id)).status === 200;
  });
  await stream.body?.cancel();
});

test('the number of open streams of a token and an organization is limited; closed streams free their place', async () => {
  const reader = await createReader();
  const { perToken, perOrganization } = limits.openStreams;
  const refusal = async (response: Response, of: string) => {
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    const problem = (await response.json()) as Json;
    assert.deepEqual([problem.code, problem.detail.includes(of)], ['rate_limited', true], problem.detail);
  };
  const open20 = (by: Reader) => Promise.all(Array.from({ length: perToken }, () => open(by, '')));
  // Refused requests and HEAD requests do not occupy a place.
  for (let count = 0; count <= perToken; count += 1) {
    assert.equal((await open(reader, '?cursor=none')).status, 400);
    const head = await fetch(`${server.url}/v1/events/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${reader.token}` },
    });
    assert.equal(head.status, 200);
  }
  const streams = await open20(reader);
  assert.deepEqual([...new Set(streams.map(({ status }) => status))], [200]);
  await refusal(await open(reader, ''), 'token');
  await streams.pop()?.body?.cancel();
  await until('there is room again', async () => {
    const response = await open(reader, '');
    if (response.status === 200) streams.push(response);
    else await response.body?.cancel();
    return response.status === 200;
  });
  const another = async () => ({
    ...reader,
    ...(await createToken(
      worker,
      reader.organization,
      await createMember(worker, reader.organization, 'OWNER'),
    )),
  });
  while (streams.length < perOrganization) streams.push(...(await open20(await another())));
  await refusal(await open(await another(), ''), 'organization');
  const elsewhere = await open(await createReader(), '');
  assert.equal(elsewhere.status, 200);
  for (const stream of [...streams, elsewhere]) await stream.body?.cancel();
});

test('twenty dropped streams free their places immediately', async () => {
  const reader = await createReader();
  const token = { authorization: `Bearer ${reader.token}` };
  const dropped = new AbortController();
  const streams = await Promise.all(
    Array.from({ length: limits.openStreams.perToken }, () =>
      fetch(`${server.url}/v1/events/stream`, { headers: token, signal: dropped.signal }),
    ),
  );
  assert.deepEqual([...new Set(streams.map(({ status }) => status))], [200]);
  assert.equal((await open(reader, '')).status, 429);
  // Every stream waits for a response of the database that does not come.
  const { api } = server.database;
  const read = api.query.bind(api);
  const response = Promise.withResolvers<void>();
  let waiting = 0;
  api.query = async (scope, steps) => {
    waiting += 1;
    await response.promise;
    return read(scope, steps);
  };
  try {
    await until('all streams wait', () => waiting >= limits.openStreams.perToken);
    api.query = read;
    dropped.abort();
    await until('there is room', async () => {
      const stream = await open(reader, '');
      await stream.body?.cancel();
      return stream.status === 200;
    });
  } finally {
    api.query = read;
    response.resolve();
  }
});

test('waiting streams are woken by events of their own organization only', async () => {
  const arrivals = new Arrivals();
  const woken: string[] = [];
  const waiting = ['one', 'two', 'three'].map(async (name) => {
    await arrivals.wait(name, 60_000);
    woken.push(name);
  });
  arrivals.notify(new Set(['two', 'nobody']));
  await waiting[1];
  assert.deepEqual(woken, ['two']);
  arrivals.notifyAll();
  await Promise.all(waiting);
  assert.deepEqual(woken, ['two', 'one', 'three']);
});
