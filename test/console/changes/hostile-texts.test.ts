/** What records contain may be meant to do harm: in a spreadsheet that opens an export, and in the preview of an article. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disarmStyles } from '../../../packages/console/src/articles/preview-styles.ts';
import { toCsv } from '../../../packages/console/src/export/files.ts';
import { findSuperlinear, hostileUnits } from '../../support/growth.ts';

test('no cell of an export is a formula, and numbers stay what they are', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
    assert.match(toCsv([[`${start}HYPERLINK("https://example.com")`]]), /^"'/, JSON.stringify(start));
  const harmless = ['+44 20 7946 0123', '-1.5', '＋49', 'a=b', '(=1)', ''];
  assert.equal(toCsv([harmless]), `${harmless.join(',')}\r\n`);
  assert.equal(toCsv([['a "b"', 1, true, null, ['=1']]]), '"a ""b""",1,true,,"[""=1""]"\r\n');
});

test('styles are taken out of HTML in time that grows with its length', () => {
  assert.equal(disarmStyles('<p class=a STYLE = "x">style=1</p>'), '<p class=a data-style = "x">style=1</p>');
  assert.equal(disarmStyles('<Style>p {}</style>'), '<noscript>p {}</noscript>');
  for (const unit of [...hostileUnits, '< ', '<a ', '<a style', '<a\n', ' style=']) {
    const grown = findSuperlinear(20_000, (size) => disarmStyles(unit.repeat(size / unit.length)));
    assert.equal(grown, null, JSON.stringify(unit));
  }
});
