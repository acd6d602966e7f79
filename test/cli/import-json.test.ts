/** JSON documents: the list that is read of them, and what hostile ones do. Exports of Ghost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImportStopped, UsageError } from '@trellis/importer/errors.ts';
import { detectFormat } from '@trellis/importer/readers/detect.ts';
import type { SourceFile } from '@trellis/importer/readers/file.ts';
import { toFile } from '../support/source-file.ts';
import { openFile, readFile, readPlaces } from '../support/source-rows.ts';

const toJson = (content: unknown) =>
  toFile('data.json', typeof content === 'string' ? content : JSON.stringify(content));

/** A file that is read byte by byte. */
function inBytes(content: string): SourceFile {
  const bytes = Buffer.from(content);
  return {
    name: 'data.json',
    size: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1);
    },
  };
}

test('the objects of an array are rows, also within an object', async () => {
  const ada = { title: 'Ada, "quoted" \\ ]}', tags: ['a', { b: 1 }], nested: { c: [] } };
  const cases: [content: unknown, rows: unknown[], chosen?: string][] = [
    [
      [ada, { title: 'Bo' }],
      [ada, { title: 'Bo' }],
    ],
    [' \n[\n{"title":"Ada"} ,\n{ "title" : "Bo" } ]\n', [{ title: 'Ada' }, { title: 'Bo' }]],
    ['\ufeff[{"title":"Ada"}]', [{ title: 'Ada' }]],
    [{ meta: { count: 1 }, contacts: [ada] }, [ada]],
    [{ data: { 'a/"b': [ada] } }, [ada]],
    [{ few: [{ n: 1 }], many: [{ n: 2 }, { n: 3 }], names: ['x', 'y', 'z'] }, [{ n: 2 }, { n: 3 }], 'many'],
    [
      [{ title: '' }, 7, 'x', ['y'], null, { rejected_because: 'x', title: 'Ada' }],
      [
        {},
        'The item is not a JSON object.',
        'The item is not a JSON object.',
        'The item is not a JSON object.',
        'The item is not a JSON object.',
        { title: 'Ada' },
      ],
    ],
    ['[{"a":1e999},{"a":1,"a":2},{"title":"Ada"}]', ['number', 'duplicate', { title: 'Ada' }]],
  ];
  for (const [content, rows, chosen] of cases) {
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    for (const file of [toJson(text), inBytes(text)]) {
      const source = await openFile(file);
      const read = (await readPlaces(source)).map(([, row]) => row);
      assert.equal(read.length, rows.length, text);
      for (const [index, row] of rows.entries()) {
        if (row === 'number' || row === 'duplicate')
          assert.match(String(read[index]), /^The item is not valid JSON: /);
        else assert.deepEqual(read[index], row, text);
      }
      if (chosen !== undefined) assert.equal(source.parts?.chosen, chosen);
    }
  }
  const two = toJson({ few: [{ n: 1 }], many: [{ n: 2 }, { n: 3 }] });
  assert.deepEqual(await readFile(two, { sheet: 'few' }), [{ n: 1 }]);
  await assert.rejects(
    openFile(two, { sheet: 'none' }),
    new UsageError('--sheet: the file has no list "none". Its lists are: few, many.'),
  );
});

test('JSON lines and documents are told apart by their content', async () => {
  const cases: [name: string, content: string, format: string][] = [
    ['a.json', '{"a":1}\n{"a":2}\n', 'ndjson'],
    ['a.txt', '{"a":1}\n{"a":2}\n', 'ndjson'],
    ['a.ndjson', '{"a":1}', 'ndjson'],
    ['a.json', '{"a":1}', 'json'],
    ['a.json', '{\n"a": [\n{"b":1}]}', 'json'],
    ['a.jsonl', '[{"a":1}]', 'json'],
    ['a.csv', '[{"a":1}]', 'json'],
    ['a.csv', '[id],name\n1,2\n', 'csv'],
    ['a.json', '{"db":[{"meta":{"exported_on":1},"data":{"posts":[]}}]}', 'ghost'],
    ['a.json', '{ "meta": {"exported_on":1,"version":"2.14.0"}, "data": {"posts":[]}}', 'ghost'],
  ];
  for (const [name, content, format] of cases) {
    assert.equal(await detectFormat(toFile(name, content)), format, content);
  }
});

test('documents that are cut off or nested without end are refused in a sentence', async () => {
  const cases: [content: string, sentence: RegExp][] = [
    ['[{"a":1},{"b":', /^data.json is incomplete/],
    ['[{"a":"x', /^data.json is incomplete/],
    ['{"a":[{"b":1}}', /not valid JSON in line 1/],
    [`${'{"a":'.repeat(100)}1`, /there are too many/],
    ['{"a":1}', /no list of objects/],
    ['["a","b"]', /no list of objects/],
    ['[]', /no list of objects/],
  ];
  for (const [content, sentence] of cases) {
    await assert.rejects(readFile(toJson(content)), (error) => {
      assert.ok(error instanceof ImportStopped || error instanceof UsageError, String(error));
      assert.match(error.message, sentence, content);
      return true;
    });
  }
  const deep = `[{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}},{"title":"Ada"}]`;
  const [first, second] = await readFile(toJson(deep));
  assert.match(String(first), /^The item is not valid JSON: /);
  assert.deepEqual(second, { title: 'Ada' });
  const long = `[{"a":"${'x'.repeat(8_400_000)}"},{"title":"Ada"}]`;
  assert.deepEqual(await readFile(toJson(long)), [
    'The item is longer than 8388608 bytes.',
    { title: 'Ada' },
  ]);
});

const post = {
  id: '1',
  uuid: 'u-1',
  title: 'Hello',
  slug: 'hello',
  status: 'published',
  visibility: 'public',
};
const tables = {
  posts: [
    {
      ...post,
      html: '<p><img src="__GHOST_URL__/content/images/a.jpg"></p>',
      custom_excerpt: 'Short',
      published_at: '2019-02-03T04:05:06.000Z',
      featured: 1,
      feature_image: '__GHOST_URL__/content/images/b.jpg',
      canonical_url: 'https://example.com/hello',
      locale: null,
      type: 'post',
    },
    { ...post, id: '2', uuid: 'u-2', slug: 'members', visibility: 'paid', type: 'post' },
    { ...post, id: '3', uuid: 'u-3', slug: 'about', status: 'draft', published_at: '2019-01-01', page: 1 },
    {
      ...post,
      id: '4',
      uuid: 'u-4',
      slug: 'old',
      published_at: 1_388_318_310_782,
      author_id: '9',
      mobiledoc:
        '{"version":"0.3.1","cards":[["card-markdown",{"cardName":"card-markdown","markdown":"# Old \\"text\\""}]]}',
    },
  ],
  tags: [
    { id: '5', name: 'News', slug: 'news', visibility: 'public' },
    { id: '6', name: '#import', slug: 'hash-import', visibility: 'internal' },
    { id: '7', name: 'Garden', slug: 'garden' },
  ],
  users: [
    { id: '8', name: 'Rosa Gardener', email: 'rosa@example.com' },
    { id: '9', name: 'Bo' },
  ],
  posts_tags: [
    { post_id: '1', tag_id: '7', sort_order: 1 },
    { post_id: '1', tag_id: '5', sort_order: 0 },
    { post_id: '1', tag_id: '6', sort_order: 2 },
  ],
  posts_authors: [
    { post_id: '1', author_id: '9', sort_order: 1 },
    { post_id: '1', author_id: '8', sort_order: 0 },
  ],
  posts_meta: [{ post_id: '1', meta_title: 'For search', meta_description: null }],
  settings: [{ key: 'title', value: 'Blog' }],
};

test('posts of Ghost have their tags, authors, dates and texts', async () => {
  const meta = { exported_on: 1_600_000_000_000, version: '5.0.0' };
  for (const content of [{ db: [{ meta, data: tables }] }, { meta, data: tables }]) {
    const source = await openFile(toJson(content));
    assert.deepEqual(source.resources, ['tags', 'articles']);
    const rows = new Map(await readPlaces(source));
    assert.deepEqual(
      [...rows.keys()],
      ['tag news', 'tag garden', 'post hello', 'post members', 'page about', 'post old'],
    );
    assert.deepEqual(rows.get('tag news'), { name: 'News', slug: 'news' });
    assert.deepEqual(rows.get('post hello'), {
      title: 'Hello',
      '(file name)': 'hello',
      '(address)': 'hello',
      summary: 'Short',
      '(body)': '<p><img src="/content/images/a.jpg"></p>',
      bodyFormat: 'HTML',
      authors: ['Rosa Gardener', 'Bo'],
      tags: [
        { name: 'News', slug: 'news' },
        { name: 'Garden', slug: 'garden' },
      ],
      status: 'PUBLISHED',
      date: '2019-02-03T04:05:06.000Z',
      featured: true,
      canonicalUrl: 'https://example.com/hello',
      seo: { title: 'For search' },
      'feature image': '/content/images/b.jpg',
    });
    const statusOf = (place: string) => {
      const row = rows.get(place);
      return typeof row === 'object'
        ? [row.status, row.date, row['(body)'], row.bodyFormat, row.authors]
        : row;
    };
    assert.deepEqual(statusOf('post members'), ['DRAFT', undefined, undefined, 'MARKDOWN', undefined]);
    assert.deepEqual(statusOf('page about'), ['DRAFT', undefined, undefined, 'MARKDOWN', undefined]);
    assert.deepEqual(statusOf('post old'), [
      'PUBLISHED',
      '2013-12-29T11:58:30.782Z',
      '# Old "text"',
      'MARKDOWN',
      ['Bo'],
    ]);
    assert.deepEqual(Object.fromEntries(source.skipped), {
      'internal tags': 1,
      'limits to members, whose posts stay drafts': 1,
      'rows of "settings"': 1,
    });
  }
});

test('a post of Ghost that cannot be read is told, and the others are read', async () => {
  const rows = await readFile(toJson({ db: [{ meta: {}, data: { posts: [7, { id: '1', slug: 'a' }] } }] }));
  assert.equal(rows[0], 'It is too long, or not an object.');
  assert.equal(rows.length, 2);
});
