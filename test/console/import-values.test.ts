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
  await page.getByText('Must be one of Subscriber, Lead, Qualified,').waitFor();
  assert.equal(await page.getByText(/QUALIFIED/).count(), 0);
  await check.click();
  const stage = page.getByLabel('Lifecycle stage for “Marketing-Hot”');
  await stage.waitFor();
  await page.getByRole('row', { name: /stage Marketing-Hot 12 rows/ }).waitFor();
  await checkAccessibility('unknown values');
  await stage.selectOption({ label: 'Qualified' });
  const apply = page.getByRole('button', { name: 'Apply and check again' });
  // Who is no member is said at once, not after the stages are clear.
  const owner = page.getByLabel('Owner for “J. Doe”');
  await owner.waitFor();
  await owner.selectOption({ label: 'Choose a member' });
  await page.getByRole('combobox', { name: 'Owner for “J. Doe”' }).last().fill('own');
  await page.locator('[role=option]', { hasText: 'OWNER' }).click();
  await apply.click();
  await page.getByText('“J. Doe” stands for OWNER').waitFor();
  await page.getByText('“Marketing-Hot” stands for Qualified').waitFor();
  // Beside the field stays what the file has.
  const cellOf = (name: RegExp) => page.getByRole('row', { name }).getByRole('cell').first().innerText();
  assert.deepEqual([await cellOf(/^owner/), await cellOf(/^stage/)], ['J. Doe', 'Marketing-Hot']);
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

test('a company with a semicolon is shown as one, and the options of its column split it', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/import?resource=contacts');
  await page.getByLabel('Choose files').setInputFiles({
    name: 'customers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('email,company\nmia@example.org,"Müller & Söhne; Bau GmbH"\n'),
  });
  const row = page.getByRole('row', { name: /^company/ });
  await row.getByRole('paragraph').filter({ hasText: 'One value in each cell' }).waitFor();
  await row.getByLabel('Options of the column company').click();
  const values = row.getByLabel('Values in a cell');
  await checkAccessibility('options of a column');
  await values.selectOption({ label: 'Separated by ;' });
  await row.getByRole('paragraph').filter({ hasText: 'Separated by ;' }).waitFor();
  await values.selectOption({ label: 'As the values of the column say' });
  await row.getByRole('paragraph').filter({ hasText: 'One value in each cell' }).waitFor();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Import one row' }).click();
  await page.getByRole('button', { name: 'Undo this import' }).waitFor();
  const { items } = (await server.call('GET', '/v1/crm/companies?limit=100')).json;
  assert.deepEqual(
    items.map(({ name }: { name: string }) => name),
    ['Müller & Söhne; Bau GmbH'],
  );
  checkFaults();
});

test('the check says which names of another system are read as which values', async () => {
  const { server } = console;
  const stages = ['Marketing Qualified Lead', 'Marketing Qualified Lead', 'Sales Qualified Lead'];
  const buffer = Buffer.from(
    ['email,lifecycle stage', ...stages.map((stage, at) => `q${at}@example.org,${stage}`), ''].join('\n'),
  );
  for (const [locale, choose, check, said] of [
    [
      'en-GB',
      'Choose files',
      'Check',
      [
        '2 rows “Marketing Qualified Lead” is read as Qualified',
        'One row “Sales Qualified Lead” is read as Qualified',
      ],
    ],
    [
      'de-DE',
      'Dateien auswählen',
      'Prüfen',
      [
        '2 Zeilen „Marketing Qualified Lead“ wird als „Qualifiziert“ gelesen',
        'Eine Zeile „Sales Qualified Lead“ wird als „Qualifiziert“ gelesen',
      ],
    ],
  ] as const) {
    const { page, open, checkFaults } = await console.openAs(server.ownerId, { locale });
    await open('/import?resource=contacts');
    await page.getByLabel(choose).setInputFiles({ name: 'q.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: check, exact: true }).click();
    const items = page.getByRole('listitem').filter({ hasText: 'Qualified Lead' });
    await items.nth(1).waitFor();
    const words = (await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    assert.deepEqual(words, said);
    checkFaults();
  }
});
