/**
 * Hostile files on a running server: each ends with text or a clear reason, and the server keeps responding to everyone
 * else.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultExtractionLimits,
  type ExtractionReason,
  extractionReasons,
} from '@trellis/server/features/knowledge/extraction.ts';
import {
  type ContentPlace,
  type ContentServer,
  openContentPlace,
  residentBytes,
  watchMemory,
} from '../support/content-server.ts';
import { buildDocx, buildPdf, encryptedTrailer, paragraph } from '../support/documents.ts';
import { makeNoise } from '../support/noise.ts';
import {
  bookParts,
  buildArchive,
  drawingPart,
  openDocumentParts,
  presentationParts,
  workbookParts,
} from '../support/office-documents.ts';
import type { Json } from '../support/server.ts';

const path = '/v1/knowledge-files';
const mayGrowBytes = 150_000_000;

let place: ContentPlace;
let server: ContentServer;
before(async () => {
  place = await openContentPlace();
  server = await place.start();
});
after(() => place?.close());

const zipBomb = () => buildDocx(' '.repeat(110 * 1024 * 1024));
const manyPages = () => buildPdf(Array.from({ length: 10_000 }, (_, index) => `leaf${index + 1}`));
const script = '<html><body><p>kiwi</p><script>alert("evilscript")</script><style>p{evilstyle:1}</style>';
const html = `${script}<img src=x onerror="evilhandler()"><p>&lt;b&gt;bold&lt;/b&gt; kiwi</p></body></html>`;

interface HostileFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly fileName?: string;
  /** Why no text can be read; none for a file that is read. */
  readonly reason?: ExtractionReason;
  /** What the file is found by. */
  readonly word?: string;
  readonly mediaType?: string;
  /** The page on which the word is found. */
  readonly page?: number;
}

const hostile = (): HostileFile[] => [
  { name: 'bomb', bytes: zipBomb(), fileName: 'a.docx', reason: 'TOO_LARGE' },
  { name: 'locked', bytes: buildPdf(['x'], { trailer: encryptedTrailer }), reason: 'ENCRYPTED' },
  { name: 'half a PDF', bytes: buildPdf(['One', 'Two']).subarray(0, 500), reason: 'DAMAGED' },
  {
    name: 'half a DOCX',
    bytes: half(buildDocx(paragraph(makeNoise(9_000).toString('hex')))),
    reason: 'DAMAGED',
  },
  { name: 'PDF called TXT', bytes: buildPdf(['papaya']), fileName: 'a.txt', word: 'papaya' },
  { name: 'text called PDF', bytes: Buffer.from('quince pie'), fileName: 'a.pdf', word: 'quince' },
  { name: 'nothing', bytes: Buffer.alloc(0), fileName: 'a.txt' },
  { name: 'HTML', bytes: Buffer.from(html), fileName: 'a.html', word: 'kiwi', mediaType: 'text/html' },
  { name: 'one word', bytes: Buffer.alloc(1_048_576, 'a'), fileName: 'a.txt' },
  {
    name: 'bomb of a workbook',
    bytes: buildArchive(workbookParts(' '.repeat(110 * 1024 * 1024), '')),
    reason: 'TOO_LARGE',
  },
  {
    name: 'workbook',
    bytes: buildArchive(
      workbookParts('', '', {
        'xl/worksheets/sheet1.xml': '<x><c t="inlineStr"><is><t>jackfruit</t></is></c></x>',
      }),
    ),
    word: 'jackfruit',
  },
  {
    name: 'slides',
    bytes: buildArchive(presentationParts(drawingPart('x'), drawingPart('sapodilla'))),
    word: 'sapodilla',
    page: 2,
  },
  {
    name: 'OpenDocument',
    bytes: buildArchive(openDocumentParts('text', '<text:p>feijoa</text:p>')),
    word: 'feijoa',
  },
  { name: 'book', bytes: buildArchive(bookParts('<p>jabuticaba</p>', '')), word: 'jabuticaba' },
  { name: 'RTF', bytes: Buffer.from('{\\rtf1 tama\\-rillo}'), word: 'tamarillo' },
  {
    name: 'e-mail',
    bytes: Buffer.from(
      'From: a@example.com\nMIME-Version: 1.0\nContent-Transfer-Encoding: quoted-printable\n\nphysa=\nlis',
    ),
    word: 'physalis',
  },
  {
    name: 'Windows-1252',
    bytes: Buffer.from('name;fruit\nJos\xe9;Caf\xe9 mangue\n', 'latin1'),
    fileName: 'a.csv',
    word: 'mangue',
  },
  {
    name: 'control characters',
    bytes: Buffer.from('<p>&#0;\u0001lychee&#55296;</p>'),
    fileName: 'a.html',
    word: 'lychee',
  },
  // Each character folds to six, and all words differ: more words than one tsvector can hold.
  { name: 'unfolding', bytes: Buffer.from(unfolding()), fileName: 'a.txt', word: 'durian' },
  { name: 'noise', bytes: makeNoise(50_000), reason: 'UNSUPPORTED_TYPE' },
];

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

function unfolding(): string {
  const words = Array.from({ length: 25_000 }, (_, index) => `㌖㌖${index.toString(36)}`);
  return `${words.join(' ')} durian`;
}

test('every hostile file ends with text or a reason, and the server responds all the time', async (context) => {
  const before = process.platform === 'linux' ? residentBytes(server.pid) : null;
  const memory = before === null ? null : watchMemory(server.pid);
  let running = true;
  let calls = 0;
  const others = (async () => {
    while (running) {
      const { status, text } = await server.call('GET', `${path}?limit=1`);
      assert.equal(status, 200, text);
      calls += 1;
      // Without a pause the calls would take all time from the extraction.
      await sleep(20);
    }
  })();
  try {
    const files: { id: string; file: HostileFile }[] = [];
    for (const file of hostile()) {
      const { id } = await server.createFile({ name: file.name });
      const query = file.fileName === undefined ? '' : `?fileName=${encodeURIComponent(file.fileName)}`;
      const uploaded = await server.upload(id, Uint8Array.from(file.bytes), query);
      assert.equal(uploaded.status, 200, `${file.name}: ${uploaded.text}`);
      files.push({ id, file });
    }
    for (const { id, file } of files) await assertEnd(await server.settled(id), file);
  } finally {
    running = false;
    await others;
  }
  assert.ok(calls > 10, 'nobody called the server meanwhile');
  if (memory === null || before === null) return;
  const grown = memory.stop() - before;
  context.diagnostic(`memory grew by ${grown} bytes`);
  assert.ok(grown < mayGrowBytes, `memory grew by ${grown} bytes`);
});

async function assertEnd(
  record: Json,
  { name, bytes, reason, word, mediaType, page }: HostileFile,
): Promise<void> {
  const content = await server.call('GET', `${path}/${record.id}/content`);
  assert.equal(content.status, 200, name);
  assert.match(content.headers.get('content-disposition') ?? '', /^attachment; /);
  assert.equal(content.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(content.headers.get('content-length'), String(bytes.length));
  if (mediaType !== undefined) assert.equal(record.mediaType, mediaType, name);
  if (reason !== undefined) {
    assert.deepEqual([record.status, record.failureReason], ['FAILED', extractionReasons[reason]], name);
    return;
  }
  assert.equal(record.status, 'READY', `${name}: ${record.failureReason}`);
  if (word === undefined) return;
  const found = await server.call('GET', `${path}/search?query=${encodeURIComponent(word)}`);
  assert.deepEqual(
    found.json.items.map(({ title }: Json) => title),
    [name],
  );
  if (page !== undefined) assert.equal(found.json.items[0].highlights[0].page, page, name);
}

test('scripts appear neither in the text nor in snippets', async () => {
  for (const word of ['evilscript', 'evilstyle', 'evilhandler', 'alert']) {
    const { json } = await server.call('GET', `${path}/search?query=${word}`);
    assert.deepEqual(json.items, [], word);
  }
  const { json } = await server.call('GET', `${path}/search?query=kiwi`);
  assert.equal(json.items[0].highlights[0].field, 'content');
  assert.match(json.items[0].highlights[0].snippet, /&lt;b&gt;bold&lt;\/b&gt; <mark>kiwi<\/mark>/);
});

test('file names have no effect except naming', async () => {
  const { id } = await server.createFile({ name: 'named' });
  const longest = 'ü'.repeat(255);
  for (const fileName of ['../../etc/passwd', 'a\u202egpj.exe', 'a";filename="b', longest]) {
    const uploaded = await server.upload(id, 'x', `?fileName=${encodeURIComponent(fileName)}`);
    assert.equal(uploaded.status, 200, uploaded.text);
    const { headers } = await server.call('GET', `${path}/${id}/content`);
    const disposition = headers.get('content-disposition') ?? '';
    const match = /^attachment; filename="([^"\\/%]*)"; filename\*=UTF-8''([\w.~!#$&+^`|%-]+)$/.exec(
      disposition,
    );
    assert.ok(match !== null, disposition);
    assert.equal(decodeURIComponent(match[2] ?? ''), uploaded.json.fileName);
    assert.match(match[1] ?? '', /^[\x20-\x7e]*$/);
  }
  for (const fileName of ['a\r\nSet-Cookie: a=b', 'a\u0000.txt', 'x'.repeat(256), '']) {
    const refused = await server.upload(id, 'x', `?fileName=${encodeURIComponent(fileName)}`);
    assert.equal(refused.json.code, 'invalid_parameter', JSON.stringify(fileName));
  }
  assert.equal((await server.call('GET', `${path}/${id}`)).json.contentVersion, 4);
});

test('a long text is searched to its end: words, phrases and exclusions', async () => {
  // Far beyond the words in the search entry, and beyond the last position of a tsvector.
  const filler = Array.from({ length: 60_000 }, (_, index) => `w${index % 900}`).join(' ');
  const { id } = await server.createFile({ name: 'novel' });
  const text = `start rambutan ${filler} the purple soursop ends ${filler.slice(0, 19_000)}`;
  await server.upload(id, text, '?fileName=a.txt');
  assert.equal((await server.settled(id)).status, 'READY');
  const titles = async (query: string) => {
    const { json } = await server.call('GET', `${path}/search?query=${encodeURIComponent(query)}`);
    return json.items.map(({ title }: Json) => title);
  };
  assert.deepEqual(await titles('soursop'), ['novel']);
  assert.deepEqual(await titles('"purple soursop"'), ['novel']);
  assert.deepEqual(await titles('"soursop purple"'), []);
  assert.deepEqual(await titles('rambutan -soursop'), []);
  assert.deepEqual(await titles('soursop -rambutan'), []);
  assert.deepEqual(await titles('rambutan -"purple soursop"'), []);
  assert.deepEqual(await titles('rambutan -"soursop purple"'), ['novel']);
  const { json } = await server.call('GET', `${path}/search?query=soursop`);
  assert.match(json.items[0].highlights[0].snippet, /purple <mark>soursop<\/mark> ends/);
});

test('a PDF of 10,000 pages is read up to a limit or refused, while other requests get a response', async () => {
  const { id } = await server.createFile({ name: 'many pages' });
  assert.equal((await server.upload(id, Uint8Array.from(manyPages()))).status, 200);
  // The server gives up by then.
  const deadline = Date.now() + defaultExtractionLimits.wallMilliseconds;
  let record: Json = { status: 'PROCESSING' };
  while (record.status === 'PROCESSING') {
    assert.ok(Date.now() < deadline, 'it is still being read');
    await sleep(100);
    record = (await server.call('GET', `${path}/${id}`)).json;
  }
  // A busy machine may need more than the time limit of one file.
  if (record.status === 'FAILED') return assert.equal(record.failureReason, extractionReasons.TIME_LIMIT);
  assert.equal(record.pageCount, 10_000);
  const { json } = await server.call('GET', `${path}/search?query=leaf5000`);
  assert.deepEqual(json.items[0].highlights, [
    { field: 'content', snippet: '<mark>leaf5000</mark>', page: 5_000 },
  ]);
});
