/** Tests of the stored changes: in memory they are what they are in IndexedDB, and nothing is done to what is not what it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amend, composeChain } from '@trellis/console/outbox/merge/rebase.ts';
import type { Change, Refusal } from '@trellis/console/outbox/store/change.ts';
import { chainFrom } from '@trellis/console/outbox/store/change.ts';
import { ChangeStore } from '@trellis/console/outbox/store/change-store.ts';
import { type ChangeTable, memoryTable, storedTable } from '@trellis/console/outbox/store/change-table.ts';
import fc from 'fast-check';
import { TestBrowserStorage } from './tabs.ts';

const owner = 'org_1 user_1';
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
      'addUnseen',
      'request',
      'claim',
      'refuse',
      'settle',
      'dismiss',
      'retry',
      'merge',
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
  const changes = await store.list(owner);
  const target = changes[index];
  const after = changes.findLast((change) => change.record === record)?.key ?? null;
  const path = `/v1/books/${record}`;
  if (kind === 'add' || kind === 'addUnseen') {
    const request = { method: 'PATCH', path, body: { subtitle: `${now}` }, ifMatch: '"1"' } as const;
    const base = { subtitle: null };
    const seen = kind === 'add' ? after : 'a key that nothing has';
    return plain(
      await store.add(
        owner,
        { record, request, label: 'A', base, coalesces: true, after: seen },
        askedAt(now),
      ),
    );
  }
  if (kind === 'request') {
    const request = { method: 'DELETE', path, body: null, ifMatch: '"1"' } as const;
    return plain(await store.add(owner, { record, request, label: 'A', after }, askedAt(now)));
  }
  if (target === undefined) return null;
  const amended = { request: { ...target.request, ifMatch: '"7"' }, base: { subtitle: 'b' } };
  if (kind === 'claim') return plain(await store.claim(target.sequence, now));
  if (kind === 'refuse') return store.refuse(target, mismatch);
  if (kind === 'settle') return store.settle(target.sequence, '"2"');
  if (kind === 'dismiss') return store.dismiss(target);
  if (kind === 'retry') return plain(await store.retry(target, amended, askedAt(now)));
  const merged = await store.merge(chainFrom(target, changes), amended);
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
        return [responses, (await store.list(owner)).map(plain)];
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
  const added = await store.add(owner, { record: 'book_1', request, label: 'A' }, askedAt(1));
  await assert.rejects(
    table.transact(async (rows) => {
      rows.remove(added.sequence);
      throw new Error('the tab has failed');
    }),
    { message: 'the tab has failed' },
  );
  assert.deepEqual(await store.list(owner), [added]);
  assert.equal(await store.dismiss(added), true);
});

test('nothing is done to a change that another tab has joined, merged, sent again or removed', async () => {
  const store = new ChangeStore(memoryTable());
  const patch = (base: string | null, subtitle: string, after: string | null) => ({
    record: 'book_1',
    label: 'A',
    request: {
      method: 'PATCH',
      path: '/v1/books/book_1',
      body: { subtitle },
      ifMatch: '"1"',
    } as const,
    base: { subtitle: base },
    coalesces: true,
    after,
  });
  const first = await store.add(owner, patch(null, 'one', null), askedAt(1));
  const joined = await store.add(owner, patch('one', 'two', first.key), askedAt(2));
  assert.equal(await store.dismiss(first), false);
  await store.refuse(joined, mismatch);
  const behind = await store.add(owner, patch('two', 'three', joined.key), askedAt(3));
  assert.equal(behind.dependsOn, joined.sequence);
  const [refused] = await store.list(owner);
  assert.ok(refused !== undefined);
  // Made of what was read before the third one was added, so its text would be lost.
  assert.equal(await store.merge([refused], { request: refused.request, base: {} }), false);
  const merged = await store.merge([refused, behind], { request: refused.request, base: {} });
  assert.ok(merged !== null && merged !== false);
  assert.deepEqual([merged.sequence, merged.contains], [refused.sequence, [behind.sequence]]);
  assert.deepEqual(await store.list(owner), [merged]);
  assert.equal(await store.merge([refused], null), false);
  assert.equal(await store.retry(refused, null, askedAt(4)), null);
  assert.equal(await store.retry(merged, null, askedAt(5)), null, 'it was not refused');
});

test('changes that become one request have the right to publish only if each of them has it', async () => {
  for (const first of ['drafts', undefined] as const) {
    for (const second of ['drafts', undefined] as const) {
      const store = new ChangeStore(memoryTable());
      type Scopes = 'drafts' | undefined;
      const patch = (base: string | null, subtitle: string, sessionScopes: Scopes, after: string | null) => ({
        record: 'book_1',
        label: 'A',
        request: {
          method: 'PATCH',
          path: '/v1/books/book_1',
          body: { subtitle },
          ifMatch: '"1"',
          sessionScopes,
        } as const,
        base: { subtitle: base },
        coalesces: true,
        after,
      });
      const alone = await store.add(owner, patch(null, 'one', first, null), askedAt(1));
      const joined = await store.add(owner, patch('one', 'two', second, alone.key), askedAt(2));
      if (first === second) assert.equal(joined.sequence, alone.sequence);
      else assert.equal(joined.dependsOn, alone.sequence);
      const scopes = (await store.list(owner)).map(({ request }) => request.sessionScopes);
      assert.deepEqual(scopes, first === second ? [first] : [first, second]);

      const sent = await store.add(owner, patch('two', 'three', first, null), askedAt(3));
      await store.claim(sent.sequence, 4);
      const behind = await store.add(owner, patch('three', 'four', second, sent.key), askedAt(5));
      assert.equal(behind.dependsOn, sent.sequence);
      const values = new Map([['subtitle', 'five']]);
      const amended = amend([sent, behind], values, { id: 'book_1', version: 2, subtitle: 'theirs' });
      const isExplicit = first === undefined && second === undefined;
      assert.equal(amended?.request.sessionScopes, isExplicit ? undefined : 'drafts');
    }
  }
});

test('a change that has met more than the one before it leaves is not joined with that: it was made of a record that others have changed', async () => {
  const store = new ChangeStore(memoryTable());
  const patch = (base: string, description: string, after: string | null) => ({
    record: 'book_1',
    label: 'A',
    request: { method: 'PATCH', path: '/v1/books/book_1', body: { description }, ifMatch: '"1"' } as const,
    base: { description: base },
    coalesces: true,
    after,
  });
  const alone = await store.add(owner, patch('one\n\ntwo\n', 'One\n\ntwo\n', null), askedAt(1));
  const behind = await store.add(owner, patch('One\n\nTwo\n', 'ONE\n\nTwo\n', alone.key), askedAt(2));
  assert.equal(behind.dependsOn, alone.sequence);
  const { base, mine } = composeChain(await store.list(owner));
  assert.deepEqual([base, mine], [{ description: 'one\n\nTwo\n' }, { description: 'ONE\n\nTwo\n' }]);
});
