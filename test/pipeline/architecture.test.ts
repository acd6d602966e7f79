/** What ARCHITECTURE.md says of the pipeline is so: the table of kinds of write, and where ten things are. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Database } from '@trellis/server/database/database.ts';
import {
  omissions,
  onlyIfTaken,
  takes,
  type WriteKind,
  writeSteps,
} from '@trellis/server/pipeline/write/kinds.ts';
import { definePlan, type Outcome } from '@trellis/server/pipeline/write/plan.ts';
import { write } from '@trellis/server/pipeline/write/write.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = await readFile(`${root}ARCHITECTURE.md`, 'utf8');
const kinds = Object.keys(omissions) as WriteKind[];

test('the table of kinds of write is the one that the pipeline uses', () => {
  const [, written] = /<!-- kinds of write:[^\n]*-->\n([\s\S]*?)\n<!-- end -->/.exec(text) ?? [];
  const lines = [
    `| step | ${kinds.join(' | ')} |`,
    `| --- |${' :-: |'.repeat(kinds.length)}`,
    ...writeSteps.map(
      (step) => `| \`${step}\` | ${kinds.map((kind) => (takes(kind, step) ? '●' : '')).join(' | ')} |`,
    ),
  ];
  assert.equal(written, lines.join('\n'));
});

test('every omission has a reason, and no kind omits decisions and changes', () => {
  for (const kind of kinds) {
    for (const reason of Object.values(omissions[kind])) assert.match(reason, /^[A-Z].+\.$/);
    for (const step of ['decide', 'change'] as const) assert.ok(takes(kind, step), `${kind}: ${step}`);
  }
});

test('a plan that has something for a step which its kind omits is refused', () => {
  assert.throws(() => onlyIfTaken('command', 'appendEvent', ['event']), /has no step appendEvent/);
  assert.deepEqual(onlyIfTaken('command', 'appendEvent', []), []);
  assert.deepEqual(onlyIfTaken('update', 'appendEvent', ['event']), ['event']);
});

test('a kind of write with authorization cannot be carried out without a token', async () => {
  const asked: string[] = [];
  const database = { transaction: async () => asked.push('transaction') } as unknown as Database;
  for (const kind of kinds) {
    const plan = definePlan({
      kind,
      model: {
        resource: { name: 'x', scope: 'x', module: null, idPrefix: 'x', table: 'x', parent: null },
        storage: { columns: [] },
      },
      lock: [],
      parent: null,
      references: null,
      reads: {},
      decide: (): Outcome => assert.fail('nothing is decided'),
      replay: null,
      confirm: null,
      usages: null,
    });
    const scope = { organizationId: 'x', userId: null };
    asked.length = 0;
    const written = write({ database, nudge: () => undefined }, { scope, requestId: 'x', plan, token: null });
    if (takes(kind, 'authorize')) await assert.rejects(written, /needs a token/, kind);
    else await written;
    assert.deepEqual(asked, takes(kind, 'authorize') ? [] : ['transaction'], kind);
  }
  assert.deepEqual(
    kinds.filter((kind) => !takes(kind, 'authorize')),
    ['system', 'administration'],
  );
});

test('each of the ten questions is answered by a name that its file defines', async () => {
  const rows = [...text.matchAll(/^\| … .+\? \| `([^`]+)` \| `([^`]+)` \|$/gm)];
  assert.equal(rows.length, 10);
  for (const [, file = '', name = ''] of rows) {
    const source = await readFile(`${root}${file}`, 'utf8');
    assert.match(
      source,
      new RegExp(`(function|const|class|FUNCTION) (trellis\\.)?${name}\\b`),
      `${file}: ${name}`,
    );
  }
});
