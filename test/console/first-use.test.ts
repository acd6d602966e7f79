/** What somebody does at first sight in the console: type at once, click where there is room, press Enter, and trust a dialog. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { startMailServer } from '../support/mail-server.ts';
import { makeOlder } from '../support/sign-in-age.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

const password = 'four unlikely words here';

let console: TestConsole;
let siteId: string;

before(async () => {
  console = await startTestConsole();
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  siteId = String(site.id);
});
after(() => console.close());

async function createArticle(versionData: object): Promise<string> {
  const article = await create(console.server, `/v1/sites/${siteId}/articles`, { versionData });
  return String(article.id);
}

test('what is discarded in a form can be taken back', async () => {
  const book = await create(console.server, '/v1/books', { title: 'Emma' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/books/${book.id}`);
  const title = page.getByRole('textbox', { name: 'Title', exact: true });
  await title.fill('Emma Woodhouse');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Changes discarded.').waitFor();
  assert.equal(await title.inputValue(), 'Emma');
  // A message with the focus stays.
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();
  await checkAccessibility('discarded changes');
  await undo.press('Enter');
  await until('the title', async () => (await title.inputValue()) === 'Emma Woodhouse');
  // The message goes with the form that it is about.
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Changes discarded.').waitFor();
  await page.getByRole('link', { name: 'Books' }).first().click();
  await page.getByText('Changes discarded.').waitFor({ state: 'detached' });
  checkFaults();
});

test('a click on the empty paper below the text of an article sets the cursor behind it', async () => {
  const id = await createArticle({ title: 'Moving', body: 'We move.' });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId, {
    viewport: { width: 1400, height: 900 },
  });
  await open(`/sites/${siteId}/articles/${id}`);
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.waitFor();
  const words = await page.getByText('2 words').boundingBox();
  const text = await page.getByText('We move.', { exact: true }).boundingBox();
  assert.ok(words !== null && text !== null);
  assert.ok(words.y - text.y > 400, 'there is much empty paper');
  await page.mouse.click(text.x + 10, words.y - 40);
  await page.keyboard.type(' To Leith.');
  assert.equal(await body.innerText(), 'We move. To Leith.');
  await page.getByText(/^Saved · /).waitFor();
  checkFaults();
});

test('an article is published on a telephone by a button, and its command says where a token comes from', async () => {
  const id = await createArticle({ title: 'Reading', body: 'At six.' });
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(
    console.server.ownerId,
  );
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 360, height: 740 });
  await open(`/sites/${siteId}/articles/${id}`);
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await publish.waitFor();
  await checkAccessibility('article on a telephone');
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  assert.equal(overflow, 0);
  await publish.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: /Published/ }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
  await page.getByText('set TOKEN to an API token').waitFor();
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.match(command, new RegExp(`articles/${id}'[^]*Bearer \\$TOKEN`));
  await page.getByRole('button', { name: 'Tokens' }).click();
  await page.getByRole('heading', { name: 'Clients and tokens' }).waitFor();
  checkFaults();
});

test('an article is begun on a telephone, a title of spaces is corrected where the cursor is, and an empty text is said', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await page.setViewportSize({ width: 360, height: 740 });
  await open(`/sites/${siteId}/articles`);
  await page.getByRole('heading', { name: 'Articles', exact: true }).waitFor();
  const cut = await page.evaluate<number>(
    "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('h1'))",
  );
  assert.equal(cut, 0, 'the title is whole');
  await page.locator('header').getByRole('button', { name: 'New article' }).click();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('   ');
  await page.keyboard.press('Enter');
  await page.getByText('Must not be empty.').waitFor();
  await until('the title is focused', () =>
    page.evaluate<boolean>("document.activeElement === document.querySelector('input[required]')"),
  );
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Arriving');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const question = page.getByRole('dialog');
  await question.getByText('Readers will see it immediately.').waitFor();
  await question.getByRole('alert').getByText('It has no text yet.').waitFor();
  await checkAccessibility('publishing an empty article');
  checkFaults();
});

test('on a telephone the menu is closed by its button, and an article is begun from Home', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await page.setViewportSize({ width: 360, height: 740 });
  await open('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await menu.getByRole('link', { name: 'Books' }).waitFor();
  await checkAccessibility('menu on a telephone');
  await menu.getByRole('button', { name: 'Close' }).click();
  await menu.waitFor({ state: 'detached' });
  await checkAccessibility('home on a telephone');
  await page.getByRole('button', { name: 'New article' }).click();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Leaving');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  checkFaults();
});

test('a time zone is suggested while it is typed', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/sites/${siteId}`);
  await page.getByRole('combobox', { name: 'Time zone' }).fill('new_yo');
  await page.getByRole('option', { name: 'America/New_York' }).click();
  await page.keyboard.press('Control+s');
  await until('it is saved', async () => {
    const { json } = await console.server.call('GET', `/v1/sites/${siteId}`);
    return json.timezone === 'America/New_York';
  });
  checkFaults();
});

test('a company leads to the form of a contact there, which is filled from the first key without the mouse', async () => {
  const { server } = console;
  const company = await create(server, '/v1/crm/companies', { name: 'Calton Press' });
  await create(server, '/v1/crm/companies', { name: 'Caledonian Paper' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/crm/companies/${company.id}`);
  await page.getByRole('link', { name: 'Add a contact' }).click();
  await page.getByRole('heading', { name: 'New contact' }).waitFor();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Rhona');
  await page.getByRole('button', { name: 'Add to Emails' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('rhona@calton.example.com');
  await page.getByRole('button', { name: 'Add to Companies' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('caledon');
  // Before anything is found, as somebody does who types fast.
  await page.keyboard.press('Enter');
  const chosen = page.getByRole('combobox', { name: 'Company' }).last();
  await until('the company is chosen', async () => (await chosen.inputValue()) === 'Caledonian Paper');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  await checkAccessibility('new contact');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { level: 2, name: 'Rhona' }).waitFor();
  await page.getByText('rhona@calton.example.com').waitFor();
  const companies = page.getByRole('region', { name: 'Companies' });
  await until('both companies', async () => {
    const shown = await companies.getByRole('link').allTextContents();
    return shown.join() === 'Calton Press,Caledonian Paper';
  });
  // The form can be left again without saving anything.
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'First name' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { level: 2, name: 'Rhona' }).waitFor();
  checkFaults();
});

test('many records are changed only in a field that was chosen, and emptying one is said', async () => {
  const { server } = console;
  const createForester = async (firstName: string) =>
    (await create(server, '/v1/crm/contacts', { firstName, jobTitle: 'Forester', tags: ['tree'] })).id;
  const ids = [await createForester('Ash'), await createForester('Elm')];
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/crm/contacts?search=forester');
  await page.getByRole('row', { name: /Elm/ }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Set a field' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Field', { exact: true });
  await field.waitFor();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByText('Choose a field first.').waitFor();
  await field.selectOption({ label: 'Job title' });
  await dialog.getByRole('button', { name: 'Clear in 2 records' }).waitFor();
  await checkAccessibility('emptying a field');
  await dialog.getByRole('textbox', { name: 'Job title' }).fill('Ranger');
  await dialog.getByRole('button', { name: 'Apply' }).waitFor();
  await field.selectOption({ label: 'Tags' });
  await dialog.getByLabel('Action', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByText('Enter a value first.').waitFor();
  await field.selectOption({ label: 'Job title' });
  await dialog.getByRole('button', { name: 'Clear in 2 records' }).click();
  await page.getByText('Done · 2 of 2').waitFor();
  for (const id of ids) {
    const { jobTitle, tags } = (await server.call('GET', `/v1/crm/contacts/${id}`)).json;
    assert.deepEqual([jobTitle, tags], [null, ['tree']]);
  }
  checkFaults();
});

test('a link that was just made expires in seven days, not in six', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/invitations');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email address' }).fill('mara@example.com');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('works once and expires in seven days').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Expires in 7 days').waitFor();
  checkFaults();
});

test('all that match are selected also where the list has no head, and the palette shows words without their marks', async () => {
  const { server } = console;
  for (const name of ['Calendar', 'Almanac', 'Diary']) {
    await create(server, '/v1/books', { title: `${name} of tides` });
  }
  await createArticle({ title: 'Harbour', body: '## High **water**\n\nThe harbour `gauge` is painted.' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/books?search=tides');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('checkbox', { name: 'Select Diary of tides' }).check();
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Select all that match' }).waitFor({ state: 'detached' });
  await checkAccessibility('all selected');
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('harbour');
  const found = page.getByRole('option', { name: /Harbour/ });
  await until('what was found', async () => /High water The harbour gauge is/.test(await found.innerText()));
  checkFaults();
});

/** Opens a new link of a user, up to where they are asked for a password. */
async function comeByLink(page: Page, userId: string): Promise<void> {
  const { secret } = await makeLink(console.server.database.auth, 'FIRST_START', userId, console.origin);
  await page.goto(`${console.origin}/console/link#${secret}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Set a password' }).waitFor();
}

test('who comes by a link and has no password is asked for one at once, and invites with it later', async () => {
  const { server } = console;
  const owner = await createMember(server.database.worker, server.organization, 'OWNER');
  const { page, open, checkAccessibility, checkFaults } = await console.openPage();
  await comeByLink(page, owner);
  await checkAccessibility('first password');
  await page.getByLabel('New password').fill('password1234');
  await page.keyboard.press('Enter');
  await page.getByText('too easy to guess').waitFor();
  await page.getByLabel('New password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await makeOlder(server.database, 'authenticated_at', 3_600, owner);
  // Reads may use what was known two seconds ago.
  await sleep(2_100);
  await open('/invitations');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').getByLabel('Email address').fill('grace@example.com');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByText(/invitation#/).waitFor();
  checkFaults();
});

test('a passkey can be the first way to sign in', async () => {
  const { server } = console;
  const owner = await createMember(server.database.worker, server.organization, 'OWNER');
  const { page, context, open, checkFaults } = await console.openPage();
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
  await comeByLink(page, owner);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await open('/account');
  await page.getByRole('region', { name: 'Passkeys' }).getByText('never used').waitFor();
  checkFaults();
});

test('who set no password is told how to get the next link where a fresh sign-in is needed, and goes on with it', async () => {
  const { server } = console;
  const owner = await createMember(server.database.worker, server.organization, 'OWNER');
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(owner);
  await makeOlder(server.database, 'authenticated_at', 3_600, owner);
  await open('/account');
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  await dialog.getByText(`npx trellis user sign-in-link ${owner}@example.com`).waitFor();
  await dialog.getByRole('button', { name: 'Copy' }).waitFor();
  await checkAccessibility('no way to confirm');
  const tab = await context.newPage();
  await comeByLink(tab, owner);
  await tab.getByLabel('New password').fill(password);
  await tab.keyboard.press('Enter');
  await tab.getByRole('heading', { name: 'Home' }).waitFor();
  await tab.close();
  await dialog.waitFor({ state: 'detached' });
  await page.getByLabel('Six-digit code').waitFor();
  checkFaults();
});

test('who came by a link long ago and has no password gets a link by mail to set one, and goes on', async () => {
  const mail = await startMailServer();
  const mailing = await startTestConsole({ signIn: { mail: mail.settings } });
  try {
    const { server, openAs, origin } = mailing;
    const email = `${server.ownerId}@example.com`;
    const { page, context, open, checkAccessibility, checkFaults } = await openAs(server.ownerId);
    await server.database.auth.run(
      `UPDATE trellis.sessions SET authenticated_at = authenticated_at - interval '1 hour' WHERE user_id = $1`,
      [server.ownerId],
    );
    await open('/account');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await dialog.getByText('A link is on its way').waitFor();
    await checkAccessibility('link on its way');
    const secret = await mail.lastLink(email);
    const tab = await context.newPage();
    await tab.goto(`${origin}/console/reset#${secret}`);
    await tab.getByLabel('New password').fill('four unlikely words here');
    await tab.getByRole('button', { name: 'Set password' }).click();
    await tab.getByText('Your new password is set').waitFor();
    await tab.close();
    await page.bringToFront();
    // What a browser says when the person comes back to the tab.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    const password = page.locator('input[type=password]');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await password.fill('four unlikely words here');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('Six-digit code').waitFor();
    checkFaults();
  } finally {
    await mailing.close();
    await mail.close();
  }
});
