/**
 * Text extraction from hostile files: it ends with text or with the right reason, leaves no process behind, and does
 * not harm the server.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { readProcessStart } from '@trellis/embedded-postgres/processes.ts';
import { cpuLimitOf } from '@trellis/server/features/knowledge/extraction/limits.ts';
import {
  maximumResponseBytes,
  parseResponse,
} from '@trellis/server/features/knowledge/extraction/protocol.ts';
import {
  defaultExtractionLimits,
  ExtractionError,
  type ExtractionLimits,
  type ExtractionReason,
  extractionReasons,
  extractText,
  sniffMediaType,
} from '@trellis/server/features/knowledge/extraction.ts';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { listChildren } from '../support/children.ts';
import {
  buildDocx,
  buildPart,
  buildPdf,
  buildSlowPdf,
  encryptedTrailer,
  paragraph,
} from '../support/documents.ts';
import { makeNoise } from '../support/noise.ts';
import { until } from '../support/until.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const program = 'extraction/child.ts';
const never = new AbortController().signal;

/** A PDF whose form is drawn more than sixty million times, which takes hours. */
const endless = buildSlowPdf('x', 26);

const oneSecond = { least: 1_000, perMegabyte: 1, most: 1_000 };
/** Limits that never end the process during the test. */
const longest = { cpuMilliseconds: { least: 600_000, perMegabyte: 1, most: 600_000 } };

let folder: string;
let path: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-hostile-'));
  path = join(folder, 'file');
});
after(() => rm(folder, { recursive: true, force: true }));
afterEach(() => assert.deepEqual(listChildren(process.pid, program), []));

function extract(mediaType: string, limits: Partial<ExtractionLimits> = {}, signal = never) {
  return extractText(path, mediaType, { ...defaultExtractionLimits, ...limits }, signal);
}

async function assertReason(
  content: Uint8Array | string,
  mediaType: string,
  reason: ExtractionReason,
  limits: Partial<ExtractionLimits> = {},
): Promise<void> {
  await writeFile(path, content);
  await assertFileReason(mediaType, reason, limits);
}

async function assertFileReason(
  mediaType: string,
  reason: ExtractionReason,
  limits: Partial<ExtractionLimits> = {},
): Promise<void> {
  await assert.rejects(extract(mediaType, limits), (error) => {
    assert.ok(error instanceof ExtractionError, String(error));
    assert.equal(error.reason, reason, error.detail ?? '');
    assert.equal(error.message, extractionReasons[reason]);
    return true;
  });
}

/** A zip bomb: a DOCX whose document has this many bytes of `character` between two tags. Built in pieces. */
function buildBomb(megabytes: number, opening: string, character: string): Buffer {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  const file = new ZipDeflate('word/document.xml', { level: 1 });
  zip.add(file);
  const [start = ''] = buildPart('document', opening).split('</w:document>');
  file.push(strToU8(start));
  const megabyte = new Uint8Array(1024 * 1024).fill(character.charCodeAt(0));
  for (let index = 0; index < megabytes; index += 1) file.push(megabyte);
  file.push(new Uint8Array(), true);
  zip.end();
  return Buffer.concat(pieces);
}

test('a file with a password is reported as encrypted', async () => {
  await assertReason(buildPdf(['Secret'], { trailer: encryptedTrailer }), 'application/pdf', 'ENCRYPTED');
  const unknownFilter = `/ID [<00> <00>] /Encrypt << /Filter /Unknown >>`;
  await assertReason(buildPdf(['Secret'], { trailer: unknownFilter }), 'application/pdf', 'ENCRYPTED');
  const compoundFile = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const name = Buffer.from('EncryptedPackage', 'utf16le');
  await assertReason(Buffer.concat([compoundFile, makeNoise(2000), name]), docx, 'ENCRYPTED');
  await assertReason(Buffer.concat([compoundFile, makeNoise(2000)]), docx, 'DAMAGED');
});

test('a damaged file is reported as damaged', async () => {
  const pdf = buildPdf(['One', 'Two', 'Three']);
  const document = buildDocx(paragraph(makeNoise(20_000).toString('hex')));
  await assertReason(pdf.subarray(0, pdf.length / 2), 'application/pdf', 'DAMAGED');
  await assertReason(Buffer.from('%PDF-1.7\n'), 'application/pdf', 'DAMAGED');
  await assertReason(
    Buffer.concat([Buffer.from('%PDF-1.7\n'), makeNoise(50_000)]),
    'application/pdf',
    'DAMAGED',
  );
  await assertReason(document.subarray(0, document.length / 2), docx, 'DAMAGED');
  await assertReason(Buffer.concat([document.subarray(0, 8000), makeNoise(5000)]), docx, 'DAMAGED');
  // Archives written as a stream have the length of a part only after it.
  const streamed = buildBomb(1, '<w:body>', ' ');
  await assertReason(streamed.subarray(0, streamed.length / 2), docx, 'DAMAGED');
  await assertReason(buildDocx('<w:p>'), docx, 'DAMAGED');
  await assertReason(buildDocx('&unknown;'), docx, 'DAMAGED');
  await assertReason(buildPdf([null]), 'application/pdf', 'DAMAGED');
});

test('a file of another type than stated is reported as damaged', async () => {
  await assertReason('Text', 'application/pdf', 'DAMAGED');
  await assertReason('Text', docx, 'DAMAGED');
  await assertReason(buildPdf(['Text']), docx, 'DAMAGED');
  await assertReason(buildDocx(paragraph('Text')), 'application/pdf', 'DAMAGED');
  await assertReason(makeNoise(5000), 'text/plain', 'DAMAGED');
  await assertReason(makeNoise(5000), 'text/html', 'DAMAGED');
});

test('a file without text is no failure: it has no text', async () => {
  const files: [Buffer | string, string, number | null][] = [
    ['', 'text/plain', null],
    ['', 'application/pdf', null],
    ['', docx, null],
    [' \n\t', 'text/plain', null],
    ['\ufeff', 'text/csv', null],
    ['<html><script>text</script>', 'text/html', null],
    [buildDocx(paragraph('')), docx, null],
    [buildPdf(['', '']), 'application/pdf', 2],
  ];
  for (const [content, mediaType, pageCount] of files) {
    await writeFile(path, content);
    const text = await extract(mediaType);
    assert.deepEqual([text.characters, text.pageCount, text.truncated], [0, pageCount, false], mediaType);
  }
});

test('other types are refused, whatever the bytes', async () => {
  for (const type of [
    'application/octet-stream',
    'image/png',
    'application/zip',
    'text/html; charset=utf-8',
  ]) {
    await assertReason('<html>Text', type, 'UNSUPPORTED_TYPE');
  }
});

test('a file that cannot be opened is an error of the system, not a reason', async () => {
  const missing = extractText(join(folder, 'missing'), 'text/plain', defaultExtractionLimits, never);
  await assert.rejects(missing, { code: 'ENOENT' });
});

test('a zip bomb is refused before it is unpacked', async () => {
  const bomb = buildBomb(120, '<w:body>', ' ');
  assert.ok(bomb.length < 1024 * 1024, `${bomb.length}`);
  await assertReason(bomb, docx, 'TOO_LARGE');
  await assertReason(buildBomb(5, '<w:body>', ' '), docx, 'TOO_LARGE', { unzippedBytes: 4_000_000 });
});

test('a parser that takes too much memory is ended, inside the heap and outside of it', async () => {
  // The parser keeps the whole value of an attribute in memory.
  const value = buildBomb(150, '<w:body><w:p w:x="', 'a');
  await assertReason(value, docx, 'MEMORY_LIMIT', { memoryMegabytes: 128, unzippedBytes: 1e9 });
  // PDF.js reads the file into one buffer outside the heap. The file is sparse and takes no space on disk.
  await writeFile(path, '%PDF-1.7\n');
  await truncate(path, 1024 * 1024 * 1024);
  await assertFileReason('application/pdf', 'MEMORY_LIMIT', { memoryMegabytes: 200 });
});

test('an endless parser is ended', async () => {
  await assertReason(endless, 'application/pdf', 'TIME_LIMIT', { cpuMilliseconds: oneSecond });
});

test('the processor time that a file may take grows with its size, from a floor to a cap', () => {
  const limits = { ...defaultExtractionLimits, cpuMilliseconds: { least: 2, perMegabyte: 10, most: 30 } };
  const allowed = [1, 100_000, 1_000_000, 2_000_000, 2_800_000, 1_000_000_000].map((bytes) =>
    cpuLimitOf(bytes, limits),
  );
  assert.deepEqual(allowed, [3, 3, 12, 22, 30, 30]);
});

test('a larger file may take longer', async () => {
  // The same pages in a file that is mostly a comment. Reading needs more than the base time and less than the whole limit.
  const limits = { cpuMilliseconds: { least: 1, perMegabyte: 60_000, most: 60_000 } };
  await assertReason(buildPdf(['Text']), 'application/pdf', 'TIME_LIMIT', limits);
  const comment = `%${'x'.repeat(1_000_000)}\n`;
  await writeFile(path, Buffer.concat([buildPdf(['Text']), Buffer.from(comment)]));
  assert.deepEqual((await extract('application/pdf', limits)).pages, ['Text']);
});

test('elapsed time is not the fault of the file: extraction can be retried', async () => {
  await writeFile(path, endless);
  await assert.rejects(extract('application/pdf', { wallMilliseconds: 500 }), (error) => {
    assert.ok(error instanceof Error && !(error instanceof ExtractionError), String(error));
    assert.match(error.message, /did not end within 500 ms/);
    return true;
  });
});

test('a PDF of 10,000 pages ends as text up to the limit', async () => {
  const pages = Array.from({ length: 10_000 }, (_, index) => `Page ${index + 1}`);
  await writeFile(path, buildPdf(pages));
  const text = await extract('application/pdf', { pages: 500 });
  assert.deepEqual([text.pageCount, text.pages.length, text.truncated], [10_000, 500, true]);
  assert.equal(text.pages[499], 'Page 500');
});

test('a PDF that lies about its pages ends', async () => {
  for (const count of [1, 3, 2_000_000_000]) {
    await writeFile(path, buildPdf(['One', 'Two'], { count }));
    const text = await extract('application/pdf');
    assert.equal(text.pages[0], 'One', `count ${count}`);
  }
  await assertReason(buildPdf(['One'], { count: -5 }), 'application/pdf', 'DAMAGED');
});

test('deeply nested HTML and XML end as text', async () => {
  await writeFile(path, `<html>${'<div>'.repeat(20_000)}Text`);
  assert.deepEqual((await extract('text/html')).pages, ['Text']);
  await writeFile(path, `<html>${'<div>'.repeat(1_000_000)}Text`);
  assert.deepEqual((await extract('text/html')).pages, ['Text']);
  const [opening, closing] = ['<w:sdt>'.repeat(4000), '</w:sdt>'.repeat(4000)];
  await writeFile(path, buildDocx(opening + paragraph('Text') + closing));
  assert.deepEqual((await extract(docx)).pages, ['Text']);
  const deeper = '<w:p>'.repeat(2_000_000) + '</w:p>'.repeat(2_000_000);
  await assertReason(buildDocx(deeper), docx, 'TOO_DEEP');
});

test('aborting ends the process and rejects with the reason', { timeout: 180_000 }, async () => {
  await writeFile(path, endless);
  const controller = new AbortController();
  const extraction = extract('application/pdf', longest, controller.signal);
  extraction.catch(() => undefined);
  await until('the process runs', () => listChildren(process.pid, program).length === 1);
  const reason = new Error('The file was deleted.');
  controller.abort(reason);
  await assert.rejects(extraction, reason);
  assert.deepEqual(listChildren(process.pid, program), []);
  await assert.rejects(extract('application/pdf', {}, controller.signal), reason);
});

const isLinux = process.platform === 'linux';
test('the process has no data of the server, a low priority, and is the first to be killed for memory', {
  skip: !isLinux && 'needs /proc',
}, async () => {
  process.env.TRELLIS_TEST_SECRET = 'a secret';
  await writeFile(path, endless);
  const controller = new AbortController();
  const extraction = extract('application/pdf', longest, controller.signal);
  extraction.catch(() => undefined);
  try {
    await until('the process runs', () => listChildren(process.pid, program).length === 1);
    const [child] = listChildren(process.pid, program);
    assert.ok(child);
    assert.equal(readFileSync(`/proc/${child.pid}/environ`, 'utf8'), '');
    assert.ok(!child.command.includes(folder), child.command);
    assert.equal(getPriority(child.pid), Math.max(getPriority(), 10));
    const readScore = () => readFileSync(`/proc/${child.pid}/oom_score_adj`, 'utf8').trim();
    await until('it is the first to be ended', () => readScore() === '1000');
  } finally {
    delete process.env.TRELLIS_TEST_SECRET;
    controller.abort();
    await assert.rejects(extraction, { name: 'AbortError' });
  }
});

test('the process does not run as root while it reads a file', {
  skip: !isLinux && 'needs /proc',
}, async () => {
  await writeFile(path, endless);
  const controller = new AbortController();
  const extraction = extract('application/pdf', longest, controller.signal);
  extraction.catch(() => undefined);
  /** The users and groups of each thread: real, effective, saved, and of file accesses; proc_pid_status(5). */
  const readOwners = () => {
    const [child] = listChildren(process.pid, program);
    if (child === undefined) return [];
    const threads = readdirSync(`/proc/${child.pid}/task`);
    return threads.flatMap((thread) => {
      const status = readFileSync(`/proc/${child.pid}/task/${thread}/status`, 'utf8');
      return [...status.matchAll(/^(?:[UG]id|Groups):(.*)$/gm)].map(([, ids = '']) => ids.trim());
    });
  };
  const user = process.getuid?.();
  const [uid, gid] = user === 0 ? [65_534, 65_534] : [user, process.getgid?.()];
  const groups = user === 0 ? '' : (process.getgroups?.() ?? []).join(' ');
  const expected = [Array(4).fill(uid).join('\t'), Array(4).fill(gid).join('\t'), groups].sort();
  try {
    await until('it has given its rights up', () => {
      const owners = readOwners();
      return owners.length > 0 && isDeepStrictEqual([...new Set(owners)].sort(), [...new Set(expected)]);
    });
  } finally {
    controller.abort();
    await assert.rejects(extraction, { name: 'AbortError' });
  }
});

test('the process ends with the server, also when that is killed', async () => {
  await writeFile(path, endless);
  const source = `
    const { extractText, defaultExtractionLimits } = await import(process.argv[1]);
    await extractText(process.argv[2], 'application/pdf', defaultExtractionLimits, new AbortController().signal);`;
  const module = new URL('../../packages/server/src/features/knowledge/extraction.ts', import.meta.url).href;
  const server = spawn(process.execPath, ['--input-type=module', '-e', source, module, path], {
    stdio: 'ignore',
  });
  const { pid } = server;
  assert.ok(pid !== undefined);
  const exited = new Promise((resolve) => server.once('exit', resolve));
  let pids: number[] = [];
  try {
    await until('the process runs', () => {
      pids = listChildren(pid, program).map((child) => child.pid);
      return pids.length === 1;
    });
  } finally {
    server.kill('SIGKILL');
    await exited;
  }
  await until('the process has ended', () => pids.every((orphan) => readProcessStart(orphan) === null));
});

test('several extractions run concurrently, and a valid file is read after all of this', async () => {
  const good = join(folder, 'good');
  await writeFile(good, buildPdf(['Good']));
  await writeFile(path, endless);
  assert.equal(await sniffMediaType(good, null), 'application/pdf');
  const [text] = await Promise.all([
    extractText(good, 'application/pdf', defaultExtractionLimits, never),
    assertFileReason('application/pdf', 'TIME_LIMIT', { cpuMilliseconds: oneSecond }),
  ]);
  assert.deepEqual(text.pages, ['Good']);
});

test('a response of the wrong form or beyond the limits is rejected', () => {
  const limits = { ...defaultExtractionLimits, characters: 5, pages: 2 };
  const parse = (response: unknown) => parseResponse(Buffer.from(JSON.stringify(response)), limits);
  const text = { pages: ['ab', 'cde'], pageCount: 7, characters: 99, truncated: true };
  assert.deepEqual(parse({ text }), { text: { ...text, characters: 5 } });
  assert.deepEqual(parse({ reason: 'DAMAGED' }), { reason: 'DAMAGED', detail: null });
  assert.deepEqual(parse({ failure: 'No parser.' }), { failure: 'No parser.' });
  const wrong = [
    null,
    7,
    {},
    { reason: 'toString' },
    { text: null },
    { text: { ...text, pages: 'ab' } },
    { text: { ...text, pages: [1] } },
    { text: { ...text, pages: ['abcdef'] } },
    { text: { ...text, pages: ['', '', ''] } },
    { text: { ...text, pageCount: '7' } },
    { text: { ...text, pageCount: -1 } },
  ];
  for (const response of wrong) assert.equal(parse(response), null, JSON.stringify(response));
  assert.equal(parseResponse(Buffer.from('{"text":'), limits), null);
  const longest = { text: { ...text, pages: ['"\n"\n"', ''], characters: 5 } };
  assert.ok(JSON.stringify(longest).length < maximumResponseBytes(limits));
});
