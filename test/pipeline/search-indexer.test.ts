/** The indexer of long texts: coalesced, complete after any number of kills, fair between organizations, never stale. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { startIndexer } from '@trellis/server/pipeline/indexer.ts';
import { createModels } from '@trellis/server/resources/models.ts';
import pg from 'pg';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { indexMarked } from '../support/indexing.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { isSoak } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { create, idsOf, succeed } from '../support/writes.ts';

/** All of them take some minutes. */
const kills = isSoak ? 100 : 10;

let server: TestServer;
let admin: pg.Client;
let articles: string;

before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  const site = await create(server, '/v1/sites', { name: 'Indexed', key: 'indexed' });
  articles = `/v1/sites/${site.id}/articles`;
});
after(async () => {
  await admin?.end();
  await server?.close();
});

async function count(table: string): Promise<number> {
  const { rows } = await admin.query(`SELECT count(*)::integer AS count FROM trellis.${table}`);
  return rows[0].count;
}

function article(title: string, body: string) {
  return create(server, articles, { versionData: { title, body } });
}

test('many changes of one record leave one mark, and the last text is found, the earlier ones are not', async () => {
  const { id } = await article('Coalesced', 'firstbody');
  for (let number = 0; number < 5; number += 1)
    await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { body: `laterbody${number}` } });
  assert.equal(await count('search_marks'), 1);
  await indexMarked(server.database);
  assert.equal(await count('search_marks'), 0);
  assert.deepEqual(await idsOf(server, `${articles}?search=laterbody4`), [id]);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=laterbody4`), [id]);
  for (const gone of ['firstbody', 'laterbody3']) {
    assert.deepEqual(await idsOf(server, `${articles}?search=${gone}`), []);
    assert.deepEqual(await idsOf(server, `${articles}/search?query=${gone}`), []);
  }
});

test('what is written only once its record has changed marks nothing: a title without a body, and a status', async () => {
  const { id } = await create(server, articles, { versionData: { title: 'Titled' } });
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Retitled' } });
  await succeed(server, 'PATCH', `${articles}/${id}`, { articleData: { featured: true } });
  assert.equal(await count('search_marks'), 0);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=retitled`), [id]);
});

test('a word may stand in the title and another one in the body, also after the title has changed', async () => {
  const { id } = await article('Harbour', 'lanterns');
  await indexMarked(server.database);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=harbour lantern`), [id]);
  await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { title: 'Seaport' } });
  await indexMarked(server.database);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=seaport lantern`), [id]);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=harbour lantern`), []);
  assert.deepEqual(await idsOf(server, `${articles}/search?query=seaport -lanterns`), []);
});

test('a deleted record leaves nothing, also when it is deleted before it was indexed', async () => {
  const { id } = await article('Doomed', 'ephemeral');
  await succeed(server, 'DELETE', `${articles}/${id}`);
  await indexMarked(server.database);
  for (const table of ['search_records', 'search_texts', 'search_bodies', 'search_marks']) {
    const { rows } = await admin.query(
      `SELECT FROM trellis.${table} t WHERE t::text LIKE '%doomed%' OR t::text LIKE '%ephemeral%'`,
    );
    assert.equal(rows.length, 0, table);
  }
});

test('an indexer that read a text before it changed neither takes the mark of the change nor the place of what came after', async () => {
  const { worker, api } = server.database;
  for (const isOvertaken of [false, true]) {
    const word = `overtaken${isOvertaken}`;
    const { id } = await article('Overtaken', `old${word}`);
    let changed = false;
    const slow = Object.assign(Object.create(api), {
      query: async (...args: Parameters<typeof api.query>) => {
        const result = await api.query(...args);
        if (!changed) {
          changed = true;
          await succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { body: `new${word}` } });
          if (isOvertaken) await indexMarked(server.database);
        }
        return result;
      },
    });
    const options = { worker, api: slow, models: createModels(), log: () => undefined };
    const indexer = startIndexer(options);
    try {
      await until('the change came between', () => changed);
    } finally {
      await indexer.stop();
    }
    await indexMarked(server.database);
    assert.deepEqual(await idsOf(server, `${articles}?search=new${word}`), [id]);
    assert.deepEqual(await idsOf(server, `${articles}?search=old${word}`), []);
  }
});

test('one refusal of a connection puts off all texts of the organization that were claimed', async () => {
  const { worker, api } = server.database;
  for (let number = 0; number < 3; number += 1) await article(`Busy ${number}`, `busyword${number}`);
  const refusedFor: string[] = [];
  const refusing = Object.assign(Object.create(api), {
    query: async (...args: Parameters<typeof api.query>) => {
      refusedFor.push(args[0].organizationId);
      throw new Problem('overloaded');
    },
  });
  const options = { worker, api: refusing, models: createModels(), log: () => undefined };
  const indexer = startIndexer(options);
  await until('the indexer has tried', () => refusedFor.length > 0);
  await indexer.stop();
  assert.equal(refusedFor.length, 1, 'one refusal puts off all that was claimed');
  assert.equal(await count('search_marks'), 3);
  await indexMarked(server.database);
  assert.equal(await count('search_marks'), 0);
});

interface Killable {
  kill(): Promise<void>;
}

/** An indexer in a process of its own, which tells of each mark that it has taken. */
async function startIndexerProcess(): Promise<Killable> {
  const child = spawn(
    process.execPath,
    ['test/support/indexer-process.ts', server.database.urls.worker, server.database.urls.api],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return {
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test(`${kills} kills of the indexer at any moment: every body is found, none twice, none stale`, async () => {
  const written: { id: string; word: string }[] = [];
  for (let round = 0; round < kills; round += 1) {
    const indexer = await startIndexerProcess();
    const bodies = Array.from({ length: 4 }, (_, index) => `killed${round}x${index}`);
    const made = await Promise.all(bodies.map((word) => article(`Round ${round}`, `stale ${word}`)));
    await Promise.all(
      made.map(({ id }, index) =>
        succeed(server, 'PATCH', `${articles}/${id}`, { versionData: { body: `fresh ${bodies[index]}` } }),
      ),
    );
    made.forEach(({ id }, index) => void written.push({ id, word: bodies[index] ?? '' }));
    // Somewhere between the first look at the marks and the last one of them.
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 200));
    await indexer.kill();
  }
  const last = await startIndexerProcess();
  try {
    await until('no mark is left', async () => (await count('search_marks')) === 0);
  } finally {
    await last.kill();
  }
  for (const { id, word } of written)
    assert.deepEqual(await idsOf(server, `${articles}?search=${word}`), [id]);
  assert.deepEqual(await idsOf(server, `${articles}?search=stale`), []);
  const { rows } = await admin.query(
    `SELECT record_id FROM trellis.search_bodies GROUP BY record_id HAVING count(*) > 1`,
  );
  assert.deepEqual(rows, []);
});

test('an organization with many marks does not delay another one with few', async () => {
  const { worker, api } = server.database;
  const other = await createOrganization(worker, 'few-marks');
  const { token } = await createToken(worker, other, await createMember(worker, other, 'OWNER'));
  for (let number = 0; number < 40; number += 1) await article(`Many ${number}`, 'many');
  const site = await server.call('POST', '/v1/sites', { token, body: { name: 'Few', key: 'few' } });
  const few = await server.call('POST', `/v1/sites/${site.json.id}/articles`, {
    token,
    body: { versionData: { title: 'Few', body: 'few' } },
  });
  assert.equal(few.status, 201, few.text);
  const finished: string[] = [];
  // Which organization's marks go first tells who was served when.
  const indexer = startIndexer({
    worker,
    api: Object.assign(Object.create(api), {
      transaction: async (...args: Parameters<typeof api.transaction>) => {
        const result = await api.transaction(...args);
        finished.push(args[0].organizationId);
        return result;
      },
    }),
    models: createModels(),
    log: () => undefined,
  });
  try {
    await until('all is indexed', async () => (await count('search_marks')) === 0);
  } finally {
    await indexer.stop();
  }
  const place = finished.indexOf(other.id);
  assert.ok(place >= 0 && place <= 32, `served after ${place} records of another organization`);
});
