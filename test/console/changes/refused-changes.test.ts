/** Tests of what the editor does when the server refuses a change: nothing typed is lost, and nothing gets rights that nobody gave it. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestRefused } from '@trellis/console/outbox/edit/save-state.ts';
import { until } from '../../support/until.ts';
import { paragraphs, startArticles, type TestArticles } from './edited-articles.ts';

let articles: TestArticles;
before(async () => {
  articles = await startArticles();
});
after(() => articles.close());

test('what readers see at once is applied although somebody else was first, and after a refusal', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open({ mayAutosave: (field) => field.startsWith('versionData.') });
  tab.set('articleData.allowComments', true);
  await article.change('Five.', 'Five, by somebody else.');
  await tab.sync.save(['articleData.allowComments']);
  await tab.settled();
  assert.equal((await article.read()).articleData.allowComments, true);
  assert.deepEqual(tab.sync.unstored(['articleData.allowComments']), []);

  tab.set('articleData.allowComments', false);
  tab.set('versionData.title', 'x'.repeat(10_000));
  await tab.sync.save(['articleData.allowComments', 'versionData.title']);
  await until('it is refused', () => tab.state.kind === 'refused');
  tab.set('versionData.title', 'Sho');
  await tab.sync.save();
  await until('it is still refused', () => tab.state.kind === 'refused' && tab.state.isExplicit);
  tab.set('versionData.title', 'Short');
  await tab.sync.save(['articleData.allowComments', 'versionData.title']);
  await tab.settled();
  const { articleData, versionData } = await article.read();
  assert.deepEqual([articleData.allowComments, versionData.title], [false, 'Short']);

  tab.set('articleData.allowComments', true);
  await tab.sync.save();
  assert.deepEqual(tab.sync.unstored(['articleData.allowComments']), ['articleData.allowComments']);
});

test('what is typed after a refusal gets no rights from what somebody has asked for', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open({ mayAutosave: (field) => field.startsWith('versionData.') });
  tab.set('articleData.allowComments', true);
  tab.set('versionData.title', 'x'.repeat(10_000));
  await tab.sync.save(['articleData.allowComments', 'versionData.title']);
  await until('it is refused', () => tab.state.kind === 'refused');
  const before = await article.read();
  // It may be half typed, so it is stored behind what was refused, and nothing is sent.
  tab.set('versionData.title', 'Sho');
  tab.edit('One.', 'One, typed.');
  await tab.sync.save();
  const requests = (await article.storage.changes()).map(({ request, refusal }) => [
    Object.keys(request.body ?? {}),
    request.sessionScopes,
    refusal !== null,
  ]);
  assert.deepEqual(requests, [
    [['articleData', 'versionData'], undefined, true],
    [['versionData'], 'drafts', false],
  ]);
  assert.equal((await article.read()).version, before.version);
  tab.set('versionData.title', 'Short');
  await tab.sync.save(['articleData.allowComments', 'versionData.title']);
  await tab.settled();
  const { articleData, versionData } = await article.read();
  assert.deepEqual(
    [articleData.allowComments, versionData.title, versionData.body],
    [true, 'Short', tab.text],
  );
});

test('who gives a refused change up keeps what was typed, and nothing is given up without the record', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open();
  tab.set('versionData.title', 'x'.repeat(10_000));
  tab.edit('One.', 'One, typed.');
  await tab.sync.save();
  await until('it is refused', () => tab.state.kind === 'refused');
  tab.network.isOn = false;
  await assert.rejects(tab.sync.giveUp(), { code: 'unreachable' });
  assert.equal((await article.storage.changes()).length, 1);
  tab.network.isOn = true;
  await tab.sync.giveUp();
  assert.deepEqual(await article.storage.changes(), []);
  assert.equal(tab.state.kind, 'unsaved');
  assert.equal(tab.text, paragraphs.replace('One.', 'One, typed.'));
  assert.equal(await article.readText(), paragraphs);
  tab.set('versionData.title', 'Title');
  await tab.sync.save();
  await tab.settled();
  assert.equal(await article.readText(), tab.text);
});

/** Somebody else was first; the change was merged with theirs, and the merged one was refused because nobody has asked for it. */
async function startMerged(context: TestContext) {
  const article = await articles.create(context);
  const [tab, other] = [await article.open(), await article.open()];
  await article.change('Five.', 'Five, by somebody else.');
  let requests = 0;
  const instead = (method: string) => {
    if (method !== 'PATCH') return null;
    requests += 1;
    return requests > 1 ? refuse(403) : null;
  };
  for (const { network } of [tab, other]) network.instead = instead;
  tab.edit('One.', 'One, typed.');
  await tab.sync.save();
  await until('it is refused', () => tab.state.kind === 'refused');
  assert.ok(tab.state.kind === 'refused' && tab.state.refusal.code === 'insufficient_scope');
  const both = paragraphs.replace('One.', 'One, typed.').replace('Five.', 'Five, by somebody else.');
  /** What either tab sends gets this status from now on; null: by the server. */
  const respond = (status: 422 | null) => {
    for (const { network } of [tab, other])
      network.instead = (method) => (method === 'PATCH' && status !== null ? refuse(status) : null);
  };
  return { article, tab, other, both, respond };
}

function refuse(status: 403 | 422): Response {
  const code = status === 403 ? 'insufficient_scope' : 'validation_failed';
  const problem = { type: 'about:blank', title: 'Refused', status, code, detail: 'It was refused.' };
  const headers = { 'content-type': 'application/problem+json' };
  return new Response(JSON.stringify(problem), { status, headers });
}

test('what somebody else has saved stays when a change that was merged with it is given up', async (context) => {
  const { article, tab, both, respond } = await startMerged(context);
  await tab.sync.giveUp();
  assert.deepEqual([tab.text, tab.state.kind], [both, 'unsaved']);
  respond(null);
  tab.edit('Two.', 'Two, too.');
  await tab.sync.save();
  await tab.settled();
  assert.equal(await article.readText(), both.replace('Two.', 'Two, too.'));
});

test('what somebody else has saved stays when a merged change is saved anyway, whatever becomes of it', async (context) => {
  for (const then of ['save', 'give up'] as const) {
    const { article, tab, both, respond } = await startMerged(context);
    respond(422);
    await tab.sync.insist();
    await until(
      'it is refused again',
      () => tab.state.kind === 'refused' && tab.state.refusal.code === 'validation_failed',
    );
    respond(null);
    if (then === 'save') {
      tab.edit('Two.', 'Two, too.');
      await tab.sync.save();
      await tab.sync.insist();
    } else {
      await tab.sync.giveUp();
      assert.equal(tab.text, both);
      tab.edit('Two.', 'Two, too.');
      await tab.sync.save();
    }
    await tab.settled();
    assert.equal(await article.readText(), both.replace('Two.', 'Two, too.'));
    assert.equal(tab.text, both.replace('Two.', 'Two, too.'));
  }
});

test('what was refused is saved anyway from another tab', async (context) => {
  const { article, tab, other, both, respond } = await startMerged(context);
  await until('the other tab says so', () => other.state.kind === 'refused');
  respond(null);
  await other.sync.insist();
  for (const one of [tab, other]) {
    await one.settled();
    assert.equal(one.text, both);
  }
  assert.equal(await article.readText(), both);
});

test('whoever asks to publish hears what became of it: refused, given up, or done', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open();
  const publish = () =>
    tab.sync.send(
      { method: 'PATCH', path: article.path, body: { versionData: { status: 'PUBLISHED' } } },
      'Publish',
    );
  // Somebody has typed, and somebody else has changed what would be published.
  tab.edit('One.', 'One, typed.');
  await article.change('Five.', 'Five, by somebody else.');
  await assert.rejects(publish(), (error) => {
    assert.ok(error instanceof RequestRefused);
    assert.equal(error.refusal?.code, 'version_mismatch');
    return true;
  });
  await tab.settled();
  assert.equal((await article.read()).versionData.status, 'DRAFT');
  // Given up in the list of what waits.
  tab.network.isOn = false;
  const given = publish();
  await until('it waits', async () => (await article.storage.changes()).length === 1);
  const [change] = await article.storage.changes();
  assert.ok(change !== undefined);
  await tab.queue.dismiss(change);
  await assert.rejects(given, RequestRefused);
  tab.network.isOn = true;
  // What was typed before it is refused.
  tab.set('versionData.title', 'x'.repeat(10_000));
  await assert.rejects(publish(), (error) => {
    assert.ok(error instanceof RequestRefused);
    assert.equal(error.refusal?.code, 'validation_failed');
    return true;
  });
  tab.set('versionData.title', 'Title');
  await tab.sync.save();
  await tab.settled();
  assert.equal((await publish()).publishedVersionNumber, 1);
});

test('a change that cannot be merged because the record is gone is told as refused, and is not tried for ever', async (context) => {
  const article = await articles.create(context);
  const tab = await article.open();
  const [sent, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let reads = 0;
  tab.network.before = async (method) => {
    if (method === 'GET') {
      reads += 1;
      // Between the refusal and the merge.
      const { version } = await article.read().catch(() => ({ version: null }));
      if (version !== null)
        await articles.client.call('deleteArticle', {
          path: { siteId: articles.siteId, id: article.id },
          ifMatch: `"${version}"`,
        });
    }
    if (method !== 'PATCH') return;
    sent.resolve();
    await go.promise;
  };
  tab.edit('One.', 'One, typed.');
  await tab.sync.save();
  await sent.promise;
  await article.change('Five.', 'Five, by somebody else.');
  go.resolve();
  await until('it is refused', () => tab.state.kind === 'refused');
  assert.ok(tab.state.kind === 'refused' && tab.state.refusal.code === 'not_found');
  const before = reads;
  await sleep(200);
  assert.equal(reads, before);
  assert.match(tab.text, /^One, typed\./);
});
