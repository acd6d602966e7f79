/** The S3 store with a server that is slow, fails or interrupts responses, and with a wrong configuration. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { createS3Store, type S3StoreOptions } from '@trellis/server/adapters/s3/s3-store.ts';
import { ObjectStoreError, type PutOptions } from '@trellis/server/kernel/objects/object-store.ts';
import { computeSignature, type Fault } from '../support/s3-server.ts';
import { until } from '../support/until.ts';
import { filesBelow, type OpenedS3Store, openS3Store, organizationId, sha256Of, streamOf } from './stores.ts';

const options: PutOptions = { maxBytes: 1_000_000, signal: new AbortController().signal };
const busy: Fault = { kind: 'refuse', status: 503, code: 'SlowDown' };

let opened: OpenedS3Store;
beforeEach(async () => {
  opened = await openS3Store({ timeouts: { responseMs: 5_000 } });
});
afterEach(() => opened.close());

/** Opens another store on the same server, runs something with it, and closes it. */
async function withStore<T>(
  more: Partial<S3StoreOptions>,
  work: (store: Awaited<ReturnType<typeof createS3Store>>) => Promise<T>,
): Promise<T> {
  const store = await createS3Store({
    ...opened.server.location,
    prefix: 'files',
    spoolDirectory: opened.folder,
    retries: { attempts: 2, baseDelayMs: 1 },
    ...more,
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const put = (bytes: Buffer | string) => opened.store.put(organizationId, streamOf(bytes), options);
const statuses = () => opened.server.seen.map(({ status }) => status);

/** Expects an error for the operator without a secret, in itself and in its causes. */
const isUnavailable = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ObjectStoreError, String(error));
  assert.equal(error.reason, 'unavailable', error.message);
  assert.match(error.message, pattern);
  const { accessKey } = opened.server.location;
  for (let shown: unknown = error; shown instanceof Error; shown = shown.cause) {
    const text = `${shown.message} ${shown.stack} ${JSON.stringify(shown)}`;
    for (const secret of [accessKey.secret, accessKey.id, 'wrong-secret', 'Signature=']) {
      assert.ok(!text.includes(secret), text);
    }
  }
  return true;
};

test('the test server computes the signature of the example in the documentation of AWS', () => {
  const hashOfNothing = sha256Of('');
  const signature = computeSignature(
    {
      method: 'GET',
      path: '/test.txt',
      query: '',
      headers: [
        ['host', 'examplebucket.s3.amazonaws.com'],
        ['range', 'bytes=0-9'],
        ['x-amz-content-sha256', hashOfNothing],
        ['x-amz-date', '20130524T000000Z'],
      ],
      payloadHash: hashOfNothing,
      instant: '20130524T000000Z',
      region: 'us-east-1',
    },
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  );
  assert.equal(signature, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
});

test('the test server refuses unsigned requests', async () => {
  const { endpoint, bucket } = opened.server.location;
  const { sha256 } = await put('not public');
  const response = await fetch(`${endpoint}/${bucket}/files/${organizationId}/${sha256}`);
  assert.equal(response.status, 403);
  assert.doesNotMatch(await response.text(), /not public/);
});

test('keys are prefix, organization and hash', async () => {
  const { sha256 } = await put('a key');
  assert.deepEqual([...opened.server.objects.keys()], [`files/${organizationId}/${sha256}`]);
  await withStore({ prefix: '' }, async (store) => {
    await store.put(organizationId, streamOf('a key'), options);
    assert.ok(opened.server.objects.has(`${organizationId}/${sha256}`));
    assert.deepEqual(await Array.fromAsync(store.organizations()), [organizationId]);
  });
  await withStore({ prefix: 'other/place/' }, async (store) => {
    assert.equal(await store.has(organizationId, sha256), false);
    assert.deepEqual(await Array.fromAsync(store.organizations()), []);
  });
});

test('a call to a busy store is retried', async () => {
  const { sha256 } = await put('patience');
  opened.server.seen.length = 0;
  opened.server.failNext(busy, { kind: 'refuse', status: 500, code: 'InternalError' });
  assert.equal((await put('patience')).sha256, sha256);
  opened.server.failNext(busy, { kind: 'drop' });
  assert.equal((await buffer(await opened.store.open(organizationId, sha256))).toString(), 'patience');
  opened.server.failNext({ kind: 'refuse', status: 429, code: 'TooManyRequests' });
  assert.equal(await opened.store.has(organizationId, sha256), true);
  opened.server.failNext(busy);
  assert.equal((await opened.store.list(organizationId, null, 10)).length, 1);
  opened.server.failNext(busy);
  await opened.store.remove(organizationId, sha256);
  assert.deepEqual(statuses(), [503, 500, 200, 503, 0, 200, 429, 200, 503, 200, 503, 204]);
});

test('a call to a store that stays busy fails and leaves nothing', async () => {
  opened.server.failNext(busy, busy, busy);
  await assert.rejects(put('in vain'), isUnavailable(/status 503 \(SlowDown\)/));
  assert.deepEqual(statuses(), [503, 503, 503]);
  assert.deepEqual(await opened.files(), []);
});

test('a refused call is not retried', async () => {
  opened.server.failNext({ kind: 'refuse', status: 403, code: 'AccessDenied' });
  await assert.rejects(put('refused'), isUnavailable(/s3:PutObject/));
  assert.deepEqual(statuses(), [403]);
  assert.deepEqual(await opened.files(), []);
});

test('a call without a response fails in time', async () => {
  await withStore({ timeouts: { responseMs: 50 } }, async (store) => {
    opened.server.failNext({ kind: 'ignore' }, { kind: 'ignore' });
    await assert.rejects(
      store.has(organizationId, sha256Of('x')),
      isUnavailable(/did not respond within 50 ms/),
    );
    opened.server.failNext({ kind: 'ignore' }, { kind: 'ignore' });
    const call = store.put(organizationId, streamOf('x'), options);
    await assert.rejects(call, isUnavailable(/did not respond within/));
  });
  assert.deepEqual(await opened.files(), []);
});

test('aborting ends a waiting call', { timeout: 180_000 }, async () => {
  const reason = new Error('enough');
  const hourMs = 3_600_000;
  const patience = { timeouts: { responseMs: hourMs }, retries: { attempts: 2, baseDelayMs: hourMs } };
  await withStore(patience, async (store) => {
    // Once while waiting for a response, and once while waiting for a retry.
    for (const fault of [{ kind: 'ignore' }, busy] as const) {
      opened.server.seen.length = 0;
      opened.server.failNext(fault);
      const controller = new AbortController();
      const call = store.put(organizationId, streamOf('x'), { ...options, signal: controller.signal });
      await Promise.all([
        assert.rejects(call, reason),
        until('the request', async () => opened.server.seen.length > 0).then(async () => {
          if (fault === busy) await until('its response', async () => statuses()[0] === 503);
          controller.abort(reason);
        }),
      ]);
      assert.equal(opened.server.seen.length, 1);
    }
  });
  assert.deepEqual(await opened.files(), []);
});

test('an interrupted or stalled response fails the stream and the copy', async () => {
  const { sha256 } = await put(Buffer.alloc(500_000, 1));
  await withStore({ timeouts: { responseMs: 1_000 } }, async (store) => {
    for (const [fault, pattern] of [
      [{ kind: 'cut' }, /interrupted its response/],
      [{ kind: 'stall' }, /sent nothing for 1000 ms/],
    ] as const) {
      opened.server.failNext(fault);
      const stream = await store.open(organizationId, sha256);
      await assert.rejects(buffer(stream), isUnavailable(pattern));
      opened.server.failNext(fault);
      await assert.rejects(store.borrow(organizationId, sha256, options.signal), isUnavailable(pattern));
    }
  });
  assert.deepEqual(await filesBelow(opened.folder), []);
});

test('a copy that does not match its hash is refused', async () => {
  const { sha256 } = await put('right');
  const object = opened.server.objects.get(`files/${organizationId}/${sha256}`);
  assert.ok(object);
  object.bytes = Buffer.from('wrong');
  const call = opened.store.borrow(organizationId, sha256, options.signal);
  await assert.rejects(call, isUnavailable(/other bytes under the hash/));
  assert.deepEqual(await filesBelow(opened.folder), []);
});

test('a borrowed copy is private and removed when it is released', async () => {
  const { sha256 } = await put('for a while');
  const { path, release } = await opened.store.borrow(organizationId, sha256, options.signal);
  assert.deepEqual((await filesBelow(opened.folder)).length, 1);
  assert.ok(path.startsWith(opened.folder));
  await release();
  assert.deepEqual(await filesBelow(opened.folder), []);
});

test('a store that ignores ranges is reported', async () => {
  const { sha256 } = await put('0123456789');
  opened.server.failNext({ kind: 'ignore range' });
  const call = opened.store.open(organizationId, sha256, { start: 5, end: 7 });
  await assert.rejects(call, isUnavailable(/does not respond with the range/));
});

test('wrong settings are reported by name', async () => {
  const cases: [Partial<S3StoreOptions>, RegExp][] = [
    [{ accessKey: { id: 'TESTKEYID', secret: 'wrong-secret' } }, /the secret access key is wrong/],
    [{ accessKey: { id: 'OTHERKEYID', secret: 'test+secret/key' } }, /does not know the access key id/],
    [{ bucket: 'absent' }, /has no such bucket/],
    [{ region: 'elsewhere' }, /does not accept the region/],
    [{ endpoint: 'http://127.0.0.1:1' }, /cannot be reached \(ECONNREFUSED|bad port/],
  ];
  const { sha256 } = await put('there');
  for (const [settings, pattern] of cases) {
    await withStore(settings, async (store) => {
      await assert.rejects(store.check(), isUnavailable(pattern));
      await assert.rejects(store.open(organizationId, sha256), isUnavailable(pattern));
      await assert.rejects(store.list(organizationId, null, 1), isUnavailable(pattern));
      await assert.rejects(store.remove(organizationId, sha256), isUnavailable(pattern));
      await assert.rejects(Array.fromAsync(store.organizations()), isUnavailable(pattern));
      // A response to HEAD has no reason. It must not be read as a missing object.
      await assert.rejects(store.has(organizationId, sha256), isUnavailable(/wrong|bucket|400|reached/));
    });
  }
  assert.deepEqual([...opened.server.objects.keys()], [`files/${organizationId}/${sha256}`]);
});

test('a redirect is not followed', async () => {
  const elsewhere = await openS3Store();
  try {
    const { endpoint } = elsewhere.server.location;
    for (const [status, code] of [
      [307, 'TemporaryRedirect'],
      [301, 'PermanentRedirect'],
      [302, 'Found'],
    ] as const) {
      const redirect: Fault = { kind: 'refuse', status, code, headers: { location: endpoint } };
      const pattern = /correct the region and the endpoint/;
      opened.server.failNext(redirect);
      await assert.rejects(put('stays'), isUnavailable(pattern));
      assert.deepEqual(statuses(), [status]);
      opened.server.seen.length = 0;
      opened.server.failNext(redirect);
      await assert.rejects(opened.store.open(organizationId, sha256Of('x')), isUnavailable(pattern));
      assert.deepEqual(statuses(), [status]);
      opened.server.seen.length = 0;
    }
    assert.deepEqual(elsewhere.server.seen, []);
  } finally {
    await elsewhere.close();
  }
});

test('responses that are not in the form of S3 are reported', async () => {
  const key = `files/${organizationId}/${'a'.repeat(64)}`;
  const listOf = (inner: string) =>
    `<ListBucketResult><Name>${opened.server.location.bucket}</Name>${inner}</ListBucketResult>`;
  for (const body of [
    '',
    'hello',
    '<html><body>login</body></html>',
    '<ListBucketResult>',
    listOf('<IsTruncated>true</IsTruncated>'),
    listOf(`<Contents><Key>${key}</Key><LastModified>soon</LastModified></Contents>`),
  ]) {
    opened.server.failNext({ kind: 'say', body });
    await assert.rejects(
      opened.store.list(organizationId, null, 10),
      isUnavailable(/does not respond like S3|other than a response of S3/),
      body,
    );
  }
  opened.server.failNext({ kind: 'say', body: 'x'.repeat(5_000_000) });
  await assert.rejects(opened.store.list(organizationId, null, 10), isUnavailable(/more than 4194304 bytes/));
  // Foreign keys in a list are ignored.
  const contents = (name: string) =>
    `<Contents><Key>${name}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`;
  const names = [`${key}.txt`, 'files/../../etc', `other/${'a'.repeat(64)}`, key];
  opened.server.failNext({ kind: 'say', body: listOf(names.map(contents).join('')) });
  assert.deepEqual(await opened.store.list(organizationId, null, 10), [
    { sha256: 'a'.repeat(64), modifiedAt: new Date('2026-01-02T03:04:05.000Z') },
  ]);
});

test('without an access key, the credentials of the environment are used, here those of a container with a session token', async () => {
  const sessionToken = 'a+session/token==';
  const credentials = createServer((_request, response) => {
    const { id, secret } = opened.server.location.accessKey;
    const expiration = new Date(Date.now() + 3_600_000).toISOString();
    response.end(
      JSON.stringify({
        AccessKeyId: id,
        SecretAccessKey: secret,
        Token: sessionToken,
        Expiration: expiration,
      }),
    );
  });
  credentials.listen(0, '127.0.0.1');
  await once(credentials, 'listening');
  const { port } = credentials.address() as AddressInfo;
  const temporary = await openS3Store({ accessKey: null }, { sessionToken });
  process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI = `http://127.0.0.1:${port}/role`;
  try {
    const { sha256 } = await temporary.store.put(organizationId, streamOf('by role'), options);
    assert.equal(await temporary.store.has(organizationId, sha256), true);
  } finally {
    delete process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
    credentials.close();
    await temporary.close();
  }
});

test('invalid settings are refused at once', async () => {
  for (const settings of [
    { endpoint: 'ftp://example.org' },
    { endpoint: 'example.org' },
    { endpoint: 'https://user:password@example.org' },
    { endpoint: 'http://127.0.0.1:9000', forcePathStyle: false },
    { bucket: 'a/b' },
    { bucket: '..' },
    { bucket: '' },
    { prefix: '/x' },
    { prefix: 'x//y' },
    { prefix: '../x' },
    { prefix: 'x/./y' },
    { prefix: 'x?y' },
  ]) {
    await assert.rejects(
      withStore(settings, () => Promise.resolve()),
      TypeError,
      JSON.stringify(settings),
    );
  }
});
