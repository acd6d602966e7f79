/** What ARCHITECTURE.md says of the pipeline is so: the table of kinds of write, and where ten things are. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import {
  hasStep,
  omissions,
  type WriteKind,
  type WriteStep,
  writeSteps,
} from '@trellis/server/kernel/pipeline/write/kinds.ts';
import type {
  Outcome,
  Plan,
  TokenlessWrite,
  TokenWrite,
} from '@trellis/server/kernel/pipeline/write/plan.ts';
import { write } from '@trellis/server/kernel/pipeline/write/write.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = await readFile(`${root}ARCHITECTURE.md`, 'utf8');
const kinds = Object.keys(omissions) as WriteKind[];

test('the table of kinds of write is the one that the types of plans follow from', () => {
  const [, written] = /<!-- kinds of write:[^\n]*-->\n([\s\S]*?)\n<!-- end -->/.exec(text) ?? [];
  const lines = [
    `| step | ${kinds.join(' | ')} |`,
    `| --- |${' :-: |'.repeat(kinds.length)}`,
    ...writeSteps.map(
      (step) => `| \`${step}\` | ${kinds.map((kind) => (hasStep(kind, step) ? '●' : '')).join(' | ')} |`,
    ),
  ];
  assert.equal(written, lines.join('\n'));
});

test('every omission has a reason, and no kind omits decisions and changes', () => {
  for (const kind of kinds) {
    for (const reason of Object.values(omissions[kind])) assert.match(reason, /^[A-Z].+\.$/);
    for (const step of ['decide', 'change'] as const) assert.ok(hasStep(kind, step), `${kind}: ${step}`);
  }
});

/** The kinds of write whose plans or outcomes can have a member: with one too few or too many, this does not compile. */
type KindsWith<Name extends keyof Plan<WriteKind> | keyof Outcome<WriteKind>> = Record<
  { [K in WriteKind]: [(Plan<K> & Outcome<K>)[Name]] extends [undefined] ? never : K }[WriteKind],
  true
>;

const authorize: Record<TokenWrite['plan']['kind'], true> = {
  create: true,
  update: true,
  action: true,
  command: true,
  delete: true,
  erasure: true,
};
const claimKey: KindsWith<'replay'> = {
  create: true,
  update: true,
  action: true,
  command: true,
  delete: true,
  erasure: true,
};
const lockRecord: KindsWith<'lock'> = {
  update: true,
  action: true,
  command: true,
  delete: true,
  erasure: true,
  system: true,
  administration: true,
};
const findParent: KindsWith<'parent'> = { create: true };
const checkReferences: KindsWith<'references'> = { create: true, update: true };
const checkTransition: KindsWith<'publishes'> = { create: true, update: true, action: true, delete: true };
const confirm: KindsWith<'confirm'> = { create: true, update: true, action: true };
const appendEvent: KindsWith<'events'> = {
  create: true,
  update: true,
  action: true,
  delete: true,
  erasure: true,
  system: true,
  administration: true,
};
const storeResponse: KindsWith<'response'> = {
  create: true,
  update: true,
  action: true,
  command: true,
  delete: true,
  erasure: true,
};
const typed = {
  authorize,
  claimKey,
  lockRecord,
  findParent,
  checkReferences,
  checkTransition,
  confirm,
  appendEvent,
  storeResponse,
};

/** The kinds of write with all of the steps. */
const kindsOf = (...steps: readonly WriteStep[]) =>
  kinds.filter((kind) => steps.every((step) => hasStep(kind, step)));

test('requests, plans and outcomes have parts for the steps of their kind, and none for those that it omits', () => {
  for (const step of Object.keys(typed) as (keyof typeof typed)[]) {
    assert.deepEqual(Object.keys(typed[step]), kindsOf(step), step);
  }
  // It compares the record with the version that the caller names, so it is in writes with both.
  assert.deepEqual(kindsOf('checkPrecondition'), kindsOf('authorize', 'lockRecord'));
});

test('a kind of write with authorization is not carried out without a token, whatever the types say', async () => {
  const queried: string[] = [];
  const database = { transaction: async () => queried.push('transaction') } as unknown as Database;
  for (const kind of kinds) {
    queried.length = 0;
    const plan = { kind, lock: [], reads: {}, model: { resource: {} } } as unknown as TokenlessWrite['plan'];
    const scope = { organizationId: 'x', userId: null };
    const written = write({ database, nudge: () => undefined }, { scope, requestId: 'x', plan, token: null });
    if (hasStep(kind, 'authorize')) await assert.rejects(written, /needs a token/, kind);
    else await written;
    assert.deepEqual(queried, hasStep(kind, 'authorize') ? [] : ['transaction'], kind);
  }
  assert.deepEqual(
    kinds.filter((kind) => !hasStep(kind, 'authorize')),
    ['system', 'administration'],
  );
});

test('each question has a name that its file defines', async () => {
  const rows = [...text.matchAll(/^\| … .+\? \| `([^`]+)` \| `([^`]+)` \|$/gm)];
  assert.equal(rows.length, 15);
  for (const [, file = '', name = ''] of rows) {
    const source = await readFile(`${root}${file}`, 'utf8');
    assert.match(
      source,
      new RegExp(`(function|const|class|FUNCTION) (trellis\\.)?${name}\\b`),
      `${file}: ${name}`,
    );
  }
});
