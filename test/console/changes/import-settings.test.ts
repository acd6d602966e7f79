/** What a person decides about an import while the browser still stores the chosen files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noChoices } from '@trellis/importer/columns.ts';
import type { Choice } from '../../../packages/console/src/features/import/files.ts';
import { Importing } from '../../../packages/console/src/features/import/importing.ts';
import { type ImportSettings, readJob } from '../../../packages/console/src/features/import/job.ts';
import { TestBrowserStorage } from './tabs.ts';

const settings: ImportSettings = {
  resource: 'companies',
  parentId: null,
  ...noChoices,
  existing: 'merge',
  duplicates: 'reject',
  statuses: false,
};

const choiceOf = (text: string): Choice => {
  const file = new File([text], 'export.jsonl');
  return { format: 'ndjson', files: [{ path: file.name, file }] };
};

test('files are shown once they are stored, and nothing of the import before can be changed until then', async () => {
  const vault = await new TestBrowserStorage().open();
  const api = new Proxy({} as ConstructorParameters<typeof Importing>[0], {
    get: () => assert.fail('no request is needed to choose files'),
  });
  const importing = new Importing(
    api,
    vault,
    (run) => run(),
    () => undefined,
  );
  const shown = Promise.withResolvers<Awaited<ReturnType<typeof readJob>>>();
  const unsubscribe = importing.subscribe(() => {
    if (importing.read().job !== null) shown.resolve(readJob(vault));
  });
  await importing.choose(choiceOf('{"name":"First"}\n'), settings);
  unsubscribe();
  assert.equal((await shown.promise)?.id, importing.read().job?.id);

  const second = importing.choose(choiceOf('{"name":"Second"}\n'), settings);
  assert.equal(importing.read().isLoaded, false);
  await Promise.all([second, importing.change({ resource: null })]);
  const { job, isPersistent, isLoaded } = importing.read();
  assert.equal(isLoaded, true);
  assert.deepEqual([job?.settings.resource, isPersistent], ['companies', true]);
  assert.equal(await job?.choice.files[0]?.file.text(), '{"name":"Second"}\n');
  const stored = await readJob(vault);
  assert.deepEqual([stored?.id, stored?.settings.resource], [job?.id, 'companies']);
});
