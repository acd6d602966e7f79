/** Formatted text on the clipboard as Markdown: what Word, Google Docs and pages write, and what hostile pages could. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownOfHtml } from '../../../packages/console/src/features/articles/paste/markdown-of-html.ts';

const origin = 'https://trellis.example.com';

function convert(html: string): string | null {
  return markdownOfHtml(html, origin)?.markdown ?? null;
}

test('headings, emphasis, links, lists and tables of Google Docs', () => {
  const run = (text: string, style = 'font-weight:400') =>
    `<span style="${style};font-size:11pt">${text}</span>`;
  const item = (text: string) =>
    `<li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">${run(text)}</p></li>`;
  const html = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-7">
    <h2 dir="ltr">${run('Care', 'font-weight:700')}</h2>
    <p dir="ltr">${run('Water ')}${run('rarely ', 'font-weight:700')}${run('in winter', 'font-style:italic')}${run(', see ')}<a
      href="https://example.com/water" style="text-decoration:none;">${run('here', 'text-decoration:underline')}</a>${run('.')}</p><br>
    <p dir="ltr">${run('2 * 3 * 4 leaves')}</p>
    <ul>${item('Light')}<ul>${item('not at noon')}</ul>${item('Air')}</ul>
    <ol start="3">${item('third')}${item('fourth')}</ol>
    <table><tbody><tr><td><p>${run('Plant')}</p></td><td><p>${run('Height')}</p></td></tr>
      <tr><td><p>${run('Fern')}</p></td><td><p>${run('1 m')}</p><p>${run('or more')}</p></td></tr></tbody></table></b>`;
  assert.equal(
    convert(html),
    `## Care

Water **rarely** *in winter*, see [here](https://example.com/water).

2 \\* 3 \\* 4 leaves

- Light
  - not at noon
- Air

3. third
4. fourth

| Plant | Height         |
| ----- | -------------- |
| Fern  | 1 m<br>or more |`,
  );
});

test('titles, lists and empty lines of Word', () => {
  const item = (level: number, marker: string, text: string) =>
    `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:
Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>

`;
  const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style></head>
<body lang=DE><!--StartFragment--><p class=MsoTitle>Farne<o:p></o:p></p>
<p class=MsoNormal><b>Wenig</b> gießen, <s>täglich</s><o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>
${item(1, '·', 'Licht')}${item(2, '1.', 'morgens')}${item(2, '2.', 'abends')}${item(1, '·', 'Luft')}<p class=MsoNormal>Zeile<br>
und noch eine</p><!--EndFragment--></body></html>`;
  assert.equal(
    convert(html),
    '# Farne\n\n**Wenig** gießen, ~~täglich~~\n\n- Licht\n  1. morgens\n  2. abends\n- Luft\n\nZeile\\\nund noch eine',
  );
});

test('of a page only what readers can use is pasted', () => {
  const picture = `${origin}/pictures/org_01/kf_01/ab.jpg`;
  const pasted = markdownOfHtml(
    `<style>p{}</style><p>See <a href="javascript:alert(1)">this</a>, <a href="#note">that</a> and <a href="mailto:a@example.com">us</a>
    <script>alert(1)</script><span style="display:none">hidden</span></p><p><img src="${picture}" alt="A fern"></p>
    <p><img src="https://tracker.invalid/x.gif"><img src="data:image/png;base64,AAAA"></p><button>Share</button>`,
    origin,
  );
  assert.deepEqual(pasted, {
    markdown: `See this, that and [us](mailto:a@example.com)\n\n![A fern](${picture})`,
    isBlock: true,
    pictures: 2,
  });
  assert.deepEqual(markdownOfHtml('a <b>bold</b> word', origin), {
    markdown: 'a **bold** word',
    isBlock: false,
    pictures: 0,
  });
});

test('what has no format, and programs, are pasted as they are', () => {
  assert.equal(convert('just <span style="color:red">words</span>'), null);
  assert.equal(convert('<pre># Markdown *itself*</pre>'), null);
  assert.equal(
    convert('<div style="font-family:Consolas;white-space: pre;"><div>let a</div><div>let b</div></div>'),
    null,
  );
  assert.equal(convert(''), null);
});

test('of more than is converted, nothing is', () => {
  assert.notEqual(convert('<b>a</b> '.repeat(10_000)), null);
  assert.equal(convert('<b>a</b> '.repeat(30_000)), null);
  const deep = `${'<div>'.repeat(5_000)}deep${'</div>'.repeat(5_000)}`;
  assert.equal(convert(`${deep}<p>and <b>high</b></p>`), 'deep\n\nand **high**');
});
