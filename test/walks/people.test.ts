/** Walks of those who run an organization: colleagues, roles, programs. */
import assert from 'node:assert/strict';
import { givePassword } from '../support/browser-client.ts';
import { addColleague, defineWalks } from '../support/walks.ts';

const walk = defineWalks();

walk(
  'invite a colleague, who accepts, and see her among the members',
  { bounds: { requests: 12, bytes: 8_000 } },
  async ({ page, openSignedOut, untilStored }) => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('ana@example.com');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Author' }).click();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = await page
      .getByRole('dialog', { name: 'ana@example.com is invited' })
      .locator('pre')
      .innerText();
    await page.getByRole('button', { name: 'Done' }).click();

    const colleague = await openSignedOut();
    await colleague.page.goto(link);
    await colleague.page.getByLabel('Your name').fill('Ana Silva');
    await colleague.page.getByLabel('New password').fill('eleven wooden bridges');
    await colleague.page.keyboard.press('Enter');
    await colleague.page.getByRole('heading', { name: 'Home' }).waitFor();
    colleague.checkFaults();

    await page.getByRole('link', { name: 'Members' }).click();
    const member = page.getByRole('listitem').filter({ hasText: 'Ana Silva' });
    await member.waitFor();
    assert.equal(await member.getByRole('combobox').inputValue(), 'Author');
    await untilStored('the member', '/v1/members', ({ items }) =>
      items.some((one: { name: string }) => one.name === 'Ana Silva'),
    );
  },
);

walk(
  'make a token for a program, use it, and revoke it',
  { bounds: { requests: 25, bytes: 20_000 } },
  async ({ page, origin }) => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Clients and tokens' }).click();
    await page.getByRole('button', { name: 'New client' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Website');
    await page.getByRole('dialog').getByRole('button', { name: 'Create client' }).click();
    const website = page.getByRole('region', { name: 'Website' });
    await website.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Purpose').fill('Build');
    await dialog.getByRole('checkbox', { name: 'books:read' }).click();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const secret = await page.getByRole('dialog', { name: 'Secret of Build' }).locator('pre').innerText();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    const status = async (path: string) => {
      const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${secret}` } });
      await response.arrayBuffer();
      return response.status;
    };
    assert.deepEqual([await status('/v1/books'), await status('/v1/crm/contacts')], [200, 403]);
    await website.getByRole('button', { name: 'More about Build' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await website.getByText('Build').waitFor({ state: 'detached' });
    assert.equal(await status('/v1/books'), 401);
  },
);

walk(
  'make a role for the newsroom, and give it to a colleague',
  { bounds: { requests: 15, bytes: 12_000 }, given: (given) => addColleague(given, 'AUTHOR', 'Ana Silva') },
  async ({ page, call, untilStored }) => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Roles' }).click();
    await page.getByRole('link', { name: 'Viewer' }).click();
    await page.getByRole('button', { name: 'Copy as new role' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Newsroom');
    await page.getByLabel('Articles: Update').selectOption('Own');
    await page.getByLabel('Books: Read').selectOption('No');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('link', { name: 'Newsroom' }).waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('combobox', { name: 'Role of Ana Silva' }).click();
    await page.getByRole('option', { name: 'Newsroom' }).click();
    const [role] = (await call('GET', '/v1/roles?search=newsroom')).items;
    assert.equal(role.key, 'newsroom');
    await untilStored('her role', '/v1/members', ({ items }) =>
      items.some(
        (one: { name: string; roleId: string }) => one.name === 'Ana Silva' && one.roleId === role.id,
      ),
    );
  },
);

walk(
  'work for twenty minutes, and then invite a colleague, with the password once more',
  { bounds: { requests: 20, bytes: 12_000 } },
  async ({ page, ownerId, database, untilStored }) => {
    const { password } = await givePassword(database.auth, ownerId);
    await page.getByRole('link', { name: 'Books' }).click();
    await page.getByRole('button', { name: 'New book' }).first().click();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Emma');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor();
    // Both the session and the token that the page has by now: twenty minutes pass for them.
    for (const table of ['sessions', 'tokens'])
      await database.auth.run(
        `UPDATE trellis.${table} SET authenticated_at = authenticated_at - interval '20 minutes' WHERE user_id = $1`,
        [ownerId],
      );
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('ana@example.com');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
    await proof.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'ana@example.com is invited' }).locator('pre').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Invitations' }).click();
    await page.getByText('ana@example.com').waitFor();
    await untilStored('the invitation', '/v1/invitations', ({ items }) =>
      items.some(({ email }: { email: string }) => email === 'ana@example.com'),
    );
  },
);
