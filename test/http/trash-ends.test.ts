/** Tests of the end of what is in the trash: by hand, by time and by erasing, and of what is in the way of nobody any more. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { purgeDueRecords } from '@trellis/server/features/trash/sweep.ts';
import { createModels } from '@trellis/server/features.ts';
import { TestArticles } from '../support/articles.ts';
import { startTestServer } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { idsOf, TestTrash, trash } from '../support/trash.ts';
import { create, expectRefusal, succeed, typesOf, write } from '../support/writes.ts';

const day = 86_400_000;
const server = await startTestServer();
const tables = await TenantTables.open(server.database);
after(async () => {
  await tables.close();
  await server.close();
});
const { list: listTrash, restore, restored, tokenOf } = new TestTrash(server);
let nudges = 0;
const sweepAt = (now: Date) =>
  purgeDueRecords({
    worker: server.database.worker,
    api: server.database.api,
    models: createModels(),
    nudge: () => {
      nudges += 1;
    },
    now,
  });

test('a purged record is gone for good', async () => {
  const { id } = await create(server, '/v1/books', { title: 'Purged' });
  await succeed(server, 'DELETE', `/v1/books/${id}`);
  const purged = await succeed(server, 'DELETE', `${trash}/${id}`);
  assert.deepEqual(purged.events, [{ type: 'book.purged', subject: id, version: 3, changedFields: [] }]);
  assert.equal((await restore(id)).status, 404);
  for (const unknown of [id, 'book_x', 'tok_01h455vb4pex5vsknk084sn02q', 'x'])
    expectRefusal(await write(server, 'DELETE', `${trash}/${unknown}`), 404, 'not_found');
});

test('a record whose time is over is hidden at once, and purged by the sweep', async () => {
  const { id } = await create(server, '/v1/books', { title: 'Due' });
  const later = await create(server, '/v1/books', { title: 'Not due' });
  await succeed(server, 'DELETE', `/v1/books/${id}`);
  await succeed(server, 'DELETE', `/v1/books/${later.id}`);
  await tables.run(`UPDATE trellis.trash SET purge_at = now() - interval '1 second' WHERE title = 'Due'`);
  assert.ok(!idsOf(await listTrash('&resource=books')).includes(id));
  assert.equal((await restore(id)).status, 404);
  nudges = 0;
  assert.equal(await sweepAt(new Date()), 1);
  assert.equal(nudges, 1);
  const events = await tables.run(
    `SELECT type, actor_user_id FROM trellis.outbox WHERE type = 'book.purged' ORDER BY occurred_at DESC LIMIT 1`,
  );
  assert.deepEqual(events, [{ type: 'book.purged', actor_user_id: null }]);
  assert.ok((await sweepAt(new Date(Date.now() + 29 * day))) === 0);
  assert.ok(idsOf(await listTrash('&resource=books')).includes(later.id));
  assert.ok((await sweepAt(new Date(Date.now() + 31 * day))) > 0);
  assert.deepEqual(await tables.run('SELECT FROM trellis.trash'), []);
});

test('what is erased leaves nothing behind, in no table', async () => {
  const marker = `Zephyrine-${randomUUID()}`;
  const key = randomUUID();
  const body = { lastName: marker, notes: `About ${marker}` };
  const made = await server.call('POST', '/v1/crm/contacts', { body, key });
  const path = `/v1/crm/contacts/${made.json.id}`;
  await succeed(server, 'PATCH', path, { notes: `More about ${marker}` });
  assert.notDeepEqual(await tablesWith(marker), []);
  const erased = await write(server, 'DELETE', `${path}?erase=true`);
  assert.equal(erased.status, 204, erased.text);
  assert.deepEqual(typesOf(erased), ['contact.deleted']);
  assert.deepEqual(await tablesWith(marker), []);
  assert.equal((await restore(made.json.id)).status, 404);
  assert.equal((await server.call('POST', '/v1/crm/contacts', { body, key })).status, 404);

  // What was deleted before is erased by purging it.
  const other = await create(server, '/v1/crm/contacts', body);
  await succeed(server, 'DELETE', `/v1/crm/contacts/${other.id}`);
  assert.deepEqual(await tablesWith(marker), ['trash']);
  await restored(other.id);
  await succeed(server, 'DELETE', `/v1/crm/contacts/${other.id}`);
  await succeed(server, 'DELETE', `${trash}/${other.id}`);
  assert.deepEqual(await tablesWith(marker), []);
});

test('a file is kept until it would have expired, and no longer', async () => {
  const expiresAt = new Date(Date.now() + 2 * day).toISOString();
  const [ending, staying] = await Promise.all(
    [{ expiresAt }, {}].map((more) => create(server, '/v1/knowledge-files', { name: 'Ending', ...more })),
  );
  assert.ok(ending !== undefined && staying !== undefined);
  for (const { id } of [ending, staying]) await succeed(server, 'DELETE', `/v1/knowledge-files/${id}`);
  const kept = new Map((await listTrash('&resource=knowledge-files')).map((one) => [one.id, one.purgeAt]));
  assert.equal(kept.get(ending.id), expiresAt);
  assert.ok(Date.parse(kept.get(staying.id)) > Date.now() + 29 * day);
  assert.equal((await restored(ending.id)).expiresAt, expiresAt);
});

test('what the caller may not see in the trash is in the way of nothing', async () => {
  const editor = await tokenOf('EDITOR');
  const as = { token: editor.token };
  const file = { name: 'Diary', visibility: 'PRIVATE' };
  const { id: coverFileId } = (await server.call('POST', '/v1/knowledge-files', { body: file, ...as })).json;
  const book = await server.call('POST', '/v1/books', {
    body: { title: 'Private cover', coverFileId },
    ...as,
  });
  const articles = await TestArticles.inNewSite(server, 'hidden-covers');
  const body = { versionData: { title: 'Private cover', coverFileId } };
  const article = await server.call('POST', articles.path, { body, ...as });
  for (const path of [
    `/v1/books/${book.json.id}`,
    `${articles.path}/${article.json.id}`,
    `/v1/knowledge-files/${coverFileId}`,
  ])
    assert.equal((await server.call('DELETE', path, as)).status, 204, path);
  for (const { json } of [book, article]) expectRefusal(await restore(json.id, as), 409, 'reference_gone');
  assert.equal((await restored(book.json.id)).coverFileId, null);
  assert.equal((await restored(article.json.id)).versionData.coverFileId, null);
  // As the response says.
  const stored = await server.call('GET', `${articles.path}/${article.json.id}`);
  assert.equal(stored.json.versionData.coverFileId, null);
});

test('a record that cannot be purged keeps no other from it', async () => {
  const ids: string[] = [];
  for (const title of ['Broken', 'Sound']) {
    const { id } = await create(server, '/v1/books', { title });
    await succeed(server, 'DELETE', `/v1/books/${id}`);
    ids.push(id);
  }
  await tables.run(
    `UPDATE trellis.trash SET purge_at = now() - interval '1 second',
       resource = CASE WHEN title = 'Broken' THEN 'pamphlets' ELSE resource END
     WHERE title IN ('Broken', 'Sound')`,
  );
  await assert.rejects(sweepAt(new Date()), AggregateError);
  const left = await tables.run(`SELECT title FROM trellis.trash WHERE title IN ('Broken', 'Sound')`);
  assert.deepEqual(left, [{ title: 'Broken' }]);
  await tables.run(`DELETE FROM trellis.trash WHERE title = 'Broken'`);
});

/** The tables of the schema in which some row contains a text. */
async function tablesWith(marker: string): Promise<string[]> {
  const names = await tables.run(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of names) {
    const rows = await tables.run(
      `SELECT FROM trellis.${name} t WHERE t::text ILIKE '%' || $1 || '%' OR t::text LIKE '%' || encode($1::bytea, 'hex') || '%' LIMIT 1`,
      [marker],
    );
    if (rows.length > 0) found.push(String(name));
  }
  return found;
}
