/** What people type into forms in their own notation, and how a form leads to what it does not understand, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('a German form understands an amount, a currency, a country, a language and a date', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId, {
    locale: 'de-DE',
  });
  await open('/books/new');
  await page.getByRole('textbox', { name: 'Beschreibung' }).waitFor();
  await page.getByRole('textbox', { name: 'Titel', exact: true }).fill('Sanditon');
  assert.equal(await page.getByText('Left out.').count(), 0);
  await page.getByRole('textbox', { name: 'Erscheinungsdatum' }).fill('15.03.2027');
  const type = async (name: string, typed: string) => {
    await page.getByRole('combobox', { name }).fill(typed);
    await page.keyboard.press('Tab');
  };
  await type('Sprache', 'deutsch');
  await page.getByRole('button', { name: 'Zu Preise hinzufügen' }).click();
  await page.getByRole('textbox', { name: 'Betrag' }).fill('1.234');
  await type('Währung', '$');
  await page.getByText('„$“ ist nicht eindeutig.').waitFor();
  await type('Währung', '€');
  await type('Gebiet', 'Deutschland');
  await page.getByRole('button', { name: 'Anlegen', exact: true }).click();
  const link = page.getByRole('link', { name: 'Preise, Nr. 1, Betrag' });
  await link.waitFor();
  await page.waitForFunction(`document.activeElement?.textContent === 'Preise, Nr. 1, Betrag'`);
  assert.doesNotMatch(await page.getByRole('alert').first().innerText(), /\^|\(\?/);
  await checkAccessibility('faults as links');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.value'), '1.234');
  await page.getByRole('textbox', { name: 'Betrag' }).fill('1.234,50');
  await page.getByRole('button', { name: 'Anlegen', exact: true }).click();
  await page.waitForURL(/\/console\/books\/book_/);
  const [book] = (await server.call('GET', '/v1/books')).json.items;
  assert.deepEqual([book.publicationDate, book.language], ['2027-03-15', 'de']);
  assert.deepEqual(book.prices, [{ amount: '1234.50', currency: 'EUR', territory: 'DE' }]);
  assert.equal(await page.getByRole('textbox', { name: 'Betrag' }).inputValue(), '1234,50');
  assert.equal(await page.getByRole('textbox', { name: 'Erscheinungsdatum' }).inputValue(), '15.03.2027');
  checkFaults();
});
