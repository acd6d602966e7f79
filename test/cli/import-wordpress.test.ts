/** Exports of WordPress: rows of categories, tags, posts and pages, and what hostile ones do. */
import assert from 'node:assert/strict';
import { readFile as readSample } from 'node:fs/promises';
import { test } from 'node:test';
import { ImportStopped } from '@trellis/importer/errors.ts';
import { convertBody } from '@trellis/importer/readers/wordpress-body.ts';
import { AmpersandEscaper } from '@trellis/importer/readers/xml-ampersands.ts';
import { findSuperlinear, hostileUnits } from '../support/growth.ts';
import { toFile } from '../support/source-file.ts';
import { openFile, readFile, readPlaces } from '../support/source-rows.ts';

const sample = await readSample(new URL('../samples/systems/wordpress.xml', import.meta.url), 'utf8');

const wrap = (items: string, head = '') =>
  toFile(
    'export.xml',
    `<?xml version="1.0"?>${head}<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>${items}</channel></rss>`,
  );

test('posts, pages, categories and tags of an export', async () => {
  const source = await openFile(toFile('garden.WordPress.2024.xml', sample));
  const rows = new Map(await readPlaces(source));
  assert.deepEqual(
    [...rows.keys()],
    [
      'category plants',
      'category ferns',
      'category сад',
      'tag shade',
      'post 10',
      'page 11',
      'post 13',
      'post 14',
      'post 15',
    ],
  );
  assert.deepEqual(rows.get('category plants'), {
    name: 'Plants & trees',
    slug: 'plants',
    description: 'All that grows',
  });
  assert.deepEqual(rows.get('category ferns'), { name: 'Ferns', slug: 'ferns', parentId: 'plants' });
  assert.deepEqual(rows.get('post 10'), {
    title: 'Ferns & friends',
    '(file name)': 'ferns',
    '(address)': 'ferns',
    summary: 'How to water',
    '(body)':
      '<p>Water them.</p>\n\n<figure><img src="https://garden.example/wp-content/uploads/fern.jpg" alt=""/></figure>',
    bodyFormat: 'HTML',
    authors: ['Rosa Gardener'],
    categories: [
      { name: 'Ferns', slug: 'ferns' },
      { name: 'Сад', slug: 'сад' },
    ],
    tags: [{ name: 'Shade', slug: 'shade' }],
    status: 'PUBLISHED',
    date: '2015-03-04T09:00:00Z',
    allowComments: false,
    featured: true,
    'cover picture': 'https://garden.example/wp-content/uploads/fern.jpg',
  });
  const publicationOf = (place: string) => {
    const row = rows.get(place);
    return typeof row === 'object' ? [row.status, row.date, row['(address)']] : row;
  };
  assert.deepEqual(publicationOf('page 11'), ['PUBLISHED', '2016-01-01T00:00:00Z', 'classic']);
  assert.deepEqual(publicationOf('post 13'), ['DRAFT', '2016-02-01T00:00:00Z', 'secret']);
  assert.deepEqual(publicationOf('post 14'), ['DRAFT', undefined, undefined]);
  assert.deepEqual(publicationOf('post 15'), ['DRAFT', '2016-03-01T00:00:00Z', 'mine']);
  assert.deepEqual(Object.fromEntries(source.skipped), {
    'attachments, which stay at their address': 1,
    comments: 1,
    'items of the type "nav_menu_item"': 1,
    'passwords of posts, which stay drafts': 1,
    'posts in the trash': 1,
    'terms of "post_format"': 1,
  });
});

test('texts need no WordPress to be shown', () => {
  const cases: [content: string, body: string][] = [
    ['<!-- wp:heading {"level":3} -->\n<h3>A</h3>\n<!-- /wp:heading -->', '<h3>A</h3>'],
    ['<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph --><!-- wp:spacer /-->', '<p>a</p>'],
    ['<!-- wp:x --><!--nextpage-->a', 'a'],
    ['a\r\nb\r\n\r\nc', '<p>a<br>\nb</p>\n\n<p>c</p>'],
    ['a<!--more Read on-->b', '<p>ab</p>'],
    ['<ul>\n<li>a</li>\n</ul>\n\ntext', '<ul>\n<li>a</li>\n</ul>\n\n<p>text</p>'],
    ['<pre>a\n\nb</pre>\n\n<script>x\n\ny</script>', '<pre>a\n\nb</pre>\n\n<script>x\n\ny</script>'],
    ['<!-- kept -->a', '<p><!-- kept -->a</p>'],
    ['', ''],
  ];
  for (const [content, body] of cases) assert.equal(convertBody(content), body);
  for (const unit of [...hostileUnits, '<!-- wp:', '<pre>', '<!--more ', '\n\n', '\n \n']) {
    const grown = findSuperlinear(20_000, (size) => convertBody(unit.repeat(size / unit.length)));
    assert.equal(grown, null, JSON.stringify(unit));
  }
});

test('the oddities of real exports', async () => {
  const item = (inner: string) =>
    `<item>${inner}<wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>`;
  const title = async (text: string) => {
    const [row] = await readFile(wrap(item(`<title>${text}</title>`)));
    return typeof row === 'object' ? row.title : row;
  };
  assert.equal(await title('<![CDATA[Tom &amp; Jerry &#8211; <em>one</em>]]>'), 'Tom & Jerry – one');
  // A control character that XML does not permit, and an entity of HTML.
  assert.equal(await title('<![CDATA[a\u0008b]]>&nbsp;c'), 'ab c');
  assert.equal(await title('1 &lt; 2'), '1 < 2');
  const [shortcodes] = [
    await openFile(wrap(item('<content:encoded><![CDATA[[gallery ids="1"] [1] x]]></content:encoded>'))),
  ];
  await readPlaces(shortcodes);
  assert.deepEqual(
    [...shortcodes.skipped.keys()],
    ['posts with the shortcode [gallery], which stays as written'],
  );
  const latin = Buffer.from(
    '<?xml version="1.0" encoding="ISO-8859-1"?><rss xmlns:wp="http://wordpress.org/export/1.0/"><channel><item><title>J\xfcrgen</title></item></channel></rss>',
    'latin1',
  );
  const [row] = await readFile(toFile('old.xml', latin));
  assert.deepEqual(row, {
    title: 'Jürgen',
    '(file name)': 'post ',
    bodyFormat: 'HTML',
    status: 'PUBLISHED',
    allowComments: false,
    featured: false,
  });
});

test('exports of plugins and of other programs', async () => {
  const item = (title: string, inner: string) =>
    `<item><title>${title}</title><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><wp:post_id>7</wp:post_id>${inner}</item>`;
  const author = (login: string, name: string) =>
    `<wp:author><wp:author_login>${login}</wp:author_login><wp:author_display_name>${name}</wp:author_display_name></wp:author>`;
  const term = (login: string, text: string) =>
    `<category domain="author" nicename="${login}"><![CDATA[${text}]]></category>`;
  const source = await openFile(
    wrap(
      [
        '<link>https://shop.example/</link>',
        author('ines', 'Inés Vega'),
        author('olaf', 'Olaf Berg'),
        // Co-Authors Plus has an author for each term: with their name or login, and of guests with nothing else.
        item(
          'Two',
          `<dc:creator xmlns:dc="x">ines</dc:creator>${term('cap-ines', 'ines')}${term('cap-olaf', 'Olaf')}${term('cap-guest', 'A Guest')}${term('cap-guest', 'A Guest')}`,
        ),
        // Squarespace has relative addresses, slugs that are paths, one date, and does not escape ampersands.
        item(
          'Salt & pepper &amp; more&mdash;all',
          '<link>/blog/2023/salt.html?a=1&b=2&c;d</link><wp:post_name>blog/2023/salt.html</wp:post_name><pubDate>Wed, 05 Apr 2023 14:42:38 +0000</pubDate>',
        ),
        item(
          'R&D',
          '<link>https://shop.example//r-d/</link><wp:post_name>r-d</wp:post_name><pubDate>Mon, 30 Nov -0001 00:00:00 +0000</pubDate>',
        ),
      ].join(''),
    ),
  );
  const rows = [];
  for await (const row of source.read()) rows.push(row);
  assert.deepEqual(
    rows.map((row) =>
      'fields' in row
        ? [
            row.fields.get('title'),
            row.key,
            row.fields.get('(address)'),
            row.addresses,
            row.fields.get('date'),
          ]
        : row,
    ),
    [
      ['Two', 'shop.example/?p=7', undefined, [], undefined],
      [
        'Salt & pepper & more—all',
        'shop.example/?p=7',
        'salt',
        ['/blog/2023/salt.html'],
        '2023-04-05T14:42:38.000Z',
      ],
      ['R&D', 'shop.example/?p=7', 'r-d', ['/r-d/'], undefined],
    ],
  );
  const [first] = rows;
  assert.deepEqual(first !== undefined && 'fields' in first && first.fields.get('authors'), [
    'Inés Vega',
    'Olaf Berg',
    'A Guest',
  ]);
  assert.deepEqual([...source.skipped], []);
});

test('ampersands that begin no reference are escaped, wherever a document is cut', () => {
  const document =
    '<?a & b?><r a="x&y&amp;z"><!-- & --><b>A & B &#38; &#x26; &lt;&nbsp;&x y; &</b><![CDATA[& &amp; ]] ]>&]]>&</r>';
  const expected =
    '<?a & b?><r a="x&amp;y&amp;z"><!-- & --><b>A &amp; B &#38; &#x26; &lt;&nbsp;&amp;x y; &amp;</b><![CDATA[& &amp; ]] ]>&]]>&amp;</r>';
  for (let size = 1; size <= document.length; size += 1) {
    const escaper = new AmpersandEscaper();
    let escaped = '';
    for (let at = 0; at < document.length; at += size)
      escaped += escaper.write(document.slice(at, at + size));
    assert.equal(escaped + escaper.close(), expected, `pieces of ${size}`);
  }
  for (const unit of [...hostileUnits, '&', '<', '&a', '<!--', '<![CDATA[', '<![CDATA[]]>', ']]']) {
    const grown = findSuperlinear(20_000, (size) => {
      const escaper = new AmpersandEscaper();
      for (let at = 0; at < size; at += unit.length) escaper.write(unit);
      escaper.close();
    });
    assert.equal(grown, null, JSON.stringify(unit));
  }
});

test('damaged and hostile exports are refused in a sentence', async () => {
  const laughs = `<!DOCTYPE rss [<!ENTITY a "ha">${'bcdefghij'
    .split('')
    .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghij'[index]};`.repeat(10)}">`)
    .join('')}]>`;
  const cases: [file: ReturnType<typeof wrap>, sentence: RegExp][] = [
    [wrap('<item><title>&j;</title></item>', laughs), /declares entities/],
    [wrap('', '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), /declares entities/],
    [wrap('<item>'.repeat(200)), /nested more than 100 deep/],
    [toFile('a.xml', sample.slice(0, 3_000)), /cannot be read beyond line \d+: unclosed tag/],
    [wrap('<item></title></item>'), /cannot be read beyond line 1: unexpected close tag/],
    [
      toFile('a.xml', Buffer.from([...Buffer.from(sample.slice(0, 3_000)), 0xff, 0xff])),
      /is not valid UTF-8 after line/,
    ],
    [wrap(`<item>${'<a/>'.repeat(200_001)}</item>`), /more than 200000 elements/],
    [wrap(`<item><title>${'x'.repeat(8_400_000)}</title></item>`), /more than 8388608 characters/],
  ];
  for (const [file, sentence] of cases) {
    await assert.rejects(readFile(file), (error) => {
      assert.ok(error instanceof ImportStopped, String(error));
      assert.match(error.message, sentence);
      return true;
    });
  }
});
