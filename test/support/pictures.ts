/** Pictures for tests, and a server that reads those that are uploaded. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { defaultExtractionLimits } from '@trellis/server/features/knowledge/extraction.ts';
import {
  type ExtractionService,
  startExtraction,
} from '@trellis/server/features/knowledge/extraction-service.ts';
import { createModels } from '@trellis/server/features.ts';
import { modelOf } from '@trellis/server/kernel/pipeline/model.ts';
import { pino } from 'pino';
import sharp from 'sharp';
import { type Json, startTestServer, type TestServer, type TestServerOptions } from './server.ts';
import { until } from './until.ts';

// The library sets it for all threads; each test file leaves the environment as it was.
delete process.env.VIPSHOME;

/** A picture whose left half is red and whose right half is blue. `orientation`: of EXIF; 6 is a quarter turn clockwise. */
export function halves(
  width: number,
  height: number,
  { format = 'jpeg', orientation }: { format?: 'jpeg' | 'png' | 'webp' | 'tiff'; orientation?: number } = {},
): Promise<Buffer> {
  const half = { create: { width: width / 2, height, channels: 3, background: '#ff0000' } } as const;
  return sharp({ create: { width, height, channels: 3, background: '#0000ff' } })
    .composite([{ input: half, left: 0, top: 0 }])
    .withExif({
      IFD0: { Copyright: 'Ada Lovelace', Model: 'Phone 17' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
    })
    .withMetadata(orientation === undefined ? {} : { orientation })
    .toFormat(format)
    .toBuffer();
}

/** A PNG of random colours, which is as large as one of that size can be. */
export function noise(width: number, height: number): Promise<Buffer> {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** An animation of gray frames. */
export function animation(width: number, height: number, frames: number): Promise<Buffer> {
  const pixels = Buffer.concat(
    Array.from({ length: frames }, (_, frame) => Buffer.alloc(width * height * 3, frame)),
  );
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ loop: 0, dither: 0, interFrameMaxError: 0, interPaletteMaxError: 0 })
    .toBuffer();
}

/** The header of a PNG of a size, and hardly any data. */
export async function bomb(width: number, height: number): Promise<Buffer> {
  const small = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000000' } })
    .png()
    .toBuffer();
  small.writeUInt32BE(width, 16);
  small.writeUInt32BE(height, 20);
  small.writeUInt32BE(crc32(small.subarray(12, 29)), 29);
  return small;
}

/** A server with an extractor. */
export interface PictureServer extends TestServer {
  /** Creates a file with a content, visible to the organization unless said otherwise, and waits until it has been read. */
  add(content: Buffer, body?: object): Promise<Json>;
  /** Gives a file another content, and waits until it has been read. */
  replace(file: Json, content: Buffer): Promise<Json>;
  /** Loads an address without a token. */
  load(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Response>;
}

/** Reads what is uploaded to a server, until stopped. */
export function readUploads({ database: { worker, api }, objects }: TestServer): ExtractionService {
  return startExtraction({
    worker,
    api,
    objects,
    model: modelOf(createModels(), 'knowledge-files'),
    limits: defaultExtractionLimits,
    pollMs: 20,
    nudge: () => undefined,
    log: pino({ level: 'silent' }),
  });
}

/** Starts it. */
export async function startPictureServer(options: TestServerOptions = {}): Promise<PictureServer> {
  const server = await startTestServer(options);
  const extraction = readUploads(server);
  const replace = async ({ id }: Json, rawBody: Buffer) => {
    const path = `/v1/knowledge-files/${id}`;
    const uploaded = await server.call('PUT', `${path}/content`, { rawBody });
    assert.equal(uploaded.status, 200, uploaded.text);
    return until('the file has been read', async () => {
      const { json } = await server.call('GET', path);
      return json.status === 'PROCESSING' ? undefined : json;
    });
  };
  return {
    ...server,
    replace,
    async add(rawBody, body = {}) {
      const created = await server.call('POST', '/v1/knowledge-files', {
        body: { name: 'picture', visibility: 'ORGANIZATION', ...body },
      });
      assert.equal(created.status, 201, created.text);
      return replace(created.json, rawBody);
    },
    load: (path, headers = {}, method = 'GET') => fetch(`${server.url}${path}`, { method, headers }),
    async close() {
      await extraction.stop();
      await server.close();
    },
  };
}

/** A gray progressive JPEG (ITU-T T.81, G) with a scan of the mean values and further ones, of one coefficient each, that change nothing. */
export function manyScans(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const segment = (marker: number, ...bytes: number[]) =>
    Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes]);
  /** A table with one code, of one bit. */
  const table = (kind: number, symbol: number) => segment(0xc4, kind, 1, ...Array(15).fill(0), symbol);
  const scan = (begin: number, end: number, bits: number) => [
    segment(0xda, 1, 1, 0, begin, end, 0),
    // All bits are 0: the code, and the additional bits of a run. The rest of the last byte is filled with 1.
    Buffer.concat([
      Buffer.alloc(Math.floor(bits / 8)),
      bits % 8 === 0 ? Buffer.alloc(0) : Buffer.from([0xff >> (bits % 8)]),
    ]),
  ];
  // A run of 2 ** 14 blocks without anything.
  const bitsOfRuns = Math.ceil(blocks / 2 ** 14) * 15;
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array(64).fill(1)),
    segment(0xc2, 8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0),
    table(0x00, 0x00),
    table(0x10, 0xe0),
    ...scan(0, 0, blocks),
    ...Array.from({ length: scans }, (_, index) =>
      scan((index % 63) + 1, (index % 63) + 1, bitsOfRuns),
    ).flat(),
    Buffer.from([0xff, 0xd9]),
  ]);
}
