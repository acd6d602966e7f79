/** Tests of the history beside a record: old and new values, and restoring them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('former values stand beside a record, and one or all of them are restored and undone', async () => {
  const { server } = console;
  const { id } = await create(server, '/v1/crm/companies', { name: 'Acme', industry: 'Paper' });
  const path = `/v1/crm/companies/${id}`;
  const description = `${'We make things. '.repeat(20)}`;
  for (const body of [
    { name: 'Acme Ltd', description },
    { industry: 'Steel', description: `${description}And more.` },
  ])
    await server.call('PATCH', path, { body });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/crm/companies/${id}`);
  const side = page.getByRole('complementary', { name: 'About this record' });
  await side.getByRole('button', { name: 'Show old and new values' }).click();
  await side.getByText('Paper → Steel').waitFor();
  await side.getByText('Acme → Acme Ltd').waitFor();
  await side.getByText('… And more. …').waitFor();
  await side.getByText('Paper → Steel').scrollIntoViewIfNeeded();
  await checkAccessibility('history');
  const read = async () => (await server.call('GET', path)).json;

  await side.getByRole('button', { name: 'Restore the former value: Industry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await side.getByText('Steel → Paper').waitFor();
  const { industry, name, version } = await read();
  assert.deepEqual([industry, name, version], ['Paper', 'Acme Ltd', 4]);

  await side.getByRole('button', { name: 'Restore all of version 1' }).click();
  await checkAccessibility('question before restoring');
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await side.getByText('Acme Ltd → Acme').waitFor();
  const first = await read();
  assert.deepEqual([first.name, first.industry, first.description], ['Acme', 'Paper', null]);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('Undone.').waitFor();
  assert.equal((await read()).name, 'Acme Ltd');
  checkFaults();
});
