/** Tests of the e-mail addresses and phone numbers of contacts: uniqueness, notation and country. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, idsOf, succeed, tryValues, typesOf, write } from '../support/writes.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(() => setCountry(null));

const contacts = '/v1/crm/contacts';

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

test('addresses are stored as typed, and text that is no address is refused', async () => {
  const kept = (address: string) => [{ address, label: null, isPrimary: false }];
  const right = [
    'Ada.Lovelace@Example.COM',
    "o'hara+news@example.co.uk",
    'info@Bücher.example',
    'дима@example.com',
  ];
  await tryValues(
    server,
    await createContact({ firstName: 'Ada' }),
    'emails',
    [
      ...right.map((address) => [[{ address: ` ${address} ` }], kept(address)] as const),
      [
        [{ label: ' work ', isPrimary: true, address: 'a@example.com' }],
        [{ address: 'a@example.com', label: 'work', isPrimary: true }],
      ],
      [
        Array.from({ length: 20 }, (_, index) => ({ address: `a${index}@example.com` })),
        Array.from({ length: 20 }, (_, index) => kept(`a${index}@example.com`)).flat(),
      ],
      [[], []],
    ],
    [
      ...[
        'ada',
        'ada@',
        '@example.com',
        'ada@localhost',
        'a b@example.com',
        'a..b@example.com',
        'a@b@example.com',
        'Ada <ada@example.com>',
        `${'a'.repeat(65)}@example.com`,
        'ada@example..com',
        'ada@127.0.0.1',
        '',
      ].map((address) => [{ address }]),
      [{ address: 7 }],
      [{ label: 'work' }],
      [{ address: 'x@example.com', verified: true }],
      [{ address: 'x@example.com', isPrimary: null }],
      Array.from({ length: 21 }, (_, index) => ({ address: `a${index}@example.com` })),
      [{ address: 'Twice@example.com' }, { address: 'twice@EXAMPLE.com' }],
    ],
  );
});

test('a number without a country code needs a country: its own or the organization’s', async () => {
  const path = await createContact({ firstName: 'Ada' });
  const e164 = async (phone: object) =>
    (await succeed(server, 'PATCH', path, { phones: [phone] })).json.phones[0];
  const unread = async (phone: object) =>
    expectRefusal(
      await write(server, 'PATCH', path, { body: { phones: [phone] } }),
      422,
      'validation_failed',
      ['/phones/0/number'],
    );
  const plain = { country: null, label: null, isPrimary: false };
  await unread({ number: '030 1234567' });
  assert.deepEqual(await e164({ number: ' +49 (0)30 / 123-4567 ' }), {
    number: '+49 (0)30 / 123-4567',
    ...plain,
    e164: '+49301234567',
  });
  assert.deepEqual(await e164({ number: '(202) 555-0143', country: 'US', label: 'work' }), {
    number: '(202) 555-0143',
    ...plain,
    country: 'US',
    label: 'work',
    e164: '+12025550143',
  });
  await setCountry('DE');
  assert.equal((await e164({ number: '030 1234567' })).e164, '+49301234567');
  assert.equal((await e164({ number: '020 7946 0018', country: 'GB' })).e164, '+442079460018');
  assert.equal((await e164({ number: '+44 20 7946 0018' })).e164, '+442079460018');
  for (const number of ['12', 'call me', '+999 123 456 789', '+49', '030 1234567 or 030 7654321'])
    await unread({ number });
  await unread({ number: '030 1234567', country: 'AQ' });
  for (const number of ['110', '0'.repeat(3) + '919'])
    assert.deepEqual(await e164({ number }), { number, ...plain, e164: null });
  for (const [number, expected] of [
    ['tel:+1-201-555-0123;ext=456', '+12015550123'],
    ['030 1234567 Durchwahl 12', '+49301234567'],
    ['+1 800 FLOWERS', '+18003569377'],
    ['+52 1 55 1234 5678', '+525512345678'],
  ] as const)
    assert.deepEqual(await e164({ number }), { number, ...plain, e164: expected });
  for (const [country, code] of [
    ['uk', 'GB'],
    ['DEU', 'DE'],
    ['Türkiye', 'TR'],
    ['United States of America', 'US'],
  ] as const)
    assert.equal((await e164({ number: '020 7946 0018', country })).country, code);
  const reasons: Readonly<Record<string, RegExp>> = {
    '12': /too few digits/,
    'call me': /nothing else/,
    '+999 123 456 789': /behind the \+/,
  };
  for (const [number, reason] of Object.entries(reasons)) {
    const refused = await write(server, 'PATCH', path, { body: { phones: [{ number }] } });
    assert.match(refused.json.errors[0].detail, reason);
  }
  for (const country of ['XX', 'Atlantis']) {
    const refused = await write(server, 'PATCH', path, {
      body: { phones: [{ number: '030 1234567', country }] },
    });
    expectRefusal(refused, 422, 'validation_failed', ['/phones/0/country']);
  }
  const given = { number: '+49 30 1234567', e164: '+49301234567' };
  const refused = await write(server, 'PATCH', path, { body: { phones: [given] } });
  expectRefusal(refused, 422, 'unknown_field', ['/phones/0/e164']);
});

test('what only its country can dial is stored as typed, found by its text, and not by another number', async () => {
  await setCountry('DE');
  const path = await createContact({ firstName: 'Emergency', phones: [{ number: '110' }] });
  for (const country of ['US', null]) {
    await setCountry(country);
    const edited = await succeed(server, 'PATCH', path, { notes: `seen from ${country}` });
    assert.equal(edited.json.phones[0].e164, null);
    assert.deepEqual(
      edited.events.map(({ changedFields }) => changedFields),
      [['notes']],
    );
  }
  assert.deepEqual(await idsOf(server, `${contacts}?phone=110`), []);
});

test('characters that nobody sees make no other address, and the plain one is not taken by them', async () => {
  const hidden = ['\ufeff', '\u200b', '\u200e', '\u00ad', '\u2060'];
  const [first = '', ...others] = hidden.map((one) => `${one}grace${one}@exam${one}ple.org${one}`);
  const created = await create(server, contacts, { emails: [{ address: first }] });
  assert.equal(created.emails[0].address, 'grace@example.org');
  for (const address of [...others, 'grace@example.org']) {
    const refused = await write(server, 'POST', contacts, { body: { emails: [{ address }] } });
    expectRefusal(refused, 409, 'conflict');
    assert.deepEqual(await idsOf(server, `${contacts}?email=${encodeURIComponent(address)}`), [created.id]);
  }
});

test('countries are stored by their code, whatever they are called', async () => {
  const path = await createContact({ firstName: 'Ada' });
  const stored = async (country: string) =>
    (await succeed(server, 'PATCH', path, { addresses: [{ country }] })).json.addresses[0].country;
  for (const [name, code] of [
    ['USA', 'US'],
    ['England', 'GB'],
    ['España', 'ES'],
    ['Korea, Republic of', 'KR'],
    ['D', 'DE'],
    ['fr', 'FR'],
  ] as const)
    assert.equal(await stored(name), code);
  const refused = await write(server, 'PATCH', path, { body: { addresses: [{ country: 'Germny' }] } });
  expectRefusal(refused, 422, 'validation_failed', ['/addresses/0/country']);
  assert.match(refused.json.errors[0].detail, /Did you mean "Germany"/);
});

test('stored numbers do not change when the organization moves to another country', async () => {
  await setCountry('DE');
  const path = await createContact({ firstName: 'Ada', phones: [{ number: '030 1234567' }] });
  for (const country of ['US', 'GB', null]) {
    await setCountry(country);
    const edited = await succeed(server, 'PATCH', path, { notes: `seen from ${country}` });
    assert.equal(edited.json.phones[0].e164, '+49301234567');
    assert.deepEqual(
      edited.events.map(({ changedFields }) => changedFields),
      [['notes']],
    );
  }
  const given = await write(server, 'PATCH', path, { body: { phones: [{ number: '030 1234567' }] } });
  expectRefusal(given, 422, 'validation_failed', ['/phones/0/number']);
});

test('an e-mail address is unique in any letter case, and the conflict names the contact if the caller may read it', async () => {
  const { token } = await createToken(server.database.worker, server.organization, server.ownerId, {
    scopes: ['crm.contacts:write'],
  });
  const first = await create(server, contacts, {
    firstName: 'First',
    emails: [{ address: 'Taken@Bücher.example' }, { address: 'also@example.com' }],
  });
  const second = await createContact({ firstName: 'Second', emails: [{ address: 'second@example.com' }] });
  const notations = [
    'taken@bücher.example',
    'TAKEN@xn--bcher-kva.EXAMPLE',
    'taken@BU\u0308CHER.example',
    'ALSO@example.com',
  ];
  for (const address of notations) {
    const emails = [{ address: 'second@example.com' }, { address }, { address: 'free@example.com' }];
    const body = { firstName: 'Second', emails };
    const taken = await write(server, 'PATCH', second, { body });
    expectRefusal(taken, 409, 'conflict', ['/emails/1/address']);
    assert.equal(taken.json.field, 'emails');
    assert.equal(taken.json.existingId, first.id);
    const unread = await write(server, 'PATCH', second, { body, token });
    expectRefusal(unread, 409, 'conflict', ['/emails/1/address']);
    assert.equal('existingId' in unread.json, false);
    assert.ok(!unread.text.includes(first.id));
    const created = await write(server, 'POST', contacts, { body: { emails: [{ address }] } });
    expectRefusal(created, 409, 'conflict', ['/emails/0/address']);
    assert.equal(created.json.existingId, first.id);
  }
  // The same letters in another way are the same address of the same contact.
  const emails = [{ address: 'taken@xn--bcher-kva.example' }];
  await succeed(server, 'PATCH', `${contacts}/${first.id}`, { emails });
  await succeed(server, 'PATCH', second, { emails: [{ address: 'also@EXAMPLE.com' }] });
  await succeed(server, 'DELETE', `${contacts}/${first.id}`);
  await createContact({ emails: [{ address: 'taken@bücher.example' }] });
  const elsewhere = await createOrganization(server.database.worker, 'elsewhere-emails');
  const outsider = await createMember(server.database.worker, elsewhere, 'OWNER');
  const other = await createToken(server.database.worker, elsewhere, outsider);
  const same = await write(server, 'POST', contacts, { token: other.token, body: { emails } });
  assert.equal(same.status, 201, same.text);
});

test('of twenty concurrent creates with the same e-mail address one succeeds', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      write(server, 'POST', contacts, {
        body: {
          lastName: 'Concurrent',
          emails: [
            { address: `own${index}@example.com` },
            { address: index % 2 ? 'race@example.com' : 'RACE@Example.com' },
          ],
        },
      }),
    ),
  );
  const made = responses.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  assert.deepEqual(made.map(typesOf), [['contact.created']]);
  for (const response of responses) {
    if (response.status === 201) continue;
    expectRefusal(response, 409, 'conflict', ['/emails/1/address']);
    assert.equal(response.json.existingId, made[0]?.json.id);
  }
  assert.deepEqual(await idsOf(server, `${contacts}?search=concurrent`), [made[0]?.json.id]);
});

test('several contacts may have the same number', async () => {
  const phones = [{ number: '+49 40 777777' }];
  const shared = [
    await createContact({ firstName: 'One', phones }),
    await createContact({ firstName: 'Two', phones }),
  ];
  const found = await idsOf(server, `${contacts}?phone=%2B4940777777`);
  assert.deepEqual(found.map((id) => `${contacts}/${id}`).sort(), shared.sort());
});
