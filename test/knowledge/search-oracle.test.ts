/**
 * Searches and lists of many files with different visibility, compared with a search that is too simple to be wrong: every
 * user finds all visible files and no others, and hidden files have no effect.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@trellis/schema/resources/limits.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { compareAlphabetically, withinOneEdit } from '@trellis/schema/values/text.ts';
import pg from 'pg';
import { createMember, createToken } from '../support/identities.ts';
import {
  idOf,
  insertFiles,
  matches,
  maySee,
  type PlannedFile,
  planFiles,
  type Question,
  type Reader,
  vocabulary,
  wordsOf,
  writeQuestion,
} from '../support/many-files.ts';
import { readUploads } from '../support/pictures.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { untilNone } from '../support/until.ts';

const seed = chooseSeed();
const counts = {
  inserted: amount(900, 4_800),
  throughApi: amount(60, 200),
  withContent: amount(10, 20),
  hidden: amount(200, 1_000),
};

interface Member extends Reader {
  readonly token: string;
}

let server: TestServer;
let admin: pg.Client;
let members: Member[];
/** Nobody's search is made as this one. */
let outsider: Member;
let files: PlannedFile[];
let throughApi: PlannedFile[];

before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  members = [];
  for (const role of ['ADMIN', 'EDITOR', 'AUTHOR', 'VIEWER'] as const) members.push(await join(role));
  outsider = await join('EDITOR');
  const random = seededNumbers(seed);
  const startMs = Date.now() - 86_400_000;
  files = planFiles(counts.inserted, random, [...members, outsider], startMs);
  await insertFiles(admin, server.organization.id, files);
  const owners = members.filter(({ role }) => role === 'ADMIN' || role === 'EDITOR');
  throughApi = await createThroughApi(planFiles(counts.throughApi, random, owners, startMs));
  files.push(...throughApi);
  await admin.query(
    'ANALYZE trellis.search_records, trellis.search_bodies, trellis.knowledge_files, trellis.knowledge_pages',
  );
});
after(async () => {
  await admin?.end();
  await server?.close();
});

async function join(role: 'ADMIN' | 'EDITOR' | 'AUTHOR' | 'VIEWER'): Promise<Member> {
  const uuid = await createMember(server.database.worker, server.organization, role);
  const { token } = await createToken(server.database.worker, server.organization, uuid);
  return { uuid, role, token };
}

/** Creates files through the API; the first few with one page get it as content, the others have no content. */
async function createThroughApi(planned: readonly PlannedFile[]): Promise<PlannedFile[]> {
  const extraction = await readUploads(server);
  try {
    const made: PlannedFile[] = [];
    let left = counts.withContent;
    for (const file of planned) {
      const hasContent = left > 0 && file.pages.length === 1;
      if (hasContent) left -= 1;
      const pages = hasContent ? file.pages : [];
      const { json } = await createOne(file, pages[0]);
      const { createdAt, updatedAt } = json;
      made.push({ ...file, uuid: decodeId('kf', json.id) ?? '', createdAt, updatedAt, pages, paged: false });
    }
    assert.equal(left, 0);
    await untilNone('texts to extract', async () => {
      const { rows } = await admin.query('SELECT count(*)::int AS jobs FROM trellis.extraction_jobs');
      return rows[0].jobs;
    });
    const { rows } = await admin.query('SELECT id, updated_at FROM trellis.knowledge_files');
    const updates = new Map(rows.map((row) => [row.id, row.updated_at.toISOString()]));
    return made.map((file) => ({ ...file, updatedAt: updates.get(file.uuid) }));
  } finally {
    await extraction.stop();
  }
}

async function createOne(file: PlannedFile, content: string | undefined): Promise<{ json: Json }> {
  const owner = members.find(({ uuid }) => uuid === file.owner);
  const response = await server.call('POST', '/v1/knowledge-files', {
    token: owner?.token ?? null,
    body: {
      name: file.name,
      description: file.description,
      tags: file.tags,
      visibility: file.visibility,
      allowedUserIds: file.allowedUsers.map((uuid) => encodeId('user', uuid)),
      allowedRoles: file.allowedRoles,
      ...(content === undefined ? {} : { content }),
    },
  });
  assert.equal(response.status, 201, response.text);
  return response;
}

/** The items of all pages in order. */
async function walk(member: Member, path: string, limit: number): Promise<Json[]> {
  const items: Json[] = [];
  let cursor = '';
  do {
    const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`;
    const response = await server.call('GET', `${path}${query}`, { token: member.token });
    assert.equal(response.status, 200, response.text);
    items.push(...response.json.items);
    const { nextCursor } = response.json.pageInfo;
    cursor = nextCursor === null ? '' : `&cursor=${encodeURIComponent(nextCursor)}`;
  } while (cursor !== '');
  return items;
}

const find = (member: Member, query: string, limit = 100) =>
  walk(member, `/v1/knowledge-files/search?query=${encodeURIComponent(query)}`, limit);

const { common, medium, rare, phrase, filler } = vocabulary;
const [m0 = '', m1 = '', m2 = '', m3 = ''] = medium;
const [f0 = '', f1 = '', f2 = ''] = filler;

const questions: readonly Question[] = [
  { words: [common] },
  ...medium.slice(0, 4).map((word) => ({ words: [word] })),
  ...rare.map((word) => ({ words: [word] })),
  ...rare.slice(0, 3).map((word) => ({ words: [word, common] })),
  ...filler.slice(0, 3).map((word) => ({ words: [word] })),
  { words: [m0, m1] },
  { words: [m2, m3, common] },
  { words: [f0, m1] },
  { phrase },
  { phrase: phrase.toReversed() },
  { phrase, words: [m0] },
  { phrase, without: [m0] },
  { words: phrase },
  { prefix: 'axo' },
  { prefix: 'fillera' },
  { words: [m0], prefix: 'h' },
  { words: [f1], prefix: 'rep' },
  { words: [m0], without: [common] },
  { words: [m0], without: [m1] },
  { words: [m0, m1], without: [f2] },
  { without: [common, ...medium.slice(0, 6)] },
  { words: [m0], without: [m1, m2] },
  { either: [rare[0] ?? '', rare[1] ?? ''] },
  { words: [rare[2] ?? ''], without: [f0] },
  { words: ['notes', m3] },
  { words: ['unheardof'] },
  { words: [common, 'unheardof'] },
];

const newestOf = (member: Member, count: number) =>
  inOrder(
    files.filter((file) => maySee(file, member)),
    '-createdAt',
  ).slice(0, count);

/** Of more matches than are ranked, at least those among the newest 200 files are found, and nothing that does not match. */
function checkSome(ids: readonly string[], expected: readonly string[], member: Member, text: string): void {
  const matches = new Set(expected);
  const wrong = ids.filter((id) => !matches.has(id));
  assert.deepEqual(wrong, [], `${member.role}: ${text}`);
  const missing = newestOf(member, 200).filter((id) => matches.has(id) && !ids.includes(id));
  assert.deepEqual(missing, [], `${member.role}: ${text}`);
  assert.ok(ids.length >= 50, `${member.role} ${text}: ${ids.length} of ${expected.length}`);
}

test(`every search finds what its user may see, once, best first, seed ${seed}`, async () => {
  let hits = 0;
  for (const question of questions) {
    const text = writeQuestion(question);
    const found = files.filter((file) => matches(wordsOf(file), question));
    const all = await Promise.all(
      members.map(async (member) => ({ member, items: await find(member, text) })),
    );
    for (const { member, items } of all) {
      let expected = found.filter((file) => maySee(file, member)).map(idOf);
      if (Object.keys(question).join() === 'without') {
        // Nothing must be there that an index could find: the newest are looked at.
        const newest = new Set(newestOf(member, limits.searchCandidates));
        expected = expected.filter((id) => newest.has(id));
      }
      const ids = items.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, `${member.role} ${text}: something came twice`);
      if (expected.length > limits.searchCandidates) checkSome(ids, expected, member, text);
      else assert.deepEqual(ids.toSorted(), expected.toSorted(), `${member.role}: ${text}`);
      items.forEach(({ score }, index) => {
        const next = items[index + 1]?.score ?? 0;
        assert.ok(score >= next, `${member.role} ${text}: ${next} after ${score}`);
      });
      hits += ids.length;
    }
  }
  assert.ok(hits > counts.inserted, 'hardly anything was found');
});

test('small pages give the same results as large ones', async () => {
  const [member] = members;
  assert.ok(member !== undefined);
  for (const text of [`"${phrase.join(' ')}"`, `"${m0}" -${m1}`]) {
    assert.deepEqual(await find(member, text, 23), await find(member, text), text);
  }
});

test('a word with a typo finds names that the user may see, and no others', async () => {
  let hits = 0;
  for (const word of rare) {
    const typed = `${word.slice(0, 4)}${word.slice(5)}`;
    for (const member of members) {
      const ids = (await find(member, typed)).map(({ id }) => id);
      const expected = files.filter(
        (file) =>
          maySee(file, member) && file.name.split(' ').some((candidate) => withinOneEdit(typed, candidate)),
      );
      assert.deepEqual(ids.toSorted(), expected.map(idOf).toSorted(), `${member.role}: ${typed}`);
      hits += ids.length;
    }
  }
  assert.ok(hits > counts.inserted / 240, 'hardly anything was found');
});

const sorts: Readonly<Record<string, (file: PlannedFile) => string>> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  name: ({ name }) => name,
};

/** Ids sorted by key, then by id. All keys are ASCII. */
function inOrder(list: readonly PlannedFile[], sort: string): string[] {
  const key = sorts[sort.replace('-', '')];
  if (key === undefined) throw new Error(sort);
  const sorted = list
    .toSorted((a, b) => compareAlphabetically(key(a), key(b)) || (a.uuid < b.uuid ? -1 : 1))
    .map(idOf);
  return sort.startsWith('-') ? sorted.reverse() : sorted;
}

/** Names and descriptions contain a text; the words of contents begin with it. */
const finds = (file: PlannedFile, text: string) =>
  `${file.name}\n${file.description ?? ''}`.includes(text) ||
  wordsOf(file).some((word) => word.startsWith(text));
const middle = () => files.map(({ updatedAt }) => updatedAt).sort()[Math.floor(files.length / 2)] ?? '';

function listCases(): readonly (readonly [query: string, holds: (file: PlannedFile) => boolean])[] {
  const owner = members[1]?.uuid ?? '';
  const since = middle();
  return [
    ['search=axol', (file) => finds(file, 'axol')],
    [`search=${m0}`, (file) => finds(file, m0)],
    ['search=notes&tag=policy', (file) => finds(file, 'notes') && file.tags.includes('policy')],
    ['status=PENDING_UPLOAD', ({ pages }) => pages.length === 0],
    ['status=READY&visibility=PRIVATE', (file) => file.pages.length > 0 && file.visibility === 'PRIVATE'],
    [`ownerUserId=${encodeId('user', owner)}`, (file) => file.owner === owner],
    [
      `updatedSince=${since}&visibility=RESTRICTED`,
      (file) => file.updatedAt >= since && file.visibility === 'RESTRICTED',
    ],
    ['tag=policy', ({ tags }) => tags.includes('policy')],
  ];
}

test('every list has what its user may see, in order, while visibility changes concurrently', async () => {
  // Other files that become visible and hidden, and are in none of the lists below.
  const churning = planFiles(20, seededNumbers(7), [outsider], Date.now());
  const own = churning.map((file): PlannedFile => ({ ...file, name: 'churn', description: null, tags: [] }));
  await insertFiles(admin, server.organization.id, own);
  const isOther = ({ name }: Json) => name !== 'churn';
  const ids = new Set(own.map(idOf));
  let running = true;
  let changes = 0;
  const writer = (async () => {
    while (running) {
      for (const id of ids) {
        const visibility = changes % 2 === 0 ? 'ORGANIZATION' : 'PRIVATE';
        const body = { visibility };
        const response = await server.call('PATCH', `/v1/knowledge-files/${id}`, {
          token: outsider.token,
          body,
        });
        assert.equal(response.status, 200, response.text);
        changes += 1;
      }
      changes += 1;
    }
  })();
  try {
    const names = Object.keys(sorts).flatMap((name) => [name, `-${name}`]);
    for (const [index, [query, holds]] of listCases().entries()) {
      for (const [number, member] of members.entries()) {
        for (const sort of names.filter((_, place) => (place + index + number) % 3 === 0)) {
          const items = await walk(member, `/v1/knowledge-files?sort=${sort}&${query}`, 100);
          const expected = files.filter((file) => maySee(file, member) && holds(file));
          assert.deepEqual(
            items.filter(isOther).map(({ id }) => id),
            inOrder(expected, sort),
            `${member.role}: ${query}, ${sort}`,
          );
        }
      }
    }
  } finally {
    running = false;
    await writer;
  }
  assert.ok(changes > 20, 'nobody changed anything');
  await admin.query(
    `DELETE FROM trellis.search_records s USING trellis.knowledge_files f
     WHERE s.organization_id = f.organization_id AND s.record_id = f.id AND f.name = 'churn'`,
  );
  await admin.query(`DELETE FROM trellis.knowledge_files WHERE name = 'churn'`);
});

test('files written into the tables are equal to those created through the API', async () => {
  const copies = throughApi.map((file, index) => ({ ...file, uuid: idLike(file.uuid, index) }));
  await insertFiles(admin, server.organization.id, copies);
  try {
    const original = await rowsOf(throughApi);
    assert.deepEqual(await rowsOf(copies), original);
    assert.ok(original.some(({ pages }) => pages !== null && pages.length === 1));
  } finally {
    const ids = copies.map(({ uuid }) => uuid);
    await admin.query('DELETE FROM trellis.search_records WHERE record_id = ANY ($1)', [ids]);
    await admin.query('DELETE FROM trellis.knowledge_files WHERE id = ANY ($1)', [ids]);
  }
});

function idLike(uuid: string, index: number): string {
  return `${uuid.slice(0, 24)}${index.toString(16).padStart(12, '0')}`;
}

/** All columns of files in the tables, except individual ones such as ids. */
async function rowsOf(list: readonly PlannedFile[]): Promise<Json[]> {
  const { rows } = await admin.query(
    `SELECT to_jsonb(f) - '{id,sha256,created_by,updated_at}'::text[] AS file,
        to_jsonb(e) - 'record_id' AS entry,
        (SELECT jsonb_agg(to_jsonb(p) - 'file_id' ORDER BY page, part) FROM trellis.knowledge_pages p
         WHERE p.file_id = f.id) AS pages,
        (SELECT jsonb_agg(to_jsonb(r) - 'record_id' ORDER BY reader) FROM trellis.search_readers r
         WHERE r.record_id = f.id) AS readers,
        (SELECT jsonb_agg(to_jsonb(b) - 'record_id') FROM trellis.search_bodies b WHERE b.record_id = f.id) AS bodies,
        (SELECT jsonb_agg(tag ORDER BY tag) FROM trellis.knowledge_file_tags t WHERE t.knowledge_file_id = f.id) AS tags
      FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, place)
      JOIN trellis.knowledge_files f USING (id)
      JOIN trellis.search_records e ON e.record_id = f.id ORDER BY place`,
    [list.map(({ uuid }) => uuid)],
  );
  assert.equal(rows.length, list.length);
  return rows;
}

test("adding files that a user may not see does not change a byte of that user's results", async () => {
  const queries = [
    ...questions.slice(1).map(writeQuestion),
    // With typos: names of hidden files are never compared.
    ...rare.map((word) => `${word.slice(0, 4)}${word.slice(5)}`),
  ];
  const resultsOf = async () => {
    const ask = async (member: Member) => {
      const all: Json[] = [];
      for (const text of queries) {
        const path = `/v1/knowledge-files/search?limit=50&query=${encodeURIComponent(text)}`;
        const { json } = await server.call('GET', path, { token: member.token });
        all.push([member.role, text, json.items, json.pageInfo.hasNextPage]);
      }
      for (const query of ['search=axol', 'search=fillera', `search=${m0}&sort=name`]) {
        const { json } = await server.call('GET', `/v1/knowledge-files?limit=50&${query}`, {
          token: member.token,
        });
        all.push([member.role, query, json.items, json.pageInfo.hasNextPage]);
      }
      return all.map((result) => JSON.stringify(result));
    };
    return (await Promise.all(members.map(ask))).flat();
  };
  const beforehand = await resultsOf();
  const hidden = planFiles(counts.hidden, seededNumbers(seed + 1), [outsider], Date.now()).map(
    (file, index): PlannedFile => ({
      ...file,
      visibility: file.visibility === 'ORGANIZATION' ? 'PRIVATE' : file.visibility,
      // Full of matching words, and newer than everything.
      name: `${rare[index % rare.length]} ${file.name}`,
      allowedRoles: [],
      allowedUsers: [outsider.uuid],
    }),
  );
  await insertFiles(admin, server.organization.id, hidden);
  await admin.query(
    'ANALYZE trellis.search_records, trellis.search_bodies, trellis.knowledge_files, trellis.knowledge_pages',
  );
  assert.deepEqual(await resultsOf(), beforehand);
  const mine = await find(outsider, `${rare[0]}`);
  assert.ok(mine.length > counts.hidden / 20, 'the new files are not found by their owner either');
});
