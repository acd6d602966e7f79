/** The list of refused changes: where "Open" leads, and that nothing is offered which would be refused again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('a refused change of a contact is opened in the form, and not on the page to read', async () => {
  const { server, origin } = console;
  const { json } = await server.call('POST', '/v1/crm/contacts', { body: { firstName: 'Jane' } });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/crm/contacts/${json.id}?edit=yes`);
  await page.getByText('Further details').click();
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Nowhere');
  await page.getByRole('button', { name: 'Add to Emails' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('jane');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Some fields need your attention.').waitFor();
  await page.goto(`${origin}/console/`);
  await page.getByRole('button', { name: 'One change needs attention' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send again' }).waitFor();
  await dialog.getByText(/^Emails, no. 1, Address: /).waitFor();
  await dialog.getByText(/^Time zone: /).waitFor();
  await checkAccessibility('refused fields');
  await dialog.getByRole('button', { name: 'Open' }).click();
  await page.locator('input[value="Nowhere"]').waitFor();
  checkFaults();
});

test('what the rules of books refuse is said in the form before anything is sent', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/v1/books') sent += 1;
  });
  const [check] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('check-draft')),
    open('/books/new'),
  ]);
  await page.evaluate((url) => import(url), check.url());
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Sanditon');
  await page.getByRole('combobox', { name: 'Trade status' }).click();
  await page.getByRole('option', { name: 'Forthcoming' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Some fields need your attention.').waitFor();
  await page.getByText('A forthcoming book requires a publication date.').first().waitFor();
  await checkAccessibility('faults before sending');
  assert.equal(sent, 0);
  await page.getByRole('textbox', { name: 'Publication date' }).fill('2027-05');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(/\/console\/books\/book_/);
  assert.equal(sent, 1);
  assert.equal(await page.getByText('A forthcoming book requires a publication date.').count(), 0);
  checkFaults();
});

test('a deletion of a record that was changed meanwhile is opened or discarded, and not sent again', async () => {
  const { server, origin } = console;
  const { json } = await server.call('POST', '/v1/books', { body: { title: 'Emma' } });
  const { page, context, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/books/${json.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  // The record changes and the tab is closed while the deletion waits for the network. A browser may still send it while the tab closes.
  await context.route('**/v1/books/*', (route) => route.abort());
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Not deleted yet.').first().waitFor();
  const changed = await server.call('PATCH', `/v1/books/${json.id}`, { body: { subtitle: 'A Novel' } });
  assert.equal(changed.status, 200);
  await page.close();
  await context.unroute('**/v1/books/*');
  const next = await context.newPage();
  await next.goto(`${origin}/console/`);
  await next.getByRole('button', { name: 'One change needs attention' }).first().click();
  const dialog = next.getByRole('dialog');
  await dialog.getByText('Someone else changed the record.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Send again' }).count(), 0);
  await dialog.getByRole('button', { name: 'Open' }).click();
  await next.waitForURL(`**/console/books/${json.id}`);
  await next.locator('input[value="A Novel"]').waitFor();
  await next.getByRole('button', { name: 'One change needs attention' }).first().click();
  await next.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  const question = next.getByRole('dialog', { name: 'Discard this change?' });
  await question.getByRole('button', { name: 'Discard' }).click();
  await next
    .getByRole('button', { name: 'One change needs attention' })
    .first()
    .waitFor({ state: 'detached' });
  assert.equal((await server.call('GET', `/v1/books/${json.id}`)).status, 200);
  checkFaults();
});

test('a deletion that is discarded in another tab deletes nothing, and what is typed stays on the page', async () => {
  const { server, origin } = console;
  const { json } = await server.call('POST', '/v1/books', { body: { title: 'Emma' } });
  const { page, context, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/books/${json.id}`);
  await page.getByLabel('Subtitle').fill('A Novel');
  await context.route('**/v1/books/*', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Not deleted yet.').first().waitFor();
  const other = await context.newPage();
  await other.goto(`${origin}/console/`);
  await other.getByRole('button', { name: 'One change waiting' }).first().click();
  await other.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  const question = other.getByRole('dialog', { name: 'Discard this change?' });
  await question.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Unsaved changes').waitFor();
  assert.equal(new URL(page.url()).pathname, `/console/books/${json.id}`);
  assert.equal(await page.getByLabel('Subtitle').inputValue(), 'A Novel');
  assert.equal((await server.call('GET', `/v1/books/${json.id}`)).status, 200);
  checkFaults();
});

/** Opens a book and deletes it while a change of one of its fields waits for its response until it is released. */
async function deleteBehindChange(field: string, value: string) {
  const { server } = console;
  const { json } = await server.call('POST', '/v1/books', { body: { title: 'Emma' } });
  const { page, context, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/books/${json.id}`);
  const released = Promise.withResolvers<void>();
  await context.route('**/v1/books/*', async (route) => {
    if (route.request().method() === 'PATCH') await released.promise;
    await route.continue();
  });
  await page.getByLabel(field).fill(value);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('One change waiting').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('2 changes waiting').first().waitFor({ state: 'attached' });
  return { id: String(json.id), page, dialog, release: released.resolve, checkFaults };
}

test('a deletion behind a change that is refused later is taken out, and the dialog says so', async () => {
  const { id, page, dialog, release, checkFaults } = await deleteBehindChange('ISBN-13', '978-0-00-000000-0');
  release();
  await dialog.getByText('An earlier change was rejected').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Some fields need your attention.').waitFor();
  await page.getByRole('link', { name: 'Magazines' }).click();
  await page.getByRole('button', { name: 'One change needs attention' }).first().waitFor();
  assert.equal((await console.server.call('GET', `/v1/books/${id}`)).status, 200);
  checkFaults();
});

test('a deletion that is cancelled before it was sent deletes nothing', async () => {
  const { id, page, dialog, release, checkFaults } = await deleteBehindChange('Subtitle', 'A Novel');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('One change waiting').first().waitFor({ state: 'attached' });
  release();
  await page.getByText('One change waiting').first().waitFor({ state: 'detached' });
  const left = await console.server.call('GET', `/v1/books/${id}`);
  assert.deepEqual([left.status, left.json.subtitle], [200, 'A Novel']);
  checkFaults();
});
