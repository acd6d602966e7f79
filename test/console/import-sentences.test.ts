/** What the importer says of files is also German in the console. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { describeNotes } from '@trellis/importer/preview.ts';
import { detectFormat } from '@trellis/importer/readers/detect.ts';
import { openTable } from '@trellis/importer/readers/formats.ts';
import type { Source } from '@trellis/importer/source.ts';
import { germanImportSentences } from '../../packages/console/src/text/import-sentences.de.ts';
import { german } from '../../packages/console/src/text/sentences.de.ts';
import { findSentences } from '../../packages/console/src/text/sentences.ts';
import { refusedFiles } from '../support/refused-files.ts';
import { toFile } from '../support/source-file.ts';
import { createRow, createWorkbook } from '../support/workbook.ts';

const find = findSentences(
  { ...german, ...germanImportSentences },
  { field: String, value: String, list: (words) => words.join(', '), records: String },
);

function checkGerman(sentence: string): void {
  const found = find(sentence);
  assert.ok(found !== null, `no German sentence: ${sentence}`);
  assert.doesNotMatch(found, /\{\w+\}|\b(?:Export its|save it|import)\b/, found);
}

test('every refusal of a file', async () => {
  for (const [content] of refusedFiles) {
    const error = await detectFormat(toFile('Liste 2024.x', content)).then(
      () => assert.fail('the file is refused'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Error);
    checkGerman(error.message);
    assert.match(find(error.message) ?? '', /^Liste 2024\.x /);
  }
  checkGerman(
    'a.xlsx has too many rows without a value. Delete empty rows and sheets, or save the sheet as "CSV UTF-8".',
  );
});

test('what is said of a workbook', async () => {
  const sheets = [
    {
      name: 'People',
      rows: `${createRow(1, ['List of people'])}${createRow(3, ['Last name', 'Town'])}<row r="4" hidden="1"><c r="A4" t="inlineStr"><is><t>A</t></is></c></row>`,
      isHidden: true,
    },
    { name: 'Other', rows: createRow(1, ['a', 'b']), isHidden: true },
  ];
  const source = await openTable(toFile('a.xlsx', createWorkbook({ sheets })), 'xlsx', {
    columns: null,
    delimiter: null,
  });
  const notes = describeNotes(source);
  assert.equal(notes.length, 4, notes.join('\n'));
  for (const note of notes) checkGerman(note);
});

test('what is said of the samples of other systems', async () => {
  const open = async (name: string): Promise<Source> => {
    const bytes = await readFile(fileURLToPath(new URL(`../samples/systems/${name}`, import.meta.url)));
    const file = toFile(name, bytes);
    const format = await detectFormat(file);
    assert.ok(format !== 'markdown');
    return openTable(file, format, { columns: null, delimiter: null });
  };
  let skipped = 0;
  for (const name of ['wordpress.xml', 'ghost.json', 'contacts.vcf', 'onix.xml', 'kbart.txt']) {
    const source = await open(name);
    for (const note of describeNotes(source)) checkGerman(note);
    await Array.fromAsync(source.read());
    for (const what of source.skipped.keys()) checkGerman(what);
    skipped += source.skipped.size;
  }
  assert.ok(skipped >= 8, String(skipped));
});

test('each adjustment of values', async () => {
  const folder = fileURLToPath(new URL('../../packages/importer/src/', import.meta.url));
  const found = new Set<string>();
  for await (const file of glob('**/*.ts', { cwd: folder })) {
    const source = await readFile(`${folder}${file}`, 'utf8');
    for (const [, text = ''] of source.matchAll(/(?:\brepair: |repairs\.push\()'([^']+)'/g)) found.add(text);
  }
  assert.ok(found.size > 20, `${found.size}`);
  for (const repair of found) checkGerman(repair);
});
