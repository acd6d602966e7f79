/** Tests of the editor's saving against the real server: whatever tabs, networks and other people do, no typed text is lost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseSeed, seededNumbers } from '../../support/seed.ts';
import { amount } from '../../support/soak.ts';
import { until } from '../../support/until.ts';
import { ArticleTab } from './article-tab.ts';
import { paragraphs, startArticles, type TestArticles } from './edited-articles.ts';
import { TestBrowserStorage } from './tabs.ts';

let articles: TestArticles;
before(async () => {
  articles = await startArticles();
});
after(() => articles.close());

test('a tab in which nobody types takes nothing away from the one in which somebody does', async (context) => {
  const article = await articles.create(context);
  const [typing, other] = [await article.open(), await article.open()];
  await article.change('Five.', 'Five, by somebody else.');
  for (const text of ['One, typed.', 'One, typed again.']) {
    typing.edit(/^One.*$/m.exec(typing.text)?.[0] ?? '', text);
    await typing.sync.save();
  }
  const expected = paragraphs
    .replace('One.', 'One, typed again.')
    .replace('Five.', 'Five, by somebody else.');
  for (const tab of [typing, other]) {
    await tab.settled();
    assert.equal(tab.text, expected);
    assert.equal(tab.questions.length, 0);
  }
  assert.equal(await article.readText(), expected);
});

test('two tabs without a network save in turn, and both texts are there afterwards', async (context) => {
  const article = await articles.create(context);
  const tabs = [await article.open(), await article.open()] as const;
  for (const tab of tabs) tab.network.isOn = false;
  tabs[0].edit('One.', 'One, first tab.');
  await tabs[0].sync.save();
  tabs[1].edit('Five.', 'Five, second tab.');
  await tabs[1].sync.save();
  tabs[0].edit('Two.', 'Two, first tab.');
  await tabs[0].sync.save();
  tabs[1].edit('Four.', 'Four, second tab.');
  await tabs[1].sync.save();
  const stored = await article.storage.changes();
  assert.ok(stored.length >= 2, 'one of them has overwritten the other');
  for (const tab of tabs) tab.network.isOn = true;
  tabs[0].queue.resume();
  const expected = paragraphs
    .replace('One.', 'One, first tab.')
    .replace('Two.', 'Two, first tab.')
    .replace('Four.', 'Four, second tab.')
    .replace('Five.', 'Five, second tab.');
  for (const tab of tabs) {
    await tab.settled();
    assert.equal(tab.text, expected);
    assert.equal(tab.questions.length, 0);
  }
  assert.equal(await article.readText(), expected);
});

test('a tab that was opened while a change waits does not write over what was typed after that', async (context) => {
  const article = await articles.create(context);
  const first = await article.open();
  first.network.isOn = false;
  first.edit('One.', 'One, first.');
  await first.sync.save();
  const second = await article.open();
  second.network.isOn = false;
  assert.equal(second.text, paragraphs.replace('One.', 'One, first.'));
  first.edit('One, first.', 'One, first, and more.');
  await first.sync.save();
  second.edit('Five.', 'Five, second.');
  await second.sync.save();
  for (const tab of [first, second]) tab.network.isOn = true;
  first.queue.resume();
  const expected = paragraphs.replace('One.', 'One, first, and more.').replace('Five.', 'Five, second.');
  for (const tab of [first, second]) {
    await tab.settled();
    assert.equal(tab.text, expected);
  }
  assert.equal(await article.readText(), expected);
});

for (const isSent of [false, true])
  test(`what is typed into a page that was opened while a ${isSent ? 'sent' : 'new'} change waits is no conflict with those whose lines it showed`, async (context) => {
    const article = await articles.create(context);
    const first = await article.open();
    first.network.isOn = false;
    first.edit('One.', 'One, typed.');
    await first.sync.save();
    if (isSent)
      await until('it was sent', async () => (await article.storage.changes())[0]?.firstSentAt !== null);
    else {
      await first.close();
    }
    await article.change('Five.', 'Five, by somebody else.');
    const second = await article.open();
    second.network.isOn = false;
    assert.match(second.text, /Five, by somebody else\./);
    second.edit('Three.', 'Three, typed.');
    await second.sync.save();
    await article.change('Five, by somebody else.', 'Five, by somebody else, again.');
    for (const tab of [first, second]) tab.network.isOn = true;
    second.queue.resume();
    first.queue.resume();
    await second.settled();
    const expected = paragraphs
      .replace('One.', 'One, typed.')
      .replace('Three.', 'Three, typed.')
      .replace('Five.', 'Five, by somebody else, again.');
    assert.equal(await article.readText(), expected);
    assert.deepEqual(second.questions, []);
  });

test('what both have changed is asked about once, and neither is lost', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open();
  tab.edit('One.', 'One, mine.');
  await article.change('One.', 'One, theirs.');
  tab.choose = (conflicts) => {
    const [{ field, parts = [] } = { field: '' }] = conflicts;
    const both = parts?.map((part) => (part.kind === 'merged' ? part.text : `${part.mine}${part.theirs}`));
    return new Map([[field, both?.join('')]]);
  };
  await tab.sync.save();
  await until('it is in conflict', () => tab.state.kind === 'conflict');
  await tab.sync.decide();
  await tab.settled();
  assert.equal(tab.questions.length, 1);
  assert.equal(tab.text, paragraphs.replace('One.', 'One, mine.\nOne, theirs.'));
  assert.equal(await article.readText(), tab.text);
});

test('what is typed over a change that is under way is no conflict with oneself', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open();
  const [sent, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  tab.network.before = async (method) => {
    if (method !== 'PATCH') return;
    sent.resolve();
    await go.promise;
  };
  tab.edit('One.', 'One, long.');
  await tab.sync.save();
  await sent.promise;
  // The first change is on its way; a part of it is deleted again.
  tab.edit('One, long.', 'One.');
  tab.edit('Two.', 'Two, too.');
  await tab.sync.save();
  await article.change('Five.', 'Five, by somebody else.');
  go.resolve();
  await tab.settled();
  const expected = paragraphs.replace('Two.', 'Two, too.').replace('Five.', 'Five, by somebody else.');
  assert.equal(tab.questions.length, 0);
  assert.equal(tab.text, expected);
  assert.equal(await article.readText(), expected);
});

test('somebody else is not overwritten by who decides later, and is asked about again', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open({ choose: () => null });
  let calls = 0;
  tab.network.responded = async (method, response) => {
    if (method !== 'PATCH') return response;
    calls += 1;
    // The response is lost. When it is replayed, it shows what somebody else has made of the same line.
    if (calls === 2) {
      const record = await article.read();
      const headers = { etag: `"${record.version}"`, 'content-type': 'application/json' };
      return new Response(JSON.stringify(record), { status: response.status, headers });
    }
    if (calls > 1) return response;
    await article.change('One, mine.', 'One, theirs.');
    tab.edit('One, mine.', 'One, mine and more.');
    throw new TypeError('the response was lost');
  };
  tab.edit('One.', 'One, mine.');
  await tab.sync.save();
  await until('it is in conflict', () => tab.state.kind === 'conflict');
  tab.edit('Five.', 'Five, typed later.');
  await tab.sync.save();
  await until('the change waits for the decision', async () => {
    const [change] = await article.storage.changes();
    return change?.refusal !== null && tab.state.kind === 'conflict';
  });
  assert.match((await article.readText()) ?? '', /^One, theirs\./);
  const theirs = new Map([['versionData.body', tab.text.replace('One, mine and more.', 'One, theirs.')]]);
  tab.choose = () => theirs;
  await tab.sync.decide();
  await tab.settled();
  const expected = paragraphs.replace('One.', 'One, theirs.').replace('Five.', 'Five, typed later.');
  assert.equal(await article.readText(), expected);
  assert.equal(tab.text, expected);
});

test('a conflict that nothing waits for can be decided, too', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open({ choose: () => null });
  tab.edit('One.', 'One, mine.');
  await article.change('One.', 'One, theirs.');
  await tab.sync.refresh();
  assert.equal(tab.state.kind, 'conflict');
  const mine = tab.text;
  tab.choose = () => new Map([['versionData.body', mine]]);
  await tab.sync.check();
  await tab.sync.refresh();
  assert.equal(tab.questions.length, 0);
  assert.equal(tab.state.kind, 'conflict');
  await tab.sync.decide();
  assert.equal(tab.questions.length, 1);
  assert.equal(tab.text, mine);
  await tab.sync.save();
  await tab.settled();
  assert.equal(await article.readText(), mine);
});

test('a tab that saw that others save says that it is saved', async (context) => {
  const article = await articles.create(context);
  const [typing, other] = [await article.open(), await article.open()];
  typing.network.isOn = false;
  other.network.isOn = false;
  typing.edit('One.', 'One, typed.');
  await typing.sync.save();
  await until('the other knows', () => other.state.kind === 'saving');
  for (const tab of [typing, other]) tab.network.isOn = true;
  typing.queue.resume();
  for (const tab of [typing, other]) await tab.settled();
  assert.equal(other.text, typing.text);
});

test('what cannot be stored stays on the page, which says so, and is stored later', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open();
  tab.isFull = true;
  tab.edit('One.', 'One, typed.');
  await tab.sync.save();
  assert.ok(tab.state.kind === 'failed' && tab.state.error instanceof DOMException);
  await assert.rejects(
    tab.sync.send(
      { method: 'PATCH', path: article.path, body: { versionData: { status: 'PUBLISHED' } } },
      'A',
    ),
    DOMException,
  );
  assert.match(tab.text, /^One, typed\./);
  tab.isFull = false;
  await tab.sync.save();
  await tab.settled();
  assert.equal(await article.readText(), tab.text);
});

const rounds = amount(40, 400);

test(`three tabs of two browsers edit one article for ${rounds} rounds with a network that comes and goes: every text is there`, async (context) => {
  const { server, client, siteId } = articles;
  const random = seededNumbers(chooseSeed(context));
  const names = ['first', 'second', 'other'];
  const body = names.flatMap((name) => [`${name} a 0`, `${name} b 0`]).join('\n\n');
  const { id } = (
    await client.call('createArticle', { path: { siteId }, body: { versionData: { title: 'Many', body } } })
  ).body;
  const path = `/v1/sites/${siteId}/articles/${id}`;
  const storages = [new TestBrowserStorage(), new TestBrowserStorage()] as const;
  const open = (name: string) => ArticleTab.open(storages[name === 'other' ? 1 : 0], server, path);
  const tabs = new Map<string, ArticleTab>();
  for (const name of names) tabs.set(name, await open(name));
  context.after(() => Promise.all([...tabs.values()].map((tab) => tab.close())));
  const typed = new Map<string, number>();
  for (let round = 1; round <= rounds; round += 1) {
    const name = names[Math.floor(random() * names.length)] ?? '';
    const tab = tabs.get(name);
    assert.ok(tab !== undefined);
    const passage = `${name} ${random() < 0.5 ? 'a' : 'b'}`;
    tab.edit(`${passage} ${typed.get(passage) ?? 0}`, `${passage} ${round}`);
    typed.set(passage, round);
    if (random() < 0.8) await tab.sync.save();
    if (random() < 0.2) {
      tab.network.isOn = !tab.network.isOn;
      if (tab.network.isOn) tab.queue.resume();
    }
    if (random() < 0.1) {
      // The tab is killed with requests under way. The next one begins with what waits.
      tab.network.isOn = true;
      await tab.sync.save();
      await tab.close();
      tabs.set(name, await open(name));
    }
    await sleep(random() * 20);
  }
  for (const tab of tabs.values()) tab.network.isOn = true;
  for (const tab of tabs.values()) {
    tab.queue.resume();
    await tab.sync.save();
  }
  for (const tab of tabs.values()) await tab.settled();
  const expected = names
    .flatMap((name) => [`${name} a`, `${name} b`])
    .map((passage) => `${passage} ${typed.get(passage) ?? 0}`)
    .join('\n\n');
  // A conflict would be decided for one side.
  for (const tab of tabs.values()) assert.deepEqual(tab.questions, []);
  const stored = await client.call('getArticle', { path: { siteId, id } });
  assert.equal(stored.body.versionData.body, expected);
  for (const tab of tabs.values()) {
    await tab.sync.refresh();
    assert.equal(tab.text, expected);
  }
});
