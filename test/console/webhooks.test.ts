/** Webhook endpoints in the console: adding one, its secrets, pausing and deleting it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('an endpoint is added, its secret is shown once, and it is paused and deleted', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/webhook-endpoints');
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
  await page.getByRole('button', { name: 'New endpoint' }).click();
  assert.equal(new URL(page.url()).pathname, '/console/webhook-endpoints/new');
  await page.getByLabel('URL').fill('https://93.184.215.14/hook');
  const events = page.getByRole('combobox', { name: 'Events' });
  // Types are found by their codes and by their names, and shown with both.
  await events.fill('article.published');
  const option = page.getByRole('option', { name: 'Article published' });
  await option.getByText('article.published').waitFor();
  await page.keyboard.press('Enter');
  await events.fill('password');
  await page.getByRole('option', { name: 'Member: Password changed' }).click();
  // Closes the list of types.
  await page.getByLabel('URL').focus();
  await checkAccessibility('new endpoint');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Secret of' });
  assert.match((await dialog.locator('pre').textContent()) ?? '', /^whsec_/);
  await checkAccessibility('secret');
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('heading', { name: 'https://93.184.215.14/hook' }).waitFor();
  await page.getByRole('definition').getByText('Article published').waitFor();
  await page.getByRole('definition').getByText('member.password_changed').waitFor();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByRole('button', { name: 'Test webhook.test' }).waitFor();
  assert.ok(!(await page.content()).includes('whsec_'));
  await checkAccessibility('endpoint');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/^Paused\. Events are not sent/).waitFor();
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Replace secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
  assert.match((await dialog.locator('pre').textContent()) ?? '', /^whsec_/);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('link', { name: 'Webhook endpoints' }).first().click();
  await page.getByRole('listitem').getByText('Article published').waitFor();
  await checkAccessibility('endpoints');
  await page.getByRole('link', { name: 'https://93.184.215.14/hook' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
  checkFaults();
});

test('an endpoint is limited to sites, which its page names, and nothing but a choice makes it all again', async () => {
  const { server } = console;
  const send = (method: string, path: string, body: object) => server.call(method, path, { body });
  const { json: site } = await send('POST', '/v1/sites', { name: 'Company blog', key: 'company-blog' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/webhook-endpoints/new');
  await page.getByLabel('URL').fill('https://93.184.215.14/sites');
  await page.getByRole('combobox', { name: 'Events' }).fill('article.published');
  await page.getByRole('option', { name: 'Article published' }).click();
  await page.getByLabel('URL').focus();
  await page.getByLabel('Sites', { exact: true }).selectOption('some');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByText('Name at least one site').waitFor();
  await page.getByRole('combobox', { name: 'Which sites' }).fill('Company');
  await page.getByRole('option', { name: 'Company blog' }).click();
  await page.getByRole('list', { name: 'Which sites' }).getByText('Company blog').waitFor();
  await checkAccessibility('endpoint of sites');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page
    .getByRole('dialog', { name: 'Secret of' })
    .getByRole('button', { name: 'I have saved it' })
    .click();
  await page.getByRole('definition').getByRole('link', { name: 'Company blog' }).waitFor();
  const stored = async () => {
    const { json } = await server.call('GET', '/v1/webhook-endpoints');
    return json.items.find(({ url }: { url: string }) => url.endsWith('/sites')).siteIds;
  };
  assert.deepEqual(await stored(), [site.id]);
  const edit = async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
  };
  await edit();
  await page.getByRole('button', { name: 'Remove Company blog' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Name at least one site').waitFor();
  assert.deepEqual(await stored(), [site.id]);
  await page.getByLabel('Sites', { exact: true }).selectOption('all');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await stored(), null);
  checkFaults();
});
