/** Tests of what is saved while somebody has to decide about a conflict: it is a part of that decision. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { until } from '../../support/until.ts';
import { paragraphs, startArticles, type TestArticles } from './edited-articles.ts';
import { FormTab, fields } from './form-tab.ts';
import { TestBrowserStorage } from './tabs.ts';

let articles: TestArticles;
before(async () => {
  articles = await startArticles();
});
after(() => articles.close());

/** A form in which the subtitle was changed that somebody else has changed, too. */
async function openForm(context: TestContext) {
  const { client, server } = articles;
  const { body: book } = await client.call('createBook', { body: { title: 'Emma' } });
  const path = { id: book.id };
  const read = async () => (await client.call('getBook', { path })).body;
  const tab = await FormTab.open(context, new TestBrowserStorage(), server, book);
  tab.type({ subtitle: 'Mine' });
  await client.call('updateBook', { path, body: { subtitle: 'Theirs' } });
  return { tab, read };
}

/** What the page shows may be the version that somebody else has made, or the one before. */
for (const isHeard of [true, false]) {
  test(`what is saved while a conflict waits does not undo the decision for the other side${isHeard ? ', after their version was shown' : ''}`, async (context) => {
    const { tab, read } = await openForm(context);
    assert.equal((await tab.save()).kind, 'refused');
    if (isHeard) await tab.receive();
    tab.type({ subtitle: 'Mine, more', edition: '2nd' });
    await tab.sync.save(fields);
    await tab.decide('theirs');
    await until('all is sent', async () => (await tab.queue.list(tab.known.id)).length === 0);
    const { subtitle, edition } = await read();
    assert.deepEqual([subtitle, edition], ['Theirs', '2nd']);
  });
}

test('what is saved while a change waits that is going to be in conflict is decided with it', async (context) => {
  const { tab, read } = await openForm(context);
  tab.network.isOn = false;
  await tab.sync.save(fields);
  tab.known = await read();
  await tab.sync.check();
  tab.type({ subtitle: 'Mine, more' });
  await tab.sync.save(fields);
  tab.network.isOn = true;
  tab.queue.resume();
  await until('it is refused', () => tab.state.kind !== 'saving');
  await tab.decide('theirs');
  await until('all is sent', async () => (await tab.queue.list(tab.known.id)).length === 0);
  assert.equal((await read()).subtitle, 'Theirs');
});

test('what is typed into an article that was opened with a conflict is decided with it', async (context) => {
  const article = await articles.create(context);
  const first = await article.open({ choose: () => null });
  first.edit('One.', 'One, mine.');
  await article.change('One.', 'One, theirs.');
  await first.sync.save();
  await until('it is in conflict', () => first.state.kind === 'conflict');
  await first.close();
  const tab = await article.open({ choose: () => null });
  await until('it is shown', () => tab.state.kind === 'conflict');
  tab.edit('One, mine.', 'One, mine, more.');
  tab.edit('Five.', 'Five, typed.');
  await tab.sync.save();
  tab.choose = (conflicts) =>
    new Map(
      conflicts.map(({ field, parts }) => [
        field,
        parts?.map((part) => (part.kind === 'merged' ? part.text : part.theirs)).join(''),
      ]),
    );
  await tab.sync.decide();
  await tab.settled();
  const expected = paragraphs.replace('One.', 'One, theirs.').replace('Five.', 'Five, typed.');
  assert.deepEqual([await article.readText(), tab.text], [expected, expected]);
});

test('only who has asked for something is asked about a conflict, once', async (context) => {
  const article = await articles.create(context);
  const mayAutosave = (field: string) => field !== 'articleData.allowComments';
  const tab = await article.open({ mayAutosave, choose: () => null });
  const isInConflict = () => until('it is in conflict', () => tab.state.kind === 'conflict');
  tab.edit('One.', 'One, mine.');
  await article.change('One.', 'One, theirs.');
  await tab.sync.save();
  await isInConflict();
  tab.edit('One, mine.', 'One, mine, more.');
  await tab.sync.save();
  await tab.sync.refresh();
  await isInConflict();
  assert.equal(tab.questions.length, 0);
  tab.set('articleData.allowComments', true);
  await tab.sync.save(['articleData.allowComments']);
  assert.equal(tab.questions.length, 1);
  await tab.sync.check();
  await isInConflict();
  assert.equal(tab.questions.length, 1);
});

test('who has asked for what turns out to be in conflict is asked about that, once', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open({ mayAutosave: () => false, choose: () => null });
  tab.set('versionData.title', 'Mine');
  await article.update({ title: 'Theirs' });
  await tab.sync.save(['versionData.title']);
  await until('it was asked', () => tab.questions.length > 0);
  await tab.sync.check();
  await until('it is in conflict', () => tab.state.kind === 'conflict');
  assert.equal(tab.questions.length, 1);
});
