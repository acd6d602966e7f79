/**
 * A browser that several people use: nobody's work goes out under the name of another one, and nobody reads or forges what another one
 * has left.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { type ConsolePage, skipPassword, startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { countStored, readStoredRows } from '../support/stored-rows.ts';
import { until } from '../support/until.ts';

let console: TestConsole;
let client: ApiClient;
/** An owner, and a colleague who may do less. */
let ownerId: string;
let editorId: string;

before(async () => {
  console = await startTestConsole();
  client = new ApiClient({ baseUrl: console.server.url, token: console.server.token });
  const { worker } = console.server.database;
  ownerId = await createMember(worker, console.server.organization, 'OWNER');
  editorId = await createMember(worker, console.server.organization, 'EDITOR');
});
after(() => console.close());

const createBook = async (title: string) => (await client.call('createBook', { body: { title } })).body;
const readBook = async (id: string) => (await client.call('getBook', { path: { id } })).body;
const waiting = (page: Page, name: string) => page.getByRole('button', { name }).first();
const otherUser = (page: Page) => page.getByRole('heading', { name: 'Someone else has signed in' });

/** Signs a user in, in a tab of its own, in place of whoever is signed in. */
async function signIn(context: BrowserContext, userId: string): Promise<Page> {
  const { secret } = await makeLink(console.server.database.auth, 'SIGN_IN', userId, console.origin);
  const page = await context.newPage();
  await page.goto(`${console.origin}/console/link#${secret}`);
  await page.locator('main button').click();
  await skipPassword(page);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return page;
}

/** Keeps the requests of a tab from the server. @returns lets them through again */
async function holdOffline(page: Page): Promise<() => Promise<void>> {
  await page.route('**/v1/**', (route) => route.abort());
  await page.route('**/auth/**', (route) => route.abort());
  return async () => {
    await page.unroute('**/v1/**');
    await page.unroute('**/auth/**');
    await page.evaluate("window.dispatchEvent(new Event('online'))");
  };
}

/** A tab of the owner in which a change of a book waits. */
async function leaveChange(opened: ConsolePage, title: string, subtitle: string) {
  const { page, open } = opened;
  const { id } = await createBook(title);
  await open(`/books/${id}`);
  await page.getByLabel('Subtitle').waitFor();
  const release = await holdOffline(page);
  await page.getByLabel('Subtitle').fill(subtitle);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await waiting(page, 'One change waiting').waitFor();
  return { id, release };
}

test('what waits in a tab is not written as somebody else who signs in in another one, and is written when its person is back', async () => {
  const opened = await console.openAs(ownerId);
  const { page, context, checkAccessibility, checkFaults } = opened;
  const { id, release } = await leaveChange(opened, 'Emma', 'Secret of the owner');
  const other = await signIn(context, editorId);
  // The tab hears it without asking the server.
  await otherUser(page).waitFor();
  assert.equal(await page.getByText('Secret of the owner').count(), 0);
  await checkAccessibility('someone else has signed in');
  await release();
  // The other person neither sees nor can read it.
  await other.goto(`${console.origin}/console/books/${id}`);
  await other.getByLabel('Subtitle').waitFor();
  assert.equal(await other.getByRole('status').getByRole('button').count(), 0);
  const rows = await readStoredRows(other);
  assert.equal(rows.length, 1);
  assert.doesNotMatch(rows[0]?.bytes ?? '', /Secret|books|Emma/);
  await page.getByRole('button', { name: /^Continue as/ }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  assert.deepEqual([(await readBook(id)).version, await countStored(page, 'change')], [1, 1]);
  await page.close();
  await signIn(context, ownerId);
  await until('it is written', async () => (await readBook(id)).version === 2);
  const book = await readBook(id);
  assert.deepEqual([book.subtitle, book.updatedBy], ['Secret of the owner', encodeId('user', ownerId)]);
  checkFaults();
});

test('a tab that did not hear of the other person is stopped by the server', async () => {
  const opened = await console.openAs(ownerId);
  const { page, context } = opened;
  await context.addInitScript(`
    const Channel = window.BroadcastChannel;
    window.BroadcastChannel = class extends Channel {
      set onmessage(listener) { if (this.name !== 'trellis-session') super.onmessage = listener; }
    };
  `);
  await page.reload();
  const { id, release } = await leaveChange(opened, 'Persuasion', 'Of the owner');
  await signIn(context, editorId);
  assert.equal(await otherUser(page).count(), 0);
  const refused = page.waitForResponse(
    async (response) => response.status() === 400 && (await response.json()).code === 'wrong_user',
  );
  await release();
  await refused;
  await otherUser(page).waitFor();
  assert.deepEqual([(await readBook(id)).version, await countStored(page, 'change')], [1, 1]);
});

test('a change that somebody has written into the browser under the name of another person is not carried out', async () => {
  const opened = await console.openAs(editorId);
  const { page, context } = opened;
  const members = (await client.call('listMembers', { query: { limit: 100 } })).body.items;
  const member = members.find(({ id }) => id === encodeId('user', editorId));
  assert.ok(member !== undefined);
  const roles = (await client.call('listRoles', { query: { limit: 100 } })).body.items;
  const roleId = roles.find(({ key }) => key === 'ADMIN')?.id;
  assert.ok(roleId !== undefined);
  const organization = encodeId('org', console.server.organization.id);
  const owner = `${organization} ${encodeId('user', ownerId)}`;
  const change = {
    sequence: 1,
    owner,
    key: 'a-key-of-its-own',
    record: member.id,
    request: { method: 'PATCH', path: `/v1/members/${member.id}`, body: { roleId }, ifMatch: null },
    label: 'Harmless',
    base: null,
    coalesces: false,
    dependsOn: null,
    madeAt: Date.now(),
    askedAt: Date.now(),
    session: 'ses_1',
    firstSentAt: null,
    refusal: null,
  };
  // With the own key, which is all that the editor gets.
  const user = encodeId('user', editorId);
  await page.evaluate(`(async () => {
    const change = ${JSON.stringify(change)};
    const response = await fetch('/auth/storage-key', { headers: { 'trellis-user': '${user}' } });
    const { key } = await response.json();
    const bytes = Uint8Array.from(atob(key), (c) => c.charCodeAt(0));
    const own = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt']);
    const place = [change.owner, 'change', 1];
    const additionalData = new TextEncoder().encode(JSON.stringify(['trellis browser storage 1', ...place]));
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = new TextEncoder().encode(JSON.stringify(change));
    const encrypted = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, own, text));
    const sealed = new Uint8Array([...iv, ...encrypted]);
    const put = (name, version, store, rows) => new Promise((resolve, reject) => {
      const opening = indexedDB.open(name, version);
      opening.onerror = () => reject(opening.error);
      opening.onupgradeneeded = () => opening.result.createObjectStore(store, { keyPath: 'sequence' });
      opening.onsuccess = () => {
        const transaction = opening.result.transaction(store, 'readwrite');
        for (const row of rows) transaction.objectStore(store).put(row);
        transaction.oncomplete = () => { opening.result.close(); resolve(); };
      };
    });
    await put('trellis-sealed', undefined, 'rows', [{ key: place, sealed }]);
  })()`);
  assert.equal(await countStored(page, 'change'), 1);
  const other = await signIn(context, ownerId);
  await other.getByText(/in this browser’s storage could not be read/).waitFor();
  await until('it is removed', async () => (await countStored(other, 'change')) === 0);
  const roleOf = async () => (await client.call('getMember', { path: { id: member.id } })).body.roleId;
  assert.equal(await roleOf(), member.roleId);
  // With the key of another user the server gives nothing either.
  const key = await other.evaluate(
    `fetch('/auth/storage-key', { headers: { 'trellis-user': '${user}' } }).then((response) => response.json())`,
  );
  assert.equal((key as { code: string }).code, 'wrong_user');
});

test('whoever signs out in one tab is signed out in all', async () => {
  const { page, context, open } = await console.openAs(ownerId);
  await open('/books');
  const other = await context.newPage();
  await other.goto(`${console.origin}/console/books`);
  await other.getByRole('navigation', { name: 'Main' }).waitFor();
  await page
    .getByRole('button', { name: /^Account/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
});
