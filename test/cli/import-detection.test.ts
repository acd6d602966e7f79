/** Which format a file has, whatever its name is; and what to do with a file of another one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '@trellis/importer/errors.ts';
import { detectFormat, detectText } from '@trellis/importer/readers/detect.ts';
import { findSuperlinear, hostileUnits } from '../support/growth.ts';
import { refusedFiles } from '../support/refused-files.ts';
import { toFile } from '../support/source-file.ts';
import { createRow, createWorkbook } from '../support/workbook.ts';

const workbook = createWorkbook({ sheets: [{ name: 'S', rows: createRow(1, ['Name']) }] });

test('the content tells the format', async () => {
  const cases: [name: string, content: string | Uint8Array, format: string][] = [
    ['a.csv', 'Name,Town\n', 'csv'],
    ['a.csv', 'Name\nAda\n', 'csv'],
    ['a.xls', 'Name;Town\n', 'csv'],
    ['a.xls', 'Name\tTown\r\n', 'csv'],
    ['a.xls', Buffer.from('\ufeffName\tTown\r\n', 'utf16le'), 'csv'],
    ['a.csv', Buffer.from('Name,Town\r\n', 'utf16le'), 'csv'],
    ['a', 'Name,Town\n', 'csv'],
    ['a.csv', workbook, 'xlsx'],
    ['a.zip', workbook, 'xlsx'],
    ['a.txt', 'BEGIN:VCARD\r\n', 'vcard'],
    ['a.txt', '\ufeffbegin:vcard\n', 'vcard'],
    ['a.txt', 'publication_title\tprint_identifier\n', 'kbart'],
    [
      'a.xml',
      '<?xml version="1.0"?><!-- <rss> --><rss xmlns:wp="http://wordpress.org/export/1.2/">',
      'wordpress',
    ],
    ['a.xml', '<ONIXMessage release="3.1">', 'onix'],
    ['a.xml', '<o:ONIXMessage xmlns:o="http://ns.editeur.org/onix/3.0/reference">', 'onix'],
    ['a.xml', '<!DOCTYPE ONIXmessage SYSTEM "x.dtd" [ <!-- a > --> ]><ONIXmessage release=\'3.0\'>', 'onix'],
    ['a.md', '---\ntitle: a\n---\n', 'markdown'],
    ['a.md', '<p>a, b</p>', 'markdown'],
  ];
  for (const [name, content, format] of cases) {
    assert.equal(
      await detectFormat(toFile(name, content)),
      format,
      `${name} ${String(content).slice(0, 40)}`,
    );
  }
});

test('a file of another format is refused with a way to save it', async () => {
  for (const [content, sentence] of refusedFiles) {
    await assert.rejects(detectFormat(toFile('a.x', content)), (error) => {
      assert.match(String(error), sentence, String(content).slice(0, 60));
      assert.ok(content instanceof Uint8Array || error instanceof UsageError);
      return true;
    });
  }
});

test('a table in HTML that is called .xls is no web page to the people who have it', async () => {
  const page =
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table><tr><td>a</td></tr></table>';
  await assert.rejects(detectFormat(toFile('report.XLS', page)), /report\.XLS is a table in HTML/);
});

test('the format is told in time that grows with the length of the sample', async () => {
  for (const unit of [...hostileUnits, '<!--', '<?', '<!DOCTYPE [', '% \n', '{"a":', '<a ']) {
    for (const start of ['', '<', '{"']) {
      const grown = findSuperlinear(20_000, (size) => {
        try {
          detectText('a.x', start + unit.repeat(size / unit.length), true);
        } catch (error) {
          assert.ok(error instanceof UsageError, String(error));
        }
      });
      assert.equal(grown, null, JSON.stringify([start, unit]));
    }
  }
});
