/** Tests of renditions of public pictures: what they show, that each is made once, and what it costs the server at most. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { parsePicturePath } from '@trellis/schema/resources/pictures.ts';
import { pictureSteps } from '@trellis/schema/values/pictures.ts';
import { countScans } from '@trellis/server/features/knowledge/extraction/jpeg-scans.ts';
import { type Rendition, wholePicture } from '@trellis/server/features/knowledge/extraction.ts';
import { sweepObjects } from '@trellis/server/features/knowledge/object-sweep.ts';
import {
  readPublicPicture,
  wholeVariant,
} from '@trellis/server/features/knowledge/pictures/public-pictures.ts';
import {
  defaultRendererLimits,
  PictureRenderer,
  type RendererLimits,
} from '@trellis/server/features/knowledge/pictures/renderer.ts';
import { step } from '@trellis/server/kernel/database/batch.ts';
import { pino } from 'pino';
import sharp from 'sharp';
import { animation, halves, manyScans, startPictureServer } from '../support/pictures.ts';
import { type Json, patientLimits, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startPictureServer();
const { api, worker } = server.database;
const log = pino({ level: 'silent' });
after(() => server.close());

async function addPublic(content: Buffer, body: object = {}): Promise<Json> {
  const file = await server.add(content, body);
  const published = await server.call('POST', `/v1/knowledge-files/${file.id}/publish-picture`);
  assert.equal(published.status, 200, published.text);
  return published.json;
}

/** Loads a rendition. @returns the response and what is in it */
async function load(path: string, accept?: string) {
  const response = await server.load(path, accept === undefined ? {} : { accept });
  assert.equal(response.status, 200, path);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { headers: response.headers, bytes, metadata: await sharp(bytes).metadata() };
}

/** The color in the middle of a rendition. */
async function middleOf(bytes: Buffer): Promise<'red' | 'blue' | 'other'> {
  const { width, height } = await sharp(bytes).metadata();
  const at = { left: Math.floor(width / 2), top: Math.floor(height / 2), width: 1, height: 1 };
  const [red = 0, , blue = 0] = await sharp(bytes).extract(at).removeAlpha().raw().toBuffer();
  if (red > 200 && blue < 60) return 'red';
  return blue > 200 && red < 60 ? 'blue' : 'other';
}

test('a rendition fits into its box, is upright, and tells nothing about where the picture was taken', async () => {
  const content = await halves(800, 600, { orientation: 6 });
  const file = await addPublic(content);
  assert.notEqual((await sharp(content).metadata()).exif, undefined);
  const { metadata, bytes } = await load(`${file.picturePath}?h=320`);
  assert.deepEqual([metadata.width, metadata.height, metadata.format], [240, 320, 'jpeg']);
  assert.deepEqual([metadata.exif, metadata.orientation, metadata.xmp], [undefined, undefined, undefined]);
  assert.equal(bytes.includes('Ada Lovelace'), false);
  // The left half is on top after a quarter turn clockwise.
  const top = await sharp(bytes).extract({ left: 0, top: 0, width: 240, height: 160 }).png().toBuffer();
  assert.equal(await middleOf(top), 'red');
  const { metadata: both } = await load(`${file.picturePath}?w=160&h=160&fit=inside`);
  assert.deepEqual([both.width, both.height], [120, 160]);
  const { metadata: large } = await load(`${file.picturePath}?w=2560`);
  assert.deepEqual([large.width, large.height], [600, 800], 'never enlarged');
});

test('what fills the box is around the focal point, and follows it', async () => {
  const file = await addPublic(await halves(1_000, 400), { focalPoint: { x: 10, y: 50 } });
  const path = `${file.picturePath}?w=160&h=160&fit=cover`;
  const left = await load(path);
  assert.deepEqual([left.metadata.width, left.metadata.height], [160, 160]);
  assert.equal(await middleOf(left.bytes), 'red');
  const body = { focalPoint: { x: 90, y: 50 } };
  await server.call('PATCH', `/v1/knowledge-files/${file.id}`, { body });
  assert.equal(await middleOf((await load(path)).bytes), 'blue');
  const box = await load(`${file.picturePath}?w=2560&h=1280&fit=cover`);
  assert.deepEqual([box.metadata.width, box.metadata.height], [800, 400], 'the proportions, not enlarged');
});

test('the format is one that the browser lists, and caches know that it depends on that', async () => {
  const file = await addPublic(await halves(320, 240));
  const path = `${file.picturePath}?w=160`;
  const tags = new Set<string>();
  for (const [accept, type] of [
    ['image/avif,image/webp,*/*', 'image/avif'],
    ['image/webp,image/*;q=0.8', 'image/webp'],
    ['image/avif;q=0, image/webp', 'image/webp'],
    ['image/*,*/*;q=0.5', 'image/jpeg'],
    [undefined, 'image/jpeg'],
  ] as const) {
    const { headers } = await load(path, accept);
    assert.deepEqual([headers.get('content-type'), headers.get('vary')], [type, 'Accept'], accept);
    tags.add(headers.get('etag') ?? '');
  }
  assert.equal(tags.size, 3);
  const requested = await load(`${path}&format=webp`, 'image/avif');
  assert.deepEqual(
    [requested.headers.get('content-type'), requested.headers.get('vary')],
    ['image/webp', null],
  );
  const etag = requested.headers.get('etag') ?? '';
  const current = await server.load(`${path}&format=webp`, { 'if-none-match': etag });
  assert.equal(current.status, 304);
  const transparent = await sharp({
    create: { width: 300, height: 300, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
  })
    .png()
    .toBuffer();
  const png = await addPublic(transparent);
  assert.equal((await load(`${png.picturePath}?w=160`)).metadata.hasAlpha, true);
  assert.equal(
    (await load(`${png.picturePath}?w=160&format=jpeg`)).headers.get('content-type'),
    'image/jpeg',
  );
});

test('of an animation, a rendition shows the first frame; the file itself moves', async () => {
  const content = await animation(40, 30, 5);
  const file = await addPublic(content);
  assert.deepEqual([file.width, file.height], [40, 30]);
  assert.deepEqual((await load(file.picturePath)).bytes, content);
  const { metadata } = await load(`${file.picturePath}?w=160`, 'image/webp');
  assert.deepEqual([metadata.format, metadata.pages ?? 1, metadata.height], ['webp', 1, 30]);
});

test('only sizes of the list are made, and parameters are strict', async () => {
  const file = await addPublic(await halves(64, 32));
  for (const query of [
    'w=161',
    'w=0',
    'w=-160',
    'w=1e3',
    'w=160&w=320',
    'w=99999999999999999999',
    'fit=cover&w=160',
    'fit=cover&h=160',
    'format=webp',
    'w=160&format=svg',
    'w=160&quality=100',
    'W=160',
  ]) {
    const response = await server.load(`${file.picturePath}?${query}`);
    assert.equal(response.status, 400, query);
  }
  const made = await worker.run('SELECT count(*) FROM trellis.picture_renditions').catch(() => null);
  assert.equal(made, null, 'the background role has nothing to do with renditions');
  assert.ok(pictureSteps.length ** 2 < 100);
});

/** A renderer of its own, as another node has, and how often it has read a picture, which it does not do before `isHeld` settles. */
function anotherNode(limits: Partial<RendererLimits> = {}, isHeld: Promise<void> = Promise.resolve()) {
  let readings = 0;
  const objects = {
    ...server.objects,
    borrow: async (...given: Parameters<typeof server.objects.borrow>) => {
      readings += 1;
      await isHeld;
      return server.objects.borrow(...given);
    },
  };
  const renderer = new PictureRenderer({
    database: api,
    objects,
    limits: { ...defaultRendererLimits, ...patientLimits, ...limits },
    log,
  });
  return { renderer, readings: () => readings };
}

const small: Rendition = {
  width: 160,
  height: null,
  fit: 'inside',
  format: 'webp',
  focalPoint: { x: 50, y: 50 },
};

async function publicPicture(content: Buffer) {
  const file = await addPublic(content);
  const address = parsePicturePath(file.picturePath) ?? assert.fail();
  return { file, picture: (await readPublicPicture(api, address)) ?? assert.fail() };
}

test('a rendition that two nodes are requested for at the same time is made once', async () => {
  const { picture } = await publicPicture(await halves(640, 480));
  const nodes = [anotherNode(), anotherNode()];
  const key = { picture, userId: null, variant: 'once' };
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, index) => nodes[index % 2]?.renderer.provide(key, small)),
  );
  assert.equal(new Set(all.map((content) => content?.sha256)).size, 1);
  assert.equal(
    nodes.reduce((sum, { readings }) => sum + readings(), 0),
    1,
  );
  for (const { renderer } of nodes) await renderer.close();
});

test('what another node has begun and not finished is made after its claim has expired', async () => {
  const { picture } = await publicPicture(await halves(640, 480));
  const { organizationId, fileId, original } = picture;
  const claim = (seconds: number) =>
    api.execute({ organizationId, userId: null }, [
      {
        statement: {
          name: 'claim_of_a_dead_node',
          text: `INSERT INTO trellis.picture_renditions
            (organization_id, file_id, variant, source, claim, claimed_until, failed)
            VALUES ($1, $2, 'dead', $3, gen_random_uuid(), clock_timestamp() + make_interval(secs => $4), false)
            ON CONFLICT (organization_id, file_id, variant) DO UPDATE SET claimed_until = excluded.claimed_until`,
        },
        values: [organizationId, fileId, original.sha256, String(seconds)],
      },
    ]);
  const key = { picture, userId: null, variant: 'dead' };
  await claim(3_600);
  const impatient = anotherNode({ deadlineMs: 500 });
  await assert.rejects(impatient.renderer.provide(key, small), {
    code: 'overloaded',
    message: /still being made/,
  });
  assert.equal(impatient.readings(), 0);
  await claim(-1);
  const patient = anotherNode();
  assert.notEqual(await patient.renderer.provide(key, small), null);
  for (const { renderer } of [impatient, patient]) await renderer.close();
});

test('a process that is killed costs one attempt: no size is made, until its content changes or some time has passed', {
  timeout: 600_000,
}, async () => {
  const { picture } = await publicPicture(await halves(4_000, 3_000, { format: 'webp' }));
  const { renderer } = anotherNode();
  const large: Rendition = { ...small, width: 2_560, format: 'avif' };
  const making = renderer.provide({ picture, userId: null, variant: 'killed' }, large);
  const child = await until('the process runs', async () => {
    const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
    for (const pid of children.trim().split(' ')) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command.includes(`"width":${large.width}`)) return Number(pid);
    }
    return null;
  });
  process.kill(child, 'SIGKILL');
  assert.equal(await making, null);
  assert.equal(
    await renderer.provide({ picture, userId: null, variant: 'killed' }, large),
    null,
    'nobody tries at once',
  );
  await renderer.close();
  const next = anotherNode();
  assert.equal(await next.renderer.provide({ picture, userId: null, variant: 'other' }, small), null);
  assert.equal(next.readings(), 0, 'in any size');
  await api.execute({ organizationId: picture.organizationId, userId: null }, [
    step({
      name: 'ten_minutes_later',
      text: `UPDATE trellis.picture_renditions SET claimed_until = now() - interval '1 second' WHERE failed`,
    }),
  ]);
  assert.notEqual(await next.renderer.provide({ picture, userId: null, variant: 'other' }, small), null);
  await next.renderer.close();
});

test('of a picture whose rendition takes too much, the whole is served without metadata, and nothing if that takes too much as well', async () => {
  const { picture, file } = await publicPicture(await halves(640, 480));
  const { renderer } = anotherNode({
    extraction: { ...patientLimits.extraction, memoryMegabytes: 1 },
  });
  const key = { picture, userId: null };
  assert.equal(await renderer.provide({ ...key, variant: 'memory' }, small), null);
  const path = file.picturePath;
  const { bytes, headers } = await load(`${path}?w=160`);
  assert.equal(headers.get('cache-control'), 'public, max-age=300, s-maxage=300');
  assert.equal(bytes.includes('Ada Lovelace'), false);
  assert.deepEqual((await load(path)).bytes, bytes);
  const { picture: other, file: otherFile } = await publicPicture(await halves(642, 480));
  for (const [variant, wanted] of [
    ['memory', small],
    [wholeVariant, wholePicture],
  ] as const)
    assert.equal(await renderer.provide({ picture: other, userId: null, variant }, wanted), null);
  await renderer.close();
  for (const query of ['', '?w=160']) {
    const refused = await server.load(otherFile.picturePath + query);
    assert.deepEqual([refused.status, ((await refused.json()) as Json).code], [404, 'not_found']);
  }
});

test('of a picture that takes too much, what waits is not tried, but what was made is served', async () => {
  const { picture } = await publicPicture(await halves(648, 480));
  const before = anotherNode();
  const made = await before.renderer.provide({ picture, userId: null, variant: 'made' }, small);
  await before.renderer.close();
  const { renderer, readings } = anotherNode({
    slots: 1,
    extraction: { ...patientLimits.extraction, memoryMegabytes: 1 },
  });
  const variants = Array.from({ length: 10 }, (_, index) => `size${index}`);
  const all = await Promise.all(
    variants.map((variant) => renderer.provide({ picture, userId: null, variant }, small)),
  );
  assert.deepEqual(all, Array(10).fill(null));
  assert.equal(readings(), 1);
  assert.deepEqual(await renderer.provide({ picture, userId: null, variant: 'made' }, small), made);
  await renderer.close();
});

test('a picture that took too long by the clock is not tried for a minute by that process', async (context) => {
  const { picture } = await publicPicture(await halves(656, 480));
  const { renderer, readings } = anotherNode({
    extraction: { ...patientLimits.extraction, wallMilliseconds: 1 },
  });
  const provide = (variant: string) => renderer.provide({ picture, userId: null, variant }, small);
  await assert.rejects(provide('late'), { code: 'overloaded', message: /could not be made now/ });
  await assert.rejects(provide('other'), { code: 'overloaded', message: /could not be made now/ });
  assert.equal(readings(), 1);
  const now = performance.now();
  context.mock.method(performance, 'now', () => now + 60_001);
  await assert.rejects(provide('late'), { code: 'overloaded' });
  assert.equal(readings(), 2);
  await renderer.close();
});

test('a JPEG has as many scans as programs write, and more if it is small', async () => {
  const path = (file: Json) => `${file.picturePath}?w=160`;
  for (const picture of [manyScans(3_000, 3_000, 63), manyScans(800, 800, 63)]) {
    assert.equal((await load(path(await addPublic(picture)))).metadata.width, 160);
  }
  const hostile = await server.add(manyScans(7_000, 7_000, 63));
  assert.deepEqual([hostile.status, hostile.width], ['FAILED', null]);
  assert.deepEqual(
    [countScans(manyScans(64, 64, 9)), countScans(await halves(64, 64)), countScans(Buffer.from([0xff]))],
    [10, 1, 0],
  );
  const progressive = await sharp(await halves(64, 64))
    .jpeg({ progressive: true })
    .toBuffer();
  assert.equal(countScans(progressive), 10);
});

test('too many renditions at a time are refused for now, and the pictures themselves are not', async () => {
  const { picture } = await publicPicture(await halves(640, 480));
  const held = Promise.withResolvers<void>();
  const { renderer } = anotherNode({ slots: 1, waitingOfOwner: 2 }, held.promise);
  let refused = 0;
  const requested = Array.from({ length: 6 }, (_, index) =>
    renderer.provide({ picture, userId: null, variant: `many${index}` }, small).catch((error: unknown) => {
      refused += 1;
      return error;
    }),
  );
  await until('one is being made, two wait', () => refused === 3);
  held.resolve();
  const codes = (await Promise.all(requested)).flatMap((given) =>
    given instanceof Problem ? [given.code] : [],
  );
  assert.deepEqual(codes, ['overloaded', 'overloaded', 'overloaded']);
  await renderer.close();
});

test('a refused rendition says when to ask again', async () => {
  const full = await startTestServer({ renditions: { slots: 0, waiting: 0 } });
  try {
    const created = await full.call('POST', '/v1/knowledge-files', {
      body: { name: 'picture', visibility: 'ORGANIZATION' },
    });
    const path = `/v1/knowledge-files/${created.json.id}`;
    const { json } = await full.call('PUT', `${path}/content`, { rawBody: await halves(64, 32) });
    await full.database.api.execute({ organizationId: full.organization.id, userId: null }, [
      step({
        name: 'publish_picture',
        text: `UPDATE trellis.knowledge_files SET status = 'NOT_APPLICABLE', width = 64, height = 32, public_since = now()`,
      }),
    ]);
    // Nor is the picture itself served, from which the metadata were not removed yet.
    for (const query of ['?w=160', '']) {
      const refused = await fetch(`${full.url}${json.picturePath}${query}`);
      assert.equal(refused.status, 503);
      assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
      assert.equal(((await refused.json()) as Json).code, 'overloaded');
    }
  } finally {
    await full.close();
  }
});

test('a box that the whole picture fits into is a name of one of its sides, so that one picture has few copies', async () => {
  const file = await addPublic(await halves(644, 484));
  const inBox = await load(`${file.picturePath}?w=160&h=640`);
  const byWidth = await load(`${file.picturePath}?w=160`);
  assert.equal(inBox.headers.get('etag'), byWidth.headers.get('etag'));
});

test('a rendition whose bytes are gone is made again', async () => {
  const file = await addPublic(await halves(644, 484));
  const path = `${file.picturePath}?w=160`;
  const { headers, bytes } = await load(path);
  const sha256 = headers.get('etag')?.slice(1, -1) ?? '';
  await server.objects.remove(server.organization.id, sha256);
  const gone = await server.load(path);
  assert.deepEqual([gone.status, gone.headers.get('retry-after')], [503, '1']);
  assert.equal(gone.headers.get('cache-control'), 'no-store');
  assert.deepEqual((await load(path)).bytes, bytes);
});

test('renditions that are too many give way to new ones, with their bytes', async () => {
  // Of a size of its own, so that no other rendition has the same bytes.
  const { picture, file } = await publicPicture(await halves(648, 486));
  const { organizationId, fileId, original } = picture;
  const { renderer } = anotherNode();
  const oldest =
    (await renderer.provide({ picture, userId: null, variant: 'oldest' }, small)) ?? assert.fail();
  await api.execute({ organizationId, userId: null }, [
    {
      statement: {
        name: 'many_renditions',
        text: `INSERT INTO trellis.picture_renditions
          (organization_id, file_id, variant, source, claim, claimed_until, failed, sha256, media_type, size_bytes, made_at)
          SELECT $1, $2, 'v' || n, $3, gen_random_uuid(), now(), false, encode(sha256(n::text::bytea), 'hex'), 'image/webp', 1,
            clock_timestamp()
          FROM generate_series(1, ${limits.pictureRenditions - 1}) AS n`,
      },
      values: [organizationId, fileId, original.sha256],
    },
  ]);
  assert.equal(await server.objects.has(organizationId, oldest.sha256), true);
  const newest =
    (await renderer.provide({ picture, userId: null, variant: 'newest' }, { ...small, width: 320 })) ?? null;
  assert.notEqual(newest, null);
  assert.equal(await server.objects.has(organizationId, oldest.sha256), false);
  await renderer.close();
  // Bytes of renditions are kept as long as these are, and not longer.
  const sweep = () =>
    sweepObjects({
      api,
      objects: server.objects,
      graceMs: 0,
      now: Date.now() + 1_000,
      signal: new AbortController().signal,
      log,
    });
  await sweep();
  assert.equal(await server.objects.has(organizationId, newest?.sha256 ?? ''), true);
  await server.call('POST', `/v1/knowledge-files/${file.id}/unpublish-picture`);
  await sweep();
  assert.equal(await server.objects.has(organizationId, newest?.sha256 ?? ''), false);
  assert.equal(await server.objects.has(organizationId, original.sha256), true);
});
