/** Contents in an S3 store: the product behaves the same, and a store that is down affects nothing else. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type ContentPlace, type ContentServer, openContentPlace } from '../support/content-server.ts';
import { buildPdf } from '../support/documents.ts';
import { type S3TestServer, startS3Server } from '../support/s3-server.ts';
import { until } from '../support/until.ts';

const path = '/v1/knowledge-files';

let s3: S3TestServer;
let place: ContentPlace;
let server: ContentServer;
before(async () => {
  s3 = await startS3Server();
  place = await openContentPlace();
  const { endpoint, region, bucket, accessKey } = s3.location;
  server = await place.start({
    TRELLIS_S3_ENDPOINT: endpoint,
    TRELLIS_S3_REGION: region,
    TRELLIS_S3_BUCKET: bucket,
    TRELLIS_S3_PREFIX: 'trellis/',
    TRELLIS_S3_ACCESS_KEY_ID: accessKey.id,
    TRELLIS_S3_SECRET_ACCESS_KEY: accessKey.secret,
  });
});
after(async () => {
  await place?.close();
  await s3?.close();
});

test('a file is uploaded, read, found and downloaded, and its bytes are in the bucket', async () => {
  const pdf = Uint8Array.from(buildPdf(['Nothing here', 'The quick zebra jumps']));
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  const file = await server.createFile({ name: 'Report' });
  const uploaded = await server.upload(file.id, pdf, '?fileName=report.pdf');
  assert.equal(uploaded.status, 200, uploaded.text);
  assert.deepEqual([...s3.objects.keys()], [`trellis/${place.organizationId}/${sha256}`]);
  const ready = await server.settled(file.id);
  assert.deepEqual([ready.status, ready.pageCount, ready.sha256], ['READY', 2, sha256]);
  const found = await server.call('GET', `${path}/search?query=zebra`);
  assert.deepEqual(found.json.items[0].highlights, [
    { field: 'content', snippet: 'The quick <mark>zebra</mark> jumps', page: 2 },
  ]);
  const authorization = `Bearer ${place.token}`;
  const whole = await fetch(`${server.url}${path}/${file.id}/content`, { headers: { authorization } });
  assert.deepEqual(new Uint8Array(await whole.arrayBuffer()), pdf);
  const part = await server.call('GET', `${path}/${file.id}/content`, { headers: { range: 'bytes=1-3' } });
  assert.deepEqual([part.status, part.text], [206, 'PDF']);
});

test('a store that is down is reported, affects nothing else, and is used again when it is back', async () => {
  const content = 'The tapir waits.';
  const file = await server.createFile({ name: 'patient', content });
  assert.equal((await server.settled(file.id)).status, 'READY');
  const item = `${path}/${file.id}`;
  const down = { kind: 'refuse', status: 503, code: 'SlowDown' } as const;
  // More faults than calls in the meantime, including retries.
  s3.failNext(...Array.from({ length: 1_000 }, () => down));
  const refusals = [
    await server.call('GET', `${item}/content`),
    await server.upload(file.id, 'new', '?fileName=a.txt'),
    await server.call('POST', path, { body: { name: 'inline', content: 'inline' } }),
  ];
  for (const { status, json, headers } of refusals) {
    assert.deepEqual([status, json.code], [503, 'storage_unavailable']);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  }
  assert.equal((await server.call('GET', item)).json.version, 2);
  assert.equal((await server.call('GET', `${path}/search?query=tapir`)).json.items.length, 1);
  const renamed = await server.call('PATCH', item, { body: { description: 'still here' } });
  assert.equal(renamed.status, 200);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  s3.forgetFaults();
  assert.equal((await server.call('GET', `${item}/content`)).text, content);
  assert.equal((await server.upload(file.id, 'The okapi came.', '?fileName=a.txt')).status, 200);
  await until('the new text is found', async () => {
    const { json } = await server.call('GET', `${path}/search?query=okapi`);
    return json.items.length === 1;
  });
  assert.equal((await server.call('GET', item)).json.contentVersion, 2);
});

test('bytes that the store has lost are reported, and give no text', async () => {
  const file = await server.createFile({ name: 'lost', content: 'Lost and not found.' });
  await server.settled(file.id);
  for (const key of s3.objects.keys()) if (key.endsWith(file.sha256)) s3.objects.delete(key);
  const response = await server.call('GET', `${path}/${file.id}/content`);
  assert.deepEqual([response.status, response.json.code], [503, 'storage_unavailable']);
});
