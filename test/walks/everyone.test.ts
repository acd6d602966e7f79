/** Walks of people who read German, use no mouse, or have a telephone. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { defineWalks, type Given } from '../support/walks.ts';

const walk = defineWalks();

const addContact = ({ call }: Given) =>
  call('POST', '/v1/crm/contacts', { firstName: 'Elizabeth', lastName: 'Bennet', jobTitle: 'Reader' });

walk(
  'in German: choose the colours, add a contact, and find what is wrong with its number',
  { bounds: { requests: 30, bytes: 25_000 }, browser: { locale: 'de-DE' } },
  async ({ page, call, checkAccessibility }) => {
    await page.getByRole('button', { name: /^Konto/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dunkel' }).click();
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
    await page.getByRole('menuitemradio', { name: 'System' }).click();
    await checkAccessibility('menu of the person');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Kontakte', exact: true }).click();
    await page.getByRole('button', { name: 'Kontakt anlegen' }).first().click();
    await page.getByLabel('Vorname').fill('Jürgen');
    await page.getByLabel('Nachname').fill('Groß');
    await page.getByRole('button', { name: 'Zu Telefonnummern hinzufügen' }).click();
    await page.getByRole('textbox', { name: 'Nummer' }).fill('12');
    await page.getByRole('button', { name: 'Anlegen', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('textbox', { name: 'Nummer' }).fill('+49 30 901820');
    await page.getByRole('button', { name: 'Anlegen', exact: true }).click();
    await page.getByRole('heading', { name: 'Jürgen Groß' }).first().waitFor();
    const [contact] = (await call('GET', '/v1/crm/contacts')).items;
    assert.deepEqual([contact.lastName, contact.phones[0].number], ['Groß', '+49 30 901820']);
  },
);

walk(
  'by keyboard only: find a contact, change the job title, and delete it',
  // While somebody types slowly, each letter is searched for.
  { bounds: { requests: 120, bytes: 20_000 }, given: addContact },
  async ({ page, call, untilStored }) => {
    const reach = async (target: Locator) => {
      await target.waitFor();
      for (let presses = 0; !(await target.evaluate((one) => one.matches(':focus'))); presses += 1) {
        assert.ok(presses < 80, `${target} is reached`);
        await page.keyboard.press('Tab');
      }
    };
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('Bennet');
    await page.getByRole('option', { name: /Elizabeth Bennet/ }).waitFor();
    await page.keyboard.press('Enter');
    await reach(page.getByRole('button', { name: 'Edit' }));
    await page.keyboard.press('Enter');
    await reach(page.getByRole('textbox', { name: 'Job title' }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Author');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved.').waitFor();
    const [{ id }] = (await call('GET', '/v1/crm/contacts')).items;
    await untilStored('the title', `/v1/crm/contacts/${id}`, ({ jobTitle }) => jobTitle === 'Author');
    await reach(page.getByRole('button', { name: 'More actions' }));
    await page.keyboard.press('Enter');
    const remove = page.getByRole('menuitem', { name: 'Delete' });
    await remove.waitFor();
    while (!(await remove.evaluate((one) => one.matches(':focus')))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await reach(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
    await page.keyboard.press('Enter');
    await untilStored('no contact', '/v1/crm/contacts', ({ items }) => items.length === 0);
  },
);

walk(
  'on a telephone: find a contact, and change the job title',
  {
    bounds: { requests: 30, bytes: 20_000 },
    given: addContact,
    browser: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  },
  async ({ page, call, untilStored }) => {
    await page.getByRole('button', { name: 'Menu' }).tap();
    await page.getByRole('link', { name: 'Contacts', exact: true }).tap();
    await page.getByRole('link', { name: 'Elizabeth Bennet' }).tap();
    await page.getByRole('button', { name: 'Edit' }).tap();
    await page.getByRole('textbox', { name: 'Job title' }).fill('Author');
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Saved.').waitFor();
    const [{ id }] = (await call('GET', '/v1/crm/contacts')).items;
    await untilStored('the title', `/v1/crm/contacts/${id}`, ({ jobTitle }) => jobTitle === 'Author');
  },
);

walk(
  'delete the wrong book, notice it later, and take it back from the trash',
  {
    bounds: { requests: 25, bytes: 20_000 },
    given: async ({ call }) => {
      for (const title of ['Emma', 'Persuasion']) await call('POST', '/v1/books', { title });
    },
  },
  async ({ page, untilStored }) => {
    await page.getByRole('link', { name: 'Books' }).click();
    await page.getByRole('link', { name: 'Persuasion' }).click();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Persuasion deleted.').waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore: Persuasion' }).click();
    await page.getByText('Persuasion restored.').waitFor();
    await page.getByRole('link', { name: 'Books' }).click();
    await page.getByRole('link', { name: 'Persuasion' }).waitFor();
    await untilStored('both books', '/v1/books', ({ items }) => items.length === 2);
  },
);
