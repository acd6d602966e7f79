/** Selecting all records that match, where they are more than a bulk change has: with progress, an end on request, and in words what is left. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
  const { server } = console;
  await create(server, '/v1/crm/contacts', { firstName: 'Ada', lastName: 'Lovelace' });
  const admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  await admin.query(
    `INSERT INTO trellis.contacts
     SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'display_name', 'Contact ' || n))).*
     FROM trellis.contacts c, generate_series(1, 10_049) n`,
  );
  await admin.end();
});
after(() => console.close());

test('all that match are selected with progress, not when that is stopped, and as many as are changed at once', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/crm/contacts');
  await page
    .getByRole('checkbox', { name: /^Select Contact/ })
    .first()
    .check();
  await page.getByText('One selected').waitFor();
  // The third page of those that are selected does not come at first.
  const held = Promise.withResolvers<void>();
  let pages = 0;
  await page.route(/\/v1\/crm\/contacts\?.*limit=100/, async (route) => {
    pages += 1;
    if (pages === 3) await held.promise;
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await page.getByText('Selecting: 200 so far').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0);
  await checkAccessibility('selecting all that match');
  await page.getByRole('button', { name: 'Stop selecting' }).click();
  await page.getByText('One selected').waitFor();
  held.resolve();
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await page
    .getByText('10000 selected · more match')
    .or(page.getByText('10,000 selected · more match'))
    .waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog');
  await question.getByText('this is for the first 10,000. Repeat it for the others afterwards.').waitFor();
  await checkAccessibility('deleting a part of those that match');
  await question.getByRole('button', { name: 'Cancel' }).click();
  checkFaults();
});
