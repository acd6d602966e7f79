/** Walks of an editor who plans: what goes out when, on which other day, what is to be written for a day, and the correction of a scheduled text. */
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
  { bounds: { requests: 60, bytes: 30_000 }, browser, given },
  async ({ page, checkAccessibility, untilStored }) => {
    await openCalendar({ page });
    await page.getByRole('button', { name: 'Next month' }).press('Enter');
    await linkIn(page, 10, '12:00 Scheduled Harvest').waitFor();
    await page.goBack();
    await page.getByRole('table').getByRole('link', { name: 'First frost' }).waitFor();
    await page.goForward();
    await linkIn(page, 10, '12:00 Scheduled Harvest').waitFor();
    await checkAccessibility('calendar');
    const move = page.getByRole('button', { name: 'Actions for “Harvest”' });
    await move.press('Enter');
    await page.getByRole('menuitem', { name: 'Choose another time…' }).press('Enter');
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
  { bounds: { requests: 60, bytes: 30_000 }, browser, given },
  async ({ page, call, untilStored }) => {
    await openCalendar({ page });
    await page.getByRole('button', { name: 'Next month' }).click();
    await linkIn(page, 10, 'Harvest').dragTo(cellOf(page, 20));
    await linkIn(page, 20, '12:00 Scheduled Harvest').waitFor();
    await untilStored('the other day, at the same time', planned.path, isAt('20T12:00'));
    await page.getByRole('button', { name: 'Actions for “Harvest”' }).click();
    await page.getByRole('menuitem', { name: 'Choose another time…' }).click();
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

/** The article of that title; the site has few. */
const articleOf = async (call: Walk['call'], title: string) => {
  const { items } = await call('GET', planned.path.replace(/\/[^/]+$/, ''));
  return items.find((item: { versionData: { title: string } }) => item.versionData.title === title);
};

walk(
  'plan a month: a new article on a day, a draft on another by keyboard, by menu and by drag, and one without its day again',
  {
    bounds: { requests: 160, bytes: 90_000 },
    browser,
    given: async (before) => {
      await given(before);
      const path = planned.path.replace(/\/[^/]+$/, '');
      await before.call('POST', path, { versionData: { title: 'Pruning', body: 'Text.' } });
    },
  },
  async ({ page, call, untilStored, checkAccessibility }) => {
    await openCalendar({ page });
    await page.getByRole('button', { name: 'Next month' }).click();
    await linkIn(page, 10, 'Harvest').waitFor();
    await page.getByText('Africa/Lagos').waitFor();
    assert.equal(await page.getByText('Africa/Lagos').count(), 1, 'the zone is said once');
    const backlog = page.getByRole('region', { name: 'Without a date' });
    await backlog.getByRole('link', { name: 'Pruning' }).waitFor();
    const dialog = page.getByRole('dialog');
    // It is closed again: on a narrow page there is no table that the focus could return to.
    await page.getByRole('button', { name: 'Plan an article' }).click();
    await dialog.getByLabel('Title').waitFor();
    await checkAccessibility('planning for a day');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // A new article on the day that is clicked.
    await cellOf(page, 20).click({ position: { x: 60, y: 90 } });
    await dialog.getByLabel('Title').fill('Sowing');
    assert.equal(await dialog.getByLabel('Planned for').inputValue(), `${planned.nextMonth}-20T09:00`);
    await dialog.getByRole('button', { name: 'Plan' }).click();
    await linkIn(page, 20, '09:00 Draft Sowing').waitFor();
    const sowing = await articleOf(call, 'Sowing');
    assert.equal(sowing.versionData.status, 'DRAFT');
    assert.equal(
      Date.parse(sowing.versionData.scheduledFor),
      Date.parse(`${planned.nextMonth}-20T09:00:00+01:00`),
    );
    // A draft by keyboard: arrows go from day to day.
    const dayButton = (day: number) => cellOf(page, day).getByRole('button', { name: /Plan for / });
    await dayButton(20).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await dialog.getByText('A draft', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Draft' }).fill('Prun');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Plan' }).press('Enter');
    await linkIn(page, 21, '09:00 Draft Pruning').waitFor();
    await backlog.getByRole('link', { name: 'Pruning' }).waitFor({ state: 'hidden' });
    const { id } = await articleOf(call, 'Pruning');
    const pruning = planned.path.replace(/[^/]+$/, id);
    const isDraftOn =
      (time: string | null) => (stored: { versionData: { status: string; scheduledFor: string } }) =>
        stored.versionData.status === 'DRAFT' &&
        (time === null
          ? stored.versionData.scheduledFor === null
          : Date.parse(stored.versionData.scheduledFor) ===
            Date.parse(`${planned.nextMonth}-${time}:00+01:00`));
    await untilStored('the planned day', pruning, isDraftOn('21T09:00'));
    // Off the calendar by its menu, and onto it by dragging.
    await page.getByRole('button', { name: 'Actions for “Pruning”' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Remove the date' }).click();
    await backlog.getByRole('link', { name: 'Pruning' }).waitFor();
    await untilStored('no day', pruning, isDraftOn(null));
    await backlog.getByRole('link', { name: 'Pruning' }).dragTo(cellOf(page, 20));
    await linkIn(page, 20, '09:00 Draft Pruning').waitFor();
    await untilStored('the day on which it was dropped', pruning, isDraftOn('20T09:00'));
    // What was scheduled goes back, and by Undo it is scheduled as before.
    await linkIn(page, 10, 'Harvest').dragTo(backlog);
    await backlog.getByRole('link', { name: 'Harvest' }).waitFor();
    await untilStored('a draft without a day', planned.path, isDraftOn(null));
    // Until then there is the message about the last one, with its own "Undo".
    await page.getByText('“Harvest” is a draft without a date.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await linkIn(page, 10, '12:00 Scheduled Harvest').waitFor();
    await untilStored('the time of before', planned.path, isAt('10T12:00'));
    // By its menu a draft gets another day and hour.
    await page.getByRole('button', { name: 'Actions for “Sowing”' }).click();
    await page.getByRole('menuitem', { name: 'Choose another time…' }).click();
    const time = dialog.getByLabel('Planned for');
    await time.fill(`${planned.nextMonth}-21T16:45`);
    await time.press('Enter');
    await linkIn(page, 21, '16:45 Draft Sowing').waitFor();
    // It goes live by itself only after it is scheduled.
    await page.getByRole('button', { name: 'Actions for “Sowing”' }).click();
    await page.getByRole('menuitem', { name: 'Schedule…' }).click();
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await linkIn(page, 21, '16:45 Scheduled Sowing').waitFor();
  },
);

walk(
  'correct the text of a scheduled article, and schedule it for the same time in one step',
  { bounds: { requests: 110, bytes: 90_000 }, browser, given },
  async ({ page, untilStored }) => {
    await openCalendar({ page });
    await page.getByRole('button', { name: 'Next month' }).click();
    await linkIn(page, 10, 'Harvest').click();
    await page.getByText(/^Scheduled for .*10.* 12:00.*Africa\/Lagos/).waitFor();
    await page.getByRole('button', { name: 'Return to draft and edit' }).click();
    const again = page.getByRole('button', { name: 'Schedule for this time' });
    await again.waitFor();
    const title = page.getByPlaceholder('Title');
    await title.fill('Harvest and thanks');
    await again.click();
    await page.getByRole('button', { name: 'Return to draft and edit' }).waitFor();
    await untilStored(
      'the corrected text at the same time',
      planned.path,
      (stored) => isAt('10T12:00')(stored) && stored.versionData.title === 'Harvest and thanks',
    );
  },
);
