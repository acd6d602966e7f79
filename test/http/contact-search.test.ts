/** Tests of finding contacts, by name, address and number in any notation, in one organization only. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create, idsOf, succeed, write } from '../support/writes.ts';

let server: TestServer;
let ada: string;
let bob: string;
/** A copy of each in another organization, and a token for it. */
let outsiderToken: string;

const contacts = '/v1/crm/contacts';

const people = [
  {
    firstName: 'Adélaïde',
    lastName: 'Łoś-Größe',
    jobTitle: 'Ingénieure',
    emails: [{ address: 'Ada.Losgrosse+crm@Mail.Bücher.example' }, { address: 'adel@work.test' }],
    phones: [{ number: '030 901820-17' }, { number: '(202) 555-0143', country: 'US' }],
    tags: ['VIP', 'Großkunde'],
  },
  {
    firstName: 'Bob',
    lastName: 'Builder',
    jobTitle: 'Carpenter & <joiner>',
    emails: [{ address: 'bob_builder@sub.example.co.uk' }],
    phones: [{ number: '+44 20 7946 0018' }],
    tags: ['vip'],
  },
];

before(async () => {
  server = await startTestServer();
  const { worker } = server.database;
  await worker.run(`UPDATE trellis.organizations SET default_country = 'DE' WHERE id = $1`, [
    server.organization.id,
  ]);
  [ada, bob] = (await Promise.all(
    people.map(async (person) => (await create(server, contacts, person)).id),
  )) as [string, string];
  const other = await createOrganization(worker, 'outsiders');
  await worker.run(`UPDATE trellis.organizations SET default_country = 'DE' WHERE id = $1`, [other.id]);
  outsiderToken = (await createToken(worker, other, await createMember(worker, other, 'OWNER'))).token;
});
after(() => server.close());

/** Asks the list's `search` filter and the search for the same. */
async function expectFound(query: string, ids: readonly string[], only?: 'filter' | 'search'): Promise<void> {
  const text = encodeURIComponent(query);
  const sorted = [...ids].sort();
  if (only !== 'search')
    assert.deepEqual((await idsOf(server, `${contacts}?search=${text}`)).sort(), sorted, `filter: ${query}`);
  if (only !== 'filter')
    assert.deepEqual(
      (await idsOf(server, `${contacts}/search?query=${text}`)).sort(),
      sorted,
      `search: ${query}`,
    );
}

test('by name, without accents, case or the end of the last word', async () => {
  const names = ['Adélaïde', 'adelaide', 'ADELA', 'los', 'Łoś-Größe', 'grosse', 'ingenieure', 'Adélaïde Łoś'];
  for (const query of names) await expectFound(query, [ada]);
  await expectFound('bob builder', [bob]);
  await expectFound('grosse adelaide', [ada], 'search');
  await expectFound('grosse ingenieure', [ada], 'search');
  await expectFound('adelaide builder', []);
  await expectFound('bob -builder', [], 'search');
});

test('by e-mail address: whole, its beginning, its local part, its parts, its domain in both scripts', async () => {
  const whole = [
    'Ada.Losgrosse+crm@Mail.Bücher.example',
    'ada.losgrosse+crm@mail.bücher.example',
    'ADA.LOSGROSSE+CRM@mail.xn--bcher-kva.example',
  ];
  for (const query of whole) await expectFound(query, [ada]);
  for (const query of [
    'ada.losgrosse+crm@mail',
    'ada.losgrosse',
    'ada.los',
    'losgrosse',
    'adel@work',
    'adel@',
  ])
    await expectFound(query, [ada]);
  for (const query of [
    'mail.bücher.example',
    'bücher.example',
    'mail.xn--bcher-kva.example',
    'xn--bcher-kva.example',
  ])
    await expectFound(query, [ada]);
  for (const query of ['work.test', 'https://work.test/team?x#y', 'www.work.test', 'WORK.test'])
    await expectFound(query, [ada]);
  for (const query of [
    'bob_builder@sub.example.co.uk',
    'bob_builder',
    'bob_b',
    'sub.example',
    'example.co.uk',
    'builder@sub',
  ])
    await expectFound(query, [bob]);
  for (const query of ['nobody@work.test', 'work.tests.example', 'adel@works']) await expectFound(query, []);
  for (const query of ['bob@example.co.uk', 'test.work']) await expectFound(query, [], 'filter');
  await expectFound('ada.losgrosse@mail.bücher.example', [], 'filter');
});

test('exact matches of an address rank before matches of its words', async () => {
  const exact = await create(server, contacts, { emails: [{ address: 'ada@rank.example' }] });
  const near = await create(server, contacts, { emails: [{ address: 'ada.smith@rank.example' }] });
  assert.deepEqual(await idsOf(server, `${contacts}/search?query=ada@rank.example`), [exact.id, near.id]);
  assert.deepEqual(await idsOf(server, `${contacts}?search=ada@rank.example`), [exact.id]);
  assert.ok((await idsOf(server, `${contacts}/search?query=ada@ra`)).includes(exact.id));
  for (const { id } of [exact, near]) await succeed(server, 'DELETE', `${contacts}/${id}`);
});

test('by phone number: national, international, in parts, in any notation', async () => {
  const adas = [
    '030 901820-17',
    '030/90182017',
    '(030) 901820 17',
    '+49 30 90182017',
    '0049 30 90182017',
    '+49 (0)30 901820-17',
    '+493090182017',
    '90182017',
    '901820',
    '182017',
    '030 9018',
    '+49 30 901',
    '+1 202 555 0143',
    '202-555-0143',
    '5550143',
    '555-01',
  ];
  for (const query of adas) await expectFound(query, [ada]);
  for (const query of ['+44 20 7946 0018', '7946 0018', '7946', '+44 20 79']) await expectFound(query, [bob]);
  for (const query of ['030 901820-18', '+49 31 90182017', '+1 901820', '5550144'])
    await expectFound(query, []);
});

test('an excluded number matches contacts without it', async () => {
  await expectFound('-5550143', [bob], 'search');
  await expectFound('-79460018', [ada], 'search');
  await expectFound('030 901820 -17', [ada]);
});

test('snippets show the matching words in the original text', async () => {
  const highlights = async (query: string, id: string): Promise<Json> => {
    const found = await server.call('GET', `${contacts}/search?query=${encodeURIComponent(query)}`);
    const hit = found.json.items.find((item: Json) => item.id === id);
    assert.ok(hit, found.text);
    assert.equal(hit.type, 'contact');
    assert.equal(hit.record.id, id);
    return hit.highlights;
  };
  assert.deepEqual(await highlights('adelaide ingen', ada), [
    { field: 'firstName', snippet: '<mark>Adélaïde</mark>' },
    { field: 'jobTitle', snippet: '<mark>Ingénieure</mark>' },
  ]);
  assert.deepEqual(await highlights('carp', bob), [
    { field: 'jobTitle', snippet: '<mark>Carpenter</mark> &amp; &lt;joiner&gt;' },
  ]);
  const [email] = await highlights('adel@work.test', ada);
  assert.equal(email.field, 'emails');
  assert.match(email.snippet, /<mark>adel<\/mark>@<mark>work<\/mark>\.<mark>test<\/mark>/);
});

test('filters match an address, a number and a label in any notation', async () => {
  const found: [string, string, string[]][] = [
    ['email', 'ADA.losgrosse+crm@mail.xn--bcher-kva.example', [ada]],
    ['email', 'ada.losgrosse+crm@mail.bücher.example', [ada]],
    ['email', 'ada.losgrosse@mail.bücher.example', []],
    ['phone', '030 90182017', [ada]],
    ['phone', '+49 (30) 901820-17', [ada]],
    ['phone', '+1 202 555 0143', [ada]],
    ['phone', '901820', []],
    ['phone', 'nobody', []],
    ['tag', 'vip', [ada, bob]],
    ['tag', 'VIP', [ada, bob]],
    ['tag', 'GROSSKUNDE', []],
    ['tag', 'Großkunde', [ada]],
    ['tag', 'vi', []],
  ];
  for (const [name, value, ids] of found) {
    const response = await idsOf(server, `${contacts}?${name}=${encodeURIComponent(value)}`);
    assert.deepEqual(response.sort(), [...ids].sort(), `${name}=${value}`);
  }
  // A plus sign that is not encoded means a space, and every number in international notation begins with one.
  assert.deepEqual(await idsOf(server, `${contacts}?phone=+49(30)90182017`), [ada]);
  const wrong = await server.call('GET', `${contacts}?email=nobody`);
  assert.equal(wrong.status, 400, wrong.text);
  const company = await create(server, '/v1/crm/companies', { name: 'Example' });
  await succeed(server, 'PATCH', `${contacts}/${bob}`, { companies: [{ companyId: company.id }] });
  assert.deepEqual(await idsOf(server, `${contacts}?companyId=${company.id}`), [bob]);
  assert.deepEqual(await idsOf(server, `${contacts}?companyId=com_01h455vb4pex5vsknk084sn02q`), []);
  await succeed(server, 'PATCH', `${contacts}/${bob}`, { companies: [] });
  assert.deepEqual(await idsOf(server, `${contacts}?companyId=${company.id}`), []);
});

test('removed details match nothing', async () => {
  const old = { address: 'former@gone.example' };
  const { id } = await create(server, contacts, {
    emails: [old],
    phones: [{ number: '+43 1 5858' }],
    tags: ['former'],
  });
  await expectFound('gone.example', [id]);
  await succeed(server, 'PATCH', `${contacts}/${id}`, {
    firstName: 'Nova',
    emails: [],
    phones: [],
    tags: [],
  });
  for (const query of ['former@gone.example', 'gone.example', '+43 1 5858']) await expectFound(query, []);
  for (const filter of ['email=former@gone.example', 'phone=%2B4315858', 'tag=former'])
    assert.deepEqual(await idsOf(server, `${contacts}?${filter}`), [], filter);
  await succeed(server, 'DELETE', `${contacts}/${id}`);
  await expectFound('nova', []);
});

test('contacts of another organization are not found', async () => {
  const queries = ['adelaide', 'adel@work.test', 'work.test', '030 90182017', '901820', 'carpenter'];
  const filters = ['email=adel@work.test', 'phone=%2B493090182017', 'tag=vip'];
  const paths = [
    ...queries.flatMap((query) => [
      `${contacts}?search=${encodeURIComponent(query)}`,
      `${contacts}/search?query=${encodeURIComponent(query)}`,
    ]),
    ...filters.map((filter) => `${contacts}?${filter}`),
  ];
  for (const path of paths) assert.deepEqual(await idsOf(server, path, outsiderToken), [], path);
  const copy = await write(server, 'POST', contacts, { token: outsiderToken, body: people[0] });
  assert.equal(copy.status, 201, copy.text);
  for (const path of paths) {
    const own = await idsOf(server, path);
    assert.ok(!own.includes(copy.json.id), path);
    const theirs = await idsOf(server, path, outsiderToken);
    assert.deepEqual(theirs, path.includes('carpenter') ? [] : [copy.json.id], path);
  }
});
