/** Proving once more who one is, in a real browser: with all factors that somebody has, at the provider, and with the present password. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { TOTP } from 'otpauth';
import { givePassword } from '../support/browser-client.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';

/** Nobody is led there. */
const external = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'trellis',
  clientSecret: 'a-secret-of-the-client',
  name: 'Test login',
};

let console: TestConsole;
before(async () => {
  console = await startTestConsole({ signIn: { external } });
});
after(() => console.close());

/** Lets an hour pass since somebody has signed in. */
async function age(userId: string): Promise<void> {
  await console.server.database.auth.run(
    `UPDATE trellis.sessions SET authenticated_at = authenticated_at - interval '1 hour' WHERE user_id = $1`,
    [userId],
  );
}

test('whoever has two factors proves both, also with a provider at hand, and changes the password with the present one', async () => {
  const { database, organization } = console.server;
  const member = await createMember(database.worker, organization, 'EDITOR');
  const person = await givePassword(database.auth, member);
  await database.auth.run(
    'INSERT INTO trellis.external_identities (id, issuer, subject, user_id) VALUES ($1, $2, $3, $4)',
    [randomUUID(), external.issuer, 'alice', member],
  );
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(member);
  await open('/account');
  const app = page.getByRole('region', { name: 'Authenticator app' });
  await app.getByRole('button', { name: 'Set up' }).click();
  const secret = (await page.locator('form pre').textContent()) ?? '';
  const totp = new TOTP({ secret });
  await page.getByLabel('Six-digit code').fill(totp.generate());
  await page.getByRole('button', { name: 'Finish' }).click();
  await app.getByRole('listitem').first().waitFor();

  // Whoever signs in by a link has lost the password, and is not asked for it: this is somebody who knows it.
  await database.auth.run(`UPDATE trellis.sessions SET methods = '{PASSWORD,TOTP}' WHERE user_id = $1`, [
    member,
  ]);
  await age(member);
  await open('/account');
  const section = page.getByRole('region', { name: 'Password' });
  await section.getByRole('button', { name: 'Change' }).click();
  await section.getByLabel('Current password').fill(person.password);
  await section.getByLabel('New password').fill('harbour lantern quiet 41');
  await checkAccessibility('password change');
  await section.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByRole('button', { name: 'Continue with Test login' }).waitFor();
  await checkAccessibility('two factors');
  // The later code: the present one was used to set the app up.
  const code = totp.generate({ timestamp: Date.now() + 30_000 });
  await dialog.getByLabel('Six-digit code').fill(code === '000000' ? '000001' : '000000');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('alert').getByText('That did not work.').waitFor();
  await dialog.getByLabel('Six-digit code').fill(code);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await section.getByText('Your password is set').waitFor();
  checkFaults();
});

test('the proof is understood in German on a narrow screen', async () => {
  const { database, organization } = console.server;
  const member = await createMember(database.worker, organization, 'EDITOR');
  await givePassword(database.auth, member);
  await database.auth.run(
    'INSERT INTO trellis.external_identities (id, issuer, subject, user_id) VALUES ($1, $2, $3, $4)',
    [randomUUID(), external.issuer, 'bob', member],
  );
  const { page, open, checkAccessibility } = await console.openAs(member, { locale: 'de-DE' });
  await age(member);
  await page.setViewportSize({ width: 360, height: 800 });
  await open('/account');
  await page.getByRole('button', { name: 'Einrichten' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Test login/ })
    .waitFor();
  await checkAccessibility('proof in German');
});

test('whoever has to wait after wrong passwords is told that a link for a new one needs no waiting', async () => {
  const { database, organization } = console.server;
  const person = await givePassword(
    database.auth,
    await createMember(database.worker, organization, 'EDITOR'),
  );
  const { page, open, checkAccessibility, checkFaults } = await console.openPage();
  await open('/sign-in');
  await page.getByLabel('Email address').fill(person.email);
  const alert = page.getByRole('alert');
  for (let attempt = 0; (await alert.getByText('Too many attempts').count()) === 0; attempt += 1) {
    assert.ok(attempt < 10, 'nobody has to wait');
    await page.getByLabel('Password', { exact: true }).fill(`wrong guess ${attempt}`);
    const responded = page.waitForResponse('**/auth/password');
    await page.keyboard.press('Enter');
    await responded;
    await alert.waitFor();
  }
  await checkAccessibility('too many attempts');
  await page.getByRole('link', { name: 'Reset password' }).click();
  await page.waitForURL('**/console/forgot');
  checkFaults();
});
