/** The filters of lists in the console: each one that a declaration names is chosen, given a value, kept by the address and removed. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { describeField } from '@trellis/schema/resources/english.ts';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { declaredResources as resources } from '@trellis/schema/resources/list.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import pg from 'pg';
import type { Locator, Page } from 'playwright-core';
import { type ConsolePage, startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import { halves } from '../support/pictures.ts';

/** How a person gives a value: by typing it, by typing a part of a title, by a record or a value that is offered, yes or no, a day. */
type Given = { readonly [kind in 'type' | 'find' | 'pick' | 'flag' | 'day']?: string };

/** A list with two records, of which each filter finds the first one. */
interface Sample {
  /** Below `/console`. */
  readonly path: string;
  readonly filters: Readonly<Record<string, Given>>;
}

/** Resources with a page of their own instead of a list with filters. */
const withoutFilters = [
  'organizations',
  'webhook-endpoints',
  'members',
  'roles',
  'invitations',
  'clients',
  'tokens',
];
const found = 'Wanted one';
const other = 'Different two';
const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const common = {
  'updatedAt[gte]': { day: today },
  externalId: { type: 'wanted-1' },
  importId: { type: 'wanted-import' },
} as const;

let console: TestConsole;
let samples: Readonly<Record<string, Sample>>;

before(async () => {
  console = await startTestConsole();
  samples = await makeSamples();
});
after(() => console.close());

async function post(path: string, body: object, token = console.server.token): Promise<string> {
  const { status, json, text } = await console.server.call('POST', `/v1${path}`, { body, token });
  assert.equal(status, 201, `${path}: ${text}`);
  return json.id;
}

async function change(path: string, body: object): Promise<void> {
  const { status, text } = await console.server.call('PATCH', `/v1${path}`, { body });
  assert.equal(status, 200, `${path}: ${text}`);
}

/** Two records, the second of which was not changed for years. */
async function makePair(
  path: string,
  table: string,
  wanted: object,
  different: object,
  token = console.server.token,
): Promise<string> {
  const first = await post(path, wanted, token);
  const second = await post(path, different);
  const admin = new pg.Client({ connectionString: console.server.database.adminUrl });
  await admin.connect();
  try {
    const { rowCount } = await admin.query(
      `UPDATE trellis.${table} SET created_at = '2020-01-01', updated_at = '2020-01-01' WHERE id = $1`,
      [decodeId(second.slice(0, second.indexOf('_')), second)],
    );
    assert.equal(rowCount, 1);
  } finally {
    await admin.end();
  }
  return first;
}

async function makeSamples(): Promise<Readonly<Record<string, Sample>>> {
  const { database, organization } = console.server;
  const editor = await createMember(database.worker, organization, 'EDITOR');
  const owner = { ownerUserId: encodeId('user', editor) };
  const ownerFound = { ownerUserId: { pick: 'EDITOR' } } as const;
  const { token: tokenOfOwner } = await createToken(database.worker, organization, editor);
  const keys = { externalId: 'wanted-1', importId: 'wanted-import' };
  const site = await makePair(
    '/sites',
    'sites',
    { name: found, key: 'wanted', ...keys },
    { name: other, key: 'different' },
  );
  const categories = `/sites/${site}/categories`;
  const root = await post(categories, { name: 'Root above', slug: 'root-above' });
  const category = await makePair(
    categories,
    'categories',
    { name: found, slug: 'wanted', parentId: root, ...keys },
    { name: other },
  );
  const tags = `/sites/${site}/tags`;
  const tag = await makePair(tags, 'tags', { name: found, slug: 'wanted', ...keys }, { name: other });
  const articles = `/sites/${site}/articles`;
  const article = await makePair(
    articles,
    'articles',
    {
      versionData: { title: found, locale: 'sv' },
      articleData: { categoryIds: [category], tagIds: [tag], featured: true },
      ...keys,
    },
    { versionData: { title: other, locale: 'en' } },
  );
  await change(`${articles}/${article}`, { versionData: { status: 'PUBLISHED' } });
  const book = await makePair(
    '/books',
    'books',
    {
      title: found,
      language: 'sv',
      isbn13: '978-0-14-143947-1',
      tradeStatus: 'ACTIVE',
      ...keys,
    },
    { title: other },
  );
  await change(`/books/${book}`, { status: 'PUBLISHED' });
  const magazine = await makePair(
    '/magazines',
    'magazines',
    { title: found, language: 'sv', issnPrint: '0028-0836', status: 'ACTIVE', ...keys },
    { title: other },
  );
  const issues = `/magazines/${magazine}/issues`;
  const issue = await makePair(
    issues,
    'issues',
    {
      title: found,
      number: '1',
      volume: '12',
      year: 2026,
      contents: [{ articleId: article }],
      ...keys,
    },
    { title: other, number: '2' },
  );
  await change(`${issues}/${issue}`, { status: 'IN_PRODUCTION' });
  const company = await makePair(
    '/crm/companies',
    'companies',
    {
      name: found,
      ...owner,
      parentCompanyId: await post('/crm/companies', { name: 'Holding above' }),
      tags: ['partner'],
      lifecycleStage: 'CUSTOMER',
      domains: ['example.com'],
      ...keys,
    },
    { name: other },
  );
  await makePair(
    '/crm/contacts',
    'contacts',
    {
      firstName: found,
      ...owner,
      companies: [{ companyId: company }],
      tags: ['newsletter'],
      lifecycleStage: 'CUSTOMER',
      leadStatus: 'OPEN',
      emails: [{ address: 'ada@example.com' }],
      phones: [{ number: '+49 30 1234567' }],
      ...keys,
    },
    { firstName: other },
  );
  const picture = await makePair(
    '/knowledge-files',
    'knowledge_files',
    { name: found, ...owner, visibility: 'ORGANIZATION', tags: ['policy'], ...keys },
    { name: other, visibility: 'PRIVATE' },
  );
  // Nothing reads it here.
  const { status } = await console.server.call(
    'PUT',
    `/v1/knowledge-files/${picture}/content?fileName=found.png`,
    {
      rawBody: await halves(8, 8, { format: 'png' }),
      headers: { 'content-type': 'image/png' },
    },
  );
  assert.equal(status, 200);
  await makePair(
    '/views',
    'views',
    { name: found, resource: 'contacts', shared: true, query: '', columns: [] },
    { name: other, resource: 'books', shared: false, query: '', columns: [] },
    tokenOfOwner,
  );
  return {
    sites: { path: '/sites', filters: { key: { type: 'wanted' }, ...common } },
    categories: {
      path: categories,
      filters: { slug: { type: 'wanted' }, parentId: { find: 'Root' }, ...common },
    },
    tags: { path: tags, filters: { slug: { type: 'wanted' }, ...common } },
    articles: {
      path: articles,
      filters: {
        status: { pick: 'Published' },
        state: { pick: 'Published' },
        categoryId: { find: 'Wanted' },
        tagId: { find: 'Wanted' },
        locale: { pick: 'Swedish' },
        featured: { flag: 'true' },
        slug: { type: 'wanted-one' },
        'firstPublishedAt[gte]': { day: today },
        ...common,
      },
    },
    books: {
      path: '/books',
      filters: {
        status: { pick: 'Published' },
        tradeStatus: { pick: 'Active' },
        language: { pick: 'Swedish' },
        isbn13: { type: '978-0-14-143947-1' },
        ...common,
      },
    },
    magazines: {
      path: '/magazines',
      filters: {
        status: { pick: 'Active' },
        language: { pick: 'Swedish' },
        issn: { type: '0028-0836' },
        ...common,
      },
    },
    issues: {
      path: issues,
      filters: {
        status: { pick: 'In production' },
        year: { type: '2026' },
        volume: { type: '12' },
        articleId: { find: 'Wanted' },
        ...common,
      },
    },
    contacts: {
      path: '/crm/contacts',
      filters: {
        ...ownerFound,
        companyId: { find: 'Wanted' },
        tag: { type: 'newsletter' },
        lifecycleStage: { pick: 'Customer' },
        leadStatus: { pick: 'Open' },
        email: { type: 'Ada@Example.com' },
        phone: { type: '+49 (30) 123 4567' },
        ...common,
      },
    },
    companies: {
      path: '/crm/companies',
      filters: {
        ...ownerFound,
        parentCompanyId: { find: 'Holding' },
        tag: { type: 'partner' },
        lifecycleStage: { pick: 'Customer' },
        domain: { type: 'example.com' },
        ...common,
      },
    },
    'knowledge-files': {
      path: '/knowledge-files',
      filters: {
        status: { pick: 'Processing' },
        visibility: { pick: 'Organization' },
        picture: { flag: 'true' },
        ...ownerFound,
        tag: { type: 'policy' },
        ...common,
      },
    },
    views: {
      path: '/views',
      filters: {
        resource: { pick: 'Contacts' },
        shared: { flag: 'true' },
        ...ownerFound,
        updatedSince: { day: today },
      },
    },
  };
}

const row = (page: Page, name: string): Locator => page.getByRole('row', { name: new RegExp(name) });

/** Chooses a field among those that the list can be filtered by. */
async function chooseField(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Find a field' }).fill(label);
  await page.getByRole('option', { name: label, exact: true }).click();
}

/** Gives a value to the control that has the focus. */
async function give(page: Page, control: Locator, given: Given): Promise<void> {
  if (given.flag !== undefined) await control.selectOption(given.flag);
  else if (given.day !== undefined) await control.fill(given.day);
  else if (given.pick !== undefined) {
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: given.pick, exact: given.pick !== 'EDITOR' }).click();
  } else await page.keyboard.type(given.type ?? given.find ?? '');
  if (given.find !== undefined) await page.keyboard.press('Enter');
}

async function tryFilter({ page, open }: ConsolePage, path: string, name: string, given: Given) {
  await open(path);
  await row(page, found).waitFor();
  await row(page, other).waitFor();
  const label = describeField(name.replace(/\[.*/, ''));
  await chooseField(page, label);
  const control = page.getByRole('group', { name: label, exact: true }).locator(':focus');
  await control.waitFor();
  await give(page, control, given);
  await row(page, other).waitFor({ state: 'detached' });
  await row(page, found).waitFor();
  assert.ok(new URL(page.url()).searchParams.get(name), `${path} ${name}: no value in the address`);
  await page.reload();
  await row(page, found).waitFor();
  assert.equal(await row(page, other).count(), 0, `${path} ${name} after a reload`);
  await page.getByRole('button', { name: `Remove the filter ${label}` }).click();
  await row(page, other).waitFor();
  assert.equal(new URL(page.url()).searchParams.get(name), null);
}

for (const resource of resources) {
  test(`each filter of ${resource.name} takes a value, filters the list, stays after a reload and is removed`, async () => {
    const opened = await console.openAs(console.server.ownerId);
    if (withoutFilters.includes(resource.name)) {
      await opened.open(resource.path);
      await opened.page.locator('main h1, main h2').first().waitFor();
      assert.equal(await opened.page.getByRole('button', { name: 'Filter', exact: true }).count(), 0);
      return;
    }
    const sample = samples[resource.name];
    assert.ok(sample, `no sample of ${resource.name}`);
    // Of what a field has by its kind, one of each is tried below, and each of them is said by one condition: changes/conditions.test.ts.
    const names = Object.keys(sample.filters);
    const declared = Object.entries(filtersOf(resource)).filter(
      ([name, { description }]) => !name.endsWith(']') && !description.startsWith('Only records '),
    );
    const missing = declared
      .map(([name]) => name)
      .filter((name) => !(name in sample.filters) && name !== 'updatedSince');
    assert.deepEqual(missing, [], 'a sample for each filter');
    // The list of articles is opened before, so that the site is known where an article is chosen.
    if (resource.name === 'issues') {
      await opened.open(samples.articles?.path ?? '');
      await row(opened.page, found).waitFor();
    }
    for (const name of names) {
      const path = resource.name === 'categories' ? `${sample.path}?sort=name` : sample.path;
      await tryFilter(opened, path, name, sample.filters[name] ?? {});
    }
    opened.checkFaults();
  });
}

test('a filter without a value stays until it is removed or cleared, and a saved view keeps one with a value', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/crm/contacts');
  await row(page, other).waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Find a field' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('emai');
  await page.getByRole('option', { name: 'Email', exact: true }).waitFor();
  await checkAccessibility('choice of a field');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const email = page.getByRole('group', { name: 'Email', exact: true }).getByRole('textbox');
  await email.and(page.locator(':focus')).waitFor();
  assert.equal(new URL(page.url()).search, '', 'the address is still that of the whole list');
  await checkAccessibility('filter without a value');
  await page.keyboard.type('ada@example.com');
  await row(page, other).waitFor({ state: 'detached' });
  await email.fill('');
  await row(page, other).waitFor();
  await email.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('nobody@example.com');
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Clear search and filters' }).click();
  await row(page, other).waitFor();
  assert.equal(await email.count(), 0);

  const { status, json, text } = await console.server.call('POST', '/v1/views', {
    body: {
      name: 'Ada only',
      resource: 'contacts',
      shared: false,
      query: 'email=ada%40example.com',
      columns: [],
    },
  });
  assert.equal(status, 201, text);
  await open(`/views/${json.id}`);
  await row(page, found).waitFor();
  await page.getByRole('button', { name: 'View: Ada only' }).waitFor();
  assert.equal(await row(page, other).count(), 0);
  assert.equal(await email.inputValue(), 'ada@example.com');
  await page.getByRole('button', { name: 'Remove the filter Email' }).click();
  await row(page, other).waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await row(page, other).waitFor({ state: 'detached' });
  assert.equal(await email.inputValue(), 'ada@example.com');
  checkFaults();
});
