/** Two people write one article at the same time while the server is killed: the database has what they typed, once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { Page } from 'playwright-core';
import { type KillableConsole, startKillableConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { amount } from '../support/soak.ts';
import { until } from '../support/until.ts';

const rounds = amount(16, 200);
const kills = amount(2, 20);
let console: KillableConsole;
let client: ApiClient;

before(async () => {
  console = await startKillableConsole();
  client = new ApiClient({ baseUrl: console.server.url, token: console.token });
});
after(() => console.close());

/** What one person has typed: lines of words below a heading that nobody changes. */
interface Writer {
  readonly name: string;
  readonly page: Page;
  readonly lines: string[][];
}

const render = (writers: readonly Writer[]) =>
  writers
    .map(({ name, lines }) => `## ${name}\n\n${lines.map((words) => words.join(' ')).join('\n')}\n\n`)
    .join('');

/** The text of the line with the cursor. */
const cursorLine = `(({ anchorNode: node }) =>
  (node instanceof Element ? node : node?.parentElement)?.closest('.cm-line')?.textContent ?? null)(document.getSelection())`;

/** Types one change into the page and into what is expected. */
async function write({ name, page, lines }: Writer, round: number, random: () => number): Promise<void> {
  const place = Math.floor(random() * lines.length);
  const words = lines[place];
  assert.ok(words);
  // The first word of a line is its own, and stays.
  const beginning = new RegExp(`^${words[0]}( |$)`);
  const line = page.locator('.cm-line', { hasText: beginning });
  // What the other one has written may move the lines between the look at the place and the click there.
  await until('the cursor is in the line', async () => {
    await line.click();
    // The first one leads to the end of the row of a line that is wrapped.
    await page.keyboard.press('End');
    await page.keyboard.press('End');
    const text = await page.evaluate<string | null>(cursorLine);
    return text !== null && beginning.test(text);
  });
  const kind = random();
  if (kind < 0.2 && words.length > 1) {
    await page.keyboard.press('Control+Backspace');
    const last = words.pop();
    // The space before the word stays otherwise.
    if (last !== undefined) await page.keyboard.press('Backspace');
  } else if (kind < 0.35) {
    const added = `${name}${round}`;
    await page.keyboard.press('Enter');
    await page.keyboard.type(added);
    lines.splice(place + 1, 0, [added]);
  } else {
    const word = `word${round}`;
    await page.keyboard.type(` ${word}`);
    words.push(word);
  }
}

/** Waits until a text is as expected; fails with the difference. */
async function waitForText(read: () => Promise<string | null>, expected: string): Promise<void> {
  let text: string | null = null;
  const isExpected = async () => {
    text = await read();
    return text === expected;
  };
  await until('the text', isExpected).catch(() => assert.equal(text, expected));
}

test(`${rounds} rounds of two people and ${kills} kills of the server leave what was typed`, async (context) => {
  const random = seededNumbers(chooseSeed(context));
  const site = (await client.call('createSite', { body: { name: 'Blog', key: 'blog' } })).body;
  const colleague = await createMember(console.database.worker, console.organization, 'EDITOR');
  const opened = [await console.openAs(console.ownerId), await console.openAs(colleague)];
  const writers = opened.map(({ page }, index) => {
    const name = ['ana', 'ben'][index] ?? '';
    return { name, page, lines: [[`${name}A`], [`${name}B`], [`${name}C`]] };
  });
  const path = { siteId: site.id };
  const article = (
    await client.call('createArticle', {
      path,
      body: { versionData: { title: 'Ours', body: render(writers) } },
    })
  ).body;
  const read = async () =>
    (await client.call('getArticle', { path: { ...path, id: article.id } })).body.versionData.body;
  for (const { open, page } of opened) {
    await open(`/sites/${site.id}/articles/${article.id}`);
    await page.locator('.cm-line', { hasText: 'benC' }).waitFor();
  }
  for (let round = 0; round < rounds; round += 1) {
    const writing = writers.filter(() => random() < 0.7);
    const isKilled = Math.floor(((round + 1) * kills) / rounds) > Math.floor((round * kills) / rounds);
    await Promise.all([
      ...writing.map((writer) => write(writer, round, random)),
      isKilled ? sleep(random() * 500).then(() => console.server.kill()) : null,
    ]);
    await sleep(random() * 3_000);
    if (isKilled) await console.server.start();
    for (const { page } of writers)
      assert.equal(await page.getByRole('dialog').count(), 0, 'nothing is asked');
  }
  const expected = render(writers);
  await waitForText(read, expected);
  for (const { page, open, checkFaults } of opened) {
    await page.getByText(/^Saved · /).waitFor();
    // The server of this test has no relay, which tells pages of what others change.
    await open(`/sites/${site.id}/articles/${article.id}`);
    // Only lines near the window are drawn.
    await until('it is shown', async () => {
      const shown = (await page.locator('.cm-line').allTextContents()).join('\n');
      return shown !== '' && expected.startsWith(shown);
    });
    checkFaults();
  }
  assert.equal(await read(), expected);
});
