/** A page that breaks says so in the language of the console, and can be loaded again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';

const list = '**/auth/organizations';
let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('a page that breaks on a response is shown as one that cannot be shown, and tried again', async () => {
  const { page, open } = await console.openAs(console.server.ownerId, { locale: 'de-DE' });
  // A response that no server of ours gives.
  await page.route(list, (route) => route.fulfill({ json: { items: 3 } }));
  await open('/');
  await page.getByRole('heading', { name: 'Diese Seite kann gerade nicht angezeigt werden' }).waitFor();
  assert.equal(await page.getByText('went wrong').count(), 0);
  await page.unroute(list);
  await page.getByRole('button', { name: 'Erneut versuchen' }).click();
  await page.getByRole('heading', { name: 'Start', exact: true }).waitFor();
});
