/** Tests of the fields of contacts: required details, display name, labels, owners and companies. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createMember, createOrganization } from '../support/identities.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, idsOf, succeed, tryValues, walk, write } from '../support/writes.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(() => setCountry(null));

const contacts = '/v1/crm/contacts';
const companies = '/v1/crm/companies';

/** Sets the organization's default country. */
async function setCountry(country: string | null): Promise<void> {
  await server.database.worker.run('UPDATE trellis.organizations SET default_country = $2 WHERE id = $1', [
    server.organization.id,
    country,
  ]);
}

async function createContact(body: object): Promise<string> {
  return `${contacts}/${(await create(server, contacts, body)).id}`;
}

test('a contact with only a name has all other members, empty', async () => {
  const { id, version, createdAt, updatedAt, createdBy, updatedBy, ...members } = await create(
    server,
    contacts,
    { lastName: ' Lovelace ' },
  );
  assert.match(id, /^con_/);
  assert.equal(version, 1);
  assert.equal(createdAt, updatedAt);
  assert.equal(createdBy, updatedBy);
  assert.deepEqual(members, {
    externalId: null,
    importId: null,
    firstName: null,
    lastName: 'Lovelace',
    displayName: 'Lovelace',
    jobTitle: null,
    emails: [],
    phones: [],
    addresses: [],
    timezone: null,
    locale: null,
    companies: [],
    lifecycleStage: null,
    leadStatus: null,
    ownerUserId: null,
    tags: [],
    source: null,
    notes: null,
    doNotContact: false,
  });
});

test('a contact always has a name, an e-mail address or a phone number', async () => {
  const nothing = [{}, { notes: 'x', jobTitle: 'x' }, { firstName: null, emails: [], phones: [] }];
  for (const body of nothing) {
    const refused = await write(server, 'POST', contacts, { body });
    expectRefusal(refused, 422, 'validation_failed', ['/firstName']);
  }
  const known: readonly [body: Readonly<Record<string, unknown>>, cleared: object][] = [
    [{ firstName: 'Ada' }, { firstName: null }],
    [{ lastName: 'Lovelace' }, { lastName: null }],
    [{ emails: [{ address: 'only@example.com' }] }, { emails: [] }],
    [{ phones: [{ number: '+49 30 123456' }] }, { phones: [] }],
  ];
  for (const [body, cleared] of known) {
    const path = await createContact(body);
    const refused = await write(server, 'PATCH', path, { body: cleared });
    expectRefusal(refused, 422, 'validation_failed', ['/firstName']);
    await succeed(server, 'PATCH', path, { firstName: 'First', lastName: null });
  }
});

test('the display name of a contact is its name, primary address or primary number', async () => {
  const path = await createContact({
    phones: [{ number: '+49 30 1111' }, { number: '+49 (30) 2222', isPrimary: true }],
  });
  const steps: [object, string][] = [
    [{ notes: 'x' }, '+49 (30) 2222'],
    [{ emails: [{ address: 'One@Example.com' }, { address: 'two@example.com' }] }, 'One@Example.com'],
    [
      { emails: [{ address: 'One@Example.com' }, { address: 'two@example.com', isPrimary: true }] },
      'two@example.com',
    ],
    [{ firstName: 'Ada' }, 'Ada'],
    [{ lastName: 'Lovelace' }, 'Ada Lovelace'],
    [{ firstName: null }, 'Lovelace'],
  ];
  for (const [body, displayName] of steps)
    assert.equal((await succeed(server, 'PATCH', path, body)).json.displayName, displayName);
  const given = await write(server, 'PATCH', path, { body: { displayName: 'x' } });
  expectRefusal(given, 422, 'unknown_field', ['/displayName']);
  const made = await write(server, 'POST', contacts, { body: { firstName: 'x', displayName: 'x' } });
  expectRefusal(made, 422, 'unknown_field', ['/displayName']);
});

test('at most one item of a list is primary', async () => {
  const path = await createContact({ firstName: 'Ada' });
  const company = await create(server, companies, { name: 'One' });
  const other = await create(server, companies, { name: 'Other' });
  const main = { isPrimary: true };
  const lists: readonly [string, readonly object[]][] = [
    [
      'emails',
      [
        { address: 'p1@example.com' },
        { address: 'p2@example.com', ...main },
        { address: 'p3@example.com', ...main },
      ],
    ],
    [
      'phones',
      [{ number: '+49 30 1001' }, { number: '+49 30 1002', ...main }, { number: '+49 30 1003', ...main }],
    ],
  ];
  for (const [field, items] of lists) {
    const refused = await write(server, 'PATCH', path, { body: { [field]: items } });
    expectRefusal(refused, 422, 'validation_failed', [`/${field}/2/isPrimary`]);
    const { json } = await succeed(server, 'PATCH', path, { [field]: items.slice(0, 2) });
    assert.deepEqual(
      json[field].map((item: { isPrimary: boolean }) => item.isPrimary),
      [false, true],
    );
  }
  const both = [company, other].map(({ id }) => ({ companyId: id, ...main }));
  const refused = await write(server, 'PATCH', path, { body: { companies: both } });
  expectRefusal(refused, 422, 'validation_failed', ['/companies/1/isPrimary']);
  const twice = [{ companyId: company.id }, { companyId: company.id, role: 'x' }];
  const repeated = await write(server, 'PATCH', path, { body: { companies: twice } });
  expectRefusal(repeated, 422, 'validation_failed', ['/companies/1/companyId']);
  const { json } = await succeed(server, 'PATCH', path, {
    companies: [{ companyId: company.id, role: 'CTO', ...main }],
  });
  assert.deepEqual(json.companies, [{ companyId: company.id, role: 'CTO', isPrimary: true }]);
  const absent = [{ companyId: company.id }, { companyId: 'com_01h455vb4pex5vsknk084sn02q' }];
  const unknown = await write(server, 'PATCH', path, { body: { companies: absent } });
  expectRefusal(unknown, 422, 'reference_not_found', ['/companies/1/companyId']);
});

test('the other fields are checked', async () => {
  const path = await createContact({ firstName: 'Ada' });
  const berlin = {
    street: 'Unter den Linden 77\nHinterhaus',
    city: 'Berlin',
    region: null,
    postalCode: '10117',
    country: 'DE',
  };
  await tryValues(
    server,
    path,
    'addresses',
    [
      [[berlin], [berlin]],
      [
        [{ country: 'FR', city: '' }],
        [{ street: null, city: null, region: null, postalCode: null, country: 'FR' }],
      ],
    ],
    [[{ country: 'EU' }], [{ country: 'Atlantis' }], [{ zip: '1' }], Array.from({ length: 6 }, () => berlin)],
  );
  await tryValues(
    server,
    path,
    'timezone',
    [
      ['Europe/Berlin', 'Europe/Berlin'],
      ['UTC', 'UTC'],
      ['ETC/UTC', 'Etc/UTC'],
      ['europe/kyiv', 'Europe/Kyiv'],
      [null, null],
    ],
    ['Mars/Olympus', '+01:00', 'CEST?'],
  );
  await tryValues(
    server,
    path,
    'locale',
    [
      ['de-ch', 'de-CH'],
      [null, null],
    ],
    ['de_CH', 'g'],
  );
  const stages = ['SUBSCRIBER', 'LEAD', 'QUALIFIED', 'OPPORTUNITY', 'CUSTOMER', 'EVANGELIST', 'OTHER', null];
  await tryValues(
    server,
    path,
    'lifecycleStage',
    stages.map((value) => [value, value]),
    ['lead', 'WON'],
  );
  const leads = ['NEW', 'OPEN', 'IN_PROGRESS', 'UNQUALIFIED', 'CONVERTED', null];
  await tryValues(
    server,
    path,
    'leadStatus',
    leads.map((value) => [value, value]),
    ['DONE'],
  );
  await tryValues(
    server,
    path,
    'doNotContact',
    [
      [true, true],
      [false, false],
    ],
    ['true', 1],
  );
  await tryValues(
    server,
    path,
    'jobTitle',
    [
      ['j'.repeat(150), 'j'.repeat(150)],
      ['', null],
    ],
    ['j'.repeat(151)],
  );
  await tryValues(server, path, 'firstName', [['É'.repeat(100), 'É'.repeat(100)]], ['x'.repeat(101)]);
  await tryValues(server, path, 'source', [['s'.repeat(120), 's'.repeat(120)]], ['s'.repeat(121)]);
  await tryValues(server, path, 'notes', [['n'.repeat(10_000), 'n'.repeat(10_000)]], ['n'.repeat(10_001)]);
  await tryValues(
    server,
    path,
    'tags',
    [
      [
        [' VIP ', 'Größe', 'ÉTÉ'],
        ['vip', 'größe', 'été'],
      ],
      [['İ'.repeat(64)], ['i'.repeat(64)]],
      [['x'.repeat(64)], ['x'.repeat(64)]],
    ],
    [
      ['a', 'A'],
      ['Straße', 'STRASSE', 'straße'],
      [''],
      ['x'.repeat(65)],
      Array.from({ length: 51 }, (_, index) => `t${index}`),
    ],
  );
});

test('the owner of a contact must be an active member when set, and stays named afterwards', async () => {
  const { worker } = server.database;
  const path = await createContact({ firstName: 'Ada' });
  const member = await createMember(worker, server.organization, 'EDITOR');
  const ownerUserId = encodeId('user', member);
  assert.equal((await succeed(server, 'PATCH', path, { ownerUserId })).json.ownerUserId, ownerUserId);
  const { id } = (await server.call('GET', path)).json;
  assert.deepEqual(await idsOf(server, `${contacts}?ownerUserId=${ownerUserId}`), [id]);
  const elsewhere = await createOrganization(worker, 'elsewhere-owner');
  const outsider = encodeId('user', await createMember(worker, elsewhere, 'OWNER'));
  await worker.run(`UPDATE trellis.users SET status = 'DISABLED' WHERE id = $1`, [member]);
  for (const other of [outsider, ownerUserId, 'user_01h455vb4pex5vsknk084sn02q', 'x']) {
    const refused = await write(server, 'POST', contacts, { body: { firstName: 'x', ownerUserId: other } });
    expectRefusal(refused, 422, 'reference_not_found', ['/ownerUserId']);
  }
  assert.equal((await succeed(server, 'PATCH', path, { notes: 'x' })).json.ownerUserId, ownerUserId);
});

test('contacts are listed in the order of their names, page by page', async () => {
  const tag = 'sorted';
  const names = ['delta', 'alpha', 'charlie', 'bravo', 'charlie'];
  for (const lastName of names) await createContact({ lastName, tags: [tag] });
  await createContact({ emails: [{ address: 'beta@sorted.example' }], tags: [tag] });
  for (const limit of [1, 2, 10]) {
    const rising = await walk(server, `${contacts}?tag=${tag}&sort=displayName&limit=${limit}`);
    const found = await Promise.all(
      rising.map((id) => server.call('GET', `${contacts}/${id}?fields=displayName`)),
    );
    const displayNames = found.map(({ json }) => json.displayName);
    assert.deepEqual(displayNames, ['alpha', 'beta@sorted.example', 'bravo', 'charlie', 'charlie', 'delta']);
    const falling = await walk(server, `${contacts}?tag=${tag}&sort=-displayName&limit=${limit}`);
    assert.deepEqual(falling, [...rising].reverse());
  }
});
