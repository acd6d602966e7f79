/** Walks of an editor who plans: what goes out when, and on which other day. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addMonths, dayOf } from '../../packages/console/src/features/articles/calendar/days.ts';
import { defineWalks, type Given, type Walk } from '../support/walks.ts';

const walk = defineWalks();

/** The clock of the site, an hour ahead of UTC all year, is not that of the person. */
const zone = 'Africa/Lagos';
const browser = { timezoneId: 'America/Los_Angeles' };

/** An article that was published when the walk began, and one that is scheduled for the tenth of the next month. */
interface Plan {
  readonly publishedAt: string;
  /** On the clock of the site: `2027-03` */
  readonly nextMonth: string;
  readonly path: string;
}

async function plan({ call }: Given): Promise<Plan> {
  const site = await call('POST', '/v1/sites', { name: 'Garden blog', key: 'garden', timezone: zone });
  const path = `/v1/sites/${site.id}/articles`;
  const create = async (title: string, versionData: object) => {
    const { id } = await call('POST', path, { versionData: { title, body: 'Text.' } });
    return call('PATCH', `${path}/${id}`, { versionData });
  };
  const { publishedAt } = (await create('First frost', { status: 'PUBLISHED' })).versionData;
  const nextMonth = addMonths(dayOf(new Date(publishedAt), zone).slice(0, 7), 1);
  const scheduledFor = `${nextMonth}-10T12:00:00+01:00`;
  const { id } = await create('Harvest', { status: 'SCHEDULED', scheduledFor });
  return { publishedAt, nextMonth, path: `${path}/${id}` };
}

let planned: Plan;
const given = async (before: Given) => {
  planned = await plan(before);
};

/** Opens the calendar by the navigation, at the time at which the plan was made: the month may end meanwhile. */
async function openCalendar({ page }: Pick<Walk, 'page'>): Promise<void> {
  await page.clock.setFixedTime(planned.publishedAt);
  await page.getByRole('link', { name: 'Calendar' }).click();
  await page.getByRole('link', { name: 'First frost' }).waitFor();
}

/** The tenth, twentieth and twenty-first are shown with no other month. */
const cellOf = (page: Page, day: number) =>
  page.getByRole('cell').filter({ has: page.locator(`time[datetime="${planned.nextMonth}-${day}"]`) });
const linkIn = (page: Page, day: number, title: string) =>
  cellOf(page, day).getByRole('link', { name: title });
const isAt = (time: string) => (stored: { versionData: { status: string; scheduledFor: string } }) =>
  stored.versionData.status === 'SCHEDULED' &&
  Date.parse(stored.versionData.scheduledFor) === Date.parse(`${planned.nextMonth}-${time}:00+01:00`);

walk(
  'see what is published when, and move an article to another day and hour by keyboard, and back',
  { bounds: { requests: 30, bytes: 20_000 }, browser, given },
  async ({ page, checkAccessibility, untilStored }) => {
    await openCalendar({ page });
    await page.getByRole('button', { name: 'Next month' }).press('Enter');
    await linkIn(page, 10, '12:00 Scheduled Harvest').waitFor();
    await page.goBack();
    await page.getByRole('table').getByRole('link', { name: 'First frost' }).waitFor();
    await page.goForward();
    await linkIn(page, 10, '12:00 Scheduled Harvest').waitFor();
    await checkAccessibility('calendar');
    const move = page.getByRole('button', { name: 'Move “Harvest”' });
    await move.press('Enter');
    const time = page.getByRole('dialog').getByLabel('Publish on', { exact: true });
    await time.fill(`${planned.nextMonth}-20T08:30`);
    await time.press('Enter');
    await page.getByText('“Harvest” will be published on').waitFor();
    await linkIn(page, 20, '08:30 Scheduled Harvest').waitFor();
    // The next key goes to what was moved.
    await move.and(page.locator(':focus')).waitFor();
    await untilStored('the other time', planned.path, isAt('20T08:30'));
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await linkIn(page, 10, '12:00 Scheduled Harvest').waitFor();
    await untilStored('the time of before', planned.path, isAt('10T12:00'));
  },
);

walk(
  'drag a scheduled article to another day, and be told when somebody else has published it meanwhile',
  { bounds: { requests: 30, bytes: 20_000 }, browser, given },
  async ({ page, call, untilStored }) => {
    await openCalendar({ page });
    await page.getByRole('button', { name: 'Next month' }).click();
    await linkIn(page, 10, 'Harvest').dragTo(cellOf(page, 20));
    await linkIn(page, 20, '12:00 Scheduled Harvest').waitFor();
    await untilStored('the other day, at the same time', planned.path, isAt('20T12:00'));
    await page.getByRole('button', { name: 'Move “Harvest”' }).click();
    const time = page.getByRole('dialog').getByLabel('Publish on', { exact: true });
    await time.waitFor();
    await call('PATCH', planned.path, { versionData: { status: 'PUBLISHED' } });
    await time.fill(`${planned.nextMonth}-21T08:30`);
    await time.press('Enter');
    await page.getByText('“Harvest” was not moved, because someone else changed it.').waitFor();
    await linkIn(page, 21, 'Harvest').waitFor({ state: 'hidden' });
    assert.equal((await call('GET', planned.path)).state, 'PUBLISHED');
  },
);
