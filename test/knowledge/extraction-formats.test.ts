/**
 * Text extraction from each format: the words that a reader sees, page by page where there are pages, normalized and
 * within the limits.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cleanText } from '@trellis/server/features/knowledge/extraction/collector.ts';
import {
  defaultExtractionLimits,
  type ExtractedText,
  type ExtractionLimits,
  extractText,
  sniffMediaType,
} from '@trellis/server/features/knowledge/extraction.ts';
import { strToU8 } from 'fflate';
import { buildDocx, buildDocxTypesLast, buildPart, buildPdf, paragraph } from '../support/documents.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-formats-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function extract(
  content: Uint8Array | string,
  fileName: string,
  limits: Partial<ExtractionLimits> = {},
): Promise<ExtractedText> {
  const path = join(folder, 'file');
  await writeFile(path, content);
  const mediaType = await sniffMediaType(path, fileName);
  return extractText(
    path,
    mediaType,
    { ...defaultExtractionLimits, ...limits },
    AbortSignal.timeout(180_000),
  );
}

/** The result for a format without pages and a text within the limits. */
function wholeText(text: string): ExtractedText {
  return { pages: [text], pageCount: null, characters: Array.from(text).length, truncated: false };
}

test('the text of plain text, Markdown and CSV is the decoded file', async () => {
  const table = 'name;city\nJürgen;"Köln"\n';
  assert.deepEqual(await extract('# Title\n\n* one\n', 'a.md'), wholeText('# Title\n\n* one'));
  assert.deepEqual(await extract(table, 'a.csv'), wholeText(table.trim()));
  assert.deepEqual(await extract(Buffer.from(`\ufeff${table}`, 'utf16le'), 'a.csv'), wholeText(table.trim()));
  const bigEndian = Buffer.from(`\ufeff${table}`, 'utf16le').swap16();
  assert.deepEqual(await extract(bigEndian, 'a.txt'), wholeText(table.trim()));
  // A character of three bytes across the boundary of two chunks.
  const long = `${'a'.repeat(16 * 1024 - 1)}€uro`;
  assert.deepEqual(await extract(long, 'a.txt'), wholeText(long));
});

test('text is normalized: composed, lines end with LF, no control characters, trimmed', async () => {
  const typed = '\ufeff  Cafe\u0301\r\nline\rpage\fbell\u0007 next\u0085tab\there\u009f \n';
  assert.deepEqual(await extract(typed, 'a.txt'), wholeText('Café\nline\npage\nbell next\ntab\there'));
  // Fonts of a PDF can map to halves of surrogate pairs, which databases refuse.
  assert.equal(cleanText('a\ud800b\udc00'), 'a\ufffdb\ufffd');
});

test('the text of HTML is its title and what a reader sees, in lines', async () => {
  const page = `<!doctype html><html><head><meta charset="utf-8"><title>The  title &amp; more</title>
    <style>p { color: red }</style><script>var secret = "<p>hidden</p>";</script></head>
    <body onload="attribute()"><!-- comment --><h1>Heading</h1>
    <p>One <b>bo</b>ld
       line,<br>another &lt;line&gt;.</p><noscript>No script</noscript>
    <ul><li>First<li>Second <i> word</i></ul>
    <table><tr><th>A</th><th> B </th></tr><tr><td>1<td>2</table>
    <pre>
  kept
    spaces</pre><template>Template</template><svg><text>Drawing</text></svg>
    <style>/* </p> */</style>Last</body></html>`;
  const expected = [
    'The title & more',
    'Heading',
    'One bold line,',
    'another <line>.',
    'First',
    'Second word',
    'A\tB',
    '1\t2',
    '',
    '  kept',
    '    spaces',
    'Last',
  ];
  assert.deepEqual(await extract(page, 'page.html'), wholeText(expected.join('\n')));
  // An unclosed element ends with the file.
  assert.deepEqual(await extract('<html><p>Seen<script>unseen <p>too', 'page.html'), wholeText('Seen'));
});

test('the text of DOCX is its body, notes and comments with all changes accepted', async () => {
  const body =
    paragraph('First &amp; <![CDATA[<second>]]>') +
    '<w:p><w:pPr><w:pStyle w:val="style"/></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t xml:space="preserve">b </w:t><w:br/>' +
    '<w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:instrText>PAGE</w:instrText></w:r></w:p>' +
    '<w:p><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>' +
    '<w:ins><w:r><w:t>inserted</w:t></w:r></w:ins></w:p>' +
    '<mc:AlternateContent><mc:Choice Requires="wps"><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice>' +
    '<mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>';
  const notes = strToU8(buildPart('footnotes', `<w:footnote w:id="1">${paragraph('Footnote')}</w:footnote>`));
  const comments = strToU8(buildPart('comments', paragraph('Comment')));
  const expected = 'First & <second>\na\tb \nc-d\ninserted\nbox\n\nFootnote\n\nComment';
  const parts = { 'word/footnotes.xml': notes, 'word/comments.xml': comments };
  assert.deepEqual(await extract(buildDocx(body, parts), 'a.docx'), wholeText(expected));
  assert.deepEqual(await extract(buildDocxTypesLast(paragraph('Text')), 'a.docx'), wholeText('Text'));
});

test('a PDF has a text for each page, even an empty one', async () => {
  assert.deepEqual(await extract(buildPdf(['First (page)', '', 'Third']), 'a.pdf'), {
    pages: ['First (page)', '', 'Third'],
    pageCount: 3,
    characters: 17,
    truncated: false,
  });
});

test('a page that cannot be read is empty, and the text is marked as truncated', async () => {
  assert.deepEqual(await extract(buildPdf(['First', null, 'Third']), 'a.pdf'), {
    pages: ['First', '', 'Third'],
    pageCount: 3,
    characters: 10,
    truncated: true,
  });
});

test('pages beyond the limit are counted but not read', async () => {
  assert.deepEqual(await extract(buildPdf(['One', 'Two', 'Three']), 'a.pdf', { pages: 2 }), {
    pages: ['One', 'Two'],
    pageCount: 3,
    characters: 6,
    truncated: true,
  });
  const all = await extract(buildPdf(['One', 'Two', 'Three']), 'a.pdf', { pages: 3 });
  assert.deepEqual([all.pages.length, all.truncated], [3, false]);
});

test('text beyond the limit is dropped, counted in code points over all pages', async () => {
  const cut = (pages: string[], characters: number, pageCount: number | null) => ({
    pages,
    pageCount,
    characters,
    truncated: true,
  });
  assert.deepEqual(await extract('😀😀😀😀', 'a.txt', { characters: 3 }), cut(['😀😀😀'], 3, null));
  assert.deepEqual(await extract('😀😀😀', 'a.txt', { characters: 3 }), wholeText('😀😀😀'));
  assert.deepEqual(await extract('<html>one<p>two', 'a.html', { characters: 5 }), cut(['one\nt'], 5, null));
  assert.deepEqual(
    await extract(buildDocx(paragraph('abc') + paragraph('def')), 'a.docx', { characters: 5 }),
    cut(['abc\nd'], 5, null),
  );
  assert.deepEqual(
    await extract(buildPdf(['abcd', 'efgh', 'ijkl']), 'a.pdf', { characters: 6 }),
    cut(['abcd', 'ef'], 6, 3),
  );
});
