/** Tests of the stored changes: in memory they are what they are in IndexedDB, and nothing is done to what is not what it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '@trellis/console/outbox/store/change.ts';
import { ChangeStore } from '@trellis/console/outbox/store/change-store.ts';
import { type ChangeTable, memoryTable, storedTable } from '@trellis/console/outbox/store/change-table.ts';
import type { Refusal } from '@trellis/console/outbox/store/refusal.ts';
import fc from 'fast-check';
import { TestBrowserStorage } from './tabs.ts';

const mismatch: Refusal = {
  code: 'version_mismatch',
  status: 412,
  reasons: ['It is another one.'],
  members: {},
};

/** A step: what is done, and to which of the changes, counted from the first. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'add',
      'request',
      'markSent',
      'refuse',
      'settle',
      'dismiss',
      'retry',
      'merge',
      'replace',
    ),
    index: fc.nat({ max: 3 }),
    record: fc.constantFrom('book_1', 'book_2'),
  }),
  { maxLength: 25 },
);

const askedAt = (now: number) => ({ askedAt: now, session: 'ses_1' });

/** Does a step, and returns what it has said; keys are random, so they are left out. */
async function run(
  store: ChangeStore,
  { kind, index, record }: { readonly kind: string; readonly index: number; readonly record: string },
  now: number,
): Promise<unknown> {
  const changes = await store.list();
  const target = changes[index];
  const last = changes.findLast((change) => change.record === record) ?? null;
  const path = `/v1/books/${record}`;
  if (kind === 'add') {
    const request = { method: 'PATCH', path, body: { subtitle: `${now}` }, ifMatch: '"1"' } as const;
    const base = { subtitle: index === 0 ? null : `${now - 1}` };
    return plain(await store.add({ record, request, label: 'A', base }, askedAt(now)));
  }
  if (kind === 'request') {
    const request = { method: 'DELETE', path, body: null, ifMatch: '"1"' } as const;
    return plain(await store.add({ record, request, label: 'A', after: last?.key ?? null }, askedAt(now)));
  }
  if (target === undefined) return null;
  const amended = { request: { ...target.request, ifMatch: '"7"' }, base: { subtitle: 'b' } };
  if (kind === 'markSent') return plain(await store.markSent(target, now, index === 0 ? amended : null));
  if (kind === 'refuse') return store.refuse(target, mismatch);
  if (kind === 'settle') return store.settle(target.sequence, '"2"');
  if (kind === 'dismiss') return store.dismiss(target);
  if (kind === 'retry') return plain(await store.retry(target, amended, askedAt(now)));
  if (kind === 'replace') {
    const added = { record, request: amended.request, label: 'B', base: amended.base };
    return (await store.replace([target], [added, added], askedAt(now)))?.map(plain) ?? null;
  }
  const merged = await store.merge(target, index === 0 ? null : amended);
  return merged === false ? merged : plain(merged);
}

function plain(change: Change | null): unknown {
  if (change === null) return null;
  const { key, ...rest } = change;
  return rest;
}

test('in memory and in the browser’s storage the same steps leave the same changes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const vault = await new TestBrowserStorage().open();
      const said = async (table: ChangeTable) => {
        const store = new ChangeStore(table);
        const responses: unknown[] = [];
        for (const [now, step] of script.entries()) responses.push(await run(store, step, now));
        return [responses, (await store.list()).map(plain)];
      };
      assert.deepEqual(await said(memoryTable()), await said(storedTable(vault)));
    }),
    { numRuns: 60 },
  );
});

test('a step that fails leaves the table in memory as it was, and the next one is done', async () => {
  const table = memoryTable();
  const store = new ChangeStore(table);
  const request = { method: 'PATCH', path: '/v1/books/book_1', body: {}, ifMatch: null } as const;
  const added = await store.add({ record: 'book_1', request, label: 'A' }, askedAt(1));
  await assert.rejects(
    table.transact((rows) => {
      rows.delete(added.sequence);
      throw new Error('the tab has failed');
    }),
    { message: 'the tab has failed' },
  );
  assert.deepEqual(await store.list(), [added]);
  assert.equal(await store.dismiss(added), true);
});

/** An edit of a book. */
const edit = (
  base: string | null,
  subtitle: string,
  sessionScopes: 'drafts' | undefined = undefined,
  version = 1,
) => ({
  record: 'book_1',
  label: 'A',
  request: {
    method: 'PATCH',
    path: '/v1/books/book_1',
    body: { subtitle },
    ifMatch: `"${version}"`,
    sessionScopes,
  } as const,
  base: { subtitle: base },
});

test('nothing is done to a change that another tab has extended, merged, sent again or removed', async () => {
  const store = new ChangeStore(memoryTable());
  const first = await store.add(edit(null, 'one'), askedAt(1));
  const extended = await store.add(edit('one', 'two'), askedAt(2));
  assert.equal(extended.sequence, first.sequence);
  assert.equal(await store.dismiss(first), false);
  await store.refuse(extended, mismatch);
  const [refused] = await store.list();
  assert.ok(refused !== undefined);
  const behind = await store.add(edit('two', 'three'), askedAt(3));
  assert.deepEqual([behind.sequence, behind.refusal?.code], [refused.sequence, 'version_mismatch']);
  // Made of what was read before the third one was added, so its text would be lost.
  assert.equal(await store.merge(refused, { request: refused.request, base: {} }), false);
  const merged = await store.merge(behind, { request: behind.request, base: {} });
  assert.ok(merged !== null && merged !== false);
  assert.deepEqual(await store.list(), [merged]);
  assert.equal(await store.merge(refused, null), false);
  assert.equal(await store.retry(refused, null, askedAt(4)), null);
  assert.equal(await store.retry(merged, null, askedAt(5)), null, 'it was not refused');
  assert.equal(await store.replace([refused], [], askedAt(6)), null);
  assert.deepEqual(await store.replace([merged], [], askedAt(7)), []);
  assert.deepEqual(await store.list(), []);
});

test('edits of a change under way are decided with it when that turns out to be in conflict', async () => {
  const store = new ChangeStore(memoryTable());
  const sent = await store.add(edit(null, 'one'), askedAt(1));
  await store.markSent(sent, 2, null);
  const behind = await store.add(edit('one', 'two'), askedAt(3));
  assert.notEqual(behind.sequence, sent.sequence);
  await store.refuse(sent, mismatch);
  const [refused, ...others] = await store.list();
  assert.deepEqual(
    [refused?.sequence, refused?.contains, refused?.request.body, refused?.base, others],
    [sent.sequence, [behind.sequence], { subtitle: 'two' }, { subtitle: null }, []],
  );
});

test('changes with different rights do not become one request', async () => {
  for (const first of ['drafts', undefined] as const) {
    for (const second of ['drafts', undefined] as const) {
      const store = new ChangeStore(memoryTable());
      const alone = await store.add(edit(null, 'one', first), askedAt(1));
      const next = await store.add(edit('one', 'two', second), askedAt(2));
      assert.equal(next.sequence === alone.sequence, first === second);
      const scopes = (await store.list()).map(({ request }) => request.sessionScopes);
      assert.deepEqual(scopes, first === second ? [first] : [first, second]);
    }
  }
});

test('an edit of another state of the record is not combined, and a combined one applies to the earlier version', async () => {
  const store = new ChangeStore(memoryTable());
  const alone = await store.add(edit('one', 'One', undefined, 2), askedAt(1));
  const extended = await store.add(edit('One', 'ONE', undefined, 1), askedAt(2));
  assert.deepEqual([extended.sequence, extended.request.ifMatch], [alone.sequence, '"1"']);
  const other = await store.add(edit('One and more', 'two'), askedAt(3));
  assert.notEqual(other.sequence, alone.sequence);
});

test('a request depends on the last change that its page has seen, and not after a merge that it has not seen', async () => {
  const store = new ChangeStore(memoryTable());
  const request = { method: 'DELETE', path: '/v1/books/book_1', body: null, ifMatch: '"1"' } as const;
  const ifMatch = async () => (await store.list()).at(-1)?.request.ifMatch;
  const first = await store.add(edit(null, 'one'), askedAt(1));
  await store.add({ record: 'book_1', request, label: 'A', after: first.key }, askedAt(2));
  await store.settle(first.sequence, '"2"');
  assert.equal(await ifMatch(), '"2"');
  const merged = await store.add({ ...edit(null, 'one'), record: 'book_2' }, askedAt(3));
  await store.add({ record: 'book_2', request, label: 'A', after: merged.key }, askedAt(4));
  await store.merge(merged, { request: merged.request, base: {} });
  await store.settle(merged.sequence, '"9"');
  assert.equal(await ifMatch(), '"1"');
});
