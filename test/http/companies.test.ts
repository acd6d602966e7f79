/** Tests of the fields of companies: domains, revenue, and search. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, idsOf, succeed, tryValues, write } from '../support/writes.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const companies = '/v1/crm/companies';

interface Made {
  readonly id: string;
  readonly path: string;
}

async function createCompany(body: object = {}): Promise<Made> {
  const { id } = await create(server, companies, { name: 'A company', ...body });
  return { id, path: `${companies}/${id}` };
}

async function read(path: string): Promise<Json> {
  const response = await server.call('GET', path);
  assert.equal(response.status, 200, response.text);
  return response.json;
}

test('a company with only a name has all other members, empty', async () => {
  const { id, version, createdAt, updatedAt, createdBy, updatedBy, ...members } = await create(
    server,
    companies,
    { name: 'Example Ltd' },
  );
  assert.match(id, /^com_/);
  assert.equal(version, 1);
  assert.equal(createdAt, updatedAt);
  assert.equal(createdBy, updatedBy);
  assert.deepEqual(members, {
    externalId: null,
    importId: null,
    name: 'Example Ltd',
    domains: [],
    websiteUrl: null,
    industry: null,
    employeeCount: null,
    annualRevenue: null,
    parentCompanyId: null,
    phones: [],
    addresses: [],
    ownerUserId: null,
    tags: [],
    lifecycleStage: null,
    description: null,
  });
});

test('a domain is stored without scheme, path and www.', async () => {
  const { path } = await createCompany();
  const links: [string, string][] = [
    ['Example.COM', 'example.com'],
    ['https://www.Example.com:8443/a/b?c=d#e', 'example.com'],
    ['http://example.com.', 'example.com'],
    ['//example.com/', 'example.com'],
    ['www.example.com', 'example.com'],
    ['shop.example.co.uk', 'shop.example.co.uk'],
    ['www.com', 'www.com'],
    ['https://Bücher.example/katalog', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ];
  await tryValues(
    server,
    path,
    'domains',
    [
      ...links.map(([given, kept]) => [[given], [kept]] as const),
      [
        ['b.example', 'a.example'],
        ['b.example', 'a.example'],
      ],
      [[], []],
    ],
    [
      ...[
        'example',
        'localhost',
        '127.0.0.1',
        'http://[::1]/',
        'a b.example',
        'exa_mple.com',
        '-a.example',
        '',
        '.',
        `${'a'.repeat(64)}.example`,
      ].map((domain) => [domain]),
      ['example.com', 'https://www.example.com/'],
      [7],
      'example.com',
      Array.from({ length: 21 }, (_, index) => `d${index}.example`),
    ],
  );
});

test('a domain is unique, also given as a link, and the conflict names the company if the caller may read it', async () => {
  const { token } = await createToken(server.database.worker, server.organization, server.ownerId, {
    scopes: ['crm.companies:write'],
  });
  const first = await createCompany({ domains: ['taken.example', 'https://bücher-taken.example'] });
  const second = await createCompany();
  for (const domain of [
    'TAKEN.example',
    'https://www.taken.example:443/about',
    'BÜCHER-taken.example',
    'xn--bcher-taken-thb.example',
  ]) {
    const domains = ['free.example', domain];
    const body = { name: 'Second', domains };
    for (const [method, path] of [
      ['POST', companies],
      ['PATCH', second.path],
    ] as const) {
      const taken = await write(server, method, path, { body });
      expectRefusal(taken, 409, 'conflict', ['/domains/1']);
      assert.equal(taken.json.field, 'domains');
      assert.equal(taken.json.existingId, first.id);
      const unread = await write(server, method, path, { body, token });
      expectRefusal(unread, 409, 'conflict', ['/domains/1']);
      assert.equal('existingId' in unread.json, false);
    }
  }
  for (const domain of ['taken.example', 'https://www.taken.example/x'])
    assert.deepEqual(await idsOf(server, `${companies}?domain=${encodeURIComponent(domain)}`), [first.id]);
  await succeed(server, 'PATCH', first.path, { domains: [] });
  assert.deepEqual(await idsOf(server, `${companies}?domain=taken.example`), []);
  await succeed(server, 'PATCH', second.path, { domains: ['taken.example'] });
});

test('of twenty concurrent creates with the same domain one succeeds', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      write(server, 'POST', companies, {
        body: { name: 'Racer', domains: [index % 2 === 0 ? 'race.example' : 'https://www.RACE.example/'] },
      }),
    ),
  );
  const made = responses.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  for (const response of responses.filter(({ status }) => status !== 201)) {
    expectRefusal(response, 409, 'conflict', ['/domains/0']);
    assert.equal(response.json.existingId, made[0]?.json.id);
  }
  assert.deepEqual(await idsOf(server, `${companies}?search=racer`), [made[0]?.json.id]);
});

test('the other fields are checked', async () => {
  const { path } = await createCompany();
  await tryValues(
    server,
    path,
    'name',
    [['É'.repeat(255), 'É'.repeat(255)]],
    ['', ' ', 'x'.repeat(256), null],
  );
  await tryValues(
    server,
    path,
    'employeeCount',
    [
      [0, 0],
      [10_000_000, 10_000_000],
      [null, null],
    ],
    [-1, 10_000_001, 1.5, '12'],
  );
  await tryValues(
    server,
    path,
    'websiteUrl',
    [
      ['https://example.com/x', 'https://example.com/x'],
      ['HTTPS://Bücher.example', 'https://xn--bcher-kva.example/'],
      ['', null],
    ],
    ['example.com', 'mailto:a@b.example'],
  );
  await tryValues(
    server,
    path,
    'industry',
    [
      ['i'.repeat(120), 'i'.repeat(120)],
      [' \n', null],
    ],
    ['i'.repeat(121)],
  );
  await tryValues(
    server,
    path,
    'lifecycleStage',
    [
      ['CUSTOMER', 'CUSTOMER'],
      [null, null],
    ],
    ['customer', 'NEW'],
  );
  await tryValues(server, path, 'tags', [[['Partner'], ['partner']]], [['a', 'A'], ['']]);
  const phone = { number: '+49 30 123456', country: null, label: null, isPrimary: true };
  await tryValues(
    server,
    path,
    'phones',
    [[[{ number: '+49 30 123456', isPrimary: true }], [{ ...phone, e164: '+4930123456' }]]],
    [
      [{ number: '030 123456' }],
      [{ number: '+49 30 123456', e164: '+4930123456' }],
      [phone, { ...phone, number: '+49 30 1234567' }],
    ],
  );
});

test('a patch merges into the annual revenue, and null clears it', async () => {
  const { path } = await createCompany();
  const currencyOnly = await write(server, 'PATCH', path, { body: { annualRevenue: { currency: 'EUR' } } });
  expectRefusal(currencyOnly, 422, 'validation_failed', ['/annualRevenue/amount']);
  const merges: [object | null, object | null][] = [
    [
      { amount: '1250000.50', currency: 'EUR' },
      { amount: '1250000.50', currency: 'EUR' },
    ],
    [{ amount: '7' }, { amount: '7', currency: 'EUR' }],
    [{ currency: 'CHF' }, { amount: '7', currency: 'CHF' }],
    [null, null],
  ];
  for (const [given, kept] of merges) {
    const patched = await succeed(server, 'PATCH', path, { annualRevenue: given });
    assert.deepEqual(patched.json.annualRevenue, kept);
    assert.deepEqual(
      patched.events.map(({ changedFields }) => changedFields),
      [['annualRevenue']],
    );
  }
  await succeed(server, 'PATCH', path, { annualRevenue: { amount: '7', currency: 'CHF' } });
  const unchanged = await succeed(server, 'PATCH', path, { annualRevenue: { amount: '7' } });
  assert.deepEqual(unchanged.events, []);
  await tryValues(
    server,
    path,
    'annualRevenue',
    [],
    [
      { amount: null },
      { amount: 7 },
      { amount: '-7' },
      { amount: '7,5' },
      { currency: 'HRK' },
      { currency: null },
      { amount: '7', per: 'year' },
      'CHF 7',
    ],
  );
  const half = await write(server, 'POST', companies, {
    body: { name: 'x', annualRevenue: { amount: '7' } },
  });
  expectRefusal(half, 422, 'validation_failed', ['/annualRevenue/currency']);
});

test('companies are found by name, domain and number, in the own organization only', async () => {
  const { worker } = server.database;
  const other = await createOrganization(worker, 'other-companies');
  const { token } = await createToken(worker, other, await createMember(worker, other, 'OWNER'));
  const body = {
    name: 'Größenwahn Aktiengesellschaft',
    domains: ['https://shop.größenwahn.example'],
    phones: [{ number: '+49 89 987654' }],
    description: 'Zeppeline',
  };
  const own = await create(server, companies, body);
  const theirs = await write(server, 'POST', companies, { token, body });
  assert.equal(theirs.status, 201, theirs.text);
  await runIndexJobs(server.database);
  const queries = [
    'grossenwahn',
    'shop.größenwahn.example',
    'https://www.größenwahn.example/impressum',
    'xn--grenwahn-rya3u.example',
    '+49 89 987654',
    '987654',
    'zeppeline',
  ];
  for (const query of queries) {
    const text = encodeURIComponent(query);
    for (const path of [`${companies}?search=${text}`, `${companies}/search?query=${text}`]) {
      assert.deepEqual(await idsOf(server, path), [own.id], path);
      assert.deepEqual(await idsOf(server, path, token), [theirs.json.id], path);
    }
  }
  // What a search excludes is looked for as it is typed: a host is no word of the filter behind a minus sign either.
  for (const query of ['-grossenwahn', '-shop.größenwahn.example', '-xn--grenwahn-rya3u.example'])
    assert.deepEqual(await idsOf(server, `${companies}?search=${encodeURIComponent(query)}`), [], query);
});

test('a sparse record has the selected members, whole or in part', async () => {
  const revenue = { amount: '7', currency: 'CHF' };
  const { id, path } = await createCompany({ annualRevenue: revenue, domains: ['sparse.example'] });
  const sparse = await read(`${path}?fields=annualRevenue,domains`);
  assert.deepEqual(sparse, { id, domains: ['sparse.example'], annualRevenue: revenue });
  // Dots reach inside of objects, and of each item of a list.
  await succeed(server, 'PATCH', path, { phones: [{ number: '+49 30 901820', label: 'Desk' }] });
  const inside = await read(`${path}?fields=annualRevenue.amount,phones.e164,phones.label,industry`);
  assert.deepEqual(inside, {
    id,
    industry: null,
    annualRevenue: { amount: revenue.amount },
    phones: [{ label: 'Desk', e164: '+4930901820' }],
  });
  const wrong = await server.call('GET', `${path}?fields=phones.e165`);
  assert.equal(wrong.status, 400);
  assert.match(wrong.json.detail, /Did you mean "phones.e164"\?/);
});
