/** Tests of the contract of object stores, for any of them. */
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
} from '@trellis/server/kernel/objects/object-store.ts';
import { until } from '../support/until.ts';
import {
  filesBelow,
  mebibyte,
  type OpenedStore,
  organizationId,
  otherOrganizationId,
  putOptions,
  sha256Of,
  streamOf,
} from './stores.ts';

const failsWith = (reason: ObjectStoreReason) => (error: unknown) => {
  assert.ok(error instanceof ObjectStoreError, String(error));
  assert.equal(error.reason, reason);
  return true;
};

/** Bytes without a short period, so that a wrong offset is detected. */
function patternOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 31 + (index >> 8)) & 255;
  return bytes;
}

/** Declares the tests of one kind of store. */
export function testContract(name: string, openStore: () => Promise<OpenedStore>): void {
  describe(name, () => {
    let opened: OpenedStore;
    before(async () => {
      opened = await openStore();
    });
    after(() => opened.close());

    const put = (bytes: Buffer | string, more: Partial<PutOptions> = {}) =>
      opened.store.put(organizationId, streamOf(bytes), putOptions(more));

    /** Runs a failing call and expects that it leaves nothing, neither an object nor a temporary file. */
    async function leavesNothing(work: () => Promise<void>): Promise<void> {
      const files = await opened.files();
      await work();
      assert.deepEqual(await opened.files(), files);
    }

    test('stored bytes are returned unchanged under their hash', async () => {
      const bytes = patternOf(300_000);
      const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 70_000), bytes.subarray(70_000)];
      const stored = await opened.store.put(organizationId, streamOf(...pieces), putOptions());
      assert.deepEqual(stored, { sha256: sha256Of(bytes), sizeBytes: 300_000 });
      assert.ok((await buffer(await opened.store.open(organizationId, stored.sha256))).equals(bytes));
      assert.equal(await opened.store.has(organizationId, stored.sha256), true);
    });

    test('an empty object can be stored', async () => {
      const { sha256, sizeBytes } = await opened.store.put(organizationId, streamOf(), putOptions());
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
      const { signal } = putOptions();
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
      const borrowed = await opened.store.borrow(organizationId, sha256, putOptions().signal);
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

    test('reading an endless source stops at the limit', async () => {
      let taken = 0;
      async function* endless(): AsyncGenerator<Buffer> {
        for (;;) {
          taken += 1;
          yield Buffer.alloc(1_000);
        }
      }
      await leavesNothing(async () => {
        const call = opened.store.put(organizationId, endless(), putOptions({ maxBytes: 10_500 }));
        await assert.rejects(call, failsWith('too_large'));
      });
      assert.equal(taken, 11);
    });

    test('an announced length must match, and is refused unread when it is too large', async () => {
      assert.equal((await put('12345', { expectedBytes: 5 })).sizeBytes, 5);
      for (const expectedBytes of [4, 6, 0]) {
        await leavesNothing(() =>
          assert.rejects(put('1234567'.slice(0, 5), { expectedBytes }), failsWith('incomplete')),
        );
      }
      const source = Readable.from([Buffer.from('12345')]);
      const call = opened.store.put(organizationId, source, putOptions({ maxBytes: 4, expectedBytes: 5 }));
      await assert.rejects(call, failsWith('too_large'));
      assert.equal(source.readableDidRead, false);
    });

    test('a refused stream is neither read nor destroyed', async () => {
      const source = Readable.from([Buffer.from('12345'), Buffer.from('67890')]);
      const call = opened.store.put(organizationId, source, putOptions({ maxBytes: 3 }));
      await assert.rejects(call, failsWith('too_large'));
      await new Promise(setImmediate);
      assert.equal(source.destroyed, false);
    });

    test('a request that is too large can still get a response', async () => {
      const server = createServer((request, response) => {
        opened.store.put(organizationId, request, putOptions({ maxBytes: 1_000 })).catch((error) => {
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

    test('an interrupted request leaves nothing', async () => {
      const outcome = Promise.withResolvers<unknown>();
      const server = createServer((request) => {
        opened.store
          .put(organizationId, request, putOptions({ expectedBytes: 500_000 }))
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
        await assert.rejects(opened.store.put(organizationId, failing(), putOptions()), (error: Error) => {
          assert.equal(error.cause, cause);
          return failsWith('incomplete')(error);
        });
        const gone = Readable.from([Buffer.from('some')]).destroy();
        await assert.rejects(opened.store.put(organizationId, gone, putOptions()), failsWith('incomplete'));
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
        const call = opened.store.put(organizationId, silent(), putOptions({ signal: controller.signal }));
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

    test('concurrent puts and removals do not interfere', async () => {
      const files = await opened.files();
      const sha256 = sha256Of('bytes');
      // The only object of its organization, so that every removal also removes the folders of the next put.
      const puts = { running: 3 };
      const putOften = async () => {
        for (let round = 0; round < 30; round += 1) {
          await opened.store.put(otherOrganizationId, streamOf('bytes'), putOptions());
        }
        puts.running -= 1;
      };
      const removeMeanwhile = async () => {
        while (puts.running > 0) await opened.store.remove(otherOrganizationId, sha256);
      };
      await Promise.all([putOften(), putOften(), putOften(), removeMeanwhile(), removeMeanwhile()]);
      await opened.store.remove(otherOrganizationId, sha256);
      assert.deepEqual(await opened.files(), files);
      await opened.store.put(otherOrganizationId, streamOf('bytes'), putOptions());
      assert.equal((await buffer(await opened.store.open(otherOrganizationId, sha256))).toString(), 'bytes');
      await opened.store.remove(otherOrganizationId, sha256);
    });

    test('names with other paths are refused by every call', async () => {
      const sha256 = sha256Of('x');
      const { store } = opened;
      const { signal } = putOptions();
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
        await assert.rejects(store.put(bad, streamOf('x'), putOptions()), TypeError, bad);
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
}
