/** Knowledge files and contacts in the console: uploads that survive a reload, previews, and a contact to read. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { buildPdf } from '../support/documents.ts';
import { until } from '../support/until.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('files go on being uploaded after a reload, and each is stored once', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/knowledge-files');
  // The responses to the contents never arrive, as when the network breaks, although the server has stored the first one.
  let isBroken = true;
  await page.route('**/content?**', async (route) => {
    if (!isBroken) return route.continue();
    await route.fetch();
    return new Promise(() => undefined);
  });
  const files = ['first.txt', 'second.txt'].map((name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(`The text of ${name}`),
  }));
  await page.locator('input[type=file]').setInputFiles(files);
  const uploads = page.getByRole('region', { name: 'Uploads' });
  await uploads.getByText('uploading').first().waitFor();
  await until('the contents on the server', async () => {
    const { json } = await server.call('GET', '/v1/knowledge-files');
    return (
      json.items.filter(({ sizeBytes }: { sizeBytes: number | null }) => sizeBytes !== null).length === 2
    );
  });
  isBroken = false;
  await page.reload();
  await uploads.getByRole('link', { name: 'first.txt' }).waitFor();
  await uploads.getByRole('link', { name: 'second.txt' }).waitFor();
  const { json } = await server.call('GET', '/v1/knowledge-files?sort=name');
  assert.deepEqual(
    json.items.map(({ name, contentVersion }: { name: string; contentVersion: number }) => [
      name,
      contentVersion,
    ]),
    [
      ['first.txt', 1],
      ['second.txt', 1],
    ],
  );
  await checkAccessibility('uploads');
  await uploads.getByRole('link', { name: 'first.txt' }).click();
  await page.getByRole('region', { name: 'Preview' }).getByText('The text of first.txt').waitFor();
  await checkAccessibility('file');
  checkFaults();
});

test('a file that is refused says why, and is removed from the list', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/knowledge-files');
  const large = { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1_100_000) };
  await page.locator('input[type=file]').setInputFiles([large]);
  await page.getByRole('region', { name: 'Uploads' }).getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Remove large.bin from this list' }).click();
  await page.getByRole('region', { name: 'Uploads' }).getByText('large.bin').waitFor({ state: 'detached' });
  checkFaults();
});

test('a PDF is shown in the viewer of the browser, and offered to open where there is none', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/knowledge-files');
  const file = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: buildPdf(['The plan']) };
  await page.locator('input[type=file]').setInputFiles([file]);
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'plan.pdf' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  // The browsers of the tests differ in whether they have a viewer.
  for (const hasViewer of [true, false]) {
    await page.addInitScript(
      `Object.defineProperty(navigator, 'pdfViewerEnabled', { value: ${hasViewer}, configurable: true })`,
    );
    await page.reload();
    const link = preview.getByRole('link', { name: 'Open in a new tab' });
    await link.waitFor();
    const address = (await link.getAttribute('href')) ?? '';
    assert.match(address, /^blob:/);
    const frames = await preview
      .locator('iframe')
      .evaluateAll((all) => all.map((frame) => [frame.getAttribute('src')?.split('#')[0], frame.title]));
    assert.deepEqual(frames, hasViewer ? [[address, 'plan.pdf']] : []);
    await checkAccessibility(`PDF ${hasViewer ? 'with' : 'without'} a viewer`);
  }
  checkFaults();
});

test('a contact is read, and edited behind a button', async () => {
  const { server } = console;
  const { json: contact } = await server.call('POST', '/v1/crm/contacts', {
    body: {
      firstName: 'Elizabeth',
      lastName: 'Bennet',
      emails: [{ address: 'elizabeth@example.com', isPrimary: true }],
      phones: [{ number: '+44 20 7946 0123' }],
      tags: ['reader'],
    },
  });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/crm/contacts/${contact.id}`);
  const link = page.getByRole('link', { name: 'elizabeth@example.com' });
  assert.equal(await link.getAttribute('href'), 'mailto:elizabeth@example.com');
  await page.locator('a[href="tel:+442079460123"]').waitFor();
  await checkAccessibility('contact');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Job title').waitFor();
  checkFaults();
});

test('contacts and files are deleted from the pages that show them', async () => {
  const { server } = console;
  const { json: contact } = await server.call('POST', '/v1/crm/contacts', { body: { firstName: 'Lydia' } });
  const { json: file } = await server.call('POST', '/v1/knowledge-files', { body: { name: 'Old plan' } });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  for (const path of [`/crm/contacts/${contact.id}`, `/knowledge-files/${file.id}`]) {
    await open(path);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy ID' }).waitFor();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const question = page.getByRole('dialog');
    await question.waitFor();
    await checkAccessibility('deletion');
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL((url) => `/console${path}`.startsWith(`${url.pathname}/`));
    assert.equal((await server.call('GET', `/v1${path}`)).status, 404);
  }
  checkFaults();
});
