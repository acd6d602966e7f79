/**
 * Tests of cursors: paging returns every record that is not changed exactly once while others come and go, and a cursor
 * is valid only for the list it was returned by.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { hasHistory } from '@trellis/schema/resources/resource.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import { CursorSealer, maxCursorLength } from '@trellis/server/kernel/pipeline/cursor.ts';
import { AdminClient } from '../../support/admin-client.ts';
import {
  attempt,
  createOtherWorld,
  createOwnWorld,
  createRecord,
  createWorld,
  requiredQuery,
  resourceOf,
} from '../../support/fixtures.ts';
import { createToken } from '../../support/identities.ts';
import { runIndexJobs } from '../../support/indexing.ts';
import { expectProblem } from '../../support/refusals.ts';
import { type Json, startTestServer } from '../../support/server.ts';
import { casesFor } from '../../support/soak.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

const server = await startTestServer();
const client = await AdminClient.open(server.database);
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
/** The same organization, other parents. */
const sibling = await createWorld(server, { ...server, userId: server.ownerId });
const foreign = await createOtherWorld(server);
after(async () => {
  await client.end();
  await tables.close();
  await server.close();
});

/** The event log has no end, and deliveries are not made by calls: their own tests walk them. */
const paged = server.server.operations.filter(
  (operation) =>
    resourceOf(operation) !== undefined &&
    operation.operationId !== 'listWebhookDeliveries' &&
    operation.queryParameters.some(({ name }) => name === 'cursor'),
);

/** Two of everything that is listed, so that a page of one has a next page. */
before(async () => {
  for (const here of [world, sibling, foreign]) {
    for (const name of new Set(paged.map((operation) => resourceOf(operation)?.name ?? ''))) {
      await createRecord(here, name);
    }
    const change = server.server.operations.find(({ operationId }) => operationId === 'updateArticle');
    assert.ok(change);
    // An edit of a published article opens a second version.
    await attempt(here, change, { body: { versionData: { status: 'PUBLISHED' } } });
    await attempt(here, change, { body: { versionData: { title: 'Second version' } } });
  }
  // A change of each record, besides its creation.
  for (const { name, table } of resources.filter(hasHistory)) {
    const organizationId = name === 'organizations' ? 'id' : 'organization_id';
    await tables.run(
      `INSERT INTO trellis.changes (organization_id, record_id, version, changed_at, action, fields)
       SELECT ${organizationId}, id, 2, now(), 'updated', '{}' FROM trellis.${table} ON CONFLICT DO NOTHING`,
    );
  }
  // Members that operators create are found once they are indexed.
  await runIndexJobs(server.database);
});

/** The search text that finds the records of the fixtures: the first word of their titles, of an e-mail address the name. */
async function queryFor(operation: Operation): Promise<Record<string, string>> {
  if (!operation.queryParameters.some(({ name }) => name === 'query')) return {};
  const resource = resourceOf(operation);
  const list = server.server.operations.find(
    ({ operationId }) => operationId === `list${resource?.title.plural}`,
  );
  assert.ok(resource !== undefined && list !== undefined);
  const { json } = await attempt(world, list, { query: requiredQuery(list, { limit: '100' }) });
  // Others, such as the token of these requests, were not made over HTTP and are in no search.
  const own = json.items.find(({ id }: Json) => id === world.ids.get(resource.name)) ?? json.items[0];
  const title = resource.titleField.split('.').reduce((value: Json, key) => value[key], own);
  return { query: title.includes('@') ? title.split(/[.@]/)[0] : title.split(/[ ?]/)[0] };
}

async function firstPage(operation: Operation, here = world) {
  const own = await queryFor(operation);
  const ask = (more: Readonly<Record<string, string>>, variation = {}) =>
    attempt(here, operation, { query: requiredQuery(operation, { ...own, ...more }), ...variation });
  const page = await ask({ limit: '1' });
  assert.equal(page.status, 200, page.text);
  assert.equal(page.json.items.length, 1, page.text);
  assert.equal(page.json.pageInfo.hasNextPage, true, page.text);
  const cursor: string = page.json.pageInfo.nextCursor;
  return { ask, page, cursor };
}

for (const [index, operation] of paged.entries()) {
  const { operationId } = operation;

  test(`${operationId}: a cursor that was tampered with cannot be read`, async () => {
    const { ask, cursor } = await firstPage(operation);
    const others = [
      cursor.slice(1),
      cursor.slice(0, -1),
      cursor.slice(0, 10),
      `${cursor}A`,
      `${cursor}=`,
      cursor + cursor,
      cursor.toLowerCase(),
      Buffer.from(cursor, 'base64url').toString('base64').replace(/=*$/, '='),
      'x',
      'null',
      Buffer.from('["a"]').toString('base64url'),
      randomBytes(60).toString('base64url'),
      'A'.repeat(maxCursorLength),
    ];
    for (const other of casesFor(index, [...changeEachLetter(cursor), ...others]).filter(
      (text) => text !== cursor,
    )) {
      const refused = await ask({ cursor: other });
      expectProblem(refused, 400, 'cursor_invalid', other);
      assert.equal(refused.json.errors[0].parameter, 'cursor');
    }
    expectProblem(await ask({ cursor: 'A'.repeat(maxCursorLength + 1) }), 400, 'invalid_parameter');
  });

  test(`${operationId}: a cursor of another organization, place or route cannot be read`, async () => {
    const { cursor } = await firstPage(operation);
    const elsewhere = await firstPage(operation, foreign);
    expectProblem(await elsewhere.ask({ cursor }), 400, 'cursor_invalid');
    if (operation.pathParameters.length > 0) {
      const beside = await firstPage(operation, sibling);
      expectProblem(await beside.ask({ cursor }), 400, 'cursor_invalid');
    }
    const routes = paged.filter((other) => other !== operation);
    for (const other of casesFor(index, routes)) {
      const { ask } = await firstPage(other);
      expectProblem(await ask({ cursor }), 400, 'cursor_invalid', other.operationId);
    }
  });

  test(`${operationId}: a cursor continues its own query only, in pages of any size`, async () => {
    const { ask, page, cursor } = await firstPage(operation);
    // What is shown of the records is no part of the query.
    const shown = ['fields', 'include'];
    const changes = operation.queryParameters.flatMap(({ name, example }) =>
      ['limit', 'cursor', ...shown].includes(name) ? [] : [{ [name]: `${example}` }],
    );
    for (const change of changes) {
      expectProblem(await ask({ cursor, ...change }), 400, 'cursor_mismatch', JSON.stringify(change));
    }
    for (const limit of ['1', '2', '100']) {
      const next = await ask({ cursor, limit });
      assert.equal(next.status, 200, next.text);
      assert.ok(next.json.items.length >= 1);
      assert.notDeepEqual(next.json.items[0], page.json.items[0]);
    }
    for (const { name, example } of operation.queryParameters.filter(({ name }) => shown.includes(name)))
      assert.equal((await ask({ cursor, [name]: `${example}` })).status, 200, name);
  });

  test(`${operationId}: a cursor discloses nothing and grants nothing`, async () => {
    const { ask, page, cursor } = await firstPage(operation);
    const shown = Buffer.from(cursor, 'base64url').toString('latin1');
    for (const secret of [server.organization.id, page.json.items[0].id ?? world.ids.get('articles')]) {
      assert.equal(shown.includes(secret), false, secret);
    }
    const { token } = await createToken(server.database.worker, world.organization, server.ownerId, {
      scopes: [],
    });
    expectProblem(await ask({ cursor }, { token }), 403, 'insufficient_scope');
    assert.equal((await ask({ cursor })).status, 200);
  });

  test(`${operationId}: the last page says so, also when it is full`, async () => {
    const { ask } = await firstPage(operation);
    const all = await ask({ limit: '100' });
    assert.deepEqual(all.json.pageInfo, { nextCursor: null, hasNextPage: false });
    const exactly = await ask({ limit: String(all.json.items.length) });
    assert.equal(withoutUse(exactly.json), withoutUse(all.json));
    assert.notEqual((await ask({ limit: String(all.json.items.length - 1) })).json.pageInfo.nextCursor, null);
  });
}

/** A page without when somebody or a token was seen last, which these very calls change. */
function withoutUse(page: Json): string {
  const changing = new Set(['lastSeenAt', 'lastUsedAt']);
  return JSON.stringify(page, (name, value) => (changing.has(name) ? undefined : value));
}

/** The cursors that differ in one letter. */
function changeEachLetter(cursor: string): string[] {
  return Array.from(cursor, (letter, place) => {
    const other = letter === 'A' ? 'B' : 'A';
    return cursor.slice(0, place) + other + cursor.slice(place + 1);
  });
}

test('a cursor with another letter anywhere cannot be read', () => {
  const binding = { organizationId: server.organization.id, route: 'list', query: {} };
  const sealer = new CursorSealer(randomBytes(32));
  for (const changed of changeEachLetter(sealer.seal(binding, ['2026-01-01T00:00:00.000Z', 'b']))) {
    assert.throws(
      () => sealer.open(binding, changed),
      (error) => error instanceof Problem && error.code === 'cursor_invalid',
      changed,
    );
  }
});

test('a cursor sealed with another key cannot be read', () => {
  const binding = { organizationId: server.organization.id, route: 'list', query: {} };
  const [one, other] = [new CursorSealer(randomBytes(32)), new CursorSealer(randomBytes(32))];
  const cursor = one.seal(binding, ['a', 'b']);
  assert.deepEqual(one.open(binding, cursor), ['a', 'b']);
  assert.notEqual(one.seal(binding, ['a', 'b']), cursor);
  assert.throws(
    () => other.open(binding, cursor),
    (error) => error instanceof Problem && error.code === 'cursor_invalid',
  );
});

/** Records that a walk begins with, and how many come and go after each page. */
const records = 3_000;
const turnover = 15;
let made = 0;

/**
 * Creates records beside that of the world by copying its rows. Ten at a time have the same times and titles, so that
 * pages end between equal records; every tenth one has a rare word.
 */
async function addCopies(resourceName: string, count: number): Promise<void> {
  const template = idOf(resourceName, world.ids.get(resourceName) ?? '');
  const { table, singular, titleField } = resourceByName(resourceName);
  const title = titleField.split('.').at(-1) ?? '';
  const unique = `md5('copy ' || n)::uuid`;
  const minute = `'2026-01-01T00:00:00Z'::timestamptz + (n * 7919 % 10000) / 10 * interval '1 minute'`;
  const ownRow = `'id', ${unique}, 'slug', 'copy-' || n, '${title}', 'Copy ' || n * 31 % 10000 / 10,
    'created_at', ${minute}, 'updated_at', ${minute} + n % 7 * interval '1 day'`;
  // What the word is found by, in the scope of the record that is copied.
  const quetzal = `array_to_tsvector(ARRAY(SELECT left((tsvector_to_array(t.terms))[1], 6) || lexeme
    FROM unnest('{quetzal,=que,=uet,=etz,=tza,=zal,=al,=l}'::text[]) AS lexeme))`;
  const copies = [
    [table, `t.id = $1`, ownRow],
    [
      'search_records',
      `t.record_id = $1 AND t.type = '${singular}'`,
      `'record_id', ${unique}, 'created_at', ${minute}, 'names', t.names || CASE WHEN n % 10 = 0 THEN ' quetzal' ELSE '' END,
        'terms', (CASE WHEN n % 10 = 0 THEN t.terms || ${quetzal} ELSE t.terms END)::text`,
    ],
    ...(singular === 'article' ? [['article_versions', 't.article_id = $1', `'article_id', ${unique}`]] : []),
  ];
  for (const [name, condition, changes] of copies) {
    await client.query(
      `INSERT INTO trellis.${name}
       SELECT (jsonb_populate_record(t, jsonb_build_object(${changes}))).*
       FROM trellis.${name} t, generate_series($2::integer, $3::integer) n WHERE ${condition}`,
      [template, made + 1, made + count],
    );
  }
  const { rows: copied } = await client.query(
    `SELECT count(*)::integer FROM trellis.${table} WHERE id IN (SELECT ${unique} FROM generate_series($1::integer, $2::integer) n)`,
    [made + 1, made + count],
  );
  assert.equal(copied[0]?.count, Math.max(count, 0));
  made += Math.max(count, 0);
}

async function remove(resourceName: string, ids: readonly string[]): Promise<void> {
  const { table, singular } = resourceByName(resourceName);
  await client.query(`DELETE FROM trellis.${table} WHERE id = ANY ($1)`, [ids]);
  await client.query(`DELETE FROM trellis.search_records WHERE record_id = ANY ($1) AND type = $2`, [
    ids,
    singular,
  ]);
}

function idOf(resourceName: string, id: string): string {
  const uuid = decodeId(resourceByName(resourceName).idPrefix, id);
  assert.ok(uuid !== null, id);
  return uuid;
}

/** Walks a list or search to its end; `between` runs after each page with its last id. */
async function walk(
  operationId: string,
  parameters: Readonly<Record<string, string>>,
  between: (last: string) => Promise<void>,
): Promise<string[]> {
  const operation = paged.find((candidate) => candidate.operationId === operationId);
  assert.ok(operation);
  const name = resourceOf(operation)?.name ?? '';
  const met: string[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ ...parameters, ...(cursor === null ? {} : { cursor }) });
    const page: Json = (await attempt(world, operation, { query: `?${query}` })).json;
    assert.ok(page.items !== undefined, JSON.stringify(page));
    const ids: string[] = page.items.map((item: { id: string }) => idOf(name, item.id));
    met.push(...ids);
    const last = ids.at(-1);
    if (last !== undefined) await between(last);
    cursor = page.pageInfo.nextCursor;
  } while (cursor !== null);
  return met;
}

const walks = [
  ...['-createdAt', 'createdAt', '-updatedAt', 'updatedAt', 'title', '-title'].map((sort) => ({ sort })),
  // Each of the three ways of the text filter, see packages/server/src/kernel/pipeline/list/list.ts.
  { search: 'second', limit: '40' },
  { search: 'second', limit: '100' },
  { search: 'quetzal', limit: '10' },
];

for (const parameters of walks) {
  test(`a list by ${JSON.stringify(parameters)}, walked while records come and go, shows each that stays once`, async () => {
    const { rows: counted } = await client.query(
      'SELECT count(*)::integer FROM trellis.articles WHERE organization_id = $1',
      [server.organization.id],
    );
    await addCopies('articles', records - Number(counted[0]?.count));
    const site = idOf('sites', world.ids.get('sites') ?? '');
    const { rows: listed } = await client.query(
      `SELECT a.id FROM trellis.articles a
       WHERE a.site_id = $1 AND EXISTS (
         SELECT FROM trellis.search_records x WHERE x.record_id = a.id AND (x.names LIKE $2 OR x.others LIKE $2))
       ORDER BY md5(a.id::text)`,
      [site, `%${'search' in parameters ? parameters.search : ''}%`],
    );
    const before = listed.map(({ id }) => String(id));
    // The record that the copies are made from stays: without it no others would come.
    const template = idOf('articles', world.ids.get('articles') ?? '');
    assert.ok(before.length > 4 * turnover, `${before.length} records`);
    const doomed = before.slice(0, before.length / 2);
    const gone = new Set<string>();
    const met = await walk('listArticles', { limit: '100', ...parameters, fields: 'id' }, async (last) => {
      const leaving = [last, ...doomed.splice(0, turnover)].filter((id) => id !== template);
      for (const id of leaving) gone.add(id);
      await remove('articles', leaving);
      await addCopies('articles', turnover);
    });
    assert.equal(new Set(met).size, met.length, 'a record was shown twice');
    const shown = new Set(met);
    assert.deepEqual(
      before.filter((id) => !gone.has(id) && !shown.has(id)),
      [],
      'a record was passed over',
    );
    assert.ok(gone.size > turnover);
  });
}

test('a search walked page by page shows each match once, though the last one of each page goes', async () => {
  await addCopies('tags', 500);
  const title = 'security';
  const { rows: matches } = await client.query(
    `SELECT record_id AS id FROM trellis.search_records
     WHERE type = 'tag' AND parent_id = $1 AND names LIKE $2`,
    [idOf('sites', world.ids.get('sites') ?? ''), `%${title}%`],
  );
  assert.ok(matches.length > 500);
  const met = await walk('searchTags', { query: title, limit: '30' }, (last) => remove('tags', [last]));
  assert.deepEqual(met.sort(), matches.map(({ id }) => String(id)).sort());
});
