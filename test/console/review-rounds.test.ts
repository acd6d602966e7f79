/** The console's rounds of a review: sending an article back with a sentence, being told of it, and comparing the rounds. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestArticles } from '../support/articles.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

test('an article is sent back with a sentence, its author is told, and the reviewer compares the rounds', async () => {
  const { server } = console;
  const { worker } = server.database;
  const author = await createMember(worker, server.organization, 'AUTHOR');
  const { token } = await createToken(worker, server.organization, author);
  const articles = await TestArticles.inNewSite(server, 'blog');
  const body = { versionData: { title: 'How a book is made', body: 'First it is written.' } };
  const { id } = (await server.call('POST', articles.path, { body, token })).json;
  const path = `${articles.path}/${id}`;
  const submit = async () =>
    assert.equal((await articles.patch(path, { versionData: { status: 'IN_REVIEW' } }, token)).status, 200);
  await submit();

  const reviewer = await console.openAs(server.ownerId);
  const { page } = reviewer;
  const address = path.slice('/v1'.length);
  await reviewer.open(address);
  await page.getByRole('button', { name: 'Status: In review' }).click();
  await page.getByRole('menuitem', { name: 'Back to draft' }).click();
  const question = page.getByRole('dialog', { name: 'Send “How a book is made” back?' });
  await question.getByLabel('What is missing?').waitFor();
  assert.equal(await question.getByRole('button', { name: 'Send back' }).isDisabled(), true);
  await reviewer.checkAccessibility('send back');
  await question.getByLabel('What is missing?').fill('Please name the printer.');
  await question.getByRole('button', { name: 'Send back' }).click();
  await page.getByRole('button', { name: 'Status: Draft' }).waitFor();

  const written = await console.openAs(author);
  await written.open('/');
  const returned = written.page.getByRole('region', { name: 'Sent back to you' });
  await returned.getByText('“Please name the printer.”').waitFor();
  await returned.getByText(/^Sent back by (?!…)/).waitFor();
  await written.checkAccessibility('home of an author');
  await returned.getByRole('link', { name: 'How a book is made' }).click();
  await written.page.getByRole('button', { name: 'Status: Draft' }).waitFor();
  await written.page.getByText('“Please name the printer.”').waitFor();
  await written.checkAccessibility('article that came back');
  const changed = { versionData: { body: 'First it is written, then Ada prints it.' } };
  assert.equal((await articles.patch(path, changed, token)).status, 200);
  await submit();

  await reviewer.open(address);
  await page.getByRole('button', { name: 'Status: In review' }).waitFor();
  assert.equal(await page.getByText('“Please name the printer.”').count(), 0, 'what was asked for is done');
  await page.getByRole('button', { name: 'Versions' }).click();
  const versions = page.getByRole('dialog', { name: 'Versions' });
  await versions.getByRole('heading', { name: 'Changes from version 1 to version 2' }).waitFor();
  await versions.getByText('then Ada prints it').first().waitFor();
  await versions
    .getByRole('button', { name: /^Version 1/ })
    .getByText('Submitted for review')
    .waitFor();
  await versions
    .getByRole('button', { name: /^Version 1/ })
    .getByText('“Please name the printer.”')
    .waitFor();
  assert.equal(await versions.getByText('“Please name the printer.”').count(), 1);
  await reviewer.checkAccessibility('rounds of a review');

  for (const status of ['APPROVED', 'PUBLISHED']) await articles.change(path, { status });
  await written.open('/');
  const published = written.page.getByRole('region', { name: 'Your articles that were published' });
  await published.getByRole('listitem').filter({ hasText: 'How a book is made' }).waitFor();
  await published.getByText(/^Published by (?!…)/).waitFor();
  assert.equal(await returned.count(), 0);
  for (const one of [reviewer, written]) one.checkFaults();
});
