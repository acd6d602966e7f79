/** Tests of what pictures say besides what they show: readers get none of it, in no format, and members get the file as it was uploaded. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { findStatements, withoutMetadata } from '@trellis/schema/values/picture-metadata/metadata.ts';
import type { PictureMediaType } from '@trellis/schema/values/pictures.ts';
import sharp from 'sharp';
import { animation, startPictureServer } from '../support/pictures.ts';
import type { Json } from '../support/server.ts';

const server = await startPictureServer();
after(() => server.close());

/** What no reader gets to see: a camera, a place and a name, in each form of metadata. */
const secrets = ['Phone 17', 'GPSLatitude', 'Ada Lovelace', 'a secret comment', 'xmpmeta', 'Exif', 'EXIF'];
const xmp =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,31N"/></rdf:RDF></x:xmpmeta>';

/** A photo, with the red half on the left as it is stored. `orientation`: of EXIF. */
function photo(format: 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff', orientation = 1): Promise<Buffer> {
  const half = { create: { width: 60, height: 80, channels: 3, background: '#ff0000' } } as const;
  return sharp({ create: { width: 120, height: 80, channels: 3, background: '#0000ff' } })
    .composite([{ input: half, left: 0, top: 0 }])
    .withExif({
      IFD0: { Model: 'Phone 17', Copyright: 'Ada Lovelace' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
    })
    .withXmp(xmp)
    .withIccProfile('p3')
    .withMetadata({ orientation })
    .toFormat(format)
    .toBuffer();
}

/** A JPEG with a comment, IPTC, a preview of another program, and a film behind its end. */
async function jpegWithMore(): Promise<Buffer> {
  const plain = await photo('jpeg');
  const segment = (marker: number, text: string) =>
    Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text, 'latin1')]);
  return Buffer.concat([
    plain.subarray(0, 2),
    segment(0xfe, 'a secret comment'),
    segment(0xed, 'Photoshop 3.0\0 8BIM Ada Lovelace'),
    segment(0xe2, 'MPF\0 a secret comment'),
    plain.subarray(2),
    Buffer.from('a film of Ada Lovelace'),
  ]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name), data]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return chunk;
}

async function pngWithTexts(): Promise<Buffer> {
  const plain = await photo('png');
  return Buffer.concat([
    plain.subarray(0, 33),
    pngChunk('tEXt', Buffer.from('Comment\0a secret comment')),
    pngChunk('zTXt', Buffer.concat([Buffer.from('Author\0\0'), deflateSync('Ada Lovelace')])),
    pngChunk('tIME', Buffer.alloc(7, 1)),
    plain.subarray(33),
  ]);
}

/** An animation with a comment and XMP in front of its frames, and something behind its end. */
async function gifWithComment(): Promise<Buffer> {
  const plain = await animation(40, 30, 4);
  const blocks = (text: string) =>
    Buffer.concat([Buffer.from([text.length]), Buffer.from(text), Buffer.alloc(1)]);
  const start = 13 + (((plain[10] ?? 0) & 0x80) === 0 ? 0 : 3 * 2 ** (((plain[10] ?? 0) & 7) + 1));
  return Buffer.concat([
    plain.subarray(0, start),
    Buffer.from([0x21, 0xfe]),
    blocks('a secret comment'),
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('XMP DataXMP'),
    blocks(xmp.slice(0, 200)),
    plain.subarray(start),
    Buffer.from('Ada Lovelace'),
  ]);
}

async function animatedWebp(): Promise<Buffer> {
  return sharp(await animation(40, 30, 4), { animated: true })
    .withExif({ IFD0: { Model: 'Phone 17' }, IFD3: { GPSLatitudeRef: 'N' } })
    .webp({ loop: 0 })
    .toBuffer();
}

async function addPublic(content: Buffer): Promise<Json> {
  const file = await server.add(content);
  const published = await server.call('POST', `/v1/knowledge-files/${file.id}/publish-picture`);
  assert.equal(published.status, 200, published.text);
  return published.json;
}

async function load(path: string): Promise<{ readonly bytes: Buffer; readonly headers: Headers }> {
  const response = await server.load(path);
  assert.equal(response.status, 200, path);
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
}

function assertSaysNothing(bytes: Buffer, what: string): void {
  for (const secret of secrets) assert.equal(bytes.includes(secret), false, `${what}: ${secret}`);
}

const pixelsOf = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer();

const cases: readonly [string, PictureMediaType, () => Promise<Buffer>][] = [
  ['JPEG', 'image/jpeg', jpegWithMore],
  ['PNG', 'image/png', pngWithTexts],
  ['WebP', 'image/webp', () => photo('webp')],
  ['AVIF', 'image/avif', () => photo('avif')],
  ['GIF', 'image/gif', gifWithComment],
  ['animated WebP', 'image/webp', animatedWebp],
];
for (const [name, mediaType, make] of cases) {
  test(`readers get a ${name} pixel by pixel, and nothing of what it says`, async () => {
    const content = await make();
    assert.ok(secrets.some((secret) => content.includes(secret)));
    const file = await addPublic(content);
    const { bytes, headers } = await load(file.picturePath);
    assert.equal(headers.get('content-type'), mediaType);
    assert.equal(headers.get('content-length'), String(bytes.length));
    assertSaysNothing(bytes, name);
    const [before, after] = await Promise.all([content, bytes].map((one) => sharp(one).metadata()));
    assert.deepEqual(
      [after?.exif, after?.xmp, after?.iptc, after?.comments],
      [undefined, undefined, undefined, undefined],
    );
    assert.deepEqual(
      [after?.width, after?.height, after?.pages, after?.delay],
      [before?.width, before?.height, before?.pages, before?.delay],
    );
    assert.deepEqual(after?.icc, before?.icc);
    assert.deepEqual(await pixelsOf(bytes), await pixelsOf(content));
    const sized = await load(`${file.picturePath}?w=160`);
    assertSaysNothing(sized.bytes, `${name}, sized`);
    const own = await server.call('GET', `/v1/knowledge-files/${file.id}/content`);
    assert.equal(
      own.headers.get('content-length'),
      String(content.length),
      'members get the file as it was uploaded',
    );
    // What is clean stays as it is.
    const again = await addPublic(bytes);
    assert.deepEqual((await load(again.picturePath)).bytes, bytes);
    assert.deepEqual(findStatements(bytes, mediaType), []);
  });
}

for (const format of ['jpeg', 'png', 'webp'] as const) {
  test(`a ${format} that its metadata turn is upright for readers`, async () => {
    const file = await addPublic(await photo(format, 6));
    const { bytes, headers } = await load(file.picturePath);
    assertSaysNothing(bytes, format);
    assert.equal(headers.get('content-type'), `image/${format}`);
    const { width, height, orientation } = await sharp(bytes).metadata();
    assert.deepEqual([width, height, orientation ?? 1], [80, 120, 1]);
    const top = await sharp(bytes)
      .extract({ left: 20, top: 20, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer();
    assert.ok((top[0] ?? 0) > 200 && (top[2] ?? 0) < 60, 'the red half is on top');
  });
}

test('a TIFF is a copy without metadata', async () => {
  const file = await addPublic(await photo('tiff'));
  assertSaysNothing((await load(file.picturePath)).bytes, 'TIFF');
});

test('the tag of a public picture is that of the bytes that readers get', async () => {
  const content = await jpegWithMore();
  const file = await addPublic(content);
  const { headers, bytes } = await load(file.picturePath);
  const etag = headers.get('etag') ?? '';
  assert.notEqual(etag, `"${file.sha256}"`);
  const again = await server.load(file.picturePath, { 'if-none-match': etag });
  assert.deepEqual([again.status, again.headers.get('etag')], [304, etag]);
  assert.equal((await server.load(file.picturePath, { 'if-none-match': `"${file.sha256}"` })).status, 200);
  const head = await server.load(file.picturePath, {}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)]);
  const part = await server.load(file.picturePath, { range: 'bytes=0-9' });
  assert.deepEqual([part.status, part.headers.get('accept-ranges')], [200, null], 'ranges are not offered');
});

test('what a picture says is told by kind', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    const found = findStatements(await photo(format), `image/${format}`);
    assert.deepEqual(found.slice(0, 2), ['place', 'camera'], format);
  }
  assert.deepEqual(findStatements(await photo('tiff'), 'image/tiff'), ['place']);
  assert.deepEqual(findStatements(await gifWithComment(), 'image/gif'), ['place', 'other']);
  assert.deepEqual(findStatements(await animation(8, 8, 2), 'image/gif'), []);
});

test('any bytes are read to an end, or refused', async () => {
  for (const [name, mediaType, make] of cases) {
    const content = await make();
    for (let at = 0; at < content.length; at += Math.ceil(content.length / 200)) {
      const damaged = Buffer.from(content);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      for (const bytes of [damaged, content.subarray(0, at)]) {
        try {
          withoutMetadata(bytes, mediaType);
        } catch (error) {
          assert.ok(error instanceof Error, name);
        }
        assert.ok(findStatements(bytes, mediaType).length <= 3, name);
      }
    }
  }
});
