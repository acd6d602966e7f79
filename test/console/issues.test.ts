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
    const body = title === 'The sea' ? '' : 'Sand.';
    const { id } = await create(server, path, { versionData: { title, body } });
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
  const contents = page.getByRole('group', { name: 'Contents', exact: true });
  for (const [position, { title }] of articles.entries()) {
    await contents.getByRole('button', { name: 'Add to Contents' }).click();
    await contents.getByRole('combobox', { name: 'Site' }).click();
    await page.getByRole('option', { name: position === 0 ? 'Journal' : 'Letters' }).click();
    await contents.getByRole('combobox', { name: 'Article' }).click();
    await page.getByRole('option', { name: title }).click();
  }
  await contents.getByRole('button', { name: 'The sea Approved' }).click();
  await contents.getByRole('textbox', { name: 'Section' }).fill('Essays');
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
  const shownIn = (name: string) => contents.getByRole('combobox', { name, exact: true }).inputValue();
  for (const [row, site, title] of [
    ['The shore Draft', 'Letters', 'The shore'],
    ['The sea Approved Essays', 'Journal', 'The sea'],
  ] as const) {
    await contents.getByRole('button', { name: row, exact: true }).click();
    await until(
      title,
      async () => [await shownIn('Site'), await shownIn('Article')].join() === `${site},${title}`,
    );
  }

  // The article that keeps the issue from being published is named, in words, with the way to it.
  await page.getByRole('button', { name: 'Publish' }).click();
  const question = page.getByRole('dialog', { name: 'Publish “Tides”?' });
  await question.getByText('2 articles are in the issue.').waitFor();
  const noticeOf = (sentence: string) => question.getByRole('alert').filter({ hasText: sentence });
  await noticeOf('1 is neither approved nor published, and keeps its issue from being published:')
    .getByText('The shore (Draft)')
    .waitFor();
  await noticeOf('1 has no text:').getByText('The sea', { exact: true }).waitFor();
  assert.equal(await question.getByText('goes live now').count(), 0);
  await checkAccessibility('question before an issue with a draft is published');
  await question.getByText('Not possible while an article is not approved.').waitFor();
  const refusedButton = question.getByRole('button', { name: 'Publish' });
  assert.equal(await refusedButton.getAttribute('aria-disabled'), 'true');
  await refusedButton.press('Enter');
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await read(`${collection}/${issue.id}`)).version, 2);

  // Whoever is faster than the list of the articles is refused by the server. The page shows what is stored, and why.
  const status = page.getByRole('combobox', { name: 'Status', exact: true });
  assert.equal(await status.inputValue(), 'In production');
  const listed = Promise.withResolvers<void>();
  await page.route(/\/articles\/art_/, async (route) => {
    await listed.promise;
    await route.continue();
  });
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('High tides');
  await page.getByRole('button', { name: 'Publish' }).click();
  const typed = page.getByRole('dialog', { name: 'Publish “High tides”?' });
  await typed.getByText('Your changes are saved and published with it.').waitFor();
  await typed.getByRole('button', { name: 'Save and publish' }).click();
  listed.resolve();
  const problem = page.getByRole('alert').filter({ hasText: 'Nothing was published' });
  await problem.getByText('The shore – This article is not approved: Draft.').waitFor();
  assert.equal(
    await problem.getByRole('link', { name: 'The shore' }).getAttribute('href'),
    `/console${shore.path.replace('/v1', '')}`,
  );
  await until('it is in view', async () => ((await problem.boundingBox())?.y ?? 0) > 50);
  await problem.and(page.locator(':focus')).waitFor();
  await until('the stored status', async () => (await status.inputValue()) === 'In production');
  await page.unroute(/\/articles\/art_/);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Tides');
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  assert.doesNotMatch(await page.locator('main').innerText(), /art_|APPROVED|DRAFT/);
  await checkAccessibility('an issue that cannot be published');
  const kept = [await read(sea.path), await read(shore.path), await read(`${collection}/${issue.id}`)];
  assert.deepEqual(
    [kept[0].versionData.status, kept[1].versionData.status, kept[2].status],
    ['APPROVED', 'DRAFT', 'IN_PRODUCTION'],
  );
  for (const status of ['IN_REVIEW', 'APPROVED']) await move(shore.path, status);
  await page.getByRole('button', { name: 'Publish' }).click();
  await question.getByText('2 are not published yet, and go live now:').waitFor();
  assert.deepEqual(await question.getByRole('listitem').allInnerTexts(), ['The shore', 'The sea', 'The sea']);
  assert.equal(await noticeOf('neither approved').count(), 0);
  await question.getByRole('button', { name: 'Publish' }).click();
  await until(
    'all is published',
    async () => (await read(`${collection}/${issue.id}`)).status === 'PUBLISHED',
  );
  for (const { path } of articles) assert.equal((await read(path)).versionData.status, 'PUBLISHED');

  // The article says which issue it is in, and the way leads there.
  await open(sea.path.replace('/v1', ''));
  const link = page.getByRole('group', { name: 'Issues' }).getByRole('link');
  await link.waitFor();
  assert.equal(await link.innerText(), 'In issue Tides of Waters');
  await checkAccessibility('an article of an issue');
  await link.click();
  await page.getByRole('heading', { name: 'Tides', level: 1 }).waitFor();
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
  await question.getByText('No articles are in the issue.').waitFor();
  await question.getByText('Publishing an issue publishes its approved articles as well.').waitFor();
  await checkAccessibility('question before an issue is published');
  await question.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published.', { exact: true }).waitFor();
  const { title, status } = await read();
  assert.deepEqual({ title, status }, { title: 'Storm', status: 'PUBLISHED' });
  await page.getByRole('button', { name: 'Publish' }).waitFor({ state: 'detached' });
  checkFaults();
});

/** A site with articles of these titles, and an issue that has them in its contents. */
async function createIssue(name: string, titles: readonly string[]): Promise<string> {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name, key: name.toLowerCase() });
  const contents: object[] = [];
  for (const [index, title] of titles.entries()) {
    const { id } = await create(server, `/v1/sites/${site.id}/articles`, {
      versionData: { title, body: 'Text.' },
    });
    contents.push({ articleId: id, section: 'Essays', pageStart: `${10 + index}`, pageEnd: `${12 + index}` });
  }
  const magazine = await create(server, '/v1/magazines', { title: name });
  const issue = await create(server, `/v1/magazines/${magazine.id}/issues`, { title: name, contents });
  return `/magazines/${magazine.id}/issues/${issue.id}`;
}

test('the order of an issue is changed by the keyboard, and the focus goes with the article', async () => {
  const path = await createIssue('Order', ['One', 'Two', 'Three']);
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(path);
  const list = page.getByRole('group', { name: 'Contents', exact: true });
  const rows = list.locator('[aria-expanded][data-entry]');
  const order = async () => (await rows.allInnerTexts()).map((text) => text.split('\n')[0]);
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
  await list.getByRole('button', { name: 'Move Contents 2 down' }).press('Enter');
  await isOrder('Three', 'Two', 'One');
  assert.equal(await focused.getAttribute('aria-label'), 'Move Contents 3 up');
  await page.keyboard.press('Enter');
  await isOrder('Three', 'One', 'Two');
  await rows.first().focus();
  await page.keyboard.press('Alt+ArrowDown');
  await isOrder('One', 'Three', 'Two');
  assert.match(await focused.innerText(), /^Three/);
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await isOrder('One', 'Two', 'Three');
  // An entry stays open where it goes, and the focus in its input.
  await page.keyboard.press('Enter');
  const section = list.getByRole('textbox', { name: 'Section' });
  await section.fill('Last');
  await page.keyboard.press('Alt+ArrowUp');
  await isOrder('One', 'Three', 'Two');
  assert.equal(await focused.inputValue(), 'Last');
  assert.equal(await rows.nth(1).getAttribute('aria-expanded'), 'true');
  await list.getByRole('button', { name: 'Remove Contents 1' }).click();
  await isOrder('Three', 'Two');
  assert.deepEqual(
    [await rows.nth(0).getAttribute('aria-expanded'), await section.inputValue()],
    ['true', 'Last'],
  );
  // What was changed is not left without a question.
  await page.getByRole('link', { name: 'Books' }).click();
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay on the page' })
    .click();
  await isOrder('Three', 'Two');
  checkFaults();
});

test('an entry of an issue is dragged to another place, and stays open there', async () => {
  const path = await createIssue('Dragging', ['One', 'Two', 'Three']);
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(path);
  const list = page.getByRole('group', { name: 'Contents', exact: true });
  const rows = list.locator('[aria-expanded][data-entry]');
  const isOrder = (...wanted: string[]) =>
    until(wanted.join(), async () => {
      const shown = (await rows.allInnerTexts()).map((text) => text.split('\n')[0]);
      return shown.join() === wanted.join();
    });
  await isOrder('One', 'Two', 'Three');
  await rows.first().click();
  const grips = list.getByTitle('Drag to move');
  await grips.first().dragTo(rows.last(), { targetPosition: { x: 60, y: 30 } });
  await isOrder('Two', 'Three', 'One');
  assert.equal(await rows.last().getAttribute('aria-expanded'), 'true');
  await grips.nth(1).dragTo(rows.first(), { targetPosition: { x: 60, y: 4 } });
  await isOrder('Three', 'Two', 'One');
  // What is dropped elsewhere stays where it was.
  await grips.first().dragTo(page.getByRole('textbox', { name: 'Title', exact: true }));
  await isOrder('Three', 'Two', 'One');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.equal((await console.server.call('GET', `/v1${path}`)).json.contents.at(-1).pageStart, '10');
  checkFaults();
});

test('the page of a new issue names its magazine', async () => {
  const magazine = await create(console.server, '/v1/magazines', { title: 'Waters' });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/magazines/${magazine.id}/issues/new`);
  await page.getByRole('heading', { name: 'New issue of Waters', level: 1 }).waitFor();
  checkFaults();
});

test('the entries of an issue are rows that are read whole, at every width', async () => {
  const title = 'A sea of forty letters from end to end..';
  const path = await createIssue('Widths', [title, 'The shore']);
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(path);
  const list = page.getByRole('group', { name: 'Contents', exact: true });
  const row = list.getByRole('button', { name: `${title} Draft Essays 10–12`, exact: true });
  await row.waitFor();
  assert.equal(await list.getByRole('textbox').count(), 0);
  await checkAccessibility('contents of an issue as rows');
  for (const [width, most] of [
    [1400, 50],
    [1024, 60],
    [800, 60],
    [360, 90],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const hidden = await row.evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok(hidden <= 0, `${width} px: ${hidden} px of the title are cut`);
    const { height = 0 } = (await row.boundingBox()) ?? {};
    assert.ok(height > 0 && height <= most, `${width} px: ${height} px high`);
  }
  // A press shows the fields in place, another one puts them away; Enter in a field as well.
  await row.click();
  await list.getByRole('textbox', { name: 'Section' }).fill('Letters');
  await checkAccessibility('an open entry of an issue');
  await page.keyboard.press('Enter');
  await list.getByRole('textbox').first().waitFor({ state: 'detached' });
  const changed = list.getByRole('button', { name: `${title} Draft Letters 10–12`, exact: true });
  assert.equal(await changed.evaluate((element) => element.matches(':focus')), true);
  assert.equal(new URL(page.url()).pathname, `/console${path}`);
  await changed.press('Enter');
  await list.getByRole('textbox', { name: 'Section' }).waitFor();
  await changed.press('Enter');
  await list.getByRole('textbox').first().waitFor({ state: 'detached' });
  checkFaults();
});

test('articles are added to an issue by typing, choosing and Enter alone', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Quick', key: 'quick' });
  for (const title of ['A quick brown fox', 'A lazy dog'])
    await create(server, `/v1/sites/${site.id}/articles`, { versionData: { title } });
  const path = await createIssue('Slow', []);
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  // The site that is worked with.
  await open(`/sites/${site.id}/articles`);
  await page.getByRole('heading', { name: 'Articles', exact: true }).waitFor();
  await open(path);
  const list = page.getByRole('group', { name: 'Contents', exact: true });
  const add = list.getByRole('button', { name: 'Add to Contents' });
  await add.focus();
  for (const [typed, title] of [
    ['fox', 'A quick brown fox'],
    ['dog', 'A lazy dog'],
  ] as const) {
    await page.keyboard.press('Enter');
    const article = list.getByRole('combobox', { name: 'Article' });
    await until('the cursor is in the article', () =>
      article.evaluate((element) => element.matches(':focus')),
    );
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await until(title, async () => (await article.inputValue()) === title);
    await page.keyboard.press('Enter');
    await list.getByRole('button', { name: `${title} Draft`, exact: true }).waitFor();
    assert.equal(await add.evaluate((element) => element.matches(':focus')), true);
  }
  assert.equal((await server.call('GET', `/v1${path}`)).json.contents.length, 0);
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  assert.equal((await server.call('GET', `/v1${path}`)).json.contents.length, 2);
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
  const contents = page.getByRole('group', { name: 'Contents', exact: true });
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
  const list = page.getByRole('group', { name: 'Contents', exact: true });
  const rows = list.locator('[data-entry]');
  const shown = async () => (await rows.allInnerTexts()).map((text) => text.split('\n')[0]);
  await rows.nth(7).waitFor();
  await until('the search begins', () => requests.length > 0);
  assert.deepEqual(await shown(), Array(8).fill('…'));
  await rows.first().click();
  assert.deepEqual(
    [
      await list.getByRole('combobox', { name: 'Site' }).inputValue(),
      await list.getByRole('combobox', { name: 'Article' }).inputValue(),
    ],
    ['', ''],
  );
  await checkAccessibility('contents whose sites are searched');
  gate.resolve();
  const titles = contents.map((_, index) => `Poem ${index + 1}`);
  await until('the titles', async () => (await shown()).join() === titles.join());
  await until(
    'the site',
    async () => (await list.getByRole('combobox', { name: 'Site' }).inputValue()) === home.name,
  );
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
  await until('the ids', async () => /^(Article …\w{6},?){8}$/.test((await shown()).join()));
  await rows.first().click();
  await list.getByText('It is broken.').waitFor();
  assert.equal(await list.getByRole('combobox', { name: 'Site' }).inputValue(), '');
  await checkAccessibility('contents whose sites cannot be searched');
  checkFaults();
});
