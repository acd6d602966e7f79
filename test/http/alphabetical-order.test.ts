/** Lists in alphabetical order: as people expect, and exact while they are read in pages, whatever the titles are made of. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { compareAlphabetically } from '@trellis/schema/values/text.ts';
import pg from 'pg';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { create } from '../support/writes.ts';

let server: TestServer;
let admin: pg.Client;
before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin?.end();
  await server?.close();
});

async function makeSite(key: string): Promise<{ readonly path: string; readonly uuid: string }> {
  const { id } = await create(server, '/v1/sites', { name: key, key });
  const { rows } = await admin.query('SELECT id FROM trellis.sites WHERE key = $1', [key]);
  return { path: `/v1/sites/${id}`, uuid: rows[0].id };
}

test('words before accents and case, and digits by their value', async () => {
  const { path } = await makeSite('order');
  const sorted = [
    '',
    '"Über" uns',
    '2',
    '10',
    'Ägypten',
    'Apfel',
    'Äpfel',
    'issue 2',
    'Issue 2',
    'issue 10',
    'Zimmer',
    'Ωmega',
    'Яблоко',
    '東京',
  ].filter((name) => name !== '');
  for (const name of sorted.toReversed())
    await create(server, `${path}/tags`, { name, slug: `s-${newUuid()}` });
  for (const [sort, expected] of [
    ['name', sorted],
    ['-name', sorted.toReversed()],
  ] as const) {
    const { json } = await server.call('GET', `${path}/tags?sort=${sort}&fields=name`);
    assert.deepEqual(
      json.items.map(({ name }: { name: string }) => name),
      expected,
    );
  }
  assert.deepEqual(sorted.toReversed().sort(compareAlphabetically), sorted);
});

/** Letters with cases, accents and expansions, digits of several scripts, marks that combine, signs, and what lies beyond 16 bits. */
const parts = [
  ...'abcABCzZäÄàáâßéÉøŁıIİﬁÆœñ',
  ...'0123456789',
  '00',
  '٣',
  '२',
  '２',
  '½',
  '²',
  ...'ΑαβΩжЖяйעבأهकखกขあアｱがが漢字中',
  '\u0301',
  '\u0308',
  '\u0323',
  '\u00ad',
  '\u200d',
  '\u2028',
  '\t',
  ...' -–—_.,:;!?"\'’«»()[]/\\&@#%+*',
  '🙂',
  '👩‍🚀',
  '𝔄',
  '\u{10ffff}',
  '\ue000',
  '가',
  'ᄀ',
  'ㄱ',
];

/** Those whose order all versions of ICU agree on. */
const plain = [...'abcABCzZäÄàéÉøñ0123456789ΑαβΩжЖя -_.,:!?()&@#'];

function makeTitles(random: () => number, count: number, alphabet: readonly string[]): string[] {
  const pick = () => alphabet[Math.floor(random() * alphabet.length)] ?? '';
  // Short ones, so that many differ by little or not at all.
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, pick).join(''),
  );
}

/** Writes tags by the database, which takes a moment for thousands. */
async function writeTags(siteId: string, names: readonly string[]): Promise<void> {
  await admin.query(
    `INSERT INTO trellis.tags (organization_id, site_id, id, version, created_at, updated_at, name, slug)
     SELECT $1, $2, gen_random_uuid(), 1, now(), now(), n, 's' || i FROM unnest($3::text[]) WITH ORDINALITY u (n, i)`,
    [server.organization.id, siteId, names],
  );
}

async function readSorted(siteId: string): Promise<{ readonly id: string; readonly name: string }[]> {
  const { rows } = await admin.query<{ id: string; name: string }>(
    'SELECT id, name FROM trellis.tags WHERE site_id = $1 ORDER BY name COLLATE trellis.alphabetical, id',
    [siteId],
  );
  return rows.map(({ id, name }) => ({ id: encodeId('tag', id), name }));
}

interface Listed {
  readonly id: string;
  readonly name: string;
}

/** Reads a list page by page. @param between called after each page */
async function readPages(
  path: string,
  sort: string,
  limit: number,
  between: () => Promise<void> = async () => undefined,
): Promise<Listed[]> {
  const read: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, json, text } = await server.call(
      'GET',
      `${path}/tags?sort=${sort}&limit=${limit}&fields=name${after}`,
    );
    assert.equal(status, 200, text);
    read.push(...json.items);
    cursor = json.pageInfo.nextCursor;
    await between();
  }
  return read;
}

test('pages of any size, forward and backward, are the list as the database sorts it', async (context) => {
  const { path, uuid } = await makeSite('pages');
  const titles = makeTitles(seededNumbers(chooseSeed(context)), amount(1_000, 5_000), parts);
  await writeTags(uuid, titles);
  const expected = await readSorted(uuid);
  assert.equal(expected.length, titles.length);
  for (const limit of [7, 100]) {
    assert.deepEqual(await readPages(path, 'name', limit), expected);
    assert.deepEqual(await readPages(path, '-name', limit), expected.toReversed());
  }
});

test('where all versions of ICU agree, the order is that of the browser', async (context) => {
  const { path, uuid } = await makeSite('browser');
  await writeTags(uuid, makeTitles(seededNumbers(chooseSeed(context)), amount(1_000, 5_000), plain));
  const names = (await readPages(path, 'name', 100)).map(({ name }) => name);
  assert.deepEqual(names, names.toSorted(compareAlphabetically));
});

test('what is neither changed nor deleted while pages are read is in them once, in its order', async (context) => {
  const { path, uuid } = await makeSite('changes');
  const random = seededNumbers(chooseSeed(context));
  const titles = makeTitles(random, amount(600, 5_000), parts);
  await writeTags(uuid, titles);
  for (const [sort, limit] of [
    ['name', 13],
    ['-name', 50],
  ] as const) {
    const before = await readSorted(uuid);
    const touched = new Set<string>();
    const read = await readPages(path, sort, limit, async () => {
      // Deletes one, changes one, and adds one, wherever they are.
      const { rows } = await admin.query<{ id: string }>(
        `WITH chosen AS (SELECT id FROM trellis.tags WHERE site_id = $1 ORDER BY md5(id::text || $2) LIMIT 2),
           gone AS (DELETE FROM trellis.tags t USING (SELECT id FROM chosen LIMIT 1) c WHERE t.site_id = $1 AND t.id = c.id RETURNING t.id),
           changed AS (UPDATE trellis.tags t SET name = $3 FROM chosen c WHERE t.site_id = $1 AND t.id = c.id
             AND t.id NOT IN (SELECT id FROM gone) RETURNING t.id)
         SELECT id FROM chosen`,
        [uuid, String(random()), titles[Math.floor(random() * titles.length)]],
      );
      for (const { id } of rows) touched.add(encodeId('tag', id));
      await admin.query(
        `INSERT INTO trellis.tags (organization_id, site_id, id, version, created_at, updated_at, name, slug)
         VALUES ($1, $2, gen_random_uuid(), 1, now(), now(), $3, $4)`,
        [server.organization.id, uuid, titles[Math.floor(random() * titles.length)], `s-${newUuid()}`],
      );
    });
    const known = new Set(before.map(({ id }) => id));
    const untouched = ({ id }: Listed) => known.has(id) && !touched.has(id);
    const expected = before.filter(untouched);
    assert.ok(expected.length > before.length / 2 && touched.size > 10);
    assert.deepEqual(read.filter(untouched), sort === 'name' ? expected : expected.toReversed());
  }
});
