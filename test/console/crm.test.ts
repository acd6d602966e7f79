/** Contacts and companies in the console: pages to read, and duplicates that are found while somebody types. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let relay: Relay;

before(async () => {
  console = await startTestConsole({ streamLifetimeMs: 600_000 });
  relay = startTestRelay(console.server.database);
});
after(async () => {
  await relay.stop();
  await console.close();
});

test('a company is read with its people and subsidiaries, and edited behind a button', async () => {
  const { server } = console;
  const parent = await create(server, '/v1/crm/companies', { name: 'Longbourn Holding' });
  const company = await create(server, '/v1/crm/companies', {
    name: 'Meryton Library',
    websiteUrl: 'https://library.example.com/',
    domains: ['library.example.com'],
    industry: 'Culture',
    employeeCount: 12,
    annualRevenue: { amount: '1250000.50', currency: 'EUR' },
    parentCompanyId: parent.id,
    phones: [{ number: '+44 20 7946 0999' }],
    tags: ['partner'],
    lifecycleStage: 'CUSTOMER',
    description: 'Lends books.',
  });
  await create(server, '/v1/crm/companies', { name: 'Meryton Bookshop', parentCompanyId: company.id });
  for (let index = 0; index < 11; index += 1) {
    await create(server, '/v1/crm/contacts', {
      firstName: 'Reader',
      lastName: String(index).padStart(2, '0'),
      companies: [{ companyId: company.id, role: index === 0 ? 'Librarian' : null }],
    });
  }
  await create(server, '/v1/crm/contacts', { firstName: 'Outsider' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/crm/companies/${company.id}`);
  await page.getByRole('heading', { level: 2, name: 'Meryton Library' }).waitFor();
  await page.getByText('Culture · 12 employees').waitFor();
  // What can be changed here stands in line with what cannot.
  const starts = await page.evaluate<number[]>(`
    [...document.querySelectorAll('dl:has([aria-label="Change “Lifecycle stage”"]) > dd')].map((element) =>
      Math.round(element.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(element).paddingLeft)))
  `);
  assert.ok(starts.length > 4, String(starts.length));
  assert.equal(new Set(starts).size, 1, starts.join(' '));
  const website = page.getByRole('link', { name: 'https://library.example.com/' });
  assert.equal(await website.getAttribute('rel'), 'noreferrer');
  await page.locator('a[href="tel:+442079460999"]').waitFor();
  await page.getByText('€1,250,000.50').waitFor();
  await page.getByRole('link', { name: 'Longbourn Holding' }).waitFor();
  await page
    .getByRole('region', { name: 'Subsidiaries' })
    .getByRole('link', { name: 'Meryton Bookshop' })
    .waitFor();
  const people = page.getByRole('region', { name: 'Contacts' });
  await people.getByText('Librarian').waitFor();
  const shown = Array.from({ length: 10 }, (_, index) => `Reader ${String(index).padStart(2, '0')}`);
  assert.deepEqual(await people.getByRole('link').allTextContents(), [...shown, 'Show all', 'Add a contact']);
  await checkAccessibility('company');
  await people.getByRole('link', { name: 'Show all' }).click();
  await page.getByRole('row', { name: /Reader 10/ }).waitFor();
  assert.equal(new URL(page.url()).search, `?companyId=${company.id}`);
  assert.equal(await page.getByRole('row', { name: /Outsider/ }).count(), 0);
  await page.goBack();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Industry' }).waitFor();
  checkFaults();
});

test('a company without anybody says so, shows what others change, and is deleted', async () => {
  const { server } = console;
  const company = await create(server, '/v1/crm/companies', { name: 'Netherfield' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const streaming = page.waitForRequest((request) => request.url().includes('/v1/events/stream'));
  await open(`/crm/companies/${company.id}`);
  await (await streaming).response();
  await page.getByText('No contact details for this company.').waitFor();
  await page.getByText('No contact belongs to this company yet.').waitFor();
  assert.equal(await page.getByRole('region', { name: 'Subsidiaries' }).count(), 0);
  await checkAccessibility('company with a name only');
  const { worker } = server.database;
  const colleague = await createMember(worker, server.organization, 'EDITOR');
  const { token } = await createToken(worker, server.organization, colleague);
  const body = { name: 'Netherfield Park' };
  await server.call('PATCH', `/v1/crm/companies/${company.id}`, { token, body });
  await page.getByRole('heading', { level: 2, name: 'Netherfield Park' }).waitFor();
  await page.getByText(/^Changed by EDITOR/).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL((url) => url.pathname === '/console/crm/companies');
  assert.equal((await server.call('GET', `/v1/crm/companies/${company.id}`)).status, 404);
  checkFaults();
});

test('before a company is deleted, the contacts are named that lose it', async () => {
  const { server } = console;
  const company = await create(server, '/v1/crm/companies', { name: 'Hunsford' });
  for (const firstName of ['Charlotte', 'William', 'Maria', 'Zoe']) {
    await create(server, '/v1/crm/contacts', { firstName, companies: [{ companyId: company.id }] });
  }
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/crm/companies/${company.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByText(
      'Charlotte, Maria, William and further contacts will no longer name this company. Restoring the company does not undo that.',
    )
    .waitFor();
  await checkAccessibility('deletion of a company that contacts name');
  await dialog.getByRole('link', { name: /^Show these contacts/ }).click();
  await page.getByRole('row', { name: /Zoe/ }).waitFor();
  assert.equal(new URL(page.url()).search, `?companyId=${company.id}`);
  checkFaults();
});

test('a telephone number is changed where it is, and the change undone', async () => {
  const { server } = console;
  const contact = await create(server, '/v1/crm/contacts', {
    firstName: 'Elizabeth',
    phones: [{ number: '+44 20 7946 0123', label: 'work' }, { number: '+44 20 7946 0124' }],
  });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/crm/contacts/${contact.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Number' }).first().fill('+44 20 7946 0999');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const numbers = async () => {
    const { json } = await server.call('GET', `/v1/crm/contacts/${contact.id}`);
    return json.phones.map(({ e164 }: { e164: string }) => e164);
  };
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  assert.deepEqual(await numbers(), ['+442079460999', '+442079460124']);
  await undo.click();
  await until('the number is the one of before', async () => (await numbers())[0] === '+442079460123');
  checkFaults();
});

test('who may not change companies reads them, and is told why', async () => {
  const { server } = console;
  const company = await create(server, '/v1/crm/companies', { name: 'Pemberley', tags: ['estate'] });
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const { page, open, checkFaults } = await console.openAs(viewer);
  await open(`/crm/companies/${company.id}`);
  await page.getByRole('heading', { level: 2, name: 'Pemberley' }).waitFor();
  const edit = page.getByRole('button', { name: 'Edit' });
  assert.equal(await edit.getAttribute('aria-disabled'), 'true');
  const main = page.getByRole('main');
  await main.getByText('estate').waitFor();
  await main.locator('p').filter({ hasText: 'The role Viewer cannot change these records.' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Change/ }).count(), 0);
  // What is empty is left out.
  assert.equal(await page.getByText('Lifecycle stage').count(), 0);
  checkFaults();
});

test('a value that others change meanwhile is decided where it is edited', async () => {
  const { server } = console;
  const company = await create(server, '/v1/crm/companies', { name: 'Kellynch', lifecycleStage: 'LEAD' });
  const path = `/v1/crm/companies/${company.id}`;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const streaming = page.waitForRequest((request) => request.url().includes('/v1/events/stream'));
  await open(`/crm/companies/${company.id}`);
  await (await streaming).response();
  await page.getByRole('button', { name: 'Change “Tags”' }).click();
  const editor = page.getByRole('group', { name: 'Tags' });
  await editor.getByRole('combobox').fill('navy');
  await page.keyboard.press('Enter');
  await checkAccessibility('value edited where it is read');
  const colleague = await createMember(server.database.worker, server.organization, 'EDITOR');
  const { token } = await createToken(server.database.worker, server.organization, colleague);
  await server.call('PATCH', path, { token, body: { tags: ['estate'] } });
  await editor.getByText(/EDITOR/).waitFor();
  await checkAccessibility('value that others have changed');
  await page.keyboard.press('Tab');
  const main = page.getByRole('main');
  await main.getByRole('alert').filter({ hasText: 'Not saved. Edit the value to see why.' }).waitFor();
  await main.getByText('navy').waitFor();
  await page.getByRole('button', { name: 'Change “Tags”' }).click();
  await editor.getByRole('button', { name: 'Resolve the conflict' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('navy').first().waitFor();
  await dialog.getByText('estate').first().waitFor();
  assert.deepEqual((await server.call('GET', path)).json.tags, ['estate']);
  checkFaults();
});

test('a value that is changed before the one before it is stored is said to be saved, too', async () => {
  const { server } = console;
  const company = await create(server, '/v1/crm/companies', { name: 'Uppercross', lifecycleStage: 'LEAD' });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/crm/companies/${company.id}`);
  const isTyped = Promise.withResolvers<void>();
  await page.route(`**/v1/crm/companies/${company.id}`, async (route) => {
    if (route.request().method() === 'PATCH') await isTyped.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Change “Lifecycle stage”' }).click();
  const isSent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('option', { name: 'Customer' }).click();
  await isSent;
  await page.getByRole('button', { name: 'Change “Tags”' }).click();
  const input = page.getByRole('group', { name: 'Tags' }).getByRole('combobox');
  await input.fill('swift');
  await input.press('Enter');
  await input.press('Tab');
  isTyped.resolve();
  await page.getByText('Tags of Uppercross saved.').waitFor();
  const { tags, lifecycleStage } = (await server.call('GET', `/v1/crm/companies/${company.id}`)).json;
  assert.deepEqual({ tags, lifecycleStage }, { tags: ['swift'], lifecycleStage: 'CUSTOMER' });
  checkFaults();
});

/** The requests that look for a record by a filter, with what they look for. */
function watchLookups(page: Page, filter: string): string[] {
  const values: string[] = [];
  page.on('request', (request) => {
    const value = new URL(request.url()).searchParams.get(filter);
    if (value !== null) values.push(value);
  });
  return values;
}

test('a contact with the same e-mail address is found while it is typed', async () => {
  const { server } = console;
  const other = await create(server, '/v1/crm/contacts', {
    firstName: 'Jane',
    lastName: 'Bennet',
    emails: [{ address: 'jane@example.com' }],
  });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const lookups = watchLookups(page, 'email');
  await open('/crm/contacts/new');
  await page.getByRole('button', { name: 'Add to Emails' }).click();
  const address = page.getByRole('textbox', { name: 'Address' });
  await address.pressSequentially('JANE@example.com');
  const hint = page.getByRole('alert').filter({ hasText: '“JANE@example.com” is already used by' });
  await hint.waitFor();
  assert.equal(await address.getAttribute('aria-invalid'), 'true');
  assert.ok(lookups.length < 'JANE@example.com'.length, `${lookups}`);
  await checkAccessibility('duplicate');
  const link = hint.getByRole('link', { name: 'Jane Bennet' });
  assert.equal(await link.getAttribute('href'), `/console/crm/contacts/${other.id}`);
  // Another value is free, and nothing is said for a moment that was true of the one before.
  await address.press('End');
  const looked = page.waitForResponse((response) => response.url().includes('example.com.org'));
  await address.pressSequentially('.org');
  await hint.waitFor({ state: 'detached' });
  await looked;
  assert.equal(await page.getByText('is already used by').count(), 0);
  for (let letter = 0; letter < '.org'.length; letter += 1) await address.press('Backspace');
  await link.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { level: 2, name: 'Jane Bennet' }).waitFor();
  checkFaults();
});

test('domains of companies and keys of any record are looked for, those of the record itself are not found', async () => {
  const { server } = console;
  await create(server, '/v1/crm/companies', { name: 'Rosings', domains: ['rosings.example.com'] });
  const company = await create(server, '/v1/crm/companies', {
    name: 'Hunsford',
    domains: ['hunsford.example.com'],
    externalId: 'crm-7',
  });
  await create(server, '/v1/books', { title: 'Emma', externalId: 'isbn-7' });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  const lookups = watchLookups(page, 'domain');
  await open(`/crm/companies/${company.id}?edit=yes`);
  const domains = page.getByRole('combobox', { name: 'Domains' });
  await domains.fill('https://www.rosings.example.com/');
  await domains.press('Enter');
  await page.getByText('“https://www.rosings.example.com/” is already used by').waitFor();
  await page.getByRole('link', { name: 'Rosings' }).waitFor();
  // Only what was added is looked for.
  assert.ok(lookups.length > 0 && !lookups.includes('hunsford.example.com'), `${lookups}`);
  assert.equal(await page.getByText('“hunsford.example.com” is already used by').count(), 0);
  await open('/books/new');
  await page.getByText('Further details').click();
  await page.getByRole('textbox', { name: 'External ID' }).fill('isbn-7');
  await page.getByText('“isbn-7” is already used by').waitFor();
  await page.getByRole('link', { name: 'Emma' }).waitFor();
  checkFaults();
});

test('half of a value is no duplicate, and neither is one that cannot be looked for', async () => {
  const { server } = console;
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open('/books/new');
  const isbn = page.getByRole('textbox', { name: 'ISBN-13' });
  const [refused] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('isbn13=978')),
    isbn.fill('978'),
  ]);
  assert.equal(refused.status(), 400);
  await page.route('**/v1/books?*', (route) => route.abort());
  // The console reads three times before it gives up; what it shows then is drawn in the next frame.
  const failures: string[] = [];
  const gaveUp = page.waitForEvent('requestfailed', (request) => failures.push(request.url()) === 3);
  await isbn.fill('9783161484100');
  await gaveUp;
  await page.evaluate('new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))');
  assert.ok(
    failures.every((url) => url.includes('isbn13=9783161484100')),
    `${failures}`,
  );
  assert.equal(await page.getByText('is already used by').count(), 0);
  assert.equal(await isbn.inputValue(), '9783161484100');
  checkFaults();
});
