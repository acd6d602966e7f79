/** The pages of the console that show no resource, by the rules of axe: light and dark, wide and narrow. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { createMember, createOrganization } from '../support/identities.ts';
import {
  type FilledConsole,
  findBarriersOf,
  placePath,
  readRouterPaths,
  startFilledConsole,
} from '../support/screens.ts';

/** In the middle of a month that begins in one to two months. */
const scheduledFor = new Date(new Date().setUTCMonth(new Date().getUTCMonth() + 2, 15)).toISOString();

/** What the pages show, by their path in the router: in an organization with records, and in one without. */
const shown: Readonly<Record<string, readonly [filled: string, empty: string, query?: string]>> = {
  '/': ['Low tide', 'Get started'],
  '/account': ['Passkeys', 'Passkeys'],
  '/calendar': ['Low tide', 'Site required', `?month=${scheduledFor.slice(0, 7)}`],
  '/events': ['Frankenstein', 'This is the beginning of the log.'],
  '/import': ['Drop a file here', 'Drop a file here'],
  '/organization': ['Default country', 'Default country'],
  '/pictures': ['Travel policy', 'No pictures yet'],
  '/sessions': ['This session', 'This session'],
  '/settings': ['Default country', 'Default country'],
  '/trash': ['Frankenstein', 'The trash is empty'],
  '/visitors': ['Copy script', 'No publishable keys yet.'],
};

/** What the pages before the shell show to somebody who is not signed in and has no link. */
const shownBefore: Readonly<Record<string, string>> = {
  '/sign-in': 'Sign in',
  '/link': 'This link no longer works',
  '/forgot': 'Back to sign in',
  '/reset': 'Request another link',
  '/invitation': 'This invitation is no longer valid',
  '/external': 'This sign-in was not started in this tab',
};

let console: FilledConsole;
before(async () => {
  console = await startFilledConsole();
  await plan('Low tide', { status: 'SCHEDULED', scheduledFor });
  await plan('High tide', { status: 'IN_REVIEW' });
});
after(() => console.close());

async function plan(title: string, versionData: object): Promise<void> {
  const { server, world } = console;
  const path = `/v1/sites/${world.ids.get('sites')}/articles`;
  const { json } = await server.call('POST', path, { body: { versionData: { title, body: 'Ebb.' } } });
  const { status, text } = await server.call('PATCH', `${path}/${json.id}`, { body: { versionData } });
  assert.equal(status, 200, text);
}

test('each path of the router is among the pages that are tested', async () => {
  const { page, open, checkFaults } = await console.openPage();
  await open('/sign-in');
  await page.getByRole('heading').first().waitFor();
  const paths = await readRouterPaths(page);
  const tested = [...Object.keys(shown), ...Object.keys(shownBefore), placePath];
  assert.deepEqual(paths.sort(), tested.sort());
  checkFaults();
});

test('no page of an organization with records bars people from it', async () => {
  const opened = await console.openAs(console.server.ownerId);
  const screens = Object.entries(shown).map(([path, [shows, , query = '']]) => ({
    name: path,
    path: path + query,
    shows,
  }));
  assert.deepEqual(await findBarriersOf(opened, screens), []);
  opened.checkFaults();
});

test('no page of an organization without records bars people from it', async () => {
  const { worker } = console.server.database;
  const ownerId = await createMember(worker, await createOrganization(worker, 'empty'), 'OWNER');
  const opened = await console.openAs(ownerId);
  const screens = Object.entries(shown).map(([path, [, shows]]) => ({ name: `${path}, empty`, path, shows }));
  const nothing = { name: 'no page', path: '/no/such/page/at/all', shows: 'Page not found' };
  assert.deepEqual(await findBarriersOf(opened, [...screens, nothing]), []);
  opened.checkFaults();
});

test('no page before the shell bars people from it', async () => {
  const { server, origin } = console;
  const opened = await console.openPage();
  const screens = Object.entries(shownBefore).map(([path, shows]) => ({ name: path, path, shows }));
  const link = async (purpose: 'SIGN_IN' | 'RESET', path: string) => {
    const { secret } = await makeLink(server.database.auth, purpose, server.ownerId, origin);
    return `${path}#${secret}`;
  };
  const withLinks = [
    { name: 'link', path: await link('SIGN_IN', '/link'), shows: 'Sign in' },
    { name: 'reset', path: await link('RESET', '/reset'), shows: 'New password' },
  ];
  assert.deepEqual(await findBarriersOf(opened, [...screens, ...withLinks]), []);
  opened.checkFaults();
});
