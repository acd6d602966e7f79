/** The pictures that posts refer to: where their addresses are, and which files of the folder they mean. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PictureFolder } from '@trellis/importer/readers/picture-files.ts';
import { findPictureLinks, replacePictureLinks } from '@trellis/importer/readers/picture-links.ts';

const toFile = (name: string) => ({ name, size: 0, read: async function* () {} });

/** A text, its pictures, and the text with new addresses. */
type Case = readonly [text: string, pictures: readonly string[], replaced: string];

const inMarkdown: readonly Case[] = [
  ['![A tree](./a.png)', ['./a.png|A tree'], '![A tree](NEW)'],
  ['![](a.png "Title")', ['a.png|'], '![](NEW "Title")'],
  ['![x](<my tree.png>)', ['my tree.png|x'], '![x](NEW)'],
  ['![x](a\\_b.png) and ![y](c.png)', ['a_b.png|x', 'c.png|y'], '![x](NEW) and ![y](NEW)'],
  ['[![x](a.png)](https://example.com)', ['a.png|x'], '[![x](NEW)](https://example.com)'],
  ['![A tree][tree]\n\n[tree]: a.png "T"', ['a.png|A tree'], '![A tree][tree]\n\n[tree]: NEW "T"'],
  ['![Tree][]\n\n[tree]: a.png\n[tree]: b.png', ['a.png|Tree'], '![Tree][]\n\n[tree]: NEW\n[tree]: b.png'],
  ['![Tree]\n\n[tree]: <a.png>', ['a.png|Tree'], '![Tree]\n\n[tree]: NEW'],
  ['[other]: a.png\n\n[other]', [], '[other]: a.png\n\n[other]'],
  ['`![x](a.png)`', [], '`![x](a.png)`'],
  ['```\n![x](a.png)\n<img src="a.png">\n```', [], '```\n![x](a.png)\n<img src="a.png">\n```'],
  ['    ![x](a.png)', [], '    ![x](a.png)'],
  ['Text <img src="a.png" alt="x"> more', ['a.png|x'], 'Text <img src="NEW" alt="x"> more'],
  [
    '<figure>\n<img alt="x" src=a.png>\n</figure>',
    ['a.png|x'],
    '<figure>\n<img alt="x" src="NEW">\n</figure>',
  ],
  ['<!-- <img src="a.png"> -->', [], '<!-- <img src="a.png"> -->'],
  ['Ümlaut 🌳 ![x](a.png)', ['a.png|x'], 'Ümlaut 🌳 ![x](NEW)'],
  ['[![x](a.png)](b.JPG)', ['a.png|x', 'b.JPG|'], '[![x](NEW)](NEW)'],
  ['[page](other.md) <a href="b.md">x</a>', [], '[page](other.md) <a href="b.md">x</a>'],
  ['![x]({{ site.baseurl }}/a.png)', ['/a.png|x'], '![x](NEW)'],
  ['![x]({{ site.url }}{{ site.baseurl }}/a.png)', ['/a.png|x'], '![x](NEW)'],
  ['![x]({{ "/a.png" | relative_url }})', ['/a.png|x'], '![x](NEW)'],
  ['<img src="{{ \'/a.png\' | relative_url }}">', ['/a.png|'], '<img src="NEW">'],
  ['<img src="{{ "/a.png" | relative_url }}">', ['/a.png|'], '<img src="NEW">'],
  [
    'A {{< figure link="/x" src="a.png" title="T" >}} B',
    ['a.png|'],
    'A {{< figure link="/x" src="NEW" title="T" >}} B',
  ],
];

const inHtml: readonly Case[] = [
  ["<p><IMG SRC = 'a.png'></p>", ['a.png|'], '<p><IMG SRC = "NEW"></p>'],
  [
    '<img src="a&amp;b.png" alt="A &quot;tree&quot;"/>',
    ['a&b.png|A "tree"'],
    '<img src="NEW" alt="A &quot;tree&quot;"/>',
  ],
  ['<img data-src="b.png" src="a.png">', ['a.png|'], '<img data-src="b.png" src="NEW">'],
  ['<script>"<img src=a.png>"</script>![x](b.png)', [], '<script>"<img src=a.png>"</script>![x](b.png)'],
  ['<img src="">', [], '<img src="">'],
  ['<a href="b.jpg"><img src="a.png"></a>', ['b.jpg|', 'a.png|'], '<a href="NEW"><img src="NEW"></a>'],
];

for (const [format, cases] of Object.entries({ Markdown: inMarkdown, HTML: inHtml })) {
  test(`the pictures of ${format} are found with their positions`, () => {
    for (const [text, pictures, replaced] of cases) {
      const links = findPictureLinks(text, format === 'HTML');
      assert.ok(links !== null, text);
      assert.deepEqual(
        links.map(({ address, alternativeText }) => `${address}|${alternativeText}`),
        pictures,
        text,
      );
      assert.equal(
        replacePictureLinks(text, links, () => 'NEW'),
        replaced,
      );
      assert.equal(
        replacePictureLinks(text, links, () => null),
        text,
      );
    }
  });
}

test('a text that is nested too deeply is not read, and one with many marks is', () => {
  const picture = '\n\n![x](a.png)';
  const deep = [
    '!['.repeat(50_000),
    `${'![a'.repeat(50_000)}${'](b)'.repeat(50_000)}`,
    `${'![a'.repeat(1_000)}${'](b)'.repeat(1_000)}`,
    '> '.repeat(50_000),
    `${'- '.repeat(50_000)}a`,
    `${'1. '.repeat(50_000)}a`,
    '[a] '.repeat(50_000),
  ];
  for (const text of deep) assert.equal(findPictureLinks(text + picture, false), null, text.slice(0, 10));
  const wide = [
    '*a_ '.repeat(50_000),
    '-'.repeat(500),
    '* '.repeat(500),
    '[a] '.repeat(1_000),
    '[a\n\n'.repeat(500),
  ];
  for (const text of wide)
    assert.equal(findPictureLinks(text + picture, false)?.length, 1, text.slice(0, 10));
});

test('addresses mean the files that site generators would show', () => {
  const names = [
    'content/post/tree/cover.png',
    'content/post/tree/my tree.png',
    'content/post/100%.png',
    'static/images/a.png',
    'images/b.png',
    'public/c.png',
    'content/post/other/d.png',
    'etc/passwd',
  ];
  const folder = new PictureFolder(names.map(toFile));
  const bundle = 'content/post/tree/index.md';
  const single = 'content/post/other.md';
  const cases: readonly (readonly [string, string, string | null | undefined])[] = [
    ['./cover.png', bundle, 'content/post/tree/cover.png'],
    ['cover.png?v=2#top', bundle, 'content/post/tree/cover.png'],
    ['my%20tree.png', bundle, 'content/post/tree/my tree.png'],
    ['../100%.png', bundle, 'content/post/100%.png'],
    ['/images/a.png', bundle, 'static/images/a.png'],
    ['images/a.png', single, 'static/images/a.png'],
    ['/images/b.png', single, 'images/b.png'],
    ['/c.png', single, 'public/c.png'],
    ['d.png', single, 'content/post/other/d.png'],
    ['.\\tree\\cover.png', single, 'content/post/tree/cover.png'],
    ['missing.png', single, null],
    ['../../../../../etc/passwd', bundle, null],
    ['https://example.com/cover.png', bundle, undefined],
    ['//example.com/cover.png', bundle, undefined],
    ['data:image/png;base64,AA==', bundle, undefined],
  ];
  for (const [address, post, expected] of cases) {
    assert.equal(folder.find(address, post), expected, address);
  }
  const chosen = ['cover.png', 'post.md'].map(toFile);
  assert.equal(new PictureFolder(chosen).find('../images/cover.png', 'post.md'), null);
  assert.equal(new PictureFolder(chosen, true).find('../images/cover.png', 'post.md'), 'cover.png');
  assert.equal(new PictureFolder(chosen, true).find('../images/other.png', 'post.md'), null);
});
