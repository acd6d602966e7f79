/** Imports in the console: the columns of a file and where they go, the dry run, the run with its report, and reloads in between. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import { halves } from '../support/pictures.ts';
import { amount } from '../support/soak.ts';
import { readStoredRows } from '../support/stored-rows.ts';
import { until } from '../support/until.ts';

let console: TestConsole;
let organization: TestOrganization;
let ownerId: string;
let client: ApiClient;

before(async () => {
  console = await startTestConsole();
  const { worker } = console.server.database;
  organization = await createOrganization(worker, 'imports');
  ownerId = await createMember(worker, organization, 'OWNER');
  const { token } = await createToken(worker, organization, ownerId);
  client = new ApiClient({ baseUrl: console.server.url, token });
});
after(() => console.close());

/** Chooses a file with this content. */
async function chooseFile(page: Page, name: string, content: string): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
  await page.getByLabel('Choose files').setInputFiles(file);
  await page.getByText(name).waitFor();
}

const table = (page: Page) => page.getByRole('table');
const step = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** The numbers of rows that are shown, by what they count. */
async function readCounts(page: Page, name: string): Promise<Record<string, number>> {
  const area = step(page, name).locator('dl');
  await area.waitFor();
  const labels = await area.locator('dt').allInnerTexts();
  const values = await area.locator('dd').allInnerTexts();
  return Object.fromEntries(
    labels.map((label, index) => [label, Number(values[index]?.replaceAll(',', ''))]),
  );
}

async function listContacts(): Promise<{ displayName: string; notes: string | null; version: number }[]> {
  const found = [];
  for await (const { displayName, notes, version } of client.iterate('listContacts', {
    query: { limit: 100 },
  })) {
    found.push({ displayName: displayName ?? '', notes: notes ?? null, version });
  }
  return found.sort((left, right) => left.displayName.localeCompare(right.displayName));
}

const people = `Vorname;Nachname;E-Mail;Zuletzt gesagt
Ada;Lovelace;ada@example.com;first
Grace;Hopper;grace@example.com;second
Grace;Hopper;grace@example.com;second
Alan;Turing;alan at example;third
`;

test('a table is mapped, checked without a change, imported, and its rejected row can be corrected', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(ownerId);
  await open('/crm/contacts');
  await page.getByRole('button', { name: 'Import', exact: true }).first().click();
  await checkAccessibility('no file');
  await chooseFile(page, 'people.csv', people);
  await table(page).waitFor();
  // The button that the files were chosen with has gone.
  assert.equal(await page.locator(':focus').innerText(), 'Choose another file');
  assert.equal(await page.getByLabel('Import rows as').inputValue(), 'contacts');
  const field = (column: string) => page.getByLabel(`Field of the column ${column}`);
  assert.equal(await field('E-Mail').inputValue(), 'emails.address');
  assert.equal(await field('Zuletzt gesagt').inputValue(), '');
  await page.getByText('One value cannot be used, in line 5').waitFor();
  assert.equal(await field('Vorname').inputValue(), 'firstName');
  assert.equal(await field('Nachname').inputValue(), 'lastName');
  await field('Zuletzt gesagt').selectOption('notes');
  await until('the column is mapped', async () => (await field('Zuletzt gesagt').inputValue()) === 'notes');
  await checkAccessibility('columns');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  assert.deepEqual(await readCounts(page, 'Check'), {
    'would be created': 2,
    'would be changed': 0,
    'would stay unchanged': 1,
    'cannot be imported': 1,
  });
  assert.deepEqual(await listContacts(), []);
  const rejectedRow = page.getByRole('listitem').filter({ hasText: 'line 5' });
  await rejectedRow.getByText('Alan Turing', { exact: true }).waitFor();
  await rejectedRow.getByText('Given: “alan at example”').waitFor();
  await checkAccessibility('checked');
  await page.getByRole('button', { name: 'Import 3 rows' }).click();
  assert.deepEqual(await readCounts(page, 'Done'), { created: 2, changed: 0, unchanged: 1, rejected: 1 });
  assert.deepEqual(await listContacts(), [
    { displayName: 'Ada Lovelace', notes: 'first', version: 1 },
    { displayName: 'Grace Hopper', notes: 'second', version: 1 },
  ]);
  await checkAccessibility('done');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download rejected rows' }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'people.rejected.csv');
  const rejected = await readFile(await download.path(), 'utf8');
  assert.match(
    rejected,
    /^rejected_because;Vorname;Nachname;E-Mail;Zuletzt gesagt\n"emails\.0\.address: .+";Alan;Turing;alan at example;third\n$/,
  );
  await step(page, 'Import another file').waitFor();
  await chooseFile(page, 'people.rejected.csv', rejected.replace('alan at example', 'alan@example.com'));
  assert.equal(await field('Zuletzt gesagt').inputValue(), 'notes');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Import one row' }).click();
  assert.deepEqual(await readCounts(page, 'Done'), { created: 1, changed: 0, unchanged: 0, rejected: 0 });
  assert.deepEqual(
    (await listContacts()).map(({ notes }) => notes),
    ['first', 'third', 'second'],
  );
  checkFaults();
});

/** A table of contacts whose e-mail addresses contain a name. */
function makePeople(count: number, name: string): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `First ${index},${name},${name.toLowerCase()}-${index}@example.com`,
  );
  return `first name,last name,email\n${rows.join('\n')}\n`;
}

const rowsDone = async (page: Page) => {
  const [, done = '0'] = /([\d,]+) of/.exec(await step(page, 'Importing').innerText()) ?? [];
  return Number(done.replaceAll(',', ''));
};

test('an import that is interrupted by reloads and continued in another tab makes every record once', async () => {
  const count = amount(600, 900);
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(ownerId);
  // Otherwise the few batches would be done before anybody can interrupt them.
  await context.route('**/v1/crm/contacts/batch', async (route) => {
    await sleep(500);
    await route.continue();
  });
  await open('/import?resource=contacts');
  await chooseFile(page, 'many.csv', makePeople(count, 'Reloaded'));
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: `Import ${count} rows` }).click();
  for (const share of [0.2, 0.5]) {
    await until('some rows are done', async () => (await rowsDone(page)) >= count * share);
    await page.reload();
  }
  await until('some rows are done', async () => (await rowsDone(page)) > 0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await step(page, 'Paused').waitFor();
  await checkAccessibility('paused');
  const other = await context.newPage();
  await other.goto(`${console.origin}/console/import`);
  await other.getByRole('button', { name: 'Continue' }).click();
  await other.getByText('The import is running in another tab.').waitFor();
  // The buttons could do nothing to the other tab.
  assert.deepEqual(await step(other, 'Importing').getByRole('button').allInnerTexts(), []);
  await page.close();
  const counts = await readCounts(other, 'Done');
  assert.equal((counts.created ?? 0) + (counts.unchanged ?? 0), count);
  assert.deepEqual([counts.changed, counts.rejected], [0, 0]);
  await other.getByText('This import was interrupted and resumed.').waitFor();
  const found = (await listContacts()).filter(({ displayName }) => displayName.endsWith('Reloaded'));
  assert.equal(new Set(found.map(({ displayName }) => displayName)).size, count);
  assert.deepEqual([found.length, Math.max(...found.map(({ version }) => version))], [count, 1]);
  checkFaults();
});

/** Lets no contact be written until it is called. */
async function holdWrites(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/v1/crm/contacts/batch', async (route) => {
    if (route.request().method() === 'POST') await promise;
    await route.continue();
  });
  return resolve;
}

/** What goes wrong in the database of the browser, as scripts. */
const databaseFaults = {
  // A quota is exceeded only when the transaction is committed.
  'its transactions are not committed': `const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (row, ...parameters) {
      const request = put.call(this, row, ...parameters);
      if (isOfImport(row.key)) request.addEventListener('success', () => this.transaction.abort());
      return request;
    };`,
  'it cannot be read': `const { getAll } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.getAll = function (range, ...parameters) {
      if (isOfImport(range?.lower)) throw new DOMException('The database is damaged.', 'UnknownError');
      return getAll.call(this, range, ...parameters);
    };`,
};

for (const [fault, script] of Object.entries(databaseFaults)) {
  test(`an import is done although the browser does not keep it: ${fault}`, async () => {
    const { page, open, checkFaults } = await console.openAs(ownerId);
    await page.addInitScript(
      `{ const isOfImport = (key) => key?.[1]?.startsWith('import') === true; ${script} }`,
    );
    await open('/import?resource=contacts');
    await chooseFile(page, 'unkept.csv', makePeople(5, `Unkept${fault.length}`));
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const release = await holdWrites(page);
    await page.getByRole('button', { name: 'Import 5 rows' }).click();
    await page.getByText('This browser cannot store the file.').waitFor();
    release();
    assert.deepEqual(await readCounts(page, 'Done'), { created: 5, changed: 0, unchanged: 0, rejected: 0 });
    checkFaults();
  });
}

/** Names the import that the browser keeps; undefined without one. */
async function readStoredImport(page: Page): Promise<string | number | undefined> {
  return (await readStoredRows(page)).find(({ key }) => key[1] === 'import-file')?.key[2];
}

test('an import that ends does not replace another one that was begun in another tab', async () => {
  const { page, context, open, checkFaults } = await console.openAs(ownerId);
  await open('/import?resource=contacts');
  await chooseFile(page, 'first.csv', makePeople(5, 'Replaced'));
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const startButton = page.getByRole('button', { name: 'Import 5 rows' });
  await startButton.waitFor();
  const other = await context.newPage();
  await other.goto(`${console.origin}/console/import?resource=contacts`);
  await other.getByText('first.csv').waitFor();
  const release = await holdWrites(page);
  await startButton.click();
  await step(page, 'Importing').waitFor();
  const second = {
    name: 'second.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(makePeople(2, 'Replacing')),
  };
  const first = await readStoredImport(other);
  await other.getByLabel('Choose another file').setInputFiles(second);
  await until('the second file is stored', async () => (await readStoredImport(other)) !== first);
  release();
  assert.equal((await readCounts(page, 'Done')).created, 5);
  await page.reload();
  await page.getByText('second.csv').waitFor();
  await other.reload();
  await other.getByRole('button', { name: 'Check', exact: true }).click();
  await other.getByRole('button', { name: 'Import 2 rows' }).click();
  assert.equal((await readCounts(other, 'Done')).created, 2);
  checkFaults();
});

test('the area for files is marked as long as a file is over it, also over its buttons, and takes the file', async () => {
  const { page, open, checkFaults } = await console.openAs(ownerId);
  await open('/import?resource=contacts');
  const area = page.getByRole('region', { name: 'Drop a file here' });
  await area.waitFor();
  await page.evaluate(`globalThis.marks = [];
    const area = document.querySelector('section[aria-label="Drop a file here"]');
    new MutationObserver(() => marks.push(area.dataset.over ?? 'none')).observe(area, { attributeFilter: ['data-over'] });`);
  const leaveTo = (selector: string) =>
    page.evaluate(`document.querySelector('section[data-over]').dispatchEvent(
      new DragEvent('dragleave', { bubbles: true, relatedTarget: document.querySelector('${selector}') }))`);
  await area.dispatchEvent('dragover');
  await page.locator('section[data-over]').waitFor();
  await leaveTo('section[data-over] button');
  await area.getByRole('button').first().dispatchEvent('dragover');
  await leaveTo('h1');
  await page.locator('section:not([data-over])[aria-label="Drop a file here"]').waitFor();
  assert.deepEqual(await page.evaluate('marks'), ['true', 'none']);
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['email\\na@example.com'], 'dropped.csv'));
    return transfer;
  })()`);
  await area.dispatchEvent('drop', { dataTransfer });
  await page.getByText('dropped.csv').waitFor();
  checkFaults();
});

test('an import that the server stops says why, and goes on when it is continued', async () => {
  const { page, open, checkAccessibility } = await console.openAs(ownerId);
  await open('/import?resource=contacts');
  await chooseFile(page, 'stopped.csv', makePeople(20, 'Stopped'));
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Import 20 rows' }).waitFor();
  const detail = 'The role no longer allows to create contacts.';
  await page.route('**/v1/crm/contacts/batch', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            type: 'about:blank',
            title: 'Forbidden',
            status: 403,
            code: 'permission_denied',
            detail,
          }),
        })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Import 20 rows' }).click();
  await step(page, 'Stopped').getByText(detail).waitFor();
  await checkAccessibility('stopped');
  await page.unroute('**/v1/crm/contacts/batch');
  await page.reload();
  await page.getByRole('button', { name: 'Continue' }).click();
  assert.deepEqual(await readCounts(page, 'Done'), { created: 20, changed: 0, unchanged: 0, rejected: 0 });
});

test('a check of 10,000 rows leaves the page time to cancel it', async () => {
  const { page, open, checkFaults } = await console.openAs(ownerId);
  await open('/import?resource=companies');
  const rows = Array.from({ length: 10_000 }, (_, index) => `Company ${index},company-${index}.example.com`);
  await chooseFile(page, 'companies.csv', `name,domain\n${rows.join('\n')}\n`);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText(/[1-9]\d* rows checked/).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).waitFor();
  assert.equal(await page.locator('dl').count(), 0);
  checkFaults();
});

test('an export of a blog is imported as a whole, also where the page was opened for contacts', async () => {
  const { page, open, checkFaults } = await console.openAs(ownerId);
  await open('/import?resource=contacts');
  const item =
    '<item><title>One</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>';
  const content = `<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>${item}</channel></rss>`;
  await chooseFile(page, 'blog.xml', content);
  await page.getByLabel('Import rows as').waitFor();
  assert.equal(await page.getByLabel('Import rows as').inputValue(), '');
  checkFaults();
});

test('Markdown files become articles of the chosen site, with the pictures that were chosen with them', async () => {
  const site = (await client.call('createSite', { body: { name: 'Blog', key: 'blog' } })).body;
  const { page, open, checkFaults } = await console.openAs(ownerId, { locale: 'de-DE' });
  await open(`/import?resource=articles&parent=${site.id}`);
  await page.getByLabel('Dateien auswählen').setInputFiles([
    { name: 'one.md', mimeType: 'text/markdown', buffer: Buffer.from('---\ntitle: One\n---\nFirst.\r\n') },
    {
      name: 'two.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('---\ntitle: Two\ndraft: true\n---\n![x](images/a.png) ![y](b.png)'),
    },
    { name: 'a.png', mimeType: 'image/png', buffer: await halves(10, 8, { format: 'png' }) },
  ]);
  await page.getByText('2 Markdown-Dateien, ein Bild').waitFor();
  await page.getByRole('button', { name: 'Prüfen', exact: true }).click();
  await page.getByText('Bilder: eines wird hochgeladen.').waitFor();
  await page.getByText('Ein Verweis: Im Ordner ist kein solches Bild.').click();
  await page.getByText('b.png', { exact: true }).waitFor();
  await page.getByRole('button', { name: '2 Zeilen importieren' }).click();
  await step(page, 'Fertig').waitFor();
  await page.getByText('Bilder: 1 hochgeladen.').waitFor();
  const { items } = (await client.call('listArticles', { path: { siteId: site.id }, query: {} })).body;
  const [file] = (await client.call('listKnowledgeFiles', { query: {} })).body.items;
  const address = `${new URL(page.url()).origin}${file?.picturePath}?w=1280`;
  const found = items.map(({ state, versionData: { title, body } }) => [title, body, state]);
  assert.deepEqual(found.sort(), [
    ['One', 'First.\r\n', 'PUBLISHED'],
    ['Two', `![x](${address}) ![y](b.png)`, 'UNPUBLISHED'],
  ]);
  checkFaults();
});

test('a file of an export says in each row what it is', async () => {
  const { page, open, checkFaults } = await console.openAs(ownerId);
  await open('/import');
  const rows = [
    { resource: 'companies', id: 'com_01h455vb4pex5vsknk084sn02q', name: 'Exported' },
    { resource: 'books', id: 'book_01h455vb4pex5vsknk084sn02q', title: 'Exported' },
  ];
  await chooseFile(page, 'export.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await page.getByLabel('Import rows as').selectOption('');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  assert.equal((await readCounts(page, 'Done')).created, 2);
  const { items } = (await client.call('listBooks', { query: {} })).body;
  assert.deepEqual(
    items.map(({ title, externalId }) => [title, externalId]),
    [['Exported', 'book_01h455vb4pex5vsknk084sn02q']],
  );
  checkFaults();
});

test('who may create nothing is told why, and files that cannot be imported are refused', async () => {
  const viewerId = await createMember(console.server.database.worker, organization, 'VIEWER');
  const viewer = await console.openAs(viewerId);
  await viewer.open('/import');
  await viewer.page.getByText('You do not have access to this').waitFor();
  await viewer.checkAccessibility('forbidden');
  const { page, open, checkAccessibility } = await console.openAs(ownerId);
  await open('/import');
  const picture = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('\u0089PNG', 'latin1') };
  await page.getByLabel('Choose files').setInputFiles(picture);
  await page.getByText('picture.png is a picture.').waitFor();
  await page.getByLabel('Choose files').setInputFiles({
    name: 'twice.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,name\na,b\n'),
  });
  await page.getByText('Two columns have the name "name".').waitFor();
  await checkAccessibility('unusable header');
});

test('columns with odd headers, mapped by hand to parts of an address, a company and phones, are what they say', async () => {
  const { page, open, checkFaults } = await console.openAs(ownerId);
  await open('/import?resource=contacts');
  const rows = [
    'Vorn.;Strasse/Nr.;Plz.;Stadt oder Ort;Staat (ISO);Firma o. Verein;Funktion dort;Ruf A;Art A;Ruf B;Art B',
    'Odda;Am Markt 1;10115;Berlin;DE;Uferbau;Leitung;+49 30 1234567;Büro;+49 170 1234567;mobil',
    'Oddo;Seeweg 2;14467;Potsdam;DE;Uferbau;Kasse;;;+49 170 7654321;mobil',
  ];
  await chooseFile(page, 'odd.csv', `${rows.join('\n')}\n`);
  await table(page).waitFor();
  const fields = {
    'Vorn.': 'firstName',
    'Strasse/Nr.': 'addresses.street',
    'Plz.': 'addresses.postalCode',
    'Stadt oder Ort': 'addresses.city',
    'Staat (ISO)': 'addresses.country',
    'Firma o. Verein': 'companies.name',
    'Funktion dort': 'companies.role',
    'Ruf A': 'phones.number',
    'Art A': 'phones.label',
    'Ruf B': 'phones.number',
    'Art B': 'phones.label',
  };
  for (const [column, to] of Object.entries(fields)) {
    const select = page.getByLabel(`Field of the column ${column}`);
    await select.selectOption(to);
    await until('the column is mapped', async () => (await select.inputValue()) === to);
  }
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  assert.deepEqual(await readCounts(page, 'Done'), { created: 2, changed: 0, unchanged: 0, rejected: 0 });
  const stored = [];
  for await (const contact of client.iterate('listContacts', { query: { limit: 100, search: 'Odd' } }))
    stored.push(contact);
  stored.sort((one, other) => (one.firstName ?? '').localeCompare(other.firstName ?? ''));
  assert.deepEqual(
    stored.map(({ firstName, addresses, phones, companies }) => [
      firstName,
      addresses.map(({ street, postalCode, city, country }) => [street, postalCode, city, country]),
      phones.map(({ number, label }) => [number, label]),
      companies.map(({ role }) => role),
    ]),
    [
      [
        'Odda',
        [['Am Markt 1', '10115', 'Berlin', 'DE']],
        [
          ['+49 30 1234567', 'Büro'],
          ['+49 170 1234567', 'mobil'],
        ],
        ['Leitung'],
      ],
      ['Oddo', [['Seeweg 2', '14467', 'Potsdam', 'DE']], [['+49 170 7654321', 'mobil']], ['Kasse']],
    ],
  );
  checkFaults();
});

test('a list is replaced where that is chosen, and what it would lose is shown before', async () => {
  const body = {
    externalId: 'fuller',
    lastName: 'Fuller',
    tags: ['old'],
    emails: [{ address: 'f@example.com' }],
  };
  await client.call('createContact', { body });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(ownerId);
  await open('/crm/contacts');
  await page.getByRole('button', { name: 'Import', exact: true }).first().click();
  await chooseFile(page, 'tags.csv', 'External ID,Tags,E-mail\nfuller,new,wrong at x\n');
  await table(page).waitFor();
  await page.getByLabel('Options of the column Tags').click();
  const options = (column: string) => table(page).getByRole('row', { name: column });
  await options('Tags').getByLabel('Lists of existing records').selectOption('replace');
  await page.getByLabel('Options of the column E-mail').click();
  await options('E-mail').getByLabel('Invalid values').selectOption('omit');
  await page.getByText('One value will be left out, in line 2').waitFor();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('Would be removed from records').waitFor();
  await page.getByText('Tags: one value').click();
  await step(page, 'Check').getByText('old', { exact: true }).waitFor();
  await page.getByText('E-mail: one value').click();
  await step(page, 'Check').getByText('wrong at x', { exact: true }).waitFor();
  await checkAccessibility('what would be removed');
  await page.getByRole('button', { name: 'Import one row' }).click();
  assert.deepEqual(await readCounts(page, 'Done'), { created: 0, changed: 1, unchanged: 0, rejected: 0 });
  checkFaults();
});

test('an import is undone after a reload: what it created is shown before, and what somebody has changed is named', async () => {
  const changed = await client.call('createContact', {
    body: { firstName: 'Before', lastName: 'Undone', emails: [{ address: 'undo-0@example.com' }] },
  });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(ownerId);
  await open('/import');
  await chooseFile(page, 'undo.csv', makePeople(4, 'Undo'));
  await page.getByLabel('Import rows as').selectOption('contacts');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Import 4 rows' }).click();
  assert.deepEqual(await readCounts(page, 'Done'), { created: 3, changed: 1, unchanged: 0, rejected: 0 });
  await page.reload();
  await page.getByRole('link', { name: 'created by this import' }).click();
  await page.getByText('First 3 Undo').first().waitFor();
  assert.equal(await page.getByText('First 0 Undo').count(), 0);
  const later = (await listContacts()).length;
  const found = await client.call('listContacts', { query: { email: 'undo-3@example.com' } });
  const [last] = found.body.items;
  assert.ok(last);
  await client.call('updateContact', {
    path: { id: last.id },
    body: { notes: 'Called.' },
    ifMatch: `"${last.version}"`,
  });

  await open('/import');
  await page.getByRole('button', { name: 'Undo this import' }).click();
  await checkAccessibility('asked');
  await page.getByRole('dialog').getByRole('button', { name: 'Undo this import' }).click();
  await page.getByText('2 moved to the trash, 1 restored, 1 left as they are').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'First 3 Undo' }).waitFor();
  await checkAccessibility('undone');
  assert.equal(await page.getByRole('button', { name: 'Undo this import' }).count(), 0);
  assert.equal((await listContacts()).length, later - 2);
  const { body } = await client.call('getContact', { path: { id: changed.body.id } });
  assert.deepEqual([body.firstName, body.lastName], ['Before', 'Undone']);
  checkFaults();
});
