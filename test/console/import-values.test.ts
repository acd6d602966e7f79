/** Values of a file that are none of ours, mapped by a person in the import, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('unknown stages and members are said once with their rows, and a choice corrects all of them', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/import?resource=contacts');
  const people = Array.from({ length: 12 }, (_, index) => `p${index}@example.org,Marketing-Hot,J. Doe`);
  await page.getByLabel('Choose files').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['email,stage,owner', ...people, ''].join('\n')),
  });
  const check = page.getByRole('button', { name: 'Check', exact: true });
  await page.getByRole('rowheader', { name: 'stage' }).waitFor();
  await check.click();
  const stage = page.getByLabel('Lifecycle stage for “Marketing-Hot”');
  await stage.waitFor();
  await page.getByRole('row', { name: /stage Marketing-Hot 12 rows/ }).waitFor();
  await checkAccessibility('unknown values');
  await stage.selectOption({ label: 'Qualified' });
  const apply = page.getByRole('button', { name: 'Apply and check again' });
  await apply.click();
  const owner = page.getByLabel('Owner for “J. Doe”');
  await owner.waitFor();
  await owner.selectOption({ label: 'Choose a member' });
  await page.getByRole('combobox', { name: 'Owner for “J. Doe”' }).last().fill('own');
  await page.locator('[role=option]', { hasText: 'OWNER' }).click();
  await apply.click();
  await page.getByText('“J. Doe” stands for OWNER').waitFor();
  await page.getByText('“Marketing-Hot” stands for Qualified').waitFor();
  await page.getByRole('button', { name: 'Import 12 rows' }).click();
  await page.getByRole('button', { name: 'Undo this import' }).waitFor();
  const { items } = (await server.call('GET', '/v1/crm/contacts?limit=100')).json;
  const userId = (await server.call('GET', '/v1/me')).json.user.id;
  assert.deepEqual(
    items.map((item: { lifecycleStage: string; ownerUserId: string }) => [
      item.lifecycleStage,
      item.ownerUserId,
    ]),
    people.map(() => ['QUALIFIED', userId]),
  );
  checkFaults();
});
