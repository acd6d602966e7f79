/** The contract of object stores, tested on both implementations. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import {
  ObjectStoreError,
  type ObjectStoreReason,
  type PutOptions,
} from '@trellis/server/objects/object-store.ts';
import {
  filesBelow,
  type OpenedStore,
  openLocalStore,
  openS3Store,
  organizationId,
  otherOrganizationId,
  sha256Of,
  streamOf,
  until,
} from './stores.ts';

const mebibyte = 1_048_576;

const failsWith = (reason: ObjectStoreReason) => (error: unknown) => {
  assert.ok(error instanceof ObjectStoreError, String(error));
  assert.equal(error.reason, reason);
  return true;
};

function options(more: Partial<PutOptions> = {}): PutOptions {
  return { maxBytes: mebibyte, signal: new AbortController().signal, ...more };
}

/** Bytes that differ everywhere, so that a wrong offset shows. */
function patternOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 31 + (index >> 8)) & 255;
  return bytes;
}

for (const [name, openStore] of [
  ['local disk', openLocalStore],
  // Pages of two keys: whatever lists more has to go on.
  ['S3', () => openS3Store({}, { pageSize: 2 })],
] as const) {
  describe(name, () => {
    let opened: OpenedStore;
    before(async () => {
      opened = await openStore();
    });
    after(() => opened.close());

    const put = (bytes: Buffer | string, more: Partial<PutOptions> = {}) =>
      opened.store.put(organizationId, streamOf(bytes), options(more));

    /** Runs a failing call and expects that it leaves nothing, neither an object nor a temporary file. */
    async function leavesNothing(work: () => Promise<void>): Promise<void> {
      const files = await opened.files();
      await work();
      assert.deepEqual(await opened.files(), files);
    }

    test('stored bytes are returned unchanged under their hash', async () => {
      const bytes = patternOf(300_000);
      const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 70_000), bytes.subarray(70_000)];
      const stored = await opened.store.put(organizationId, streamOf(...pieces), options());
      assert.deepEqual(stored, { sha256: sha256Of(bytes), sizeBytes: 300_000 });
      assert.ok((await buffer(await opened.store.open(organizationId, stored.sha256))).equals(bytes));
      assert.equal(await opened.store.has(organizationId, stored.sha256), true);
    });

    test('an empty object can be stored', async () => {
      const { sha256, sizeBytes } = await opened.store.put(organizationId, streamOf(), options());
      assert.equal(sizeBytes, 0);
      assert.equal((await buffer(await opened.store.open(organizationId, sha256))).length, 0);
      assert.equal(await opened.store.has(organizationId, sha256), true);
      await assert.rejects(opened.store.open(organizationId, sha256, { start: 0, end: 0 }), RangeError);
    });

    test('an organization has only its own bytes', async () => {
      const { sha256 } = await put('of one organization');
      assert.equal(await opened.store.has(otherOrganizationId, sha256), false);
      await assert.rejects(opened.store.open(otherOrganizationId, sha256), failsWith('not_found'));
      await opened.store.remove(otherOrganizationId, sha256);
      assert.equal(await opened.store.has(organizationId, sha256), true);
    });

    test('ranges', async () => {
      const bytes = patternOf(200_000);
      const { sha256 } = await put(bytes);
      for (const [start, end] of [
        [0, 0],
        [0, 199_999],
        [1, 65_536],
        [65_535, 131_072],
        [199_999, 199_999],
        [199_990, 1_000_000],
      ] as const) {
        const read = await buffer(await opened.store.open(organizationId, sha256, { start, end }));
        assert.ok(read.equals(bytes.subarray(start, end + 1)), `${start}-${end} gave ${read.length} bytes`);
      }
      for (const [start, end] of [
        [200_000, 200_000],
        [200_000, 300_000],
        [-1, 5],
        [5, 4],
        [0.5, 2],
        [0, Number.NaN],
      ] as const) {
        await assert.rejects(opened.store.open(organizationId, sha256, { start, end }), RangeError);
      }
    });

    test('a stream that is not read to its end can be released', async () => {
      const { sha256 } = await put(patternOf(mebibyte));
      const unread = await opened.store.open(organizationId, sha256);
      unread.destroy();
      await once(unread, 'close');
      const half = await opened.store.open(organizationId, sha256);
      await once(half, 'readable');
      assert.ok(half.read() !== null);
      half.destroy();
      await once(half, 'close');
    });

    test('missing objects are reported as not found', async () => {
      const sha256 = sha256Of('never stored');
      const { signal } = options();
      assert.equal(await opened.store.has(organizationId, sha256), false);
      await assert.rejects(opened.store.open(organizationId, sha256), failsWith('not_found'));
      await assert.rejects(opened.store.borrow(organizationId, sha256, signal), failsWith('not_found'));
      await opened.store.remove(organizationId, sha256);
    });

    test('removed bytes are gone, and can be stored again', async () => {
      const { sha256 } = await put('comes and goes');
      await opened.store.remove(organizationId, sha256);
      assert.equal(await opened.store.has(organizationId, sha256), false);
      await opened.store.remove(organizationId, sha256);
      await put('comes and goes');
      assert.equal(await opened.store.has(organizationId, sha256), true);
    });

    test('a borrowed file has the bytes, and releasing it keeps the object', async () => {
      const { sha256 } = await put('a file for a tool');
      const files = await opened.files();
      const borrowed = await opened.store.borrow(organizationId, sha256, options().signal);
      assert.equal(await readFile(borrowed.path, 'utf8'), 'a file for a tool');
      await borrowed.release();
      await borrowed.release();
      assert.deepEqual(await opened.files(), files);
      assert.equal(await opened.store.has(organizationId, sha256), true);
    });

    test('as many bytes as allowed, and one more', async () => {
      const bytes = patternOf(1_000);
      assert.equal((await put(bytes, { maxBytes: 1_000 })).sizeBytes, 1_000);
      await leavesNothing(async () => {
        await assert.rejects(put(patternOf(1_001), { maxBytes: 1_000 }), failsWith('too_large'));
      });
    });

    test('an endless source is left at the limit', async () => {
      let taken = 0;
      async function* endless(): AsyncGenerator<Buffer> {
        for (;;) {
          taken += 1;
          yield Buffer.alloc(1_000);
        }
      }
      await leavesNothing(async () => {
        const call = opened.store.put(organizationId, endless(), options({ maxBytes: 10_500 }));
        await assert.rejects(call, failsWith('too_large'));
      });
      assert.equal(taken, 11);
    });

    test('a length that was announced must come, and is refused unread when too large', async () => {
      assert.equal((await put('12345', { expectedBytes: 5 })).sizeBytes, 5);
      for (const expectedBytes of [4, 6, 0]) {
        await leavesNothing(() =>
          assert.rejects(put('1234567'.slice(0, 5), { expectedBytes }), failsWith('incomplete')),
        );
      }
      const source = Readable.from([Buffer.from('12345')]);
      const call = opened.store.put(organizationId, source, options({ maxBytes: 4, expectedBytes: 5 }));
      await assert.rejects(call, failsWith('too_large'));
      assert.equal(source.readableDidRead, false);
    });

    test('a stream that is refused is left as it is', async () => {
      const source = Readable.from([Buffer.from('12345'), Buffer.from('67890')]);
      const call = opened.store.put(organizationId, source, options({ maxBytes: 3 }));
      await assert.rejects(call, failsWith('too_large'));
      await new Promise(setImmediate);
      assert.equal(source.destroyed, false);
    });

    test('a request that is too large can still be answered', async () => {
      const server = createServer((request, response) => {
        opened.store.put(organizationId, request, options({ maxBytes: 1_000 })).catch((error) => {
          request.resume();
          response.writeHead(413);
          response.end(String(error.reason));
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const { port } = server.address() as AddressInfo;
        const body = patternOf(500_000);
        const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
        assert.deepEqual([response.status, await response.text()], [413, 'too_large']);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    });

    test('a request that is cut leaves nothing', async () => {
      const outcome = Promise.withResolvers<unknown>();
      const server = createServer((request) => {
        opened.store
          .put(organizationId, request, options({ expectedBytes: 500_000 }))
          .then(outcome.resolve, outcome.resolve);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        await leavesNothing(async () => {
          const headers = { 'content-length': 500_000 };
          const { port } = server.address() as AddressInfo;
          const request = sendRequest({ host: '127.0.0.1', port, method: 'PUT', headers });
          request.on('error', () => undefined);
          const before = (await filesBelow(opened.folder)).length;
          request.write(patternOf(100_000));
          await until('the upload', async () => (await filesBelow(opened.folder)).length > before);
          request.destroy();
          failsWith('incomplete')(await outcome.promise);
        });
      } finally {
        server.close();
        server.closeAllConnections();
      }
    });

    test('a source that fails leaves nothing and is the cause', async () => {
      const cause = new Error('the source broke');
      async function* failing(): AsyncGenerator<Buffer> {
        yield Buffer.from('some');
        throw cause;
      }
      await leavesNothing(async () => {
        await assert.rejects(opened.store.put(organizationId, failing(), options()), (error: Error) => {
          assert.equal(error.cause, cause);
          return failsWith('incomplete')(error);
        });
        const gone = Readable.from([Buffer.from('some')]).destroy();
        await assert.rejects(opened.store.put(organizationId, gone, options()), failsWith('incomplete'));
      });
    });

    test('aborting ends a put before it begins, and while its source is silent', async () => {
      const reason = new Error('enough');
      await leavesNothing(() => assert.rejects(put('never', { signal: AbortSignal.abort(reason) }), reason));
      const controller = new AbortController();
      async function* silent(): AsyncGenerator<Buffer> {
        yield Buffer.from('some');
        setImmediate(() => controller.abort(reason));
        await new Promise(() => undefined);
      }
      await leavesNothing(async () => {
        const call = opened.store.put(organizationId, silent(), options({ signal: controller.signal }));
        await assert.rejects(call, reason);
      });
      const { sha256 } = await put('borrowed in vain');
      const call = opened.store.borrow(organizationId, sha256, AbortSignal.abort(reason));
      await assert.rejects(call, reason);
    });

    test('the same bytes put many times at once are one object', async () => {
      const bytes = patternOf(400_000);
      const files = (await opened.files()).length;
      const stored = await Promise.all(Array.from({ length: 12 }, () => put(bytes)));
      assert.deepEqual(new Set(stored.map(({ sha256 }) => sha256)), new Set([sha256Of(bytes)]));
      assert.equal((await opened.files()).length, files + 1);
      assert.ok((await buffer(await opened.store.open(organizationId, sha256Of(bytes)))).equals(bytes));
    });

    test('puts and removals at once do not disturb each other', async () => {
      const files = await opened.files();
      const sha256 = sha256Of('bytes');
      // The only object of its organization, so that every removal takes folders away under the next put.
      const puts = { running: 3 };
      const putOften = async () => {
        for (let round = 0; round < 30; round += 1) {
          await opened.store.put(otherOrganizationId, streamOf('bytes'), options());
        }
        puts.running -= 1;
      };
      const removeMeanwhile = async () => {
        while (puts.running > 0) await opened.store.remove(otherOrganizationId, sha256);
      };
      await Promise.all([putOften(), putOften(), putOften(), removeMeanwhile(), removeMeanwhile()]);
      await opened.store.remove(otherOrganizationId, sha256);
      assert.deepEqual(await opened.files(), files);
      await opened.store.put(otherOrganizationId, streamOf('bytes'), options());
      assert.equal((await buffer(await opened.store.open(otherOrganizationId, sha256))).toString(), 'bytes');
      await opened.store.remove(otherOrganizationId, sha256);
    });

    test('names that lead elsewhere are refused by every call', async () => {
      const sha256 = sha256Of('x');
      const { store } = opened;
      const { signal } = options();
      const files = await opened.files();
      const badNames = ['', '.', '..', '../x', '/etc/passwd', `../${sha256}`, `${sha256}/..`, `${sha256}\0`];
      const badHashes = [...badNames, sha256.toUpperCase(), sha256.slice(1), `${sha256}0`, `${sha256}\n`];
      for (const bad of badHashes) {
        await assert.rejects(store.open(organizationId, bad), TypeError, bad);
        await assert.rejects(store.borrow(organizationId, bad, signal), TypeError, bad);
        await assert.rejects(store.has(organizationId, bad), TypeError, bad);
        await assert.rejects(store.remove(organizationId, bad), TypeError, bad);
        await assert.rejects(store.list(organizationId, bad, 10), TypeError, bad);
      }
      for (const bad of [...badNames, '*', organizationId.replace('f', 'F'), `${organizationId}/..`]) {
        await assert.rejects(store.put(bad, streamOf('x'), options()), TypeError, bad);
        await assert.rejects(store.open(bad, sha256), TypeError, bad);
        await assert.rejects(store.borrow(bad, sha256, signal), TypeError, bad);
        await assert.rejects(store.has(bad, sha256), TypeError, bad);
        await assert.rejects(store.remove(bad, sha256), TypeError, bad);
        await assert.rejects(store.list(bad, null, 10), TypeError, bad);
      }
      for (const limit of [0, -1, 1.5, 1_001, Number.NaN]) {
        await assert.rejects(store.list(organizationId, null, limit), RangeError);
      }
      assert.deepEqual(await opened.files(), files);
    });

    test('the check passes and leaves nothing', async () => {
      await leavesNothing(() => opened.store.check());
    });
  });

  describe(`${name}: lists`, () => {
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
        expected.push((await store.put(organizationId, streamOf(`object ${index}`), options())).sha256);
      }
      await store.put(otherOrganizationId, streamOf('elsewhere'), options());
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
      for (const id of many) await store.put(id, streamOf('same bytes'), options());
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
        await store.put(organizationId, streamOf('object 0'), options());
        return Number(await timeOf()) > first;
      });
    });
  });
}
