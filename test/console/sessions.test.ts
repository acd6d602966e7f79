/** The page of sessions: one's own in every organization, and those of the members for whoever may remove members. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

async function createPerson(name: string, role: 'EDITOR' | 'VIEWER'): Promise<string> {
  const { worker } = console.server.database;
  const id = await createMember(worker, console.server.organization, role);
  await worker.run('UPDATE trellis.users SET name = $2 WHERE id = $1', [id, name]);
  return id;
}

test('one ends a session of a browser that is lost, and then all others', async () => {
  const { ownerId } = console.server;
  const lost = await console.openAs(ownerId, { userAgent: firefox });
  const further = [
    await console.openAs(ownerId, { userAgent: safari }),
    await console.openAs(ownerId, { userAgent: safari }),
  ];
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(ownerId);
  await open('/sessions');
  const own = page.getByRole('list', { name: 'Your sessions' });
  const rows = own.getByRole('listitem');
  await rows.nth(3).waitFor();
  assert.match((await rows.first().textContent()) ?? '', /This session.*Signed in by link.*Sign out/);
  await checkAccessibility('sessions');
  await own.getByRole('button', { name: 'End the session in Firefox on Linux' }).click();
  const dialog = page.getByRole('dialog');
  await checkAccessibility('end of a session');
  await dialog.getByRole('button', { name: 'End', exact: true }).click();
  await own.getByText('Firefox on Linux').waitFor({ state: 'detached' });
  await lost.open('/');
  await lost.page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await page.getByRole('button', { name: 'End all others' }).click();
  await dialog.getByText('2 browsers are signed out').waitFor();
  await dialog.getByRole('button', { name: 'End all others' }).click();
  await dialog.waitFor({ state: 'detached' });
  await rows.nth(1).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'End all others' }).count(), 0);
  for (const other of further) {
    await other.open('/');
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }
  await rows.first().getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  checkFaults();
});

test('an owner ends all sessions of a member, who has to sign in again', async () => {
  const { server } = console;
  const ana = await createPerson('Ana Silva', 'EDITOR');
  const browsers = [
    await console.openAs(ana, { userAgent: firefox }),
    await console.openAs(ana, { userAgent: safari }),
  ];
  await console.openAs(await createPerson('Ben Okafor', 'EDITOR'));
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/sessions');
  const list = page.getByRole('list', { name: 'Sessions of members' });
  await list.getByText('Ben Okafor').waitFor();
  await open('/members');
  await page.getByRole('button', { name: 'More about Ana Silva' }).click();
  await page.getByRole('menuitem', { name: 'Show sessions' }).click();
  await list.getByText('Safari on iPhone').waitFor();
  assert.equal(await list.getByRole('listitem').count(), 2);
  await checkAccessibility('sessions of a member');
  await page.getByRole('button', { name: 'End all', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'End all sessions of Ana Silva?' });
  await dialog.getByRole('button', { name: 'End all' }).click();
  await page.getByText('No other sessions.').waitFor();
  const { json } = await server.call('GET', `/v1/sessions?userId=${encodeId('user', ana)}`);
  assert.deepEqual(json.items, []);
  for (const { page: other } of browsers) {
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  }
  checkFaults();
});

test('whoever may not remove members sees their own sessions, and why not those of others', async () => {
  const viewer = await createPerson('Vera Lind', 'VIEWER');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer);
  await open('/settings');
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Sessions' }).click();
  await page.getByText('This session').waitFor();
  await page.getByText('Only members who can remove members see these. The role Viewer cannot.').waitFor();
  assert.equal(await page.getByRole('list', { name: 'Sessions of members' }).count(), 0);
  await checkAccessibility('sessions for a viewer');
  checkFaults();
});
