/** What a person decides about an import while the browser still stores the chosen files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Choice } from '../../../packages/console/src/features/import/files.ts';
import { Importing } from '../../../packages/console/src/features/import/importing.ts';
import { type ImportSettings, readJob } from '../../../packages/console/src/features/import/job.ts';
import { TestBrowserStorage } from './tabs.ts';

const settings: ImportSettings = {
  resource: 'companies',
  parentId: null,
  map: [],
  key: null,
  update: true,
  statuses: false,
};

test('settings changed while files are being stored are neither taken back nor forgotten', async () => {
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
  const file = new File(['{"name":"Exported"}\n'], 'export.jsonl');
  const choice: Choice = { format: 'ndjson', files: [{ path: file.name, file }] };
  const choosing = importing.choose(choice, settings);
  await Promise.all([choosing, importing.change({ resource: null })]);
  assert.equal(importing.read().job?.settings.resource, null);
  assert.equal(importing.read().isKept, true);
  const stored = await readJob(vault);
  assert.equal(stored?.settings.resource, null);
  assert.equal(await stored?.choice.files[0]?.file.text(), '{"name":"Exported"}\n');
});
