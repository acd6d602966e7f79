/** Walks of people with long lists: columns in another order and width, kept in a view, and sorting by touch. */
import assert from 'node:assert/strict';
import { defineWalks, type Given } from '../support/walks.ts';

const walk = defineWalks();

async function addContacts({ call }: Given): Promise<void> {
  for (const [firstName, lastName, jobTitle] of [
    ['Mary', 'Shelley', 'Head of the department of modern languages and literature'],
    ['Ada', 'Lovelace', 'Analyst'],
    ['Zora', 'Hurston', 'Anthropologist'],
  ])
    await call('POST', '/v1/crm/contacts', { firstName, lastName, jobTitle });
}

walk(
  'see whole job titles beside the names, and keep the list like that',
  { bounds: { requests: 12, bytes: 5_000 }, given: addContacts },
  async ({ page, untilStored }) => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    const heading = page.getByRole('columnheader', { name: 'Job title' });
    await heading.hover();
    await heading.getByRole('button', { name: 'Column Job title' }).click();
    await page.getByRole('menuitem', { name: 'Move left' }).click();
    await page.getByText('Job title is now column 2 of 5.').waitFor({ state: 'attached' });
    await heading.hover();
    await heading.getByRole('button', { name: 'Column Job title' }).click();
    await page.getByRole('menuitem', { name: 'Fit to content' }).click();
    const value = page
      .getByRole('gridcell', { name: /department of modern languages/ })
      .locator('div')
      .first();
    await page.getByText(/^Job title is \d+ pixels wide\.$/).waitFor({ state: 'attached' });
    assert.ok(await value.evaluate((node) => node.scrollWidth <= node.clientWidth));
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as new view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Jobs');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'View: Jobs' }).waitFor();
    await untilStored('the view', '/v1/views', ({ items: [view] }) =>
      /^displayName,jobTitle-\d+,emails,lifecycleStage,updatedAt$/.test(view?.columns.join()),
    );
  },
);

walk(
  'find the contact with the last name of the alphabet on a telephone',
  {
    bounds: { requests: 10, bytes: 5_000 },
    given: addContacts,
    browser: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  },
  async ({ page }) => {
    await page
      .getByRole('button', { name: /navigation|menu/i })
      .first()
      .tap();
    await page.getByRole('link', { name: 'Contacts', exact: true }).tap();
    await page.getByRole('button', { name: 'Sort', exact: true }).tap();
    await page.getByRole('menuitemradio', { name: 'Display name: Z to A' }).tap();
    await page.locator('[role="row"] a').first().getByText('Zora Hurston').waitFor();
  },
);
