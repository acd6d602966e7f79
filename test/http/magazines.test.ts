/** Tests of magazines: ISSNs, transitions, and start and end dates. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMember, createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, idsOf, succeed, tryValues, typesOf, write } from '../support/writes.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const magazines = '/v1/magazines';
const statuses = ['PLANNED', 'ACTIVE', 'SUSPENDED', 'CEASED'] as const;
type Status = (typeof statuses)[number];

/** PLANNED → ACTIVE ↔ SUSPENDED → CEASED. */
const allowed: Readonly<Record<Status, readonly Status[]>> = {
  PLANNED: ['ACTIVE'],
  ACTIVE: ['SUSPENDED'],
  SUSPENDED: ['ACTIVE', 'CEASED'],
  CEASED: [],
};

async function createMagazine(body: object = {}): Promise<string> {
  return `${magazines}/${(await create(server, magazines, { title: 'A magazine', ...body })).id}`;
}

/** A magazine is created with the status that it has in the world, so none needs moves to get there. */
function magazineAt(status: Status): Promise<string> {
  return createMagazine({ status, endDate: '2024' });
}

test('a magazine with only a title has all other members, empty', async () => {
  const { id, version, createdAt, updatedAt, createdBy, updatedBy, ...members } = await create(
    server,
    magazines,
    { title: 'Nature' },
  );
  assert.match(id, /^mag_/);
  assert.equal(version, 1);
  assert.equal(createdAt, updatedAt);
  assert.equal(createdBy, updatedBy);
  assert.deepEqual(members, {
    externalId: null,
    importId: null,
    title: 'Nature',
    abbreviatedTitle: null,
    description: null,
    language: null,
    publisher: null,
    websiteUrl: null,
    coverFileId: null,
    issnPrint: null,
    issnOnline: null,
    frequency: null,
    startDate: null,
    endDate: null,
    status: 'PLANNED',
  });
});

test('the check digit of an ISSN is verified, and the printed form is stored', async () => {
  const path = await createMagazine();
  for (const field of ['issnPrint', 'issnOnline']) {
    await tryValues(
      server,
      path,
      field,
      [
        ['0028-0836', '0028-0836'],
        ['03785955', '0378-5955'],
        ['2434-561x', '2434-561X'],
        [' 0028 0836 ', '0028-0836'],
        ['', null],
      ],
      ['0028-0837', '0028-0863', '0028-083', '0028-08366', '2434-5610', 'X028-0836', 'ISSN', 280836],
    );
  }
});

test('dates, frequencies, addresses and texts are checked', async () => {
  const path = await createMagazine();
  const wrongDates = ['2023-02-29', '2023-13', '23', 1869];
  await tryValues(
    server,
    path,
    'startDate',
    [
      ['1869-11-04', '1869-11-04'],
      ['1869', '1869'],
      ['', null],
    ],
    wrongDates,
  );
  await tryValues(
    server,
    path,
    'endDate',
    [
      ['2024-02-29', '2024-02-29'],
      [null, null],
    ],
    wrongDates,
  );
  const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'ANNUAL', 'IRREGULAR', null];
  await tryValues(
    server,
    path,
    'frequency',
    frequencies.map((value) => [value, value]),
    ['SOMETIMES', 'daily', ''],
  );
  await tryValues(
    server,
    path,
    'websiteUrl',
    [
      ['https://www.nature.com/', 'https://www.nature.com/'],
      ['http://example.com/a?b#c', 'http://example.com/a?b#c'],
    ],
    ['javascript:alert(1)', 'ftp://example.com/', '//example.com', 'example.com'],
  );
  await tryValues(
    server,
    path,
    'language',
    [
      ['PT-br', 'pt-BR'],
      ['', null],
    ],
    ['pt_BR'],
  );
  await tryValues(server, path, 'title', [['Ｎ', 'Ｎ']], ['', ' ', null, 'x'.repeat(501)]);
});

test('a magazine cannot end before it started', async () => {
  const right = [
    ['2020-05', '2020'],
    ['2020', '2020-01-01'],
    ['2020-05-01', '2020-05-01'],
    ['1999', '2020'],
  ];
  for (const [startDate, endDate] of right) await createMagazine({ startDate, endDate });
  const wrong = [
    ['2020-05', '2019'],
    ['2020', '2019-12-31'],
    ['2020-05-02', '2020-05-01'],
    ['2020-05-02', '2020-04'],
  ];
  for (const [startDate, endDate] of wrong) {
    const body = { title: 'x', startDate, endDate };
    const refused = await write(server, 'POST', magazines, { body });
    expectRefusal(refused, 422, 'validation_failed', ['/endDate']);
  }
  const path = await createMagazine({ startDate: '2010', endDate: '2020' });
  const later = await write(server, 'PATCH', path, { body: { startDate: '2021' } });
  expectRefusal(later, 422, 'validation_failed', ['/endDate']);
});

test('a magazine is created with any status, and changes it by allowed transitions only', async () => {
  for (const from of statuses) {
    for (const to of statuses) {
      const path = await magazineAt(from);
      const held = await server.call('GET', path);
      const response = await write(server, 'PATCH', path, { body: { status: to } });
      const label = `${from} to ${to}: ${response.text}`;
      if (from === to) {
        assert.equal(response.json.version, 1, label);
        assert.deepEqual(response.events, [], label);
      } else if (allowed[from].includes(to)) {
        assert.equal(response.status, 200, label);
        assert.equal(response.json.status, to, label);
        assert.deepEqual(typesOf(response), ['magazine.updated'], label);
      } else {
        expectRefusal(response, 409, 'invalid_transition', ['/status']);
        assert.deepEqual(response.json.allowed, allowed[from], label);
        assert.deepEqual((await server.call('GET', path)).json, held.json, label);
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
      const path = await magazineAt(from);
      for (const to of allowed[from]) {
        const refused = await write(server, 'PATCH', path, { token, body: { status: to } });
        expectRefusal(refused, 403, 'permission_denied');
      }
      expectRefusal(await write(server, 'DELETE', path, { token }), 403, 'permission_denied');
    }
  }
});

test('a ceased magazine always has an end date', async () => {
  const ceased = { title: 'x', status: 'CEASED' };
  const pointers = ['/endDate'];
  expectRefusal(await write(server, 'POST', magazines, { body: ceased }), 422, 'validation_failed', pointers);
  const path = await createMagazine({ status: 'SUSPENDED' });
  const undated = await write(server, 'PATCH', path, { body: { status: 'CEASED' } });
  expectRefusal(undated, 422, 'validation_failed', pointers);
  const dated = await succeed(server, 'PATCH', path, { status: 'CEASED', endDate: '2024-06' });
  assert.deepEqual(dated.events[0]?.changedFields, ['endDate', 'status']);
  const cleared = await write(server, 'PATCH', path, { body: { endDate: null } });
  expectRefusal(cleared, 422, 'validation_failed', pointers);
  await succeed(server, 'PATCH', path, { endDate: '2024' });
});

test('an ISSN is unique in print and online, and the conflict names the magazine if the caller may read it', async () => {
  const first = await create(server, magazines, {
    title: 'First',
    issnPrint: '0317-8471',
    issnOnline: '1050-124X',
  });
  const owner = await createToken(server.database.worker, server.organization, server.ownerId, {
    scopes: ['magazines:write'],
  });
  const second = await createMagazine({ issnPrint: '1144-875X' });
  for (const field of ['issnPrint', 'issnOnline']) {
    for (const issn of ['0317-8471', '03178471', '1050-124x']) {
      const body = { title: 'Second', [field]: issn };
      for (const [method, path] of [
        ['POST', magazines],
        ['PATCH', second],
      ] as const) {
        const taken = await write(server, method, path, { body });
        expectRefusal(taken, 409, 'conflict', [`/${field}`]);
        assert.equal(taken.json.field, field);
        assert.equal(taken.json.existingId, first.id);
        const unread = await write(server, method, path, { body, token: owner.token });
        expectRefusal(unread, 409, 'conflict', [`/${field}`]);
        assert.equal(unread.json.field, field);
        assert.equal('existingId' in unread.json, false);
      }
    }
  }
  const both = await write(server, 'POST', magazines, {
    body: { title: 'x', issnPrint: '2049-3630', issnOnline: '03178471' },
  });
  expectRefusal(both, 409, 'conflict', ['/issnOnline']);
});

test('the two ISSNs of a magazine differ, can be swapped, and are free once they are removed', async () => {
  const [print, online] = ['0000-0019', '0000-0027'];
  const path = await createMagazine({ issnPrint: print, issnOnline: online });
  const same = await write(server, 'PATCH', path, { body: { issnOnline: '00000019' } });
  expectRefusal(same, 422, 'validation_failed', ['/issnOnline']);
  const swapped = await succeed(server, 'PATCH', path, { issnPrint: online, issnOnline: print });
  assert.deepEqual([swapped.json.issnPrint, swapped.json.issnOnline], [online, print]);
  assert.deepEqual(typesOf(swapped), ['magazine.updated']);
  assert.deepEqual(swapped.events[0]?.changedFields, ['issnPrint', 'issnOnline']);
  const { id } = swapped.json;
  for (const issn of [print, online])
    assert.deepEqual(await idsOf(server, `${magazines}?issn=${issn}`), [id]);
  const moved = await succeed(server, 'PATCH', path, { issnPrint: null, issnOnline: online });
  assert.deepEqual([moved.json.issnPrint, moved.json.issnOnline], [null, online]);
  assert.deepEqual(await idsOf(server, `${magazines}?issn=${print}`), []);
  assert.deepEqual(await idsOf(server, `${magazines}?issn=0000%200027`), [id]);
  const heir = await createMagazine({ issnPrint: print });
  await succeed(server, 'DELETE', path);
  await succeed(server, 'PATCH', heir, { issnOnline: online });
  const wrong = await server.call('GET', `${magazines}?issn=0000-0018`);
  assert.equal(wrong.status, 400, wrong.text);
});

test('of twenty concurrent creates with the same ISSN, in print and online, one succeeds', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      write(server, 'POST', magazines, {
        body: { title: `Race ${index}`, [index % 2 === 0 ? 'issnPrint' : 'issnOnline']: '0000-0035' },
      }),
    ),
  );
  const made = responses.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  for (const [index, response] of responses.entries()) {
    if (response.status === 201) continue;
    expectRefusal(response, 409, 'conflict', [index % 2 === 0 ? '/issnPrint' : '/issnOnline']);
    assert.equal(response.json.existingId, made[0]?.json.id);
  }
  assert.deepEqual(await idsOf(server, `${magazines}?search=Race`), [made[0]?.json.id]);
});

test('a magazine with issues is not deleted, and the error has the number of issues', async () => {
  const path = await createMagazine();
  const issues = [];
  for (const number of ['1', '2', '3']) {
    const issue = await create(server, `${path}/issues`, { number });
    issues.push(`${path}/issues/${issue.id}`);
  }
  const used = await write(server, 'DELETE', path);
  expectRefusal(used, 409, 'in_use');
  assert.deepEqual(used.json.usedBy, [{ resource: 'issues', count: 3 }]);
  for (const issue of issues) await succeed(server, 'DELETE', issue);
  assert.deepEqual(typesOf(await succeed(server, 'DELETE', path)), ['magazine.deleted']);
  assert.equal((await server.call('GET', path)).status, 404);
});

test('filters and search', async () => {
  const made = await create(server, magazines, {
    title: 'Zeitschrift für Physik',
    abbreviatedTitle: 'Z. Phys.',
    publisher: 'Springer',
    description: 'Quantenmechanik',
    status: 'SUSPENDED',
    language: 'de-at',
  });
  await runIndexJobs(server.database);
  const queries = [
    'language=de-AT',
    'status=SUSPENDED&search=FUR%20physik',
    'search=z.%20phys',
    'search=quanten',
  ];
  await runIndexJobs(server.database);
  for (const query of queries)
    assert.deepEqual(await idsOf(server, `${magazines}?${query}`), [made.id], query);
  for (const query of ['physik', 'springer', 'quantenmech'])
    assert.deepEqual(await idsOf(server, `${magazines}/search?query=${query}`), [made.id], query);
});
