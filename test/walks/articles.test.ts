/** Walks of editors: articles from the first word to readers, versions, and an issue of a magazine. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Json } from '../support/server.ts';
import { defineWalks, type Given } from '../support/walks.ts';

const walk = defineWalks();

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const addBlog = ({ call }: Given) =>
  call('POST', '/v1/sites', {
    name: 'Blog',
    key: 'blog',
    timezone: 'America/New_York',
    domains: ['blog.example.com'],
  });

const isSaved = (page: Page) => page.getByText(/^Saved · /).waitFor();
const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Body' });
const isFocused = (input: Locator) => input.and(input.page().locator(':focus')).waitFor();

walk(
  'make a site, write its first article and publish it',
  { bounds: { requests: 40, bytes: 25_000 } },
  async ({ page, call }) => {
    await page.getByRole('link', { name: 'Articles' }).click();
    await page.getByRole('link', { name: 'New site' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Garden blog');
    await page.getByRole('textbox', { name: 'Key' }).fill('garden');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Articles' }).first().click();
    await page.getByRole('button', { name: 'New article' }).first().click();
    await isFocused(page.getByLabel('Title'));
    await page.keyboard.type('First frost');
    await page.keyboard.press('Enter');
    await isFocused(editorOf(page));
    await page.keyboard.type('It came early.');
    await isSaved(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Publish “First frost”?' });
    await question.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Status: Published' }).waitFor();
    await page.getByText('there is no undo: unpublish it instead').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy API address' }).click();
    await page.getByText('Copied. A request to this address needs an API token.').waitFor();
    const address = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
    assert.equal(
      (await call('GET', `${address.pathname}${address.search}`)).versionData.title,
      'First frost',
    );
    const [site] = (await call('GET', '/v1/sites')).items;
    const [article] = (await call('GET', `/v1/sites/${site.id}/articles`)).items;
    const { state, articleData, versionData } = await call(
      'GET',
      `/v1/sites/${site.id}/articles/${article.id}`,
    );
    assert.deepEqual(
      [state, articleData.slug, versionData.title, versionData.body],
      ['PUBLISHED', 'first-frost', 'First frost', 'It came early.'],
    );
  },
);

walk(
  'write an article with a picture, categories and tags, and schedule it',
  // The file is asked for until the picture has been read: on a quiet machine there are 50 requests.
  { bounds: { requests: 100, bytes: 45_000 }, given: addBlog, browser: { timezoneId: 'Europe/Berlin' } },
  async ({ page, call }) => {
    await page.getByRole('link', { name: 'Articles' }).click();
    await page.getByRole('button', { name: 'New article' }).first().click();
    await isFocused(page.getByLabel('Title'));
    await page.keyboard.type('The harvest');
    await page.keyboard.press('Enter');
    await isFocused(editorOf(page));
    await page.keyboard.type('It was late this year.\n\n');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Insert an image or a file' }).click();
    await (await choosing).setFiles({ name: 'apples.png', mimeType: 'image/png', buffer: pixel });
    const question = page.getByRole('dialog', { name: 'What does the picture show?' });
    await isFocused(question.getByLabel('apples.png'));
    await page.keyboard.type('apples');
    await page.keyboard.press('Enter');
    await editorOf(page).getByText('![apples](').waitFor();
    for (const [name, values] of [
      ['Categories', ['Orchard', 'Autumn']],
      ['Tags', ['apples']],
    ] as const) {
      const input = page.getByRole('combobox', { name });
      for (const value of values) {
        await input.fill(value);
        await input.press('Enter');
        await page
          .getByRole('group', { name: 'Topics and authors' })
          .getByText(value, { exact: true })
          .waitFor();
      }
    }
    await isSaved(page);
    await page.getByRole('button', { name: 'Status: Draft' }).click();
    await page.getByRole('menuitem', { name: 'Schedule…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule' });
    assert.equal(await dialog.getByLabel('Make public now').isChecked(), false);
    await dialog.getByLabel('Publish on', { exact: true }).fill('2030-07-01T09:00');
    await dialog.getByText(/^For you \(Europe\/Berlin\): .*15:00/).waitFor();
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('button', { name: 'Status: Scheduled' }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page
      .getByRole('region', { name: 'Scheduled' })
      .getByRole('link', { name: 'The harvest' })
      .waitFor();

    const [site] = (await call('GET', '/v1/sites')).items;
    const path = `/v1/sites/${site.id}`;
    const [{ id }] = (await call('GET', `${path}/articles`)).items;
    const { versionData, articleData } = await call('GET', `${path}/articles/${id}`);
    assert.equal(versionData.scheduledFor, '2030-07-01T13:00:00.000Z');
    assert.match(versionData.body, /^It was late this year\.\n\n!\[apples\]\(\S+\)/);
    const names = async (collection: string, ids: readonly string[]) =>
      Promise.all(ids.map(async (one) => (await call('GET', `${path}/${collection}/${one}`)).name));
    assert.deepEqual(await names('categories', articleData.categoryIds), ['Orchard', 'Autumn']);
    assert.deepEqual(await names('tags', articleData.tagIds), ['apples']);
  },
);

walk(
  'compare a draft with what readers see, and restore that',
  {
    bounds: { requests: 40, bytes: 25_000 },
    given: async (given) => {
      const { id: siteId } = await addBlog(given);
      const { call } = given;
      const path = `/v1/sites/${siteId}/articles`;
      const { id } = await call('POST', path, {
        versionData: { title: 'The harvest', body: 'Twelve crates.' },
      });
      await call('PATCH', `${path}/${id}`, { versionData: { status: 'PUBLISHED' } });
    },
  },
  async ({ page, call }) => {
    await page.getByRole('link', { name: 'Articles' }).click();
    await page.getByRole('link', { name: 'The harvest' }).click();
    await editorOf(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Nothing at all.');
    await isSaved(page);
    await page.getByRole('button', { name: 'Versions' }).click();
    const versions = page.getByRole('dialog', { name: 'Versions', exact: true });
    await versions.getByText('Changes from version 1 to version 2').waitFor();
    await versions.getByText('Twelve crates.').waitFor();
    await versions.getByText('Nothing at all.').waitFor();
    await versions.getByRole('button', { name: /^Version 1/ }).click();
    await versions.getByRole('button', { name: 'Restore version 1' }).click();
    await page
      .getByRole('dialog', { name: 'Restore version 1?' })
      .getByRole('button', { name: 'Restore version 1' })
      .click();
    await editorOf(page).getByText('Twelve crates.').waitFor();
    await page.getByText('The previous draft is kept as version 2.').waitFor();
    const [site] = (await call('GET', '/v1/sites')).items;
    const path = `/v1/sites/${site.id}/articles`;
    const [{ id }] = (await call('GET', path)).items;
    const { versionData, publishedVersionNumber } = await call('GET', `${path}/${id}`);
    assert.deepEqual(
      [versionData.body, versionData.status, publishedVersionNumber],
      ['Twelve crates.', 'DRAFT', 1],
    );
    assert.equal((await call('GET', `${path}/${id}/versions/2`)).versionData.body, 'Nothing at all.');
  },
);

walk(
  'put three articles into an issue, and publish it with them',
  {
    bounds: { requests: 45, bytes: 25_000 },
    given: async (given) => {
      const { id: siteId } = await addBlog(given);
      const { call } = given;
      for (const title of ['The sea', 'The shore', 'The tide']) {
        const path = `/v1/sites/${siteId}/articles`;
        const { id } = await call('POST', path, { versionData: { title, body: 'Water.' } });
        for (const status of ['IN_REVIEW', 'APPROVED'])
          await call('PATCH', `${path}/${id}`, { versionData: { status } });
      }
      await call('POST', '/v1/magazines', { title: 'Waters' });
    },
  },
  async ({ page, context, call, untilStored }) => {
    await page.getByRole('link', { name: 'Issues' }).click();
    await page.getByRole('button', { name: 'New issue' }).first().click();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Tides');
    const contents = page.getByRole('group', { name: 'Contents', exact: true });
    for (const title of ['The sea', 'The shore', 'The tide']) {
      await contents.getByRole('button', { name: 'Add to Contents' }).click();
      await contents.getByRole('combobox', { name: 'Article' }).fill(title);
      await page.getByRole('option', { name: title }).click();
      await contents.getByRole('link', { name: `Open ${title} in a new tab` }).waitFor();
    }
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Tides', level: 1 }).waitFor();
    await page.getByRole('combobox', { name: 'Status', exact: true }).click();
    await page.getByRole('option', { name: 'In production' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('combobox', { name: 'Status', exact: true }).click();
    await page.getByRole('option', { name: 'Published' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    const [magazine] = (await call('GET', '/v1/magazines')).items;
    await untilStored(
      'the issue',
      `/v1/magazines/${magazine.id}/issues`,
      ({ items }) => items[0]?.status === 'PUBLISHED',
    );
    // The article of a title leads there, where readers' text is.
    const opening = context.waitForEvent('page');
    await contents.getByRole('link', { name: 'Open The shore in a new tab' }).click();
    const article = await opening;
    await article.getByRole('button', { name: 'Status: Published' }).waitFor();
    await article.close();
    const [site] = (await call('GET', '/v1/sites')).items;
    const { items } = await call('GET', `/v1/sites/${site.id}/articles?sort=title`);
    assert.deepEqual(
      items.map(({ state, versionData }: Json) => [versionData.title, state]),
      [
        ['The sea', 'PUBLISHED'],
        ['The shore', 'PUBLISHED'],
        ['The tide', 'PUBLISHED'],
      ],
    );
  },
);
