/** The first page and the log of events in the console: what changed, what waits, what failed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { indexJobsStep } from '@trellis/server/kernel/identity/index-jobs.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { readUploads } from '../support/pictures.ts';
import { startTestRelay } from '../support/relay.ts';
import { until } from '../support/until.ts';

let console: TestConsole;
let relay: { stop(): Promise<void> };
let extraction: { stop(): Promise<void> };

before(async () => {
  console = await startTestConsole();
  relay = startTestRelay(console.server.database);
  extraction = await readUploads(console.server);
});
after(async () => {
  await extraction.stop();
  await relay.stop();
  await console.close();
});

/** Creates a record. */
async function create(path: string, body: object): Promise<{ readonly id: string }> {
  const { status, json, text } = await console.server.call('POST', path, { body });
  assert.equal(status, 201, text);
  return json;
}

/** Waits until the log has as many events of a type. */
async function waitForEvents(type: string, count: number): Promise<void> {
  await until(`${count} events ${type}`, async () => {
    const { json } = await console.server.call('GET', `/v1/events?type=${type}&limit=100`);
    return json.items.length >= count;
  });
}

test('an empty organization is shown the first steps, then what waits and what changed, by name', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await page.getByRole('link', { name: 'Create a site' }).waitFor();
  await checkAccessibility('first steps');
  const site = await create('/v1/sites', { name: 'Blog', key: 'blog' });
  const articles = `/v1/sites/${site.id}/articles`;
  await create(articles, { versionData: { title: 'A draft' } });
  const reviewed = await create(articles, { versionData: { title: 'To be read' } });
  await server.call('PATCH', `${articles}/${reviewed.id}`, {
    body: { versionData: { status: 'IN_REVIEW' } },
  });
  for (const title of ['One', 'Two', 'Three']) await create('/v1/books', { title });
  const four = await create('/v1/books', { title: 'Four' });
  const later = await server.call('PATCH', `/v1/books/${four.id}`, { body: { subtitle: 'At last' } });
  assert.equal(later.status, 200, later.text);
  await waitForEvents('book.created', 4);
  await waitForEvents('book.updated', 1);
  await open('/');
  const section = (name: string) => page.getByRole('region', { name });
  await section('Your drafts').getByRole('link', { name: 'A draft' }).waitFor();
  await section('Waiting for your approval').getByRole('link', { name: 'To be read' }).waitFor();
  await section('Scheduled').getByText('Nothing is scheduled.').waitFor();
  for (const sentence of [/^OWNER created 4 books/, /^OWNER changed Four/])
    await section('Recent changes').getByRole('listitem').filter({ hasText: sentence }).waitFor();
  await section('Recent changes').getByRole('link', { name: '4 books' }).waitFor();
  await section('Recent changes')
    .getByRole('listitem')
    .filter({ hasText: /^OWNER created Blog/ })
    .waitFor();
  await section('Recent changes')
    .getByRole('listitem')
    .filter({ hasText: /^OWNER created and submitted To be read/ })
    .waitFor();
  assert.equal(await page.getByRole('link', { name: 'Create a site' }).count(), 0);
  await checkAccessibility('home');
  checkFaults();
});

test('home says what goes live today, and shows somebody with contacts their own', async () => {
  const { server } = console;
  const site = await create('/v1/sites', { name: 'News', key: 'news' });
  const articles = `/v1/sites/${site.id}/articles`;
  const soon = new Date(Date.now() + 3_600_000);
  const later = new Date(soon.getTime() + 40 * 86_400_000);
  for (const [title, at] of [
    ['Morning news', soon],
    ['Next season', later],
  ] as const) {
    const { id } = await create(articles, { versionData: { title } });
    const versionData = { status: 'SCHEDULED', scheduledFor: at.toISOString() };
    assert.equal((await server.call('PATCH', `${articles}/${id}`, { body: { versionData } })).status, 200);
  }
  const ownerUserId = encodeId('user', server.ownerId);
  await create('/v1/crm/contacts', { firstName: 'Vera', lastName: 'Lind', ownerUserId });
  await create('/v1/crm/contacts', { firstName: 'Of', lastName: 'Nobody' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  // The day may end between the two.
  await page.clock.setFixedTime(soon);
  await open('/');
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  await section('Goes live today').getByRole('link', { name: 'Morning news' }).waitFor();
  await section('Scheduled').getByRole('link', { name: 'Next season' }).waitFor();
  assert.equal(await section('Scheduled').getByRole('link', { name: 'Morning news' }).count(), 0);
  await section('Your contacts').getByRole('link', { name: 'Vera Lind' }).waitFor();
  assert.equal(await section('Your contacts').getByRole('listitem').count(), 1);
  await checkAccessibility('home with what goes live today and own contacts');
  await section('Your contacts').getByRole('link', { name: 'All your contacts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  await page.getByRole('link', { name: 'Vera Lind' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Of Nobody' }).count(), 0);
  checkFaults();
});

test('recent changes say who joined and who was invited, and never an id', async () => {
  const { server } = console;
  const role = (await server.call('GET', '/v1/roles')).json.items[0];
  await create('/v1/invitations', { email: 'emil@example.com', roleId: role.id });
  const { id } = await create('/v1/magazines', { title: 'Soon gone' });
  assert.equal((await server.call('DELETE', `/v1/magazines/${id}`)).status, 204);
  await waitForEvents('magazine.deleted', 1);
  const { page, checkFaults, context } = await console.openAs(server.ownerId);
  const changes = page.getByRole('region', { name: 'Recent changes' });
  const invited = changes.getByRole('listitem').filter({ hasText: /^OWNER invited emil@example\.com/ });
  await invited.waitFor();
  await changes
    .getByRole('listitem')
    .filter({ hasText: /^OWNER created and deleted a record \(magazine\)/ })
    .waitFor();
  assert.equal(await changes.getByText(/…[0-9a-z]{6}/).count(), 0);
  checkFaults();
  await context.close();
  const german = await console.openAs(server.ownerId, { locale: 'de-DE' });
  const inGerman = german.page.getByRole('region', { name: 'Letzte Änderungen' }).getByRole('listitem');
  await inGerman.filter({ hasText: /^OWNER hat emil@example\.com eingeladen/ }).waitFor();
  await german.checkAccessibility('home in German');
  german.checkFaults();
});

test('what has failed is shown with the reason, and leads to it', async () => {
  const { server } = console;
  const file = await create('/v1/knowledge-files', { name: 'Scan', visibility: 'ORGANIZATION' });
  const damaged = Buffer.from('%PDF-1.7 and nothing else');
  await server.call('PUT', `/v1/knowledge-files/${file.id}/content?fileName=scan.pdf`, {
    rawBody: damaged,
    headers: { 'content-type': 'application/pdf' },
  });
  const failure = await until('the failure', async () => {
    const { json } = await server.call('GET', `/v1/knowledge-files/${file.id}`);
    return json.status === 'FAILED' && String(json.failureReason);
  });
  const { page, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const failed = page.getByRole('region', { name: 'Needs attention' });
  await failed.getByText(failure).waitFor();
  await checkAccessibility('failures');
  await failed.getByRole('link', { name: 'Scan' }).click();
  await page.waitForURL(`**/console/knowledge-files/${file.id}`);
  checkFaults();
});

test('somebody who may not read webhooks is not told of them, and sees the rest', async () => {
  const { server } = console;
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const { page, checkFaults } = await console.openAs(viewer);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await page.getByRole('region', { name: 'Your drafts' }).getByText('You have no drafts.').waitFor();
  await page.getByRole('region', { name: 'Recent changes' }).getByRole('listitem').first().waitFor();
  assert.deepEqual(refused, []);
  checkFaults();
});

test('the log is filtered by its address, goes back to its beginning, and is exported', async () => {
  const { server } = console;
  // More than a page of the log, so that reading on is needed.
  const site = await create('/v1/sites', { name: 'Shop', key: 'shop' });
  let last = '';
  for (let number = 0; number < 120; number += 1)
    last = (await create(`/v1/sites/${site.id}/tags`, { name: `Tag ${number}` })).id;
  await until('the last event', async () => {
    const { json } = await server.call('GET', `/v1/events?subject=${last}`);
    return json.items.length > 0;
  });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/events?type=tag.*');
  const rows = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
  await rows.getByRole('link', { name: 'Tag 119' }).waitFor();
  await rows
    .first()
    .getByText(/^Token /)
    .waitFor();
  await rows.first().getByRole('button', { name: 'Show event as JSON' }).click();
  await page.getByRole('region', { name: 'JSON' }).getByText('"tag.created"').waitFor();
  await checkAccessibility('events');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).type),
    Array.from({ length: 120 }, () => 'tag.created'),
  );
  await page.getByRole('button', { name: 'Show older events' }).scrollIntoViewIfNeeded();
  await page.getByText('This is the beginning of the log.').waitFor();
  assert.equal(await rows.count(), 120);
  await page.getByRole('button', { name: 'Only this record' }).click();
  await page.waitForURL(/subject=tag_/);
  await until('one event', async () => (await rows.count()) === 1);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByRole('heading', { name: 'No events' }).waitFor();
  await checkAccessibility('no events');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rows.getByText('Knowledge file').first().waitFor();
  await page.getByRole('combobox', { name: 'Event type' }).fill('schedule_f');
  const option = page.getByRole('option', { name: 'Article: Schedule failed' });
  await option.getByText('article.schedule_failed').waitFor();
  await option.click();
  await page.waitForURL(/type=article\.schedule_failed/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  // The fixtures insert members without their index jobs.
  const { statement, values } = indexJobsStep(server.organization.id, 'member', [server.ownerId]);
  await server.database.worker.run(statement.text, values);
  await runIndexJobs(server.database);
  await page.getByRole('combobox', { name: 'Who' }).fill('OWN');
  await page.getByRole('option', { name: 'OWNER' }).click();
  await page.waitForURL(/actorId=user_/);
  await rows.getByText('OWNER').first().waitFor();
  await checkAccessibility('activity of a member');
  checkFaults();
});
