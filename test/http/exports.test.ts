/** Exports: what a session reads by pages without a recent sign-in is limited, whatever lists the pages. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@trellis/schema/problem.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { rightsOf } from '@trellis/schema/rights/permissions.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { ExportGuard, recordsPerDay } from '@trellis/server/kernel/http/export-guard.ts';
import type { Actor } from '@trellis/server/kernel/identity/actor.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { createMember, createToken } from '../support/identities.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestRelay } from '../support/relay.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** How many records the server of this file lets a session read. Pages here have a few more: records are counted within some percent. */
const most = 90;
const server = await startTestServer({ streamLifetimeMs: 3_000, recordsPerDay: most });
const { auth, worker } = server.database;
const relay = startTestRelay(server.database);
after(async () => {
  await relay.stop();
  await server.close();
});

/** A caller, as far as the guard of exports looks at it. */
const someActor: Omit<Actor, 'session'> = {
  organizationId: server.organization.id,
  tokenId: '',
  userId: '',
  clientId: '',
  role: { id: builtInRoleIds.OWNER, key: 'OWNER', builtIn: 'OWNER', rights: rightsOf('OWNER') },
  scopes: new Set(),
  audiences: [],
  modules: new Set(),
  country: null,
  isService: false,
};

const stale: Actor = {
  ...someActor,
  session: { id: 'a', authenticatedSecondsAgo: 901, methods: ['PASSWORD'] },
};
const hourMs = 3_600_000;
/** Pages of 100 records that nobody has read before, of a list of contacts unless said otherwise. */
function readerOf(guard: ExportGuard) {
  let next = 0;
  return (
    pages: number,
    { who = stale, resource = 'contacts', continues = true, nowMs = 0, share = 1 } = {},
  ) => {
    for (let page = 0; page < pages; page += 1) {
      const first = next;
      next += 100;
      // The rest of a page is known from the first one.
      const keys = Array.from(
        { length: 100 },
        (_, index) => `record ${index < share * 100 ? first + index : index}`,
      );
      guard.note(who, { resource, keys, continues }, nowMs);
    }
  };
}
const isRefused = (error: unknown) =>
  error instanceof Problem && error.code === 'insufficient_user_authentication';
const fullPages = recordsPerDay / 100;

test('a session gets some 10,000 records of a resource in a day without a recent sign-in', () => {
  const read = readerOf(new ExportGuard());
  const signedIn = (authenticatedSecondsAgo: number): Actor => ({
    ...stale,
    session: { id: 'a', authenticatedSecondsAgo, methods: ['PASSWORD'] },
  });
  const dayAgo = signedIn(86_400);
  for (const who of [signedIn(899), { ...stale, session: null }]) read(2 * fullPages, { who });
  read(fullPages * 0.98, { who: dayAgo });
  assert.throws(() => read(fullPages * 0.04, { who: dayAgo, nowMs: hourMs }), isRefused);
  assert.throws(() => read(1, { who: dayAgo, nowMs: 24 * hourMs - 1 }), isRefused);
  // Nothing else is refused: other resources, organizations and sessions.
  read(fullPages / 2, { who: dayAgo, resource: 'books' });
  read(fullPages / 2, { who: { ...dayAgo, organizationId: 'other' } });
  read(fullPages / 2, {
    who: { ...dayAgo, session: { id: 'b', authenticatedSecondsAgo: 901, methods: [] } },
  });
  // After a proof, and on the next day, counting begins again.
  read(fullPages / 2, { who: signedIn(1_000), nowMs: 2 * hourMs });
  const other = readerOf(new ExportGuard());
  other(fullPages * 0.98, { who: dayAgo });
  other(fullPages / 2, { who: signedIn(200_000), nowMs: 24 * hourMs });
});

test('what was read is never refused, nor counted again', () => {
  const guard = new ExportGuard();
  const keys = Array.from({ length: 10_000 }, (_, index) => `record ${index}`);
  const readAll = (continues: boolean) => {
    for (let at = 0; at < keys.length; at += 100)
      guard.note(stale, { resource: 'contacts', keys: keys.slice(at, at + 100), continues }, 0);
  };
  for (let time = 0; time < 5; time += 1) readAll(true);
  assert.throws(() => {
    for (let page = 0; page < 5; page += 1)
      guard.note(
        stale,
        { resource: 'contacts', keys: keys.map((key) => `${page} ${key}`), continues: true },
        0,
      );
  }, isRefused);
  readAll(true);
  readAll(false);
});

test('beyond that, what begins a list or a search is shown, and a list that has changed, for a tenth more', () => {
  for (const way of [{ continues: false }, { share: 0.4 }]) {
    const read = readerOf(new ExportGuard());
    read(fullPages * 0.99);
    assert.throws(() => read(fullPages * 0.03), isRefused);
    read(5, way);
    assert.throws(() => read(fullPages * 0.4, way), isRefused);
    assert.throws(() => read(1), isRefused);
  }
});

/** The operations that return pages, by the document. */
async function findListings() {
  const { json: document } = await server.call('GET', '/v1/openapi');
  const listings = server.server.operations.filter(({ path, method }) => {
    const schema =
      document.paths[path]?.[method.toLowerCase()]?.responses['200']?.content?.['application/json']?.schema;
    const name = schema?.$ref?.split('/').at(-1);
    const { properties } = document.components.schemas[name] ?? schema ?? {};
    return properties?.pageInfo !== undefined;
  });
  assert.ok(listings.length > 15, `${listings.length} operations list`);
  return listings;
}

/** The texts of events in a stream that is read to its end, and whether it was cut. */
async function readStream(browser: TestBrowser, from: 'earliest' | 'latest') {
  const response = await fetch(`${server.url}/v1/events/stream?from=${from}`, {
    headers: {
      cookie: browser.cookie ?? '',
      'sec-fetch-site': 'same-origin',
      'trellis-organization': encodeId('org', server.organization.id),
      'trellis-user': browser.userId ?? '',
    },
  });
  assert.equal(response.status, 200);
  let text = '';
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    return { events: text.split('\nevent: ').length - 1, isCut: false };
  } catch {
    return { events: text.split('\nevent: ').length - 1, isCut: true };
  }
}

test('every list and search, and the stream of what is in the log, counts and says why it is refused', async () => {
  const account = await givePassword(auth, await createMember(worker, server.organization, 'OWNER'));
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  const made = 2 * most;
  for (let contact = 0; contact < made; contact += 1) {
    const { status, text } = await server.call('POST', '/v1/crm/contacts', {
      body: { firstName: contact < most ? 'Early' : 'Many' },
    });
    assert.equal(status, 201, text);
  }
  await until('all is logged', async () => (await worker.run('SELECT FROM trellis.outbox')).length === 0);
  await worker.run(
    `UPDATE trellis.tokens SET authenticated_at = now() - interval '16 minutes' WHERE session_id IS NOT NULL`,
  );
  // Reads may use what was known two seconds ago.
  await sleep(2_100);
  const contacts = '/v1/crm/contacts?limit=46';
  const first = await browser.get(contacts);
  assert.equal(first.status, 200, first.text);
  const next = `${contacts}&cursor=${first.json.pageInfo.nextCursor}`;
  const second = await browser.get(next);
  assert.equal(second.status, 200, second.text);
  const refused = await browser.get(`${contacts}&cursor=${second.json.pageInfo.nextCursor}`);
  expectProblem(refused, 401, 'insufficient_user_authentication');
  assert.equal(
    refused.json.detail,
    'This session has read as many contacts within a day as an export has. So that nobody takes them away, reading more of them requires a sign-in within the last 15 minutes.',
  );
  // What it has read, what begins and what is of another resource is not refused.
  for (const path of [
    contacts,
    next,
    '/v1/crm/companies',
    '/v1/activity',
    `/v1/crm/contacts/${first.json.items[0].id}`,
  ])
    assert.equal((await browser.get(path)).status, 200, path);
  const oldest = await browser.get('/v1/crm/contacts?sort=createdAt&limit=30');
  assert.equal(oldest.status, 200, oldest.text);
  for (const path of [
    '/v1/crm/contacts?sort=createdAt&limit=100',
    '/v1/crm/contacts/search?query=Early&limit=50',
  ])
    expectProblem(await browser.get(path), 401, 'insufficient_user_authentication', path);

  assert.deepEqual(await readStream(browser, 'latest'), { events: 0, isCut: false });
  assert.deepEqual(await readStream(browser, 'earliest'), { events: 100, isCut: true });

  const listings = await findListings();
  assert.deepEqual(
    server.server.operations.flatMap(({ operationId, isListing }) => (isListing ? [operationId] : [])).sort(),
    listings.map(({ operationId }) => operationId).sort(),
  );
  const { token } = await createToken(worker, server.organization, account.userId);
  assert.equal((await server.call('GET', `${contacts}&sort=createdAt`, { token })).status, 200);
  const stepUp = await browser.post('/auth/session/step-up', { password: account.password });
  assert.equal(stepUp.status, 200, stepUp.text);
  assert.equal((await browser.get('/v1/crm/contacts?sort=createdAt&limit=100')).status, 200);
});

test('records that are included count as those of their own lists', async () => {
  const account = await givePassword(auth, await createMember(worker, server.organization, 'OWNER'));
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  const contacts: string[] = [];
  for (let contact = 0; contact < 7; contact += 1) {
    const items = Array.from({ length: 20 }, (_, index) => ({
      op: 'create',
      data: { name: `Company ${contact} ${index}` },
    }));
    const { json, text } = await server.call('POST', '/v1/crm/companies/batch', { body: { items } });
    assert.equal(json.items.length, 20, text);
    const companies = json.items.map(({ id }: { id: string }) => ({ companyId: id }));
    const made = await server.call('POST', '/v1/crm/contacts', { body: { lastName: 'Included', companies } });
    assert.equal(made.status, 201, made.text);
    contacts.push(made.json.id);
  }
  await worker.run(
    `UPDATE trellis.tokens SET authenticated_at = now() - interval '16 minutes' WHERE session_id IS NOT NULL`,
  );
  await sleep(2_100);
  const read = (contact = '') => browser.get(`/v1/crm/contacts/${contact}?include=companyId`);
  for (const contact of contacts.slice(0, 5)) assert.equal((await read(contact)).status, 200);
  await read(contacts[5]);
  expectProblem(await read(contacts[6]), 401, 'insufficient_user_authentication');
  assert.equal((await read(contacts[0])).status, 200);
});
