/** Exports: what a session reads by pages without a recent sign-in is limited, whatever lists the pages. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@trellis/schema/problem.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { rightsOf } from '@trellis/schema/rights/permissions.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { ExportGuard, recordsPerWindow } from '@trellis/server/http/export-guard.ts';
import type { Actor } from '@trellis/server/identity/actor.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { createMember, createToken } from '../support/identities.ts';
import { startTestRelay } from '../support/places.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startTestServer({ streamLifetimeMs: 3_000 });
const { auth, worker } = server.database;
const relay = await startTestRelay(server.database);
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

test('a session gets some 10,000 records by lists in 15 minutes without a recent sign-in', () => {
  const guard = new ExportGuard();
  const stale: Actor = {
    ...someActor,
    session: { id: 'a', authenticatedSecondsAgo: 901, methods: ['PASSWORD'] },
  };
  const recent: Actor = {
    ...stale,
    session: { id: 'a', authenticatedSecondsAgo: 899, methods: ['PASSWORD'] },
  };
  const token: Actor = { ...stale, session: null };
  let pages = 0;
  const read = (who: Actor, nowMs: number) => {
    guard.check(who, nowMs);
    pages += 1;
    guard.note(who, `/v1/books?cursor=${pages}`, 100, nowMs);
  };
  for (const who of [recent, token]) for (let page = 0; page < 200; page += 1) read(who, 0);
  for (let page = 0; page < recordsPerWindow / 100; page += 1) read(stale, page);
  const isRefused = (error: unknown) =>
    error instanceof Problem && error.code === 'insufficient_user_authentication';
  assert.throws(() => read(stale, 900_000 - 1), isRefused);
  read(recent, 900_000 - 1);
  read({ ...stale, session: { id: 'b', authenticatedSecondsAgo: 901, methods: ['PASSWORD'] } }, 0);
  read(stale, 900_000);
});

test('a page that is read again counts what it has more, in each organization on its own', () => {
  const stale: Actor = {
    ...someActor,
    session: { id: 'a', authenticatedSecondsAgo: 901, methods: ['PASSWORD'] },
  };
  const isRefused = (guard: ExportGuard) => {
    try {
      guard.check(stale, 0);
      return false;
    } catch {
      return true;
    }
  };
  const again = new ExportGuard();
  for (let time = 0; time < 500; time += 1) again.note(stale, '/v1/books?', 100, 0);
  assert.equal(isRefused(again), false);
  again.note(stale, '/v1/books?', recordsPerWindow - 1, 0);
  assert.equal(isRefused(again), false);
  again.note(stale, '/v1/books?', recordsPerWindow, 0);
  assert.equal(isRefused(again), true);

  const elsewhere = new ExportGuard();
  elsewhere.note(stale, '/v1/books?', recordsPerWindow / 2, 0);
  elsewhere.note({ ...stale, organizationId: 'other' }, '/v1/books?', recordsPerWindow / 2, 0);
  assert.equal(isRefused(elsewhere), true);

  // As many lists as a person may have open, which are read again one after the other.
  const open = new ExportGuard();
  for (let time = 0; time < 500; time += 1) open.note(stale, `/v1/books?${time % 24}`, 100, 0);
  assert.equal(isRefused(open), false);

  // Many pages in turn are no page that stays open, nor is a path made long.
  const inTurn = new ExportGuard();
  for (let page = 0; page < recordsPerWindow / 50; page += 1)
    inTurn.note(stale, `/v1/books?${page % 100}`, 100, 0);
  assert.equal(isRefused(inTurn), true);
  const long = new ExportGuard();
  for (let page = 0; page < recordsPerWindow / 100; page += 1)
    long.note(stale, `/v1/books?search=${'x'.repeat(500)}`, 100, 0);
  assert.equal(isRefused(long), true);
});

/** The operations that return pages, by the document, except searches: they rank a thousand matches at most. */
async function findListings() {
  const { json: document } = await server.call('GET', '/v1/openapi');
  const listings = server.server.operations.filter(({ path, method }) => {
    const schema =
      document.paths[path]?.[method.toLowerCase()]?.responses['200']?.content?.['application/json']?.schema;
    const name = schema?.$ref?.split('/').at(-1);
    const { properties } = document.components.schemas[name] ?? schema ?? {};
    return properties?.pageInfo !== undefined && !path.endsWith('/search');
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

test('every list, and the stream of what is in the log, counts and is refused', async () => {
  const account = await givePassword(auth, await createMember(worker, server.organization, 'OWNER'));
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  const pageSize = 100;
  // More events than one page of a stream has.
  for (let contact = 0; contact < pageSize + 10; contact += 1) {
    const made = await server.call('POST', '/v1/crm/contacts', { body: { firstName: 'Many' } });
    assert.equal(made.status, 201, made.text);
  }
  await until('all is logged', async () => (await worker.run('SELECT FROM trellis.outbox')).length === 0);
  await worker.run(
    `UPDATE trellis.tokens SET authenticated_at = now() - interval '16 minutes' WHERE session_id IS NOT NULL`,
  );
  // Reads may use what was known two seconds ago.
  await sleep(2_100);
  const contacts = `/v1/crm/contacts?limit=${pageSize}`;
  for (let page = 0; page < recordsPerWindow / pageSize - 1; page += 1)
    assert.equal(
      (
        await browser.get(
          `${contacts}&updatedSince=2020-01-01T00:00:${String(page % 60).padStart(2, '0')}.${page}Z`,
        )
      ).status,
      200,
      `page ${page}`,
    );

  assert.deepEqual(await readStream(browser, 'latest'), { events: 0, isCut: false });
  assert.deepEqual(await readStream(browser, 'earliest'), { events: pageSize, isCut: true });

  const listings = await findListings();
  assert.deepEqual(
    server.server.operations.flatMap(({ operationId, isListing }) => (isListing ? [operationId] : [])).sort(),
    listings.map(({ operationId }) => operationId).sort(),
  );
  for (const { operationId, path } of listings) {
    const refused = await browser.get(path.replaceAll(/\{\w+\}/g, 'x'));
    expectProblem(refused, 401, 'insufficient_user_authentication', operationId);
  }
  expectProblem(
    await browser.get('/v1/events/stream?from=earliest'),
    401,
    'insufficient_user_authentication',
  );
  assert.deepEqual(await readStream(browser, 'latest'), { events: 0, isCut: false });
  assert.equal((await browser.get('/v1/crm/contacts/search?query=Many')).status, 200);
  const { token } = await createToken(worker, server.organization, account.userId);
  assert.equal((await server.call('GET', contacts, { token })).status, 200);
  const stepUp = await browser.post('/auth/session/step-up', { password: account.password });
  assert.equal(stepUp.status, 200, stepUp.text);
  assert.equal((await browser.get(contacts)).status, 200);
});
