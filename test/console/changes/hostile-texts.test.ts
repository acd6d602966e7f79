/** What records contain may be meant to do harm: in a spreadsheet that opens an export. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../../../packages/console/src/ui/csv.ts';

test('no cell of an export is a formula, and numbers stay what they are', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
    assert.match(toCsv([[`${start}HYPERLINK("https://example.com")`]]), /^"'/, JSON.stringify(start));
  const harmless = ['+44 20 7946 0123', '-1.5', '＋49', 'a=b', '(=1)', ''];
  assert.equal(toCsv([harmless]), `${harmless.join(',')}\r\n`);
  assert.equal(toCsv([['a "b"', 1, true, null, ['=1']]]), '"a ""b""",1,true,,"[""=1""]"\r\n');
});
