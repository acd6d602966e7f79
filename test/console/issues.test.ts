/** The contents of an issue in the console: articles of any site, in order, and published with the issue or not at all. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('articles of two sites become the contents of an issue, and a draft among them keeps it from being published', async () => {
  const { server } = console;
  const articles: { id: string; path: string; title: string }[] = [];
  for (const [name, title] of [
    ['Journal', 'The sea'],
    ['Letters', 'The shore'],
  ] as const) {
    const site = await create(server, '/v1/sites', { name, key: name.toLowerCase() });
    const path = `/v1/sites/${site.id}/articles`;
    const { id } = await create(server, path, { versionData: { title } });
    articles.push({ id: String(id), path: `${path}/${id}`, title });
  }
  const [sea, shore] = articles;
  assert.ok(sea && shore);
  const move = (path: string, status: string) =>
    server.call('PATCH', path, { body: { versionData: { status } } });
  for (const status of ['IN_REVIEW', 'APPROVED']) await move(sea.path, status);
  const magazine = await create(server, '/v1/magazines', { title: 'Waters' });
  const collection = `/v1/magazines/${magazine.id}/issues`;
  const issue = await create(server, collection, { title: 'Tides', status: 'IN_PRODUCTION' });
  const read = async (path: string) => (await server.call('GET', path)).json;

  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/magazines/${magazine.id}/issues/${issue.id}`);
  const contents = page.getByRole('group', { name: 'Contents' });
  for (const [position, { title }] of articles.entries()) {
    await contents.getByRole('button', { name: 'Add to Contents' }).click();
    await contents.getByRole('combobox', { name: 'Site' }).nth(position).click();
    await page.getByRole('option', { name: position === 0 ? 'Journal' : 'Letters' }).click();
    await contents.getByRole('combobox', { name: 'Article' }).nth(position).click();
    await page.getByRole('option', { name: title }).click();
  }
  await contents.getByRole('textbox', { name: 'Section' }).first().fill('Essays');
  await checkAccessibility('contents of an issue');
  await contents.getByRole('button', { name: 'Move Contents 2 up' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await until('the contents', async () => (await read(`${collection}/${issue.id}`)).version === 2);
  const stored = (await read(`${collection}/${issue.id}`)).contents;
  assert.deepEqual(
    stored.map(({ articleId, section }: Record<string, unknown>) => [articleId, section ?? null]),
    [
      [shore.id, null],
      [sea.id, 'Essays'],
    ],
  );

  // Opened anew, each article is found in its site.
  await page.reload();
  const shownIn = (name: string, position: number) =>
    contents.getByRole('combobox', { name }).nth(position).inputValue();
  const shown = () =>
    Promise.all([shownIn('Site', 0), shownIn('Article', 0), shownIn('Site', 1), shownIn('Article', 1)]);
  // Each is read by itself.
  await until('the titles', async () => (await shown()).join() === 'Letters,The shore,Journal,The sea');

  // The article that keeps the issue from being published is named, in words, with the way to it.
  await page.getByRole('button', { name: 'Publish' }).click();
  await page
    .getByRole('dialog', { name: 'Publish “Tides”?' })
    .getByRole('button', { name: 'Publish' })
    .click();
  const problem = page.getByRole('alert').filter({ hasText: 'Nothing was published' });
  await problem.getByText('The shore – This article is not approved: Draft.').waitFor();
  assert.equal(
    await problem.getByRole('link', { name: 'The shore' }).getAttribute('href'),
    `/console${shore.path.replace('/v1', '')}`,
  );
  await until('it is in view', async () => ((await problem.boundingBox())?.y ?? 0) > 50);
  assert.doesNotMatch(await page.locator('main').innerText(), /art_|APPROVED|DRAFT/);
  await checkAccessibility('an issue that cannot be published');
  const kept = [await read(sea.path), await read(shore.path), await read(`${collection}/${issue.id}`)];
  assert.deepEqual(
    [kept[0].versionData.status, kept[1].versionData.status, kept[2].status],
    ['APPROVED', 'DRAFT', 'IN_PRODUCTION'],
  );
  for (const status of ['IN_REVIEW', 'APPROVED']) await move(shore.path, status);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await until(
    'all is published',
    async () => (await read(`${collection}/${issue.id}`)).status === 'PUBLISHED',
  );
  for (const { path } of articles) assert.equal((await read(path)).versionData.status, 'PUBLISHED');
  checkFaults();
});

test('a planned issue is published with what was typed by one button and one question', async () => {
  const { server } = console;
  const magazine = await create(server, '/v1/magazines', { title: 'Winds' });
  const path = `/magazines/${magazine.id}/issues`;
  const issue = await create(server, `/v1${path}`, { title: 'Calm' });
  const read = async () => (await server.call('GET', `/v1${path}/${issue.id}`)).json;
  assert.equal((await read()).status, 'PLANNED');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`${path}/${issue.id}`);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Storm');
  await checkAccessibility('an issue that can be published');
  await page.getByRole('button', { name: 'Publish' }).click();
  const question = page.getByRole('dialog', { name: 'Publish “Storm”?' });
  await question.getByText('Publishing an issue publishes its approved articles as well.').waitFor();
  await checkAccessibility('question before an issue is published');
  await question.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published.', { exact: true }).waitFor();
  const { title, status } = await read();
  assert.deepEqual({ title, status }, { title: 'Storm', status: 'PUBLISHED' });
  await page.getByRole('button', { name: 'Publish' }).waitFor({ state: 'detached' });
  checkFaults();
});

test('the order of an issue is changed by the keyboard, and the focus goes with the article', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Order', key: 'order' });
  const contents: object[] = [];
  for (const title of ['One', 'Two', 'Three']) {
    const { id } = await create(server, `/v1/sites/${site.id}/articles`, { versionData: { title } });
    contents.push({ articleId: id, section: title });
  }
  const magazine = await create(server, '/v1/magazines', { title: 'Order' });
  const issue = await create(server, `/v1/magazines/${magazine.id}/issues`, { title: 'Ordered', contents });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/magazines/${magazine.id}/issues/${issue.id}`);
  const list = page.getByRole('group', { name: 'Contents' });
  const sections = list.getByRole('textbox', { name: 'Section' });
  const order = async () => Promise.all((await sections.all()).map((input) => input.inputValue()));
  const isOrder = (...wanted: string[]) =>
    until(wanted.join(), async () => (await order()).join() === wanted.join());
  await isOrder('One', 'Two', 'Three');
  await list.getByRole('button', { name: 'Move Contents 3 up' }).focus();
  await page.keyboard.press('Enter');
  await isOrder('One', 'Three', 'Two');
  await page.keyboard.press('Enter');
  await isOrder('Three', 'One', 'Two');
  // At the end of the list the focus is still on the article.
  const focused = page.locator(':focus');
  assert.equal(await focused.getAttribute('aria-label'), 'Move Contents 1 down');
  await sections.first().focus();
  await page.keyboard.press('Alt+ArrowDown');
  await isOrder('One', 'Three', 'Two');
  assert.equal(await focused.inputValue(), 'Three');
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await isOrder('One', 'Two', 'Three');
  await page.keyboard.press('Alt+ArrowUp');
  await isOrder('One', 'Three', 'Two');
  assert.equal(await focused.inputValue(), 'Three');
  checkFaults();
});

test('the contents of an issue show titles of forty letters whole, at every width', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Widths', key: 'widths' });
  const versionData = { title: 'A sea of forty letters from end to end..' };
  const article = await create(server, `/v1/sites/${site.id}/articles`, { versionData });
  const magazine = await create(server, '/v1/magazines', { title: 'Widths' });
  const contents = [{ articleId: article.id }];
  const issue = await create(server, `/v1/magazines/${magazine.id}/issues`, { title: 'Wide', contents });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/magazines/${magazine.id}/issues/${issue.id}`);
  const input = page.getByRole('group', { name: 'Contents' }).getByRole('combobox', { name: 'Article' });
  await until('the title', async () => (await input.inputValue()) === versionData.title);
  for (const width of [1400, 1200, 1024, 1001, 800, 400]) {
    await page.setViewportSize({ width, height: 800 });
    const hidden = await input.evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok(hidden <= 0, `${width} px: ${hidden} px of the title are cut`);
  }
  checkFaults();
});

test('an option stays while others are searched, so that pressing it chooses it', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Options', key: 'options' });
  // The newest is first, so that it stays at its place.
  for (const title of ['The dune', 'The cliff'])
    await create(server, `/v1/sites/${site.id}/articles`, { versionData: { title } });
  const magazine = await create(server, '/v1/magazines', { title: 'Coasts' });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/magazines/${magazine.id}/issues/new`);
  const contents = page.getByRole('group', { name: 'Contents' });
  await contents.getByRole('button', { name: 'Add to Contents' }).click();
  await contents.getByRole('combobox', { name: 'Site' }).fill('Options');
  await page.getByRole('option', { name: 'Options' }).click();
  const article = contents.getByRole('combobox', { name: 'Article' });
  await article.click();
  const option = page.getByRole('option', { name: 'The cliff' });
  await option.waitFor();
  const gate = Promise.withResolvers<void>();
  await page.route('**/articles/search**', async (route) => {
    await gate.promise;
    await route.continue();
  });
  const searching = page.waitForRequest('**/articles/search**');
  await article.fill('cliff');
  await searching;
  await option.hover();
  await page.mouse.down();
  gate.resolve();
  await page.getByRole('option', { name: 'The dune' }).waitFor({ state: 'detached' });
  await page.mouse.up();
  await contents.getByRole('link', { name: 'Open The cliff in a new tab' }).waitFor();
  checkFaults();
});

test('the site of many articles is searched once, past sites that are closed, and no other site is shown meanwhile', async () => {
  const { server } = console;
  for (let number = 1; number <= 6; number += 1)
    await create(server, '/v1/sites', { name: `Site ${number}`, key: `site-${number}` });
  const sites: { id: string; name: string }[] = (await server.call('GET', '/v1/sites?limit=50')).json.items;
  const [closed, used, home] = [sites[0], sites[1], sites.at(-1)];
  assert.ok(closed && used && home);
  const contents: object[] = [];
  for (let number = 1; number <= 8; number += 1) {
    const versionData = { title: `Poem ${number}` };
    const { id } = await create(server, `/v1/sites/${home.id}/articles`, { versionData });
    contents.push({ articleId: id });
  }
  const magazine = await create(server, '/v1/magazines', { title: 'Poems' });
  const issue = await create(server, `/v1/magazines/${magazine.id}/issues`, { title: 'Many', contents });

  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  // The site that is worked with last is not the one of the articles.
  await open(`/sites/${used.id}/articles`);
  await page.getByRole('heading', { name: 'Articles', exact: true }).waitFor();
  const requests: string[] = [];
  const gate = Promise.withResolvers<void>();
  const refused = { type: 'about:blank', title: 'Forbidden', status: 403, code: 'permission_denied' };
  await page.route(/\/v1\/sites\/[^/]+\/articles\/art_/, async (route) => {
    requests.push(route.request().url());
    await gate.promise;
    if (!route.request().url().includes(closed.id)) return route.continue();
    await route.fulfill({ status: 403, contentType: 'application/problem+json', json: refused });
  });
  await open(`/magazines/${magazine.id}/issues/${issue.id}`);
  const list = page.getByRole('group', { name: 'Contents' });
  const shown = async (name: string) => {
    const inputs = await list.getByRole('combobox', { name, exact: true }).all();
    return Promise.all(inputs.map((input) => input.inputValue()));
  };
  await list.getByRole('combobox', { name: 'Site' }).nth(7).waitFor();
  await until('the search begins', () => requests.length > 0);
  assert.deepEqual([await shown('Site'), await shown('Article')], [Array(8).fill(''), Array(8).fill('')]);
  await checkAccessibility('contents whose sites are searched');
  gate.resolve();
  await until('all are found', async () => (await shown('Site')).every((site) => site === home.name));
  const titles = contents.map((_, index) => `Poem ${index + 1}`);
  await until('the titles', async () => (await shown('Article')).join() === titles.join());
  // Each site once for the first article, and then one for each of the others.
  assert.equal(new Set(requests).size, requests.length);
  assert.ok(requests.length <= sites.length + titles.length - 1, requests.join('\n'));

  await page.unroute(/\/v1\/sites\/[^/]+\/articles\/art_/);
  const failed = {
    ...refused,
    title: 'Bad Request',
    status: 400,
    code: 'bad_request',
    detail: 'It is broken.',
  };
  await page.route(/\/v1\/sites\/[^/]+\/articles\/art_/, (route) =>
    route.fulfill({ status: 400, contentType: 'application/problem+json', json: failed }),
  );
  await page.reload();
  await list.getByText('It is broken.').nth(7).waitFor();
  assert.deepEqual(await shown('Site'), Array(8).fill(''));
  await checkAccessibility('contents whose sites cannot be searched');
  checkFaults();
});
