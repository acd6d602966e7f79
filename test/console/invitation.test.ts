/** The page of an invitation, in a real browser against the real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { givePassword } from '../support/browser-client.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createOrganization } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';

let console: TestConsole;
let relay: { stop(): Promise<void> };
before(async () => {
  console = await startTestConsole();
  relay = startTestRelay(console.server.database);
});
after(async () => {
  await relay.stop();
  await console.close();
});

/** Invites an address. @returns the link */
async function invite(email: string): Promise<string> {
  const roleId = encodeId('role', builtInRoleIds.EDITOR);
  const response = await console.server.call('POST', '/v1/invitations', { body: { email, roleId } });
  assert.equal(response.status, 201, response.text);
  return response.json.link;
}

/** Somebody with an account, in an organization of their own. */
async function person(key: string) {
  const { worker, auth } = console.server.database;
  return givePassword(auth, await createMember(worker, await createOrganization(worker, key), 'OWNER'));
}

test('a new person makes an account and comes to the console; the link is spent then', async () => {
  const link = await invite('grace@example.com');
  const { page, checkFaults, checkAccessibility } = await console.openPage();
  await page.goto(link);
  await page.getByText('grace@example.com to become a member with the role Editor').waitFor();
  await checkAccessibility('invitation');
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('New password').fill('password1234');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.locator('input[name="new-password"][aria-invalid="true"]').waitFor();
  await checkAccessibility('invitation with a weak password');
  await page.getByLabel('New password').fill('eleven wooden bridges');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  assert.ok(!page.url().includes(link.split('#')[1] ?? ''));
  checkFaults();
  const other = await console.openPage({ locale: 'de-DE' });
  await other.page.goto(link);
  await other.page.getByRole('heading', { name: 'Diese Einladung ist nicht mehr gültig' }).waitFor();
  await other.checkAccessibility('used invitation');
  other.checkFaults();
  // Once she has left, the list of members still says who she was.
  const { server } = console;
  const { items } = (await server.call('GET', '/v1/invitations')).json;
  assert.equal((await server.call('DELETE', `/v1/members/${items[0].userId}`)).status, 204);
  const owner = await console.openAs(server.ownerId);
  await owner.open('/members');
  await owner.page.getByRole('combobox', { name: 'Which members' }).selectOption('Those who left');
  const left = owner.page.getByRole('list', { name: 'Those who left' }).getByRole('listitem');
  await left.filter({ hasText: 'grace@example.com' }).getByText('Removed by OWNER').waitFor();
  await owner.checkAccessibility('members who left');
  owner.checkFaults();
});

test('a new person comes to the console although the server is overloaded for a moment at each step', async () => {
  const { page, checkFaults } = await console.openPage();
  await page.goto(await invite('linus@example.com'));
  const refused = new Set<string>();
  await page.route('**/auth/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (refused.has(pathname)) return route.continue();
    refused.add(pathname);
    return route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'overloaded', status: 503, title: 'Busy', detail: 'Busy.' }),
    });
  });
  await page.getByLabel('Your name').fill('Linus Example');
  await page.getByLabel('New password').fill('eleven wooden bridges');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  for (const call of ['invitations/accept-with-new-account', 'session', 'organizations'])
    assert.ok(refused.has(`/auth/${call}`), call);
  checkFaults();
});

test('a fault while the link or the session is read says so and is tried again; the invitation stays valid', async () => {
  const link = await invite('katherine@example.com');
  for (const call of ['invitations/read', 'session']) {
    const { page, checkFaults, checkAccessibility } = await console.openPage();
    let isBusy = true;
    await page.route(`**/auth/${call}`, (route) =>
      isBusy
        ? route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            body: JSON.stringify({ code: 'overloaded', status: 503, title: 'Busy', detail: 'Busy.' }),
          })
        : route.continue(),
    );
    await page.goto(link);
    await page.getByRole('heading', { name: 'This page cannot be shown right now' }).waitFor();
    await checkAccessibility(`invitation that could not be read: ${call}`);
    isBusy = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('katherine@example.com to become a member with the role Editor').waitFor();
    checkFaults();
  }
});

test('whoever looks at the page while the account is made is signed in all the same', async () => {
  const { page, checkFaults } = await console.openPage();
  await page.goto(await invite('margaret@example.com'));
  await page.getByLabel('Your name').fill('Margaret Example');
  await page.getByLabel('New password').fill('eleven wooden bridges');
  const isMade = page.waitForResponse('**/auth/invitations/accept-with-new-account');
  let reads = 0;
  await page.route('**/auth/session', async (route) => {
    reads += 1;
    if (reads > 1) return route.continue();
    // Read while nobody was signed in, and received when somebody is.
    const response = await route.fetch();
    await isMade;
    return route.fulfill({ response });
  });
  const isRead = page.waitForRequest('**/auth/session');
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
  await isRead;
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  checkFaults();
});

test('whoever has joined comes to the console although the session could not be read at once', async () => {
  const { page, checkFaults } = await console.openPage();
  await page.goto(await invite('barbara@example.com'));
  await page.getByLabel('Your name').fill('Barbara Example');
  await page.getByLabel('New password').fill('eleven wooden bridges');
  const failed = page.waitForResponse((response) => response.status() === 500);
  await page.route('**/auth/session', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 });
  await page.keyboard.press('Enter');
  await failed;
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  checkFaults();
});

test('why a password is rejected is said in the language of the page', async () => {
  const { page, checkFaults } = await console.openPage({ locale: 'de-DE' });
  await page.goto(await invite('grete.samsa@example.com'));
  await page.getByLabel('Ihr Name').fill('Grete Samsa');
  for (const [password, reason] of [
    ['password1234', 'Dieses Passwort ist zu leicht zu erraten.'],
    ['grete.samsa@example.com', 'Dieses Passwort ähnelt Ihrem Namen'],
  ] as const) {
    await page.getByLabel('Neues Passwort').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText(reason).waitFor();
  }
  checkFaults();
});

test('who has an account is led to the sign-in and back, and accepts by a button', async () => {
  const account = await person('known');
  const { page, checkFaults, checkAccessibility } = await console.openPage();
  await page.goto(await invite(account.email));
  await page.getByLabel('Your name').fill('Somebody else');
  await page.getByLabel('New password').fill('eleven wooden bridges');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.getByText('This address already has an account.').waitFor();
  await checkAccessibility('invitation of an address with an account');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email address').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.keyboard.press('Enter');
  await page.getByText(`You are signed in as ${account.email}.`).waitFor();
  await checkAccessibility('invitation, signed in');
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
  checkFaults();
});

test('who is signed in as somebody else is asked to sign out first', async () => {
  const account = await person('other');
  const { page, checkFaults, checkAccessibility } = await console.openAs(account.userId);
  await page.goto(await invite('ada@example.org'));
  await page.getByText('the invitation is for ada@example.org').waitFor();
  await checkAccessibility('invitation of another address');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Your name').waitFor();
  checkFaults();
});
