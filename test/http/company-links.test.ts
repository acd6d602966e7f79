/** Tests of the hierarchy of companies, and of the contacts of a deleted company. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create, expectRefusal, idsOf, succeed, typesOf, write } from '../support/writes.ts';

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

test('a company cannot be its own ancestor, at any distance', async () => {
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

test('of two concurrent changes that would create a cycle, one is refused', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [left, right] = [await createChain(2), await createChain(2)];
    const moves = [
      [left, right],
      [right, left],
    ].map(([from, to]) =>
      write(server, 'PATCH', from?.[0]?.path ?? '', { body: { parentCompanyId: to?.[1]?.id } }),
    );
    const responses = await Promise.all(moves);
    const codes = responses.map(({ status }) => status).sort();
    assert.deepEqual(codes, [200, 422], responses.map(({ text }) => text).join('\n'));
    const refused = responses.find(({ status }) => status === 422);
    assert.equal(refused?.json.errors[0].code, 'cycle');
    assert.deepEqual(refused?.events, []);
  }
});

test('a hierarchy has at most twenty levels, whichever end grows', async () => {
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

test('a company with subsidiaries is not deleted, and the error has their number', async () => {
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

test('deleting a company removes it from its contacts, whose events precede that of the company', async () => {
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
  const logged = deleted.events.slice(0, -1);
  assert.deepEqual(logged.map(({ subject }) => subject).sort(), linked.map(({ id }) => id).sort());
  for (const { version, changedFields } of logged) {
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
    for (const response of [linked, created]) {
      if (response.status === 422) {
        expectRefusal(response, 422, 'reference_not_found');
        continue;
      }
      assert.ok(response.status === 200 || response.status === 201, response.text);
      unlinked += 1;
      assert.deepEqual((await read(`${contacts}/${response.json.id}`)).companies, []);
    }
    assert.equal(deleted.events.length, unlinked + 1);
  }
});
