/** Lists of object stores, tested on both implementations. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../support/until.ts';
import {
  type OpenedStore,
  organizationId,
  otherOrganizationId,
  putOptions,
  sha256Of,
  storeKinds,
  streamOf,
} from './stores.ts';

for (const [name, openStore] of storeKinds) {
  describe(name, () => {
    let opened: OpenedStore;
    before(async () => {
      opened = await openStore();
    });
    after(() => opened.close());

    test('pages in the order of hashes, with the time of the last put', async () => {
      const { store } = opened;
      assert.deepEqual(await store.list(organizationId, null, 10), []);
      // A second of slack: file systems and S3 do not share this process's clock to the millisecond.
      const startMs = Date.now() - 1_000;
      const expected: string[] = [];
      for (let index = 0; index < 25; index += 1) {
        expected.push((await store.put(organizationId, streamOf(`object ${index}`), putOptions())).sha256);
      }
      await store.put(otherOrganizationId, streamOf('elsewhere'), putOptions());
      expected.sort();
      for (const limit of [1, 7, 24, 25, 26, 1_000]) {
        const found: string[] = [];
        for (let cursor: string | null = null; ; ) {
          const page = await store.list(organizationId, cursor, limit);
          assert.ok(
            page.every(({ modifiedAt }) => +modifiedAt >= startMs && +modifiedAt <= Date.now() + 1_000),
          );
          found.push(...page.map(({ sha256 }) => sha256));
          if (page.length < limit) break;
          cursor = page.at(-1)?.sha256 ?? null;
        }
        assert.deepEqual(found, expected, `in pages of ${limit}`);
      }
      const between = `${expected[11]?.slice(0, 63)}f`;
      const next = await store.list(organizationId, between, 1);
      assert.equal(next[0]?.sha256, expected[12]);
    });

    test('organizations are those that have objects', async () => {
      const { store } = opened;
      const organizations = async () => (await Array.fromAsync(store.organizations())).sort();
      assert.deepEqual(await organizations(), [organizationId, otherOrganizationId]);
      await store.remove(otherOrganizationId, sha256Of('elsewhere'));
      assert.deepEqual(await organizations(), [organizationId]);
      const many = Array.from({ length: 5 }, (_, index) => otherOrganizationId.replace(/2$/, `${index + 3}`));
      for (const id of many) await store.put(id, streamOf('same bytes'), putOptions());
      assert.deepEqual(await organizations(), [organizationId, ...many]);
    });

    test('putting the same bytes again renews their time', async () => {
      const { store } = opened;
      const sha256 = sha256Of('object 0');
      const timeOf = async () =>
        (await store.list(organizationId, null, 1_000)).find((object) => object.sha256 === sha256)
          ?.modifiedAt;
      const first = Number(await timeOf());
      await until('a later time', async () => {
        await store.put(organizationId, streamOf('object 0'), putOptions());
        return Number(await timeOf()) > first;
      });
    });
  });
}
