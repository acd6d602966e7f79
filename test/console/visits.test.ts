/** What the page of visitors says of each site: its days, and who was there. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createPublishableKey, identify, identifyBody, signals } from '../support/visitors.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

/** What browsers of these kinds send today. */
const agents = {
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
} as const;
const withoutHints = { 'sec-ch-ua': null, 'sec-ch-ua-mobile': null, 'sec-ch-ua-platform': null };

test('who may read visitors sees the days of a site and its visitors, and those of another site by choice', async () => {
  const { server } = console;
  const shop = await create(server, '/v1/sites', { name: 'Shop', key: 'shop' });
  const blog = await create(server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const section = page.getByRole('region', { name: 'Visits', exact: true });

  await open('/visitors');
  await section.getByText('No visits in the last 14 days.').waitFor();
  assert.equal(await section.getByRole('table').count(), 0);
  await section.getByText('paste it into every page').waitFor();
  await section.getByRole('link', { name: 'Settings: clients and tokens' }).waitFor();
  await checkAccessibility('no visits');
  await section.getByRole('link', { name: 'To the script' }).click();
  await page.waitForURL('**/visitors#keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New key' });
  assert.equal(await dialog.getByLabel('Type').count(), 0, 'a key is of one kind');
  await dialog.getByLabel('Name').fill('Website');
  await dialog.getByRole('combobox', { name: 'Site' }).click();
  await page.getByRole('option', { name: 'Shop' }).click();
  await dialog.getByLabel('Allowed origins').fill('https://www.example.com');
  await checkAccessibility('new key');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('article', { name: 'Website' }).getByText('data-key="trl_pk_').waitFor();

  let browsers = 0;
  const visit = async (key: string, agent: string, body = {}) => {
    browsers += 1;
    const own = { ...signals, canvasHash: String(browsers).padStart(16, '0') };
    const headers = { ...withoutHints, 'user-agent': agent };
    const { status, text, json } = await identify(server, key, {
      body: identifyBody({ signals: own, ...body }),
      headers,
    });
    assert.equal(status, 200, text);
    return json;
  };
  const { key: ofShop } = await createPublishableKey(server, server.organization, shop.id);
  const { key: ofBlog } = await createPublishableKey(server, server.organization, blog.id);
  const { storedToken } = await visit(ofShop, agents.iPhone);
  await visit(ofShop, agents.iPhone, { storedToken });
  await visit(ofShop, agents.firefox);
  await visit(ofShop, agents.googlebot);
  await visit(ofShop, agents.firefox, { consent: 'DENIED' });
  await visit(ofBlog, agents.firefox);

  await page.reload();
  const today = section.getByRole('row').nth(1);
  await today.waitFor();
  assert.deepEqual(await today.getByRole('cell').allInnerTexts(), ['3', '2']);
  assert.equal(await section.getByRole('row').count(), 15);
  const visitors = section.getByRole('listitem');
  assert.deepEqual(
    (await visitors.allInnerTexts()).map((text) => text.split('\n').slice(0, 2).join(', ')),
    ['Googlebot · Bot, One visit', 'Firefox · Desktop, One visit', 'Safari · Mobile, 2 visits'],
    'bots are listed as such, and not counted',
  );
  await checkAccessibility('visits');

  await visitors.last().click();
  const lookup = page.getByRole('region', { name: 'Look up a visitor' });
  await lookup.getByText('Safari 26.0').waitFor();

  await section.getByRole('combobox', { name: 'Site' }).click();
  await page.getByRole('option', { name: 'Blog' }).click();
  await section.getByText('Firefox · Desktop').waitFor();
  assert.deepEqual(await today.getByRole('cell').allInnerTexts(), ['1', '1']);
  checkFaults();
});
