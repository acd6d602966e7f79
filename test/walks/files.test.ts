/** Walks of those who keep files. */
import assert from 'node:assert/strict';
import { buildPdf } from '../support/documents.ts';
import type { Json } from '../support/server.ts';
import { addColleague, defineWalks } from '../support/walks.ts';

const walk = defineWalks();

walk(
  'find a PDF by a word inside it, and let one colleague see it',
  { bounds: { requests: 60, bytes: 40_000 }, given: (given) => addColleague(given, 'EDITOR', 'Ana Silva') },
  async ({ page, call, untilStored }) => {
    await page.getByRole('link', { name: 'Knowledge files' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'choose files' }).click();
    await (await choosing).setFiles([
      { name: 'plan.pdf', mimeType: 'application/pdf', buffer: buildPdf(['The orangery opens in May.']) },
      { name: 'menu.pdf', mimeType: 'application/pdf', buffer: buildPdf(['Soup, bread, cheese.']) },
    ]);
    const list = page.getByRole('grid');
    await list.getByRole('link', { name: 'plan.pdf' }).waitFor();
    await list.getByText('Ready').nth(1).waitFor();
    await page.getByRole('searchbox', { name: 'Search knowledge files' }).fill('orangery');
    await list.getByRole('link', { name: 'menu.pdf' }).waitFor({ state: 'detached' });
    await list.getByRole('link', { name: 'plan.pdf' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('combobox', { name: 'Visibility' }).click();
    await page.getByRole('option', { name: 'Restricted' }).click();
    await page.getByRole('combobox', { name: 'Allowed users' }).fill('Ana');
    await page.getByRole('option', { name: /Ana Silva/ }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByText('Visible to').getByText('Ana Silva').waitFor();
    const { items: members } = await call('GET', '/v1/members');
    const ana = members.find(({ name }: Json) => name === 'Ana Silva');
    await untilStored('who may see it', '/v1/knowledge-files?search=orangery', ({ items }) => {
      assert.deepEqual(
        items.map(({ name, visibility }: Json) => [name, visibility]),
        [['plan.pdf', 'RESTRICTED']],
      );
      return items[0].allowedUserIds.includes(ana.id);
    });
  },
);
