/** Signing in at the console, in a real browser against the real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { TOTP } from 'otpauth';
import { givePassword, type TestAccount } from '../support/browser-client.ts';
import { skipPassword, startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createOrganization, joinOrganization } from '../support/identities.ts';

/** Bytes of all files that a page loads in a new browser, with the font, as it receives them: compressed with Brotli. */
const firstLoadBytes = 265_000;

let console: TestConsole;
let account: TestAccount;

before(async () => {
  console = await startTestConsole();
  const { auth } = console.server.database;
  account = await givePassword(auth, console.server.ownerId);
});
after(() => console.close());

test('a password signs in and leads to the page that was asked for', async () => {
  const { page, open, checkFaults, checkAccessibility } = await console.openPage();
  await open('/account');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await checkAccessibility('sign-in');
  await page.getByLabel('Email address').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill('nine wrong guesses');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('That did not work.').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign-in methods' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/console/account');
  await checkAccessibility('sign-in methods');
  checkFaults();
});

test('a sign-in leads to no other site, whatever its address asks for', async () => {
  const { page, open, checkFaults } = await console.openPage();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  for (const foreign of [
    'http://foreign.invalid/console/sign-in',
    '//foreign.invalid/',
    '/\\foreign.invalid/',
  ]) {
    await page.context().clearCookies();
    await open(`/sign-in?return=${encodeURIComponent(foreign)}`);
    await page.getByLabel('Email address').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    assert.equal(page.url(), `${console.origin}/console/`);
  }
  assert.deepEqual(
    requested.filter((url) => url.includes('foreign.invalid') && !url.startsWith(console.origin)),
    [],
  );
  checkFaults();
});

test('the language is chosen in the menu, applied at once, and kept for the page of signing in', async () => {
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(
    console.server.ownerId,
  );
  await open('/books');
  await page.getByRole('button', { name: /^Account/ }).click();
  assert.equal(await page.getByRole('menuitemradio', { name: 'Browser language' }).isChecked(), true);
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Bücher', exact: true }).waitFor();
  await page.getByRole('menuitemradio', { name: 'Deutsch', checked: true }).waitFor();
  await page.locator('html[lang="de"]').waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('heading', { name: 'Bücher', exact: true }).waitFor();
  await checkAccessibility('German');
  const german = await context.newPage();
  await context.clearCookies();
  await german.goto(`${console.origin}/console/sign-in`);
  await german.getByRole('heading', { name: 'Anmelden' }).waitFor();
  checkFaults();
});

test('a language that is unknown, or cannot be kept, is no obstacle', async () => {
  const { page, open, checkFaults } = await console.openPage({ locale: 'de-AT' });
  await page.addInitScript("localStorage.setItem('trellis.language', '<b>fr</b>')");
  await open('/sign-in');
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  checkFaults();
  const other = await console.openAs(console.server.ownerId);
  await other.page.addInitScript(`
    for (const name of ['getItem', 'setItem', 'removeItem']) {
      const method = Storage.prototype[name];
      Storage.prototype[name] = function (key, ...more) {
        if (key === 'trellis.language') throw new DOMException('refused', 'SecurityError');
        return method.call(this, key, ...more);
      };
    }`);
  await other.open('/books');
  await other.page.getByRole('button', { name: /^Account/ }).click();
  await other.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await other.page.getByRole('heading', { name: 'Bücher', exact: true }).waitFor();
  await other.page.getByRole('menuitemradio', { name: 'Browsersprache' }).click();
  await other.page.getByRole('heading', { name: 'Books', exact: true }).waitFor();
  other.checkFaults();
});

test('password managers find the fields', async () => {
  const { page, open } = await console.openPage();
  await open('/sign-in');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const fields = await page
    .locator('form input[autocomplete]')
    .evaluateAll((inputs) =>
      inputs.map((input) => [input.getAttribute('autocomplete'), input.getAttribute('type')]),
    );
  assert.deepEqual(fields, [
    ['username', 'email'],
    ['current-password', 'password'],
  ]);
});

test('a link signs in by a button, once; used again it says how to get another', async () => {
  const { secret } = await makeLink(console.server.database.auth, 'SIGN_IN', console.server.ownerId, '');
  const first = await console.openPage();
  await first.page.goto(`${console.origin}/console/link#${secret}`);
  await first.checkAccessibility('link');
  await first.page.getByRole('button', { name: 'Sign in' }).click();
  await skipPassword(first.page);
  await first.page.getByRole('heading', { name: 'Home' }).waitFor();
  assert.ok(!first.page.url().includes(secret));
  first.checkFaults();
  const second = await console.openPage();
  await second.page.goto(`${console.origin}/console/link#${secret}`);
  await second.page.getByRole('button', { name: 'Sign in' }).click();
  await second.page.getByText('npx trellis user sign-in-link').waitFor();
  await second.checkAccessibility('used link');
  second.checkFaults();
});

test('a new password is set by a link, and a weak one is refused at its field', async () => {
  const { server, origin } = console;
  const member = await createMember(server.database.worker, server.organization, 'EDITOR');
  const { email } = await givePassword(server.database.auth, member);
  const { url } = await makeLink(server.database.auth, 'RESET', member, origin);
  const { page, checkFaults, checkAccessibility } = await console.openPage();
  await page.goto(url);
  await page.getByLabel('New password').fill('password1234');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.locator('input[name="new-password"][aria-invalid="true"]').waitFor();
  await checkAccessibility('new password');
  await page.getByLabel('New password').fill('eleven wooden bridges');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('eleven wooden bridges');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  checkFaults();
});

test('an authenticator app is set up, then asked for; a recovery code stands in for it', async () => {
  const { server } = console;
  const member = await createMember(server.database.worker, server.organization, 'EDITOR');
  const person = await givePassword(server.database.auth, member);
  const { page, open, checkFaults, checkAccessibility } = await console.openAs(member);
  await open('/account');
  await page
    .getByRole('region', { name: 'Authenticator app' })
    .getByRole('button', { name: 'Set up' })
    .click();
  const secret = (await page.locator('form pre').textContent()) ?? '';
  await checkAccessibility('setting up an authenticator app');
  const present = new TOTP({ secret });
  const around = [-1, 0, 1, 2].map((step) => present.generate({ timestamp: Date.now() + step * 30_000 }));
  const wrong =
    ['000000', '111111', '222222', '333333', '444444'].find((code) => !around.includes(code)) ?? '';
  await page.getByLabel('Six-digit code').fill(wrong);
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByText('The code is not correct.').waitFor();
  assert.equal(await page.getByText('/code').count(), 0);
  await page.getByLabel('Six-digit code').fill(new TOTP({ secret }).generate());
  await page.getByRole('button', { name: 'Finish' }).click();
  const codes = page.getByRole('region', { name: 'Authenticator app' }).getByRole('listitem');
  await codes.first().waitFor();
  assert.equal(await codes.count(), 10);
  const recoveryCode = (await codes.first().textContent()) ?? '';
  await checkAccessibility('recovery codes');
  checkFaults();

  const other = await console.openPage();
  await other.open('/sign-in');
  await other.page.getByLabel('Email address').fill(person.email);
  await other.page.getByLabel('Password', { exact: true }).fill(person.password);
  await other.page.keyboard.press('Enter');
  await other.page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await other.checkAccessibility('second factor');
  await other.page.getByRole('button', { name: 'Use a recovery code' }).click();
  await other.page.getByLabel('Recovery code').fill(recoveryCode);
  await other.page.keyboard.press('Enter');
  await other.page.getByRole('heading', { name: 'Home' }).waitFor();
  other.checkFaults();
});

test('a passkey is made, and signs in', async () => {
  const { server } = console;
  const member = await createMember(server.database.worker, server.organization, 'EDITOR');
  const { page, context, open, checkFaults } = await console.openAs(member);
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await open('/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('Laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'Remove passkey Laptop' }).waitFor();
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  checkFaults();
});

test('a change of the factors asks for a fresh proof when the sign-in is long ago', async () => {
  const { server } = console;
  const member = await createMember(server.database.worker, server.organization, 'EDITOR');
  const person = await givePassword(server.database.auth, member);
  const { page, open, checkFaults, checkAccessibility } = await console.openAs(member);
  await server.database.auth.run(
    `UPDATE trellis.sessions SET authenticated_at = authenticated_at - interval '1 hour' WHERE user_id = $1`,
    [member],
  );
  await open('/account');
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await checkAccessibility('fresh proof');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByLabel('Six-digit code').waitFor();
  checkFaults();
});

test('whoever belongs to several organizations chooses one', async () => {
  const { server } = console;
  const { worker } = server.database;
  const member = await createMember(worker, server.organization, 'EDITOR');
  const other = await createOrganization(worker, 'second');
  await joinOrganization(worker, other.id, member, 'VIEWER');
  const { secret } = await makeLink(server.database.auth, 'SIGN_IN', member, '');
  const { page, checkFaults, checkAccessibility } = await console.openPage();
  await page.goto(`${console.origin}/console/link#${secret}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await skipPassword(page);
  await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
  await checkAccessibility('choice of organization');
  await page.getByRole('button', { name: /second/ }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByRole('button', { name: /^Organization second/ }).click();
  await page.getByRole('menuitem').first().click();
  await page.getByRole('button', { name: /^Organization org-/ }).waitFor();
  checkFaults();
});

test('the language is that of the browser', async () => {
  const { page, open, checkFaults } = await console.openPage({ locale: 'de-AT' });
  await open('/sign-in');
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  await page.locator('html[lang="de"]').waitFor();
  checkFaults();
});

test('a browser whose language is no language tag is understood as far as it goes', async () => {
  const { page, open, checkFaults } = await console.openPage();
  // What Chromium names where the system's locale is POSIX.
  await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] })`);
  await open('/sign-in');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  checkFaults();
});

test('the first load is small, of the sign-in and of a page behind it', async () => {
  const anonymous = await console.openPage();
  await anonymous.open('/sign-in');
  await anonymous.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const signedIn = await console.openAs(console.server.ownerId);
  // In a document of its own: what the link has loaded does not count.
  await signedIn.open('/');
  await signedIn.page.getByRole('heading', { name: 'Home' }).waitFor();
  for (const { page } of [anonymous, signedIn]) {
    const received = await page.evaluate<{ readonly name: string; readonly encodedBodySize: number }[]>(
      `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`,
    );
    const files = received.filter(({ name }) => new URL(name).pathname.startsWith('/console/assets/'));
    assert.ok(files.length >= 5, 'scripts, styles and the font');
    const bytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    const shown = files.map(({ name, encodedBodySize }) => `${name} ${encodedBodySize}`).join('\n');
    assert.ok(
      files.every(({ encodedBodySize }) => encodedBodySize > 0),
      shown,
    );
    assert.ok(bytes <= firstLoadBytes, `${bytes} bytes:\n${shown}`);
  }
});
