/** Values of a column that are none of ours: they are counted, a person maps them, and members are found as people name them. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { noChoices } from '@trellis/importer/columns.ts';
import { previewColumns } from '@trellis/importer/preview.ts';
import { openCsv } from '@trellis/importer/readers/csv.ts';
import type { ImportReport } from '@trellis/importer/report.ts';
import { companies } from '@trellis/schema/resources/companies.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { collectValues, type SettingsByColumn } from '@trellis/server/commands/import/column-settings.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { importFile } from '../support/import-file.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { toFile } from '../support/source-file.ts';

let server: TestServer;
let folder: string;
let token: string;
let userId: string;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-values-'));
  const { worker } = server.database;
  const organization = await createOrganization(worker, 'values');
  const owner = await createMember(worker, organization, 'OWNER');
  await createMember(worker, organization, 'EDITOR');
  await createMember(worker, organization, 'EDITOR');
  token = (await createToken(worker, organization, owner)).token;
  userId = (await server.call('GET', '/v1/me', { token })).json.user.id;
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function imported(lines: readonly string[], mapped: readonly string[] = []): Promise<ImportReport> {
  const path = join(folder, 'people.csv');
  await writeFile(path, `${lines.join('\n')}\n`);
  const settings = mapped.reduce<SettingsByColumn | undefined>(
    (all, text) => collectValues(text, all),
    undefined,
  );
  return importFile({ url: server.url, token }, { path, resource: 'contacts', ...settings });
}

async function contactOf(email: string) {
  const { json } = await server.call('GET', `/v1/crm/contacts?${new URLSearchParams({ email })}`, { token });
  return json.items[0];
}

test('unknown values are counted by column, and rows with mapped ones are imported', async () => {
  const rows = [
    'email,stage,land,owner,language',
    'a@example.org,Heiß,Atlantis,J. Doe,Klingonisch',
    'b@example.org,Heiß,Schweiz,J. Doe,Deutsch',
    'c@example.org,heiß = "sehr",Schweiz,,',
    'd@example.org,Kunde,Schweiz,,',
  ];
  const first = await imported(rows);
  assert.deepEqual([first.created, first.rejected], [1, 3]);
  assert.deepEqual(
    first.unknownValues?.map(({ column, to, value, rows }) => [column, to, value, rows]),
    [
      ['stage', 'lifecycleStage', 'Heiß', 2],
      // Also who is no member, which only the server knows: nobody has to map one column after the other.
      ['owner', 'ownerUserId', 'J. Doe', 2],
      ['land', 'addresses.country', 'Atlantis', 1],
      ['language', 'locale', 'Klingonisch', 1],
      ['stage', 'lifecycleStage', 'heiß = "sehr"', 1],
    ],
  );
  const values = ['stage=Heiß=LEAD', 'stage=heiß = "sehr"=Kunde', 'land=Atlantis=', 'language=Klingonisch='];
  const second = await imported(rows, values);
  assert.deepEqual(
    second.unknownValues?.map(({ column, to, value, rows }) => [column, to, value, rows]),
    [['owner', 'ownerUserId', 'J. Doe', 2]],
  );
  const third = await imported(rows, [...values, `owner=J. Doe=${userId}`]);
  assert.deepEqual([third.rejections, third.created], [[], 2]);
  const contact = await contactOf('a@example.org');
  assert.deepEqual(
    [contact.lifecycleStage, contact.ownerUserId, contact.locale, contact.addresses],
    ['LEAD', userId, null, []],
  );
  assert.equal((await contactOf('c@example.org')).lifecycleStage, 'CUSTOMER');
});

test('members are found by name and by e-mail address in any letter case; one of several names is none', async () => {
  const { email } = (await server.call('GET', `/v1/members/${userId}`, { token })).json;
  const report = await imported([
    'email,owner',
    `m1@example.org,${email.toUpperCase()}`,
    'm2@example.org,owner',
    'm3@example.org,Editor',
    'm4@example.org,nobody@example.org',
  ]);
  assert.equal((await contactOf('m1@example.org')).ownerUserId, userId);
  assert.equal((await contactOf('m2@example.org')).ownerUserId, userId);
  assert.deepEqual(
    report.rejections.map(({ reasons }) => reasons),
    [
      ['ownerUserId: More than one member is called "Editor". Give the e-mail address.'],
      ['ownerUserId: "nobody@example.org" is neither the name nor the e-mail address of a member.'],
    ],
  );
});

test('a mapping of values without a column or a value is refused', () => {
  for (const text of ['', 'a', 'a=b', '=a=b', 'a==b'])
    assert.throws(() => collectValues(text), { name: 'UsageError' }, text);
  assert.deepEqual(collectValues('Stage=a=b=LEAD').columnSettings, { Stage: { values: { 'a=b': 'LEAD' } } });
});

test('the preview shows values as the file has them, whatever they stand for', async () => {
  const content = 'Last Name,Owner,Stage\nLovelace,J. Doe,Hot\nHopper,Ada,Cold\n';
  const source = await openCsv(toFile('people.csv', content), { columns: null, delimiter: ',' });
  const choices = {
    ...noChoices,
    columnSettings: {
      Owner: { values: { 'J. Doe': 'user_01h455vb4pex5vsknk084sn02q' } },
      Stage: { values: { Hot: 'LEAD', Cold: null } },
    },
  };
  const { columns } = await previewColumns(contacts, source, choices, 0);
  assert.deepEqual(
    columns.map(({ column, to, samples }) => [column, to, samples]),
    [
      ['Last Name', 'lastName', ['Lovelace', 'Hopper']],
      ['Owner', 'ownerUserId', ['J. Doe', 'Ada']],
      ['Stage', 'lifecycleStage', ['Hot', 'Cold']],
    ],
  );
});

test('the columns of owners in exports of other systems are known, for contacts and for companies', async () => {
  const ownerColumns = async (resource: Resource, columns: readonly string[]) => {
    const file = toFile('owners.csv', `${columns.join(',')}\n${columns.map(() => 'x').join(',')}\n`);
    const source = await openCsv(file, { columns: null, delimiter: ',' });
    const { columns: previewed } = await previewColumns(resource, source, noChoices, 0);
    return previewed.flatMap(({ column, to }) => (to === 'ownerUserId' ? [column] : []));
  };
  const ofContacts = [
    'Owner',
    'Contact owner',
    'Lead Owner',
    'Person - Owner',
    'Kontaktinhaber',
    'Owner.Name',
  ];
  const ofCompanies = ['Company owner', 'Account Owner', 'Organization - Owner', 'Accountinhaber'];
  assert.deepEqual(await ownerColumns(contacts, [...ofContacts, ...ofCompanies]), ofContacts);
  assert.deepEqual(await ownerColumns(companies, [...ofCompanies, 'Contact owner']), ofCompanies);
});

test('what names of values in other systems are read as is said by name; our own names need no word', async () => {
  const report = await imported([
    'email,stage',
    'said0@example.org,Marketing Qualified Lead',
    'said1@example.org,Marketing Qualified Lead',
    'said2@example.org,Prospect',
    'said3@example.org,Kunde',
    'said4@example.org,customer',
  ]);
  assert.equal(report.created, 5);
  assert.deepEqual(
    report.repairs.map(({ how, rows }) => [how, rows]),
    [
      ['"Marketing Qualified Lead" is read as QUALIFIED', 2],
      ['"Prospect" is read as LEAD', 1],
    ],
  );
});
