/** Tests of the fields of issues: title, number and date, transitions, and the list of articles. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMember, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, idsOf, succeed, tryValues, typesOf, write } from '../support/writes.ts';

let server: TestServer;
/** Two sites: an issue brings articles of any site together. */
let sites: readonly [string, string];
let magazine: string;

before(async () => {
  server = await startTestServer();
  const first = await create(server, '/v1/sites', { name: 'First', key: 'first' });
  const second = await create(server, '/v1/sites', { name: 'Second', key: 'second' });
  sites = [`/v1/sites/${first.id}/articles`, `/v1/sites/${second.id}/articles`];
  magazine = await createMagazine();
});
after(() => server.close());

const statuses = ['PLANNED', 'IN_PRODUCTION', 'PUBLISHED', 'ARCHIVED'] as const;
type Status = (typeof statuses)[number];

/** PLANNED → IN_PRODUCTION → PUBLISHED → ARCHIVED; PUBLISHED → IN_PRODUCTION is a recall. */
const allowed: Readonly<Record<Status, readonly Status[]>> = {
  PLANNED: ['IN_PRODUCTION'],
  IN_PRODUCTION: ['PUBLISHED'],
  PUBLISHED: ['ARCHIVED', 'IN_PRODUCTION'],
  ARCHIVED: [],
};

async function createMagazine(): Promise<string> {
  return `/v1/magazines/${(await create(server, '/v1/magazines', { title: 'A magazine' })).id}`;
}

let numbers = 0;

/** Creates an issue in production with a new number. */
async function createIssue(body: object = {}): Promise<string> {
  numbers += 1;
  const given = { number: `n${numbers}`, status: 'IN_PRODUCTION', ...body };
  return `${magazine}/issues/${(await create(server, `${magazine}/issues`, given)).id}`;
}

async function issueAt(status: Status): Promise<string> {
  if (status === 'PLANNED') return createIssue({ status });
  const path = await createIssue();
  if (status !== 'IN_PRODUCTION') await succeed(server, 'PATCH', path, { status: 'PUBLISHED' });
  if (status === 'ARCHIVED') await succeed(server, 'PATCH', path, { status });
  return path;
}

interface Article {
  readonly id: string;
  readonly path: string;
}

async function createArticle(site: 0 | 1): Promise<Article> {
  const { id } = await create(server, sites[site], { versionData: { title: 'An article' } });
  return { id, path: `${sites[site]}/${id}` };
}

function contentsOf(articles: readonly Article[]): { articleId: string }[] {
  return articles.map(({ id }) => ({ articleId: id }));
}

async function read(path: string): Promise<Json> {
  const response = await server.call('GET', path);
  assert.equal(response.status, 200, response.text);
  return response.json;
}

test('an issue with only a number has all other members, empty', async () => {
  const created = await create(server, `${await createMagazine()}/issues`, { number: '3-4' });
  const { id, magazineId, version, createdAt, updatedAt, createdBy, updatedBy, ...members } = created;
  assert.match(id, /^iss_/);
  assert.match(magazineId, /^mag_/);
  assert.equal(version, 1);
  assert.equal(createdAt, updatedAt);
  assert.equal(createdBy, updatedBy);
  assert.deepEqual(members, {
    externalId: null,
    importId: null,
    volume: null,
    number: '3-4',
    year: null,
    title: null,
    coverDate: null,
    publicationDate: null,
    pageCount: null,
    doi: null,
    coverFileId: null,
    fileIds: [],
    accessStatus: null,
    openAccessDate: null,
    contents: [],
    status: 'PLANNED',
  });
});

test('an issue always has a title, a number or a cover date', async () => {
  const bare = { volume: '1', year: 2026, publicationDate: '2026' };
  const refused = await write(server, 'POST', `${magazine}/issues`, { body: bare });
  expectRefusal(refused, 422, 'validation_failed', ['/title']);
  const names: readonly Readonly<Record<string, string>>[] = [
    { title: 'The sea' },
    { number: 'iii' },
    { coverDate: 'Spring 2026' },
  ];
  for (const [index, name] of names.entries()) {
    const path = `${magazine}/issues/${(await create(server, `${magazine}/issues`, { ...name, volume: `only ${index}` })).id}`;
    const cleared = Object.fromEntries(Object.keys(name).map((field) => [field, null]));
    const last = await write(server, 'PATCH', path, { body: cleared });
    expectRefusal(last, 422, 'validation_failed', ['/title']);
    await succeed(server, 'PATCH', path, { ...cleared, title: 'x', coverDate: 'y' });
    await succeed(server, 'PATCH', path, { title: null });
  }
});

test('every field is checked', async () => {
  const path = await createIssue();
  await tryValues(
    server,
    path,
    'year',
    [
      [1500, 1500],
      [2200, 2200],
      [null, null],
    ],
    [1499, 2201, 2026.5, '2026'],
  );
  for (const field of ['volume', 'number'])
    await tryValues(
      server,
      path,
      field,
      [
        ['iii', 'iii'],
        [' 3-4 ', '3-4'],
      ],
      ['x'.repeat(33), 4],
    );
  await tryValues(server, path, 'volume', [['', null]], []);
  await tryValues(
    server,
    path,
    'title',
    [
      ['T', 'T'],
      [' ', null],
    ],
    ['x'.repeat(501)],
  );
  await tryValues(server, path, 'coverDate', [['Frühjahr 2026', 'Frühjahr 2026']], ['x'.repeat(65), 2026]);
  for (const field of ['publicationDate', 'openAccessDate'])
    await tryValues(
      server,
      path,
      field,
      [
        ['2024-02-29', '2024-02-29'],
        ['2027', '2027'],
      ],
      ['2023-02-29', '2027-13'],
    );
  await tryValues(
    server,
    path,
    'pageCount',
    [
      [1, 1],
      [20_000, 20_000],
    ],
    [0, 20_001, '96'],
  );
  await tryValues(server, path, 'doi', [['https://doi.org/10.1000/X', '10.1000/x']], ['10.1000']);
  await tryValues(
    server,
    path,
    'accessStatus',
    [
      ['OPEN', 'OPEN'],
      ['SUBSCRIPTION', 'SUBSCRIPTION'],
      [null, null],
    ],
    ['FREE'],
  );
  for (const status of statuses) {
    const body = { number: `created ${status}`, status };
    const response = await write(server, 'POST', `${magazine}/issues`, { body });
    if (status === 'PLANNED' || status === 'IN_PRODUCTION') assert.equal(response.status, 201, response.text);
    else expectRefusal(response, 422, 'validation_failed', ['/status']);
  }
});

test('every transition of the table is allowed, and any other is refused with the allowed ones', async () => {
  for (const from of statuses) {
    for (const to of statuses) {
      const path = await issueAt(from);
      const held = await read(path);
      const response = await write(server, 'PATCH', path, { body: { status: to } });
      const label = `${from} to ${to}: ${response.text}`;
      if (from === to) {
        assert.equal(response.json.version, held.version, label);
        assert.deepEqual(response.events, [], label);
      } else if (allowed[from].includes(to)) {
        assert.equal(response.status, 200, label);
        assert.equal(response.json.status, to, label);
        assert.deepEqual(
          typesOf(response),
          [to === 'PUBLISHED' ? 'issue.published' : 'issue.updated'],
          label,
        );
      } else {
        expectRefusal(response, 409, 'invalid_transition', ['/status']);
        assert.deepEqual(response.json.allowed, allowed[from], label);
        assert.deepEqual(await read(path), held, label);
      }
    }
  }
});

test('roles that may only read make no transitions', async () => {
  const { worker } = server.database;
  for (const role of ['AUTHOR', 'VIEWER'] as const) {
    const userId = await createMember(worker, server.organization, role);
    const { token } = await createToken(worker, server.organization, userId);
    for (const from of statuses) {
      const path = await issueAt(from);
      for (const to of allowed[from]) {
        const refused = await write(server, 'PATCH', path, { token, body: { status: to } });
        expectRefusal(refused, 403, 'permission_denied');
      }
    }
  }
});

test('contents keep their order and pages, name each article once, and only articles of the organization', async () => {
  const [first, second] = [await createArticle(0), await createArticle(1)];
  const entries = [
    { articleId: first.id, section: 'Letters', pageStart: 'iv', pageEnd: '12' },
    { articleId: second.id, section: null, pageStart: null, pageEnd: null },
  ];
  const path = await createIssue({ contents: [entries[0], { articleId: second.id }] });
  assert.deepEqual((await read(path)).contents, entries);
  const turned = await succeed(server, 'PATCH', path, { contents: [...entries].reverse() });
  assert.deepEqual(turned.json.contents, [...entries].reverse());
  assert.deepEqual(
    turned.events.map(({ changedFields }) => changedFields),
    [['contents']],
  );
  const same = await succeed(server, 'PATCH', path, { contents: [...entries].reverse() });
  assert.deepEqual(same.events, []);
  const repeated = [...contentsOf([first, second, first]), { articleId: second.id, section: 'Again' }];
  const twice = await write(server, 'PATCH', path, { body: { contents: repeated } });
  expectRefusal(twice, 422, 'validation_failed', ['/contents/2/articleId', '/contents/3/articleId']);
  const absent = [
    { articleId: first.id },
    { articleId: 'art_01h455vb4pex5vsknk084sn02q' },
    { articleId: 'x' },
  ];
  const unknown = await write(server, 'PATCH', path, { body: { contents: absent.slice(0, 2) } });
  expectRefusal(unknown, 422, 'reference_not_found', ['/contents/1/articleId']);
  const malformed = await write(server, 'PATCH', path, { body: { contents: absent.slice(2) } });
  expectRefusal(malformed, 422, 'reference_not_found', ['/contents/0/articleId']);
  const page = await write(server, 'PATCH', path, {
    body: { contents: [{ articleId: first.id, pageStart: 12 }] },
  });
  expectRefusal(page, 422, 'validation_failed', ['/contents/0/pageStart']);
  assert.deepEqual(await idsOf(server, `${magazine}/issues?articleId=${first.id}`), [turned.json.id]);
});

test('an article in issues is not deleted, and the error has the number of issues', async () => {
  const article = await createArticle(0);
  const paths = [await createIssue({ contents: contentsOf([article]) }), await createIssue()];
  await succeed(server, 'PATCH', paths[1] ?? '', { contents: contentsOf([article]) });
  for (const [index, count] of [2, 1].entries()) {
    const used = await write(server, 'DELETE', article.path);
    expectRefusal(used, 409, 'in_use');
    assert.deepEqual(used.json.usedBy, [{ resource: 'issues', count }]);
    const path = paths[index] ?? '';
    if (index === 0) await succeed(server, 'PATCH', path, { contents: [] });
    else assert.deepEqual(typesOf(await succeed(server, 'DELETE', path)), ['issue.deleted']);
  }
  assert.deepEqual(typesOf(await succeed(server, 'DELETE', article.path)), ['article.deleted']);
});

test('the usage of an article names its issues in all magazines, and nothing to who may not read issues', async () => {
  const [article, other] = [await createArticle(0), await createArticle(1)];
  const waters = await create(server, '/v1/magazines', { title: 'Waters' });
  const winds = await create(server, '/v1/magazines', { title: 'Winds' });
  const contents = contentsOf([other, article]);
  const status = 'IN_PRODUCTION';
  const spring = await create(server, `/v1/magazines/${waters.id}/issues`, { number: '4', contents, status });
  const storm = await create(server, `/v1/magazines/${winds.id}/issues`, { title: 'Storm', contents });
  for (const { path } of [article, other])
    await succeed(server, 'PATCH', path, { versionData: { status: 'PUBLISHED' } });
  await succeed(server, 'PATCH', `/v1/magazines/${waters.id}/issues/${spring.id}`, { status: 'PUBLISHED' });
  const usage = (token?: string) =>
    server.call('GET', `${article.path}/usage`, token === undefined ? {} : { token });
  const origin = `http://localhost:${new URL(server.url).port}`;
  assert.deepEqual((await usage()).json, {
    items: [
      {
        type: 'issue',
        id: spring.id,
        url: `${origin}/v1/magazines/${waters.id}/issues/${spring.id}`,
        title: '4',
        published: true,
        preventsDeletion: true,
      },
      {
        type: 'issue',
        id: storm.id,
        url: `${origin}/v1/magazines/${winds.id}/issues/${storm.id}`,
        title: 'Storm',
        published: false,
        preventsDeletion: true,
      },
    ],
    hasMore: false,
  });
  const { worker } = server.database;
  const scopes = ['articles:read', 'sites:read'];
  const blind = await createToken(worker, server.organization, server.ownerId, { scopes });
  assert.deepEqual((await usage(blind.token)).json, { items: [], hasMore: false });
  const unseen = await createToken(worker, server.organization, server.ownerId, { scopes: ['issues:read'] });
  assert.equal((await usage(unseen.token)).status, 403);
  await succeed(server, 'PATCH', `/v1/magazines/${winds.id}/issues/${storm.id}`, { contents: [] });
  assert.deepEqual(
    (await usage()).json.items.map(({ title }: Json) => title),
    ['4'],
  );
  const elsewhere = article.path.replace(sites[0], sites[1]);
  assert.equal((await server.call('GET', `${elsewhere}/usage`)).status, 404);
});

test('two issues with only a title: the refusal says what both lack, and which issue it is', async () => {
  const collection = `${await createMagazine()}/issues`;
  const first = await create(server, collection, { title: 'The sea' });
  const refused = await server.call('POST', collection, { body: { title: 'The land' } });
  assert.equal(refused.status, 409);
  assert.equal(refused.json.code, 'conflict');
  assert.equal(
    refused.json.detail,
    'Another issue of this magazine has no year, volume and number either. Give a year, volume or number to tell them apart.',
  );
  assert.equal(refused.json.existingId, first.id);
  assert.deepEqual(
    refused.json.errors.map(({ pointer }: Json) => pointer),
    ['/year', '/volume', '/number'],
  );
  await create(server, collection, { title: 'The land', year: 2026 });
  const partly = await server.call('POST', collection, { body: { title: 'The sky', year: 2026 } });
  assert.match(partly.json.detail, /has this year and no volume and number either\. Give a volume or number/);
  assert.match(partly.json.errors[0].detail, /already taken/);
  assert.match(partly.json.errors[2].detail, /a number tells them apart/);
  await create(server, collection, { title: 'The sky', year: 2026, volume: '1', number: '2' });
  const whole = await server.call('POST', collection, { body: { year: 2026, volume: '1', number: '2' } });
  assert.equal(whole.json.detail, 'Another record already has this year, volume and number.');
  assert.deepEqual(whole.json.errors, [
    { pointer: '/number', code: 'conflict', detail: 'This value is already taken.' },
  ]);
});
