/** Tests of what is saved by itself while an article is scheduled, against the real server: it does not cancel the publication. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { Change } from '@trellis/console/outbox/store/change.ts';
import { autosaveRefused } from '@trellis/console/outbox/store/refusal.ts';
import { mayAutosave } from '../../../packages/console/src/features/articles/autosave.ts';
import { inOneHour } from '../../support/articles.ts';
import { until } from '../../support/until.ts';
import type { TabOptions } from './article-tab.ts';
import { paragraphs, startArticles, type TestArticles } from './edited-articles.ts';

let articles: TestArticles;
before(async () => {
  articles = await startArticles();
});
after(() => articles.close());

const typed = paragraphs.replace('One.', 'One, typed.');

/** An article that is open in a tab, and what somebody else does to it. */
async function start(context: TestContext, options: TabOptions = {}) {
  const article = await articles.create(context);
  const tab = await article.open({ mayAutosave, ...options });
  return {
    ...article,
    tab,
    change: article.update,
    schedule: (versionData: object = {}) =>
      article.update({ ...versionData, status: 'SCHEDULED', scheduledFor: inOneHour() }),
    refused: () =>
      until(
        'it is refused',
        () => tab.state.kind === 'refused' && tab.state.refusal.code === autosaveRefused,
      ),
  };
}

test('a change that is saved by itself is not merged into a scheduled article before somebody asks for it', async (context) => {
  const { tab, storage, schedule, read, refused } = await start(context);
  tab.edit('One.', 'One, typed.');
  const planned = await schedule();
  await tab.sync.save();
  await refused();
  assert.deepEqual(await read(), planned);
  assert.equal(tab.text, typed);
  // What is typed further is stored with it, and as little sent.
  tab.set('versionData.title', 'Typed, too');
  await tab.sync.save();
  const [waiting] = await storage.changes();
  assert.deepEqual(waiting?.request.body, { versionData: { title: 'Typed, too', body: typed } });
  await refused();
  assert.deepEqual(await read(), planned);
  await tab.sync.insist();
  await tab.settled();
  const { versionData } = await read();
  assert.deepEqual([versionData.title, versionData.body, versionData.status], ['Typed, too', typed, 'DRAFT']);
});

test('a conflict in a scheduled article is asked about when somebody asks to save, and not before', async (context) => {
  const { tab, schedule, read, refused } = await start(context);
  tab.edit('One.', 'One, typed.');
  const planned = await schedule({ body: paragraphs.replace('One.', 'One, theirs.') });
  await tab.sync.save();
  await refused();
  assert.equal(tab.questions.length, 0);
  assert.deepEqual(await read(), planned);
  await tab.sync.insist();
  await tab.settled();
  assert.equal(tab.questions.length, 1);
  const { versionData } = await read();
  assert.deepEqual([versionData.body, versionData.status], [typed, 'DRAFT']);
});

test('who decides a conflict after the article was scheduled does not cancel its publication by that', async (context) => {
  const { tab, change, schedule, read, refused } = await start(context);
  tab.edit('One.', 'One, typed.');
  await change({ body: paragraphs.replace('One.', 'One, theirs.') });
  await tab.sync.save();
  await until('it is in conflict', () => tab.state.kind === 'conflict');
  const planned = await schedule();
  await tab.sync.decide();
  await refused();
  assert.deepEqual(await read(), planned);
  assert.equal(tab.text, typed);
});

test('what somebody else has scheduled and typed alike needs nobody', async (context) => {
  const { tab, schedule, read } = await start(context);
  tab.edit('One.', 'One, typed.');
  const planned = await schedule({ body: typed });
  await tab.sync.save();
  await tab.settled();
  assert.deepEqual(await read(), planned);
});

test('what is typed while one schedules the article oneself does not follow that', async (context) => {
  const { tab, path, storage, read } = await start(context);
  tab.network.isOn = false;
  const body = { versionData: { status: 'SCHEDULED', scheduledFor: inOneHour() } };
  const scheduled = tab.sync.send({ method: 'PATCH', path, body }, 'Schedule');
  await until('it waits', async () => (await storage.changes()).length === 1);
  tab.edit('One.', 'One, typed.');
  await tab.sync.save();
  const waiting: readonly Change[] = await storage.changes();
  assert.deepEqual(
    waiting.map(({ request }) => request.body),
    [body],
  );
  tab.network.isOn = true;
  tab.queue.resume();
  await scheduled;
  await tab.settled();
  assert.equal((await read()).versionData.status, 'SCHEDULED');
  assert.equal(tab.text, typed);
  assert.deepEqual(tab.sync.unstored(['versionData.body']), ['versionData.body']);
  await tab.sync.save(['versionData.body']);
  await tab.settled();
  const { versionData } = await read();
  assert.deepEqual([versionData.body, versionData.status], [typed, 'DRAFT']);
});

test('what was typed while one schedules the article oneself is saved when that is refused', async (context) => {
  const { tab, path, storage, read } = await start(context);
  tab.network.isOn = false;
  const body = { versionData: { status: 'SCHEDULED', scheduledFor: '2020-01-01T00:00:00Z' } };
  const scheduled = assert.rejects(tab.sync.send({ method: 'PATCH', path, body }, 'Schedule'));
  await until('it waits', async () => (await storage.changes()).length === 1);
  tab.edit('One.', 'One, typed.');
  await tab.sync.save();
  tab.network.isOn = true;
  tab.queue.resume();
  await scheduled;
  await until('it is saved', async () => (await read()).versionData.body === typed);
  await tab.settled();
});

test('what the schedule held back is saved when the schedule is taken back', async (context) => {
  const { tab, path, schedule, read } = await start(context);
  tab.edit('One.', 'One, typed.');
  const planned = await schedule();
  await tab.sync.refresh();
  await tab.sync.save();
  assert.deepEqual(await read(), planned);
  await tab.sync.send({ method: 'PATCH', path, body: { versionData: { status: 'DRAFT' } } }, 'Take back');
  await until('it is saved', async () => (await read()).versionData.body === typed);
  await tab.settled();
});
