/** What is particular to companies: domains that are theirs, who stands above whom, and the contacts they leave. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, idsOf, succeed, tryValues, typesOf, write } from '../support/writes.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const companies = '/v1/crm/companies';
const contacts = '/v1/crm/contacts';

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

/** A chain of companies, each below the one before. */
async function createChain(length: number): Promise<Made[]> {
  const chain: Made[] = [];
  for (let level = 0; level < length; level += 1)
    chain.push(await createCompany({ parentCompanyId: chain.at(-1)?.id ?? null }));
  return chain;
}

test('a company of which only the name is given has every other member, empty', async () => {
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

test('a domain is kept bare, whatever it was pasted as', async () => {
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

test('a domain belongs to one company, link or not; who may read it is told which', async () => {
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
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      write(server, 'POST', companies, {
        body: { name: 'Racer', domains: [index % 2 === 0 ? 'race.example' : 'https://www.RACE.example/'] },
      }),
    ),
  );
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectRefusal(answer, 409, 'conflict', ['/domains/0']);
    assert.equal(answer.json.existingId, made[0]?.json.id);
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
    [['https://example.com/x', 'https://example.com/x']],
    ['example.com', 'mailto:a@b.example'],
  );
  await tryValues(
    server,
    path,
    'industry',
    [
      ['i'.repeat(120), 'i'.repeat(120)],
      [null, null],
    ],
    ['i'.repeat(121), ''],
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

test('no company stands above itself, at any distance', async () => {
  const [top, middle, bottom] = await createChain(3);
  assert.ok(top && middle && bottom);
  for (const parentCompanyId of [top.id, middle.id, bottom.id]) {
    const refused = await write(server, 'PATCH', top.path, { body: { parentCompanyId } });
    expectRefusal(refused, 422, 'validation_failed', ['/parentCompanyId']);
    assert.equal(refused.json.errors[0].code, 'cycle');
  }
  assert.deepEqual(await idsOf(server, `${companies}?parentCompanyId=${top.id}`), [middle.id]);
  await succeed(server, 'PATCH', middle.path, { parentCompanyId: null });
  await succeed(server, 'PATCH', top.path, { parentCompanyId: bottom.id });
  const absent = { parentCompanyId: 'com_01h455vb4pex5vsknk084sn02q' };
  const unknown = await write(server, 'PATCH', bottom.path, { body: absent });
  expectRefusal(unknown, 422, 'reference_not_found', ['/parentCompanyId']);
});

test('of two concurrent moves that would close a circle one is refused', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [left, right] = [await createChain(2), await createChain(2)];
    const moves = [
      [left, right],
      [right, left],
    ].map(([from, to]) =>
      write(server, 'PATCH', from?.[0]?.path ?? '', { body: { parentCompanyId: to?.[1]?.id } }),
    );
    const answers = await Promise.all(moves);
    const codes = answers.map(({ status }) => status).sort();
    assert.deepEqual(codes, [200, 422], answers.map(({ text }) => text).join('\n'));
    const refused = answers.find(({ status }) => status === 422);
    assert.equal(refused?.json.errors[0].code, 'cycle');
    assert.deepEqual(refused?.events, []);
  }
});

test('at most twenty levels stand above each other, whichever end grows', async () => {
  const chain = await createChain(20);
  const [top, bottom] = [chain[0], chain.at(-1)];
  assert.ok(top && bottom);
  const below = await write(server, 'POST', companies, { body: { name: 'x', parentCompanyId: bottom.id } });
  expectRefusal(below, 422, 'validation_failed', ['/parentCompanyId']);
  const single = await createCompany();
  const [upper, lower] = await createChain(2);
  assert.ok(upper && lower);
  const moves: [Made, string][] = [
    [single, bottom.id],
    [top, single.id],
    [upper, chain[18]?.id ?? ''],
  ];
  for (const [company, parentCompanyId] of moves) {
    const refused = await write(server, 'PATCH', company.path, { body: { parentCompanyId } });
    expectRefusal(refused, 422, 'validation_failed', ['/parentCompanyId']);
    assert.equal(refused.json.errors[0].code, 'too_deep');
  }
  await succeed(server, 'PATCH', single.path, { parentCompanyId: chain[18]?.id });
  await succeed(server, 'PATCH', upper.path, { parentCompanyId: chain[17]?.id });
});

test('a company that has others below it is not deleted, and tells how many', async () => {
  const [top, child] = await createChain(2);
  assert.ok(top && child);
  const second = await createCompany({ parentCompanyId: top.id });
  const contact = await create(server, contacts, { firstName: 'Ada', companies: [{ companyId: top.id }] });
  const used = await write(server, 'DELETE', top.path);
  expectRefusal(used, 409, 'in_use');
  // The contact is no obstacle: it would be unlinked.
  assert.deepEqual(used.json.usedBy, [{ resource: 'companies', count: 2 }]);
  assert.deepEqual(await read(`${contacts}/${contact.id}`), contact);
  await succeed(server, 'DELETE', child.path);
  await succeed(server, 'PATCH', second.path, { parentCompanyId: null });
  assert.deepEqual(typesOf(await succeed(server, 'DELETE', top.path)), [
    'contact.updated',
    'company.deleted',
  ]);
});

test('deleting a company takes it out of its contacts, each told of before it', async () => {
  const [gone, kept] = [await createCompany(), await createCompany()];
  const companiesOf = [
    [{ companyId: gone.id, role: 'CEO', isPrimary: true }],
    [{ companyId: kept.id }, { companyId: gone.id }],
    [{ companyId: gone.id }, { companyId: kept.id, role: 'Board', isPrimary: true }],
  ];
  const linked: Json[] = [];
  for (const list of companiesOf)
    linked.push(await create(server, contacts, { firstName: 'Ada', companies: list }));
  const other = await create(server, contacts, { firstName: 'Eve', companies: [{ companyId: kept.id }] });
  const deleted = await succeed(server, 'DELETE', gone.path);
  assert.deepEqual(typesOf(deleted), [
    'contact.updated',
    'contact.updated',
    'contact.updated',
    'company.deleted',
  ]);
  assert.equal(deleted.events.at(-1)?.subject, gone.id);
  const told = deleted.events.slice(0, -1);
  assert.deepEqual(told.map(({ subject }) => subject).sort(), linked.map(({ id }) => id).sort());
  for (const { version, changedFields } of told) {
    assert.equal(version, 2);
    assert.deepEqual(changedFields, ['companies']);
  }
  for (const contact of linked) {
    const now = await read(`${contacts}/${contact.id}`);
    const companiesLeft = contact.companies.filter(({ companyId }: Json) => companyId !== gone.id);
    assert.deepEqual(now, { ...contact, companies: companiesLeft, version: 2, updatedAt: now.updatedAt });
    assert.ok(now.updatedAt >= contact.updatedAt);
  }
  assert.deepEqual(await read(`${contacts}/${other.id}`), other);
  assert.deepEqual(await idsOf(server, `${contacts}?companyId=${gone.id}`), []);
});

test('contacts that are linked while their company is deleted are unlinked or refused, never left behind', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, path } = await createCompany();
    const contact = await create(server, contacts, { firstName: 'Ada' });
    const [linked, created, deleted] = await Promise.all([
      write(server, 'PATCH', `${contacts}/${contact.id}`, { body: { companies: [{ companyId: id }] } }),
      write(server, 'POST', contacts, { body: { firstName: 'New', companies: [{ companyId: id }] } }),
      write(server, 'DELETE', path),
    ]);
    assert.equal(deleted.status, 204, deleted.text);
    let unlinked = 0;
    for (const answer of [linked, created]) {
      if (answer.status === 422) {
        expectRefusal(answer, 422, 'reference_not_found');
        continue;
      }
      assert.ok(answer.status === 200 || answer.status === 201, answer.text);
      unlinked += 1;
      assert.deepEqual((await read(`${contacts}/${answer.json.id}`)).companies, []);
    }
    assert.equal(deleted.events.length, unlinked + 1);
  }
});

test('companies are found by name, domain and number, and only one’s own', async () => {
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
});

test('a sparse record has whole members that were asked for', async () => {
  const revenue = { amount: '7', currency: 'CHF' };
  const { id, path } = await createCompany({ annualRevenue: revenue, domains: ['sparse.example'] });
  const sparse = await read(`${path}?fields=annualRevenue,domains`);
  assert.deepEqual(sparse, { id, domains: ['sparse.example'], annualRevenue: revenue });
});
