/** Walks of people who look for what is in one status: groups of lists, with the number of records in each. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { defineWalks, type Given } from '../support/walks.ts';

const walk = defineWalks();

const groupsOf = (page: Page) => page.getByRole('navigation', { name: 'Status: groups' });
const groupOf = (page: Page, name: string) => groupsOf(page).getByRole('link', { name, exact: true });
const titlesOf = (page: Page) => page.locator('[role="row"] a').allTextContents();

async function addArticles({ call }: Given): Promise<void> {
  const site = await call('POST', '/v1/sites', { name: 'Blog', key: 'blog' });
  const path = `/v1/sites/${site.id}/articles`;
  for (const [title, ...statuses] of [
    ['First frost', 'IN_REVIEW'],
    ['The harvest'],
    ['Late apples', 'PUBLISHED'],
    ['Early snow', 'IN_REVIEW'],
    ['Frost again'],
  ]) {
    const { id } = await call('POST', path, { versionData: { title } });
    for (const status of statuses) await call('PATCH', `${path}/${id}`, { versionData: { status } });
  }
}

walk(
  'see what is waiting for review, and approve one of it',
  { bounds: { requests: 40, bytes: 25_000 }, given: addArticles },
  async ({ page, checkAccessibility, untilStored, origin }) => {
    await page.getByRole('link', { name: 'Articles', exact: true }).click();
    await groupOf(page, 'All 5').and(page.locator('[aria-current]')).waitFor();
    await groupOf(page, 'Draft 2').waitFor();
    await groupOf(page, 'Published 1').waitFor();
    // Only versions that a newer one has replaced are superseded, and the list has the newest of each article.
    assert.equal(await groupsOf(page).getByRole('link', { name: 'Superseded' }).count(), 0);
    await checkAccessibility('all groups');
    await groupOf(page, 'In review 2').click();
    await page.waitForURL((url) => url.searchParams.get('status') === 'IN_REVIEW');
    await page.getByRole('link', { name: 'The harvest' }).waitFor({ state: 'detached' });
    assert.deepEqual((await titlesOf(page)).sort(), ['Early snow', 'First frost']);
    await groupOf(page, 'In review 2').and(page.locator('[aria-current]')).waitFor();
    await groupOf(page, 'All 5').waitFor();
    assert.equal(await groupsOf(page).locator('[aria-current]').count(), 1);
    // The group is the filter that people add to a list.
    const filter = page.getByRole('group', { name: 'Status', exact: true });
    await filter.locator('.mantine-Pill-label').getByText('In review', { exact: true }).waitFor();
    await filter.getByRole('combobox', { name: 'Status', exact: true }).click();
    await filter.getByRole('option', { name: 'Approved', exact: true }).waitFor();
    assert.equal(await filter.getByRole('option', { name: 'Superseded' }).count(), 0);
    await page.keyboard.press('Escape');
    await checkAccessibility('one group');
    const reviewed = page.url();

    await page.getByRole('link', { name: 'First frost' }).click();
    await page.getByRole('button', { name: 'Status: In review' }).click();
    await page.getByRole('menuitem', { name: 'Approve', exact: true }).click();
    await page.getByRole('button', { name: 'Status: Approved' }).waitFor();
    await untilStored('the approval', new URL(page.url()).pathname.replace('/console', '/v1'), (article) => {
      return article.versionData.status === 'APPROVED';
    });
    await page.goBack();
    await groupOf(page, 'In review 1').waitFor();
    await groupOf(page, 'Approved 1').waitFor();
    assert.equal(page.url(), reviewed);
    assert.ok(reviewed.startsWith(origin));
  },
);

walk(
  'find the drafts about frost on a telephone, by the keyboard',
  {
    bounds: { requests: 25, bytes: 15_000 },
    given: addArticles,
    browser: { viewport: { width: 360, height: 740 } },
  },
  async ({ page }) => {
    await page
      .getByRole('button', { name: /navigation|menu/i })
      .first()
      .click();
    await page.getByRole('link', { name: 'Articles', exact: true }).click();
    await groupOf(page, 'All 5').waitFor();
    await page.getByRole('searchbox', { name: 'Search articles' }).fill('frost');
    await groupOf(page, 'All 2').waitFor();
    await groupOf(page, 'Published 0').waitFor();
    await groupOf(page, 'All 2').focus();
    await page.keyboard.press('Tab');
    await groupOf(page, 'Draft 1').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('status') === 'DRAFT');
    await page.getByRole('link', { name: 'First frost' }).waitFor({ state: 'detached' });
    assert.deepEqual(await titlesOf(page), ['Frost again']);
    assert.ok(await groupsOf(page).evaluate((bar) => bar.scrollWidth > bar.clientWidth));
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.equal(width, 360, 'the groups scroll, and the page does not');
    await groupOf(page, 'All 2').click();
    await page.waitForURL((url) => !url.searchParams.has('status'));
    await page.getByRole('link', { name: 'First frost' }).waitFor();
  },
);
