/**
 * The calendar beyond its walks: what it shows to whom, moves while the server cannot be reached, moves that are about more than the time,
 * and full days. What is planned is two months ahead, so that no month or day that ends meanwhile makes a difference.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addMonths, dayOf } from '../../packages/console/src/features/articles/calendar/days.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { makeReadPicture } from '../support/fixtures.ts';
import { createMember } from '../support/identities.ts';
import { countStored } from '../support/stored-rows.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

const zone = 'Africa/Lagos';
const month = addMonths(dayOf(new Date(), zone).slice(0, 7), 2);
/** An instant of that month on the clock of the sites, an hour ahead of UTC all year. */
const at = (day: number, time = '12:00') =>
  new Date(`${month}-${String(day).padStart(2, '0')}T${time}:00+01:00`).toISOString();

/** A new site. */
async function addSite(key: string) {
  const { id } = await create(console.server, '/v1/sites', { name: `Site ${key}`, key, timezone: zone });
  return { id: String(id), address: `/calendar?site=${id}&month=${month}` };
}

/** @returns the path of a new article that is scheduled for the fifteenth, unless `versionData` says otherwise */
async function schedule(siteId: string, title: string, versionData: object = {}): Promise<string> {
  const { server } = console;
  const path = `/v1/sites/${siteId}/articles`;
  const { id } = await create(server, path, { versionData: { title } });
  const body = { versionData: { status: 'SCHEDULED', scheduledFor: at(15), ...versionData } };
  const { status, text } = await server.call('PATCH', `${path}/${id}`, { body });
  assert.equal(status, 200, text);
  return `${path}/${id}`;
}

const timesOf = async (path: string) => (await console.server.call('GET', path)).json.versionData;
const untilAt = (path: string, instant: string) =>
  until(`the article at ${instant}`, async () => {
    const { status, scheduledFor } = await timesOf(path);
    return status === 'SCHEDULED' && scheduledFor === instant;
  });
const cellOf = (page: Page, day: number) =>
  page
    .getByRole('cell')
    .filter({ has: page.locator(`time[datetime="${month}-${String(day).padStart(2, '0')}"]`) });
const linkIn = (page: Page, day: number, title: string) =>
  cellOf(page, day).getByRole('link', { name: title });
async function askToMove(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for “${title}”` }).click();
  await page.getByRole('menuitem', { name: 'Choose another time…' }).click();
}
const passed = 'This time has passed. Choose a later one.';

test('without a site the calendar says what is missing; a month that is none is the present one', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/calendar?month=2026-99');
  await page.getByRole('heading', { name: 'Site required' }).waitFor();
  await page.getByRole('link', { name: 'New site' }).waitFor();
  await checkAccessibility('calendar without a site');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('calend');
  await page.getByRole('option', { name: 'Calendar' }).waitFor();
  checkFaults();
});

test('whoever may only read sees what is planned, in German and on the clock of the site, and moves nothing', async () => {
  const { server } = console;
  const site = await addSite('coast');
  await schedule(site.id, 'Low tide', { scheduledFor: at(15, '00:30') });
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer, {
    locale: 'de-DE',
    timezoneId: 'America/Los_Angeles',
  });
  await open(site.address);
  await page.getByRole('heading', { level: 1, name: 'Kalender' }).waitFor();
  await page.getByText('Alle Zeiten: Africa/Lagos').waitFor();
  await linkIn(page, 15, '00:30 Geplant Low tide').waitFor();
  await page.getByText('Die Rolle Leser darf diese Einträge nicht ändern.').waitFor();
  assert.equal(await page.getByRole('button', { name: /Aktionen|planen/ }).count(), 0);
  assert.equal(await page.locator('[draggable="true"]').count(), 0);
  await checkAccessibility('calendar of a reader');
  await page.getByRole('button', { name: 'Nächster Monat' }).click();
  await page.getByRole('table').waitFor();
  await checkAccessibility('calendar of an empty month');
  checkFaults();
});

test('a site is shown that is not among the first fifty', async () => {
  const { server } = console;
  for (let number = 0; number < 51; number++) await addSite(`number-${number}`);
  const second = (await server.call('GET', '/v1/sites?limit=50')).json.pageInfo.nextCursor;
  const [site] = (await server.call('GET', `/v1/sites?limit=50&cursor=${second}`)).json.items;
  await schedule(site.id, 'Far away');
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/calendar?site=${site.id}&month=${month}`);
  await page.getByRole('link', { name: /Far away/ }).waitFor();
  // One that is not there: the first.
  await open(`/calendar?site=..%2Fno-site&month=${month}`);
  await page.getByRole('table').waitFor();
  checkFaults();
});

test('moves are kept while the server cannot be reached, also over a reload, and are then done', async () => {
  const { server } = console;
  const site = await addSite('heath');
  const dragged = await schedule(site.id, 'Heather');
  const chosen = await schedule(site.id, 'Gorse');
  const { page, context, open, checkFaults } = await console.openAs(server.ownerId, { timezoneId: zone });
  await open(site.address);
  await linkIn(page, 15, 'Heather').waitFor();
  // What the dialog is made of is loaded before.
  await askToMove(page, 'Gorse');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await context.setOffline(true);
  await linkIn(page, 15, 'Heather').dragTo(cellOf(page, 20));
  await linkIn(page, 20, 'Heather').waitFor();
  await askToMove(page, 'Gorse');
  const dialog = page.getByRole('dialog', { name: 'Schedule “Gorse”' });
  await dialog.getByLabel('Publish on', { exact: true }).fill(`${month}-21T08:30`);
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await linkIn(page, 21, '08:30 Scheduled Gorse').waitFor();
  // A second move of what still waits.
  await linkIn(page, 20, 'Heather').dragTo(cellOf(page, 22));
  await linkIn(page, 22, 'Heather').waitFor();
  assert.equal(await countStored(page, 'change'), 3);
  assert.equal((await timesOf(dragged)).scheduledFor, at(15));
  await context.route('**/v1/sites/*/articles/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await context.setOffline(false);
  await page.reload();
  await linkIn(page, 22, 'Heather').waitFor();
  await linkIn(page, 21, '08:30 Scheduled Gorse').waitFor();
  assert.equal((await timesOf(dragged)).scheduledFor, at(15));
  await context.unroute('**/v1/sites/*/articles/*');
  await untilAt(dragged, at(22));
  await untilAt(chosen, at(21, '08:30'));
  await linkIn(page, 22, 'Heather').waitFor();
  checkFaults();
});

test('a move after a change by somebody else is told and not done; a move of what is shown then is done', async () => {
  const { server } = console;
  const site = await addSite('dunes');
  const path = await schedule(site.id, 'High tide');
  const { page, open, checkFaults } = await console.openAs(server.ownerId, { timezoneId: zone });
  // The change is not noticed before the person has tried.
  await page.route('**/v1/events**', (route) => route.abort());
  await open(site.address);
  await askToMove(page, 'High tide');
  assert.equal((await server.call('PATCH', path, { body: { articleData: { featured: true } } })).status, 200);
  const time = page.getByRole('dialog').getByLabel('Publish on', { exact: true });
  await time.fill(`${month}-20T08:30`);
  await time.press('Enter');
  await page.getByText('“High tide” was not moved, because someone else changed it.').waitFor();
  await linkIn(page, 15, 'High tide').waitFor();
  assert.equal(await countStored(page, 'change'), 0);
  assert.equal((await timesOf(path)).scheduledFor, at(15));
  await askToMove(page, 'High tide');
  await time.fill(`${month}-20T08:30`);
  await time.press('Enter');
  await page.getByText('“High tide” will be published on').waitFor();
  await untilAt(path, at(20, '08:30'));
  checkFaults();
});

test('an article with a picture that is not public is moved after the question that scheduling asks', async () => {
  const { server } = console;
  const site = await addSite('orchard');
  const file = await create(server, '/v1/knowledge-files', { name: 'apple.png', visibility: 'ORGANIZATION' });
  await makeReadPicture({ server, organization: server.organization }, file.id);
  const read = async () => (await server.call('GET', `/v1/knowledge-files/${file.id}`)).json;
  const { picturePath } = await read();
  const path = await schedule(site.id, 'Harvest', { body: `![An apple](${picturePath}?w=1280)` });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId, {
    timezoneId: 'Europe/Berlin',
  });
  await open(site.address);
  await linkIn(page, 15, 'Harvest').dragTo(cellOf(page, 20));
  const dialog = page.getByRole('dialog', { name: 'Schedule “Harvest”' });
  await dialog.getByText('apple.png').waitFor();
  assert.equal(
    await dialog.getByLabel('Publish on', { exact: true }).inputValue(),
    `${month}-20T12:00`,
    'the day on which it was dropped',
  );
  await checkAccessibility('moving an article with a picture that is not public');
  assert.equal((await timesOf(path)).scheduledFor, at(15), 'nothing is moved before it is asked');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await linkIn(page, 15, 'Harvest').waitFor();
  // By the button as well.
  await askToMove(page, 'Harvest');
  await dialog.getByLabel('Make public now').check();
  await dialog.getByLabel('Publish on', { exact: true }).fill(`${month}-21T08:30`);
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await linkIn(page, 21, 'Harvest').waitFor();
  await untilAt(path, at(21, '08:30'));
  assert.notEqual((await read()).publicSince, null);
  // Nothing is to be asked now.
  await linkIn(page, 21, 'Harvest').dragTo(cellOf(page, 22));
  await untilAt(path, at(22, '08:30'));
  checkFaults();
});

test('an article is not moved behind the time at which it is unpublished without asking', async () => {
  const site = await addSite('fen');
  const path = await schedule(site.id, 'Reeds', { unpublishAt: at(18) });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(site.address);
  await linkIn(page, 15, 'Reeds').dragTo(cellOf(page, 20));
  const dialog = page.getByRole('dialog', { name: 'Schedule “Reeds”' });
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await dialog.getByText('Must be later than the publication.').waitFor();
  await dialog.getByLabel('Unpublish on').fill(`${month}-25T12:00`);
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await untilAt(path, at(20));
  // Undoing gives both times back.
  await page.getByRole('button', { name: 'Undo' }).click();
  await untilAt(path, at(15));
  assert.equal((await timesOf(path)).unpublishAt, at(18));
  checkFaults();
});

test('an approved article is not scheduled by dragging without asking, since it is published then', async () => {
  const { server } = console;
  const site = await addSite('tundra');
  const path = `/v1/sites/${site.id}/articles`;
  const { id } = await create(server, path, { versionData: { title: 'Frost', body: 'It is cold.' } });
  for (const status of ['IN_REVIEW', 'APPROVED']) {
    const { status: code, text } = await server.call('PATCH', `${path}/${id}`, {
      body: { versionData: { status } },
    });
    assert.equal(code, 200, text);
  }
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(site.address);
  const backlog = page.getByRole('region', { name: 'Without a date' });
  await backlog.getByRole('link', { name: 'Frost' }).dragTo(cellOf(page, 12));
  const dialog = page.getByRole('dialog', { name: 'Schedule “Frost”' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await timesOf(`${path}/${id}`)).status, 'APPROVED');
  await backlog.getByRole('link', { name: 'Frost' }).dragTo(cellOf(page, 12));
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await linkIn(page, 12, 'Frost').waitFor();
  await until('it is scheduled', async () => (await timesOf(`${path}/${id}`)).status === 'SCHEDULED');
  checkFaults();
});

test('the present day is marked for everybody, and nothing is moved to a time that has passed', async () => {
  const { server } = console;
  const site = await addSite('marsh');
  const path = await schedule(site.id, 'Ebb');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(site.address);
  await linkIn(page, 15, 'Ebb').waitFor();
  // The fourteenth on the clock of the site, and still the thirteenth on that of the browser.
  await page.clock.setFixedTime(at(14, '00:30'));
  // Rendered at that time.
  await page.getByRole('button', { name: 'Next month' }).click();
  await page.getByRole('button', { name: 'Today' }).click();
  await cellOf(page, 14).and(page.locator('[aria-current="date"]')).waitFor();
  await linkIn(page, 15, 'Ebb').dragTo(cellOf(page, 13));
  await page.getByText(passed).waitFor();
  await askToMove(page, 'Ebb');
  const dialog = page.getByRole('dialog', { name: 'Schedule “Ebb”' });
  await dialog.getByLabel('Publish on', { exact: true }).fill(`${month}-14T00:29`);
  await dialog.getByText(passed).waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Schedule' }).isDisabled());
  await checkAccessibility('a time that has passed');
  assert.equal((await timesOf(path)).scheduledFor, at(15));
  checkFaults();
});

test('a day with forty articles is folded, and unfolded by its button', async () => {
  const site = await addSite('forest');
  const long =
    'How the foresters of the northern valleys learned to read the weather from the bark of old beeches';
  for (let number = 1; number <= 40; number++)
    await schedule(site.id, number % 2 === 0 ? `${long}, part ${number}` : `Beech ${number}`);
  await schedule(site.id, 'Donaudampfschifffahrtsgesellschaftskapitänsmütze', { scheduledFor: at(16) });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(site.address);
  const links = cellOf(page, 15).getByRole('link');
  const more = cellOf(page, 15).getByRole('button', { name: '36 more' });
  await more.waitFor();
  assert.equal(await links.count(), 4);
  await checkAccessibility('calendar with a full day');
  await more.press('Enter');
  await cellOf(page, 15).getByRole('button', { name: 'Show fewer' }).waitFor();
  assert.equal(await links.count(), 40);
  await checkAccessibility('calendar with an unfolded day');
  checkFaults();
});
