/** A working day by keyboard alone: every element is reached by Tab, the arrows or the palette, and none is clicked. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { indexJobsStep } from '@trellis/server/kernel/identity/index-jobs.ts';
import type { Locator, Page } from 'playwright-core';
import { givePassword } from '../support/browser-client.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { runIndexJobs } from '../support/indexing.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

/** Presses a key until an element has the focus, as somebody who sees the page would. */
async function reach(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  const isFocused = () => target.evaluate((element) => element.matches(':focus'));
  for (let presses = 0; !(await isFocused()); presses += 1) {
    assert.ok(presses < 120, `${target} is not reached by ${key}`);
    await page.keyboard.press(key);
  }
  // WCAG 2.2, 2.4.11: what has the focus is not hidden by other content.
  const isSeen = await target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const found = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return found !== null && (element.contains(found) || found.contains(element));
  });
  assert.ok(isSeen, `${target} has the focus behind something else`);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await reach(page, target);
  await page.keyboard.press(key);
}

/** Goes to what the palette finds first for a text. */
async function goTo(page: Page, text: string, option: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type(text);
  const wanted = page.getByRole('option', { name: option }).first();
  await wanted.waitFor();
  while ((await wanted.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
}

test('sign in, change the owner of a contact, restore and schedule an article, invite a member, revoke a token', async () => {
  const { server } = console;
  const { auth, worker } = server.database;
  const account = await givePassword(auth, server.ownerId);
  const editorId = await createMember(worker, server.organization, 'EDITOR');
  const { statement, values } = indexJobsStep(server.organization.id, 'member', [editorId]);
  await worker.run(statement.text, values);
  await runIndexJobs(server.database);
  const contact = await create(server, '/v1/crm/contacts', {
    firstName: 'Elizabeth',
    lastName: 'Bennet',
    phones: [{ number: '+44 20 7946 0123' }],
  });
  const site = await create(server, '/v1/sites', {
    name: 'Blog',
    key: 'blog',
    timezone: 'America/New_York',
    domains: ['blog.example.com'],
  });
  const path = `/v1/sites/${site.id}/articles`;
  const article = await create(server, path, { versionData: { title: 'The harvest', body: 'first text' } });
  await server.call('PATCH', `${path}/${article.id}`, { body: { versionData: { status: 'PUBLISHED' } } });
  await server.call('PATCH', `${path}/${article.id}`, { body: { versionData: { body: 'second text' } } });
  const client = await create(server, '/v1/clients', { name: 'Website' });
  const body = { name: 'Build', clientId: client.id, scopes: ['sites:read'] };
  const { secret } = (await server.call('POST', '/v1/tokens', { body })).json;
  const read = async (of: string) => (await server.call('GET', of)).json;

  const { page, open, checkFaults } = await console.openPage({ timezoneId: 'Europe/Berlin' });
  await open('/sign-in');
  await reach(page, page.getByLabel('Email address'));
  await page.keyboard.type(account.email);
  await reach(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(account.password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();

  await goTo(page, '7946 01', /Elizabeth Bennet/);
  await press(page, page.getByRole('button', { name: 'Edit' }));
  await reach(page, page.getByRole('combobox', { name: 'Owner' }));
  await page.keyboard.type('EDITOR');
  await page.getByRole('option', { name: /EDITOR/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+s');
  await until('the owner', async () => {
    const { ownerUserId, version } = await read(`/v1/crm/contacts/${contact.id}`);
    return ownerUserId !== null && version === 2;
  });

  await goTo(page, 'The harvest', /The harvest/);
  await press(page, page.getByRole('button', { name: 'Versions' }));
  const versions = page.getByRole('dialog', { name: 'Versions' });
  await versions.getByText('Changes from version 1 to version 2').waitFor();
  await press(page, versions.getByRole('button', { name: /^Version 1/ }));
  await press(page, versions.getByRole('button', { name: 'Restore version 1' }));
  const question = page.getByRole('dialog', { name: 'Restore version 1?' });
  await press(page, question.getByRole('button', { name: 'Restore version 1' }));
  await versions.waitFor({ state: 'detached' });
  await until('the restored text', async () => {
    const { versionData } = await read(`${path}/${article.id}`);
    return versionData.body === 'first text';
  });

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await press(page, page.getByRole('button', { name: /^Status: / }));
  await reach(page, page.getByRole('menuitem', { name: 'Schedule…' }), 'ArrowDown');
  await page.keyboard.press('Enter');
  const schedule = page.getByRole('dialog', { name: 'Schedule' });
  await reach(page, schedule.getByLabel('Publish on', { exact: true }));
  const [year, month, day] = tomorrow.split('-');
  // The field is Chromium's own, in the language of the program and not of the page: American English.
  await page.keyboard.type(`${month}${day}${year}`);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('0900A');
  await press(page, schedule.getByRole('button', { name: 'Schedule' }));
  await page.getByRole('button', { name: 'Return to draft and edit' }).waitFor();
  const { scheduledFor } = (await read(`${path}/${article.id}`)).versionData;
  const shown = new Date(scheduledFor).toLocaleString('sv', { timeZone: 'America/New_York' });
  assert.equal(shown, `${tomorrow} 09:00:00`);

  await goTo(page, 'Invite a colleague', /Invite a colleague/);
  const invite = page.getByRole('dialog', { name: 'Invite a member' });
  await reach(page, invite.getByLabel('Email'));
  await page.keyboard.type('jane@example.com');
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('dialog', { name: /is invited/ }).getByRole('button', { name: 'Done' }));
  await until('the invitation', async () => {
    const { items } = await read('/v1/invitations');
    return items.some(({ email }: { readonly email: string }) => email === 'jane@example.com');
  });

  await goTo(page, 'Tokens', /^Tokens/);
  await press(page, page.getByRole('button', { name: 'More about Build' }));
  await reach(page, page.getByRole('menuitem', { name: 'Revoke' }), 'ArrowDown');
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
  await until('the refusal', async () => {
    const { status } = await server.call('GET', '/v1/me', { token: secret });
    return status === 401;
  });
  checkFaults();
});

test('a dialog that is left gives the focus back to what opened it, also to the button of a menu', async () => {
  const { server } = console;
  await create(server, '/v1/books', { title: 'Ulysses' });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  const leave = async (opener: Locator) => {
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await opener.and(page.locator(':focus')).waitFor();
  };
  const press = async (opener: Locator) => {
    await opener.focus();
    await page.keyboard.press('Enter');
  };
  await open('/books?search=ulysses');
  const link = page.getByRole('link', { name: 'Ulysses' });
  await press(link);
  const actions = page.getByRole('button', { name: 'Actions' });
  await press(actions);
  await page.getByRole('menuitem', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await leave(actions);
  for (const [path, name] of [
    ['/members', 'Invite'],
    ['/members', 'New service member'],
    ['/clients', 'New client'],
  ] as const) {
    await open(path);
    const opener = page.getByRole('button', { name, exact: true }).first();
    await press(opener);
    await leave(opener);
  }
  checkFaults();
});
