/** The groups above lists: numbers that come late or never, that others change, and that end at a thousand. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@trellis/schema/resources/limits.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let relay: Relay;

before(async () => {
  console = await startTestConsole({ streamLifetimeMs: 600_000 });
  relay = startTestRelay(console.server.database);
});
after(async () => {
  await relay.stop();
  await console.close();
});

const groupOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Status: groups' }).getByRole('link', { name, exact: true });

test('a list waits for no counts, and does without those that fail', async () => {
  await create(console.server, '/v1/magazines', { title: 'The Gardener' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const requested: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/magazines')) requested.push(new URL(request.url()).pathname);
  });
  let fail = (): void => undefined;
  const isFailing = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route('**/v1/magazines/counts?*', async (route) => {
    await isFailing;
    const problem = { type: 'about:blank', title: 'Overloaded', status: 400, code: 'invalid_parameter' };
    const body = JSON.stringify({ ...problem, detail: 'No.', errors: [] });
    await route.fulfill({ status: 400, contentType: 'application/problem+json', body });
  });
  await open('/magazines');
  await page.getByRole('link', { name: 'The Gardener' }).waitFor();
  await groupOf(page, 'Active').waitFor();
  assert.deepEqual(
    requested,
    ['/v1/magazines', '/v1/magazines/counts'],
    'one request, after that of the list',
  );
  const failed = page.waitForResponse((response) => response.url().includes('/counts'));
  fail();
  await failed;
  await groupOf(page, 'Ceased').click();
  await page.waitForURL(/[?&]status=CEASED/);
  await page.getByText('No matches').waitFor();
  await groupOf(page, 'All').click();
  await page.getByRole('link', { name: 'The Gardener' }).waitFor();
  await checkAccessibility('groups without counts');
  checkFaults();
});

test('a count changes when somebody else changes a record', async () => {
  const { server } = console;
  const { worker } = server.database;
  const editor = await createMember(worker, server.organization, 'EDITOR');
  const { token } = await createToken(worker, server.organization, editor);
  const book = await create(server, '/v1/books', { title: 'Emma' });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  const streaming = page.waitForRequest((request) => request.url().includes('/v1/events/stream'));
  await open('/books');
  await groupOf(page, 'Published 0').waitFor();
  await (await streaming).response();
  const body = { status: 'PUBLISHED' };
  const { status, text } = await server.call('PATCH', `/v1/books/${book.id}`, { body, token });
  assert.equal(status, 200, text);
  await groupOf(page, 'Published 1').waitFor();
  checkFaults();
});

test('a count that is not exact has a plus sign, also in German, and records without a value are counted', async () => {
  const { server } = console;
  const one = await create(server, '/v1/crm/contacts', { firstName: 'Ada', lifecycleStage: 'LEAD' });
  await create(server, '/v1/crm/contacts', { firstName: 'Zora' });
  const admin = new pg.Client(server.database.adminUrl);
  await admin.connect();
  await admin.query(
    `INSERT INTO trellis.contacts SELECT copied.* FROM trellis.contacts c, generate_series(1, $2::integer) AS n (number),
      json_populate_record(c, json_build_object('id', gen_random_uuid(), 'updated_at',
        c.updated_at - n.number * interval '1 second')) copied WHERE c.id = $1`,
    [decodeId('con', String(one.id)), limits.countPerValue],
  );
  await admin.end();
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId, {
    locale: 'de-DE',
  });
  await open('/crm/contacts');
  const groups = page.getByRole('navigation', { name: 'Lifecycle-Phase: Gruppen' });
  await groups.getByRole('link', { name: 'Alle 1.000 oder mehr', exact: true }).waitFor();
  await groups.getByRole('link', { name: 'Interessent 1.000 oder mehr', exact: true }).click();
  await page.waitForURL(/[?&]lifecycleStage=LEAD/);
  await groups.getByText('Ohne 1', { exact: true }).waitFor();
  await checkAccessibility('groups in German');
  checkFaults();
});
