/** Details of formatted text on the clipboard that Markdown has in another way: in the Markdown, and as the preview shows it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownOfHtml } from '../../../packages/console/src/features/articles/paste/markdown-of-html.ts';
import type { PreviewNode } from '../../../packages/console/src/features/articles/preview/nodes.ts';
import { parseText } from '../../../packages/console/src/features/articles/preview/parse.ts';

const origin = 'https://trellis.example.com';

function convert(html: string): string {
  const markdown = markdownOfHtml(html, origin)?.markdown ?? '';
  assert.doesNotMatch(markdown, /&#/, 'without character references');
  return markdown;
}

/** What a reader sees: the elements of the preview without attributes. */
function show(markdown: string): string {
  const write = (node: PreviewNode): string =>
    typeof node === 'string' ? node : `<${node.name}>${node.children.map(write).join('')}</${node.name}>`;
  return parseText(markdown, 'MARKDOWN').blocks.map(write).join('').trim();
}

/** The rows of the tables that a reader sees. */
function rowsOf(markdown: string): string[][] {
  return [...show(markdown).matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replaceAll('<br></br>', '/')),
  );
}

test('emphasis next to letters and punctuation of any script is seen', () => {
  for (const [html, shown = html] of [
    ['这是<strong>“重点”</strong>内容'],
    ['Wort<em>(kursiv)</em>weiter'],
    ['<strong>注意：</strong>请看<strong>《书》</strong>吧'],
    ['重要<del>「旧」</del>です、<em>「斜体」</em>と<strong>太字。</strong>次'],
    ['un<strong>believ</strong>able and <em>it</em>’s'],
    ['a<strong><em>(x)</em></strong>b <em><strong>both</strong></em>'],
    ['a<strong>b</strong><em>c</em>d and <em>x<strong>y</strong></em> and <strong><em>x</em>y</strong>'],
    ['2*3 <strong>*a*</strong> a<strong>😀</strong>b 😀<strong>(c)</strong>'],
    ['Wort<strong><code>x</code></strong>weiter and <strong>$5</strong>a'],
    ['<b>a</b><strong>b<b>c</b></strong>', '<strong>abc</strong>'],
    ['a<b>b </b>c<i> (d) </i>e', 'a<strong>b</strong> c <em>(d)</em> e'],
  ])
    assert.equal(show(convert(html ?? '')).replaceAll(/<(\/?)s>/g, '<$1del>'), `<p>${shown}</p>`, html);
  assert.equal(
    convert('Ein <b>fettes</b>, <i>schräges</i> <b><i>Wort</i></b>'),
    'Ein **fettes**, *schräges* ***Wort***',
  );
});

test('merged cells keep their columns', () => {
  const html = `<table><caption>Heights</caption><tr><th colspan=2>Plant</th><th>Height</th></tr>
    <tr><td rowspan=2>Fern</td><td>old</td><td>1 m</td></tr><tr><td>young</td><td>2 cm</td></tr>
    <tr><td colspan="3">all</td></tr><tr><td>Moss</td><td rowspan=9 colspan=2>flat</td></tr></table>`;
  const markdown = convert(html);
  assert.deepEqual(rowsOf(markdown), [
    ['Plant', '', 'Height'],
    ['Fern', 'old', '1 m'],
    ['', 'young', '2 cm'],
    ['all', '', ''],
    ['Moss', 'flat', ''],
  ]);
  assert.ok(markdown.startsWith('Heights\n\n| Plant '));
  const wide = `<table>${'<tr><td colspan=9999 rowspan=0>a</td><td>b</td></tr>'.repeat(300)}</table>`;
  assert.ok(convert(wide).length < 1_000_000);
});

test('lists, code, headings and tables in a cell are lines of text, and no row is lost', () => {
  const html = `<table><tr><th>A</th><th>B</th></tr>
    <tr><td><ul><li>one</li><li>two<ol start=3><li>three</li></ol></li></ul></td><td><pre>x | y

z</pre><h2>Head</h2><p>a<br>b</p></td></tr>
    <tr><td><div>p</div><div>q</div><hr></td><td><blockquote><p>said</p></blockquote></td></tr>
    <tr><td><table><tr><td>in</td><td>side</td></tr><tr><td>it</td></tr></table></td><td><a href="https://a.example"><div>two</div><div>lines</div></a></td></tr>
    <tr><td><br></td><td>last | one</td></tr></table>`;
  const markdown = convert(html);
  assert.deepEqual(rowsOf(markdown), [
    ['A', 'B'],
    ['• one/• two/3. three', '<code>x | y</code>/<code>z</code>/Head/a/b'],
    ['p/q', 'said'],
    ['in side/it', '<a>two/lines</a>'],
    ['', 'last | one'],
  ]);
  assert.equal(markdown.split('\n').length, 6);
  // A table of one cell only places what is in it.
  assert.equal(
    convert('<table><tr><td><h2>News</h2><ul><li>a</li></ul></td></tr></table>'),
    '## News\n\n- a',
  );
});

test('raised and lowered text is kept, also that of Google Docs', () => {
  assert.equal(convert('10<sup>6</sup> H<sub>2</sub>O'), '10<sup>6</sup> H<sub>2</sub>O');
  assert.equal(
    convert('<p><sup>1</sup></p><p>x<sup><b>(a)</b></sup></p>'),
    '<sup>1</sup>\n\nx<sup>**(a)**</sup>',
  );
  assert.equal(show('10<sup>6</sup> H<sub>2</sub>O'), '<p>10<sup>6</sup> H<sub>2</sub>O</p>');
  assert.equal(convert('m<span style="vertical-align:super">2</span>'), 'm<sup>2</sup>');
});

test('check boxes of tasks', () => {
  const tasks = '- [ ] Water\n- [x] Light';
  for (const html of [
    '<ul><li class="task-list-item"><input type="checkbox" disabled> Water</li><li><input type=checkbox checked disabled>Light</li></ul>',
    '<ul><li><label><input type="checkbox"><span> Water</span></label></li><li><p><input type="checkbox" checked="">Light</p></li></ul>',
    '<ul><li>[ ] Water</li><li>[x] Light</li></ul>',
    `<b style="font-weight:normal" id="docs-internal-guid-1"><ul><li dir="ltr" role="checkbox" aria-checked="false" aria-level="1"><img
      src="data:image/png;base64,iVBOR" alt="unchecked" aria-roledescription="checkbox" /><p role="presentation"><span>Water</span></p></li><li
      role="checkbox" aria-checked="true"><img src="data:image/png;base64,iVBOR" alt="checked" aria-roledescription="checkbox" /><p><span>Light</span></p></li></ul></b>`,
  ]) {
    assert.equal(convert(html), tasks);
    assert.equal(markdownOfHtml(html, origin)?.pictures, 0);
  }
  assert.equal(
    convert('<ol><li><input type="checkbox">a<ul><li><input type="checkbox" checked>b</li></ul></li></ol>'),
    '1. [ ] a\n   - [x] b',
  );
});

test('empty elements leave nothing', () => {
  assert.equal(
    convert(
      '<h2></h2><p>a <kbd></kbd>b<code> </code><b>c</b><sup></sup><a href="https://a.example"> </a><i><br></i></p><blockquote> </blockquote><pre></pre>',
    ),
    'a b **c**',
  );
  assert.equal(convert('<b>a</b><br class="Apple-interchange-newline">'), '**a**');
});

test('a link around a picture that is left out stays', () => {
  const link = (contents: string) =>
    convert(`<p>See <a href="https://a.example/p">${contents}</a> <b>b</b></p>`);
  assert.equal(
    link('<img src="https://a.example/x.png" alt="A cat">'),
    'See [A cat](https://a.example/p) **b**',
  );
  assert.equal(link('<span><img src="x.png"></span>'), 'See <https://a.example/p> **b**');
  assert.equal(link('<img src="x.png" alt="Logo"> Home'), 'See [Home](https://a.example/p) **b**');
});

test('quotations and the language of code are kept', () => {
  assert.equal(
    convert('<p>He said <q>no</q></p><pre><code class="hl language-ts">let a</code></pre>'),
    'He said "no"\n\n```ts\nlet a\n```',
  );
  assert.equal(convert('<h2>One<br>two</h2><p>x</p>'), '## One two\n\nx');
});
