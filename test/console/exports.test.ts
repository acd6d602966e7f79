/** Exports of lists for people, in a real browser: a table in the language of the page comes back in the import without a change. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
  const { server } = console;
  const acme = await create(server, '/v1/crm/companies', { name: 'Müller & Söhne' });
  await create(server, '/v1/crm/contacts', {
    firstName: 'Jürgen',
    lastName: 'Doe; Ben',
    emails: [{ address: 'ben@example.org', label: 'work' }, { address: 'home@example.org' }],
    addresses: [{ street: 'Am Markt 1', postalCode: '01067', city: 'Dresden', country: 'DE' }],
    companies: [{ companyId: acme.id, role: 'Chef' }],
    lifecycleStage: 'LEAD',
    ownerUserId: (await server.call('GET', '/v1/me')).json.user.id,
    locale: 'de',
    doNotContact: true,
  });
});
after(() => console.close());

async function download(page: Page, button: string, item: string): Promise<{ name: string; path: string }> {
  await page.getByRole('button', { name: button, exact: true }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  const file = await saving;
  return { name: file.suggestedFilename(), path: await file.path() };
}

test('a German table has a column for each value, in words, and comes back without a change', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId, {
    locale: 'de-DE',
  });
  await open('/crm/contacts?columns=displayName,emails');
  await page.getByRole('link', { name: 'Jürgen Doe; Ben' }).waitFor();
  await page.getByRole('button', { name: 'Exportieren', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Excel, alle Spalten' }).waitFor();
  await checkAccessibility('menu of exports');
  await page.keyboard.press('Escape');

  const table = await download(page, 'Exportieren', 'CSV, alle Spalten');
  assert.equal(table.name, 'Kontakte.csv');
  const text = await readFile(table.path, 'utf8');
  const [headings = '', row = ''] = text.split('\r\n');
  assert.match(
    headings,
    /^\uFEFFVorname;Nachname;Anzeigename;Position;E-Mail 1;E-Mail 1 Bezeichnung;E-Mail 2;/,
  );
  assert.match(headings, /;Anschrift 1 Straße;Anschrift 1 Ort;Anschrift 1 Postleitzahl;Anschrift 1 Land;/);
  assert.match(headings, /;Nicht kontaktieren;.*;ID$/);
  assert.match(row, /^Jürgen;"Doe; Ben";"Jürgen Doe; Ben";;ben@example\.org;work;home@example\.org;/);
  assert.match(row, /;Am Markt 1;Dresden;01067;Deutschland;/);
  assert.match(row, /;Deutsch;Müller & Söhne;Chef;.*Interessent;;OWNER;.*;Ja;/);
  assert.doesNotMatch(row, /[[{]/);

  const visible = await download(page, 'Exportieren', 'CSV, sichtbare Spalten');
  assert.equal(
    (await readFile(visible.path, 'utf8')).split('\r\n')[0],
    '\uFEFFAnzeigename;E-Mail 1;E-Mail 1 Bezeichnung;E-Mail 2;ID',
  );

  const workbook = await download(page, 'Exportieren', 'Excel, alle Spalten');
  assert.equal(workbook.name, 'Kontakte.xlsx');
  checkFaults();
  for (const { name, path } of [table, workbook]) {
    const { page, open, checkFaults } = await console.openAs(server.ownerId, { locale: 'de-DE' });
    await open('/import?resource=contacts');
    await page.getByLabel('Dateien auswählen').setInputFiles({
      name,
      mimeType: 'application/octet-stream',
      buffer: await readFile(path),
    });
    await page.getByRole('rowheader', { name: 'E-Mail 1 Bezeichnung' }).waitFor();
    await page.getByRole('button', { name: 'Prüfen', exact: true }).click();
    await page.getByText('blieben unverändert').waitFor();
    const counts = await page.locator('dl').first().innerText();
    assert.deepEqual(counts.match(/\d+/g), ['0', '0', '1', '0'], counts);
    checkFaults();
  }
});
