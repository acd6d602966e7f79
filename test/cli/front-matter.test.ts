/** Front matter as people write it: the values of texts are what is written, in YAML, TOML and JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRecord } from '@trellis/importer/build-record.ts';
import { noChoices } from '@trellis/importer/columns.ts';
import { createMapping } from '@trellis/importer/mapping.ts';
import { FrontMatterError, splitPost } from '@trellis/importer/readers/front-matter.ts';
import { openMarkdown } from '@trellis/importer/readers/markdown.ts';
import { articles } from '@trellis/schema/resources/articles.ts';

/** Values that a parser of YAML or TOML converts. */
const written = [
  ...[
    '007',
    '1.10',
    '0xF4EE',
    '0o17',
    '1e3',
    '1_000',
    '12345678901234567890',
    '978030640615700',
    '-0',
    '.5',
    '+1',
  ],
  ...['no', 'No', 'yes', 'on', 'Off', 'true', 'True', 'FALSE', 'y', 'Null', 'NULL', '.inf', '.NaN', '-.inf'],
  ...[
    '2020-01-01',
    '2020-01-01 10:00:00',
    '12:30:00',
    '190:20:30',
    '2001-12-14t21:59:43.10-05:00',
    '1.2.3',
    '=',
    '<<',
  ],
];

test('a value of YAML is the text that is written, also in lists, objects and names', () => {
  for (const text of written) {
    const { metadata } = splitPost(
      `---\ntitle: ${text}\ntags: [${text}, "x"]\nextra:\n  - ${text}\n  - a: ${text}\n---\n`,
    );
    assert.deepEqual(metadata, { title: text, tags: [text, 'x'], extra: [text, { a: text }] }, text);
  }
  assert.deepEqual(splitPost('---\n0x10: a\n1.10: b\ntrue: c\n---\n').metadata, {
    '0x10': 'a',
    '1.10': 'b',
    true: 'c',
  });
});

test('a value of TOML is the text that is written', () => {
  const values = [
    '1.10',
    '0xF4EE',
    '0o17',
    '1e3',
    '1_000',
    '12345678901234567',
    'true',
    'false',
    'inf',
    'nan',
    '-0.0',
  ];
  for (const text of [
    ...values,
    '2020-01-01',
    '2020-01-01T10:00:00',
    '2020-01-01 10:00:00',
    '12:30:00',
    '1979-05-27T07:32:00-08:00',
  ]) {
    const { metadata } = splitPost(
      `+++\ntitle = ${text}\ntags = [${text}, "x"]\n[extra]\na.b = { c = ${text} }\n+++\n`,
    );
    assert.deepEqual(metadata, { title: text, tags: [text, 'x'], extra: { a: { b: { c: text } } } }, text);
  }
});

test('TOML keeps its strings, tables and arrays of tables', () => {
  const head = `# \u{1FAB4}\r\ns = "a\\tb"\nl = 'c\\d'\nm = """\n  one\ntwo"""\n"quoted key".x = "y"\n[[items]]\nn = 1_0\n[items.sub]\np = "q"\n[[items]]\nn = "2"\n["__proto__"]\nz = "w"`;
  const { metadata, body } = splitPost(`+++\n${head}\n+++\ntext`);
  assert.equal(body, 'text');
  const { ['__proto__']: own, ...others } = metadata;
  assert.deepEqual(own, { z: 'w' });
  assert.deepEqual(others, {
    s: 'a\tb',
    l: 'c\\d',
    m: '  one\ntwo',
    'quoted key': { x: 'y' },
    items: [{ n: '1_0', sub: { p: 'q' } }, { n: '2' }],
  });
});

test('what is empty, a tilde or null is nothing, except words in lists and in quotation marks', () => {
  const { metadata } = splitPost(
    '---\na:\nb: ~\nc: null\nd: "null"\ne: "~"\nf: [null, ~, Null]\ng:\n  -\n  - h\n---\n',
  );
  assert.deepEqual(metadata, {
    a: null,
    b: null,
    c: null,
    d: 'null',
    e: '~',
    f: ['null', null, 'Null'],
    g: [null, 'h'],
  });
});

test('front matter in JSON ends with its brace, and the body stays as it is', () => {
  for (const [post, metadata, body] of [
    [
      '{\n  "title": "A \\"}\\" b",\n\t"weight": 1.10,\n  "extra": {"a": [true, null]}\n}\n\nText {',
      { title: 'A "}" b', weight: '1.10', extra: { a: ['true', 'null'] } },
      '\nText {',
    ],
    ['\uFEFF{"title":"x"}\r\n', { title: 'x' }, ''],
    ['{}\nText', {}, 'Text'],
    ['{{< figure >}}\n{"a": 1}', {}, '{{< figure >}}\n{"a": 1}'],
    ['{% include a.html %}', {}, '{% include a.html %}'],
    ['{: .note}\nText', {}, '{: .note}\nText'],
  ] as const) {
    assert.deepEqual(splitPost(post), { metadata, body });
  }
});

test('front matter that cannot be read says where, and nothing nests or refers to itself without end', () => {
  const deep = (open: string, close: string) => open.repeat(5_000) + close.repeat(5_000);
  for (const [post, reason] of [
    ['{"title": "x",}\n', /JSON front matter is not valid in line 1/],
    ['{"title": "x"\n', /JSON front matter is never closed/],
    ['{"a": 1, "a": 2}\n', /JSON front matter is not valid/],
    ['---\na: &x [*x]\n---\n', /nested too deeply/],
    [`---\na: ${deep('[', ']')}\n---\n`, /YAML front matter is not valid|nested too deeply/],
    [
      `+++\na = ${deep('[', ']')}\n+++\n`,
      /TOML front matter is not valid: The values are nested too deeply\./,
    ],
    [`{"a": ${deep('[', ']')}}\n`, /JSON front matter is not valid/],
    ['+++\na = 1\n\nb = 007\n+++\n', /TOML front matter is not valid in line 4/],
    ['#+title: Hello\n#+date: 2020-01-01\n\nText', /Org mode/],
  ] as const) {
    assert.throws(
      () => splitPost(post),
      (error) => error instanceof FrontMatterError && reason.test(error.message),
      post.slice(0, 30),
    );
  }
});

test('fields that are no texts are read from their words', async () => {
  const post = `---
title: 1.10
featured: yes
draft: no
comments: true
weight: 3
author: {name: 007, email: a@example.com}
seo: {title: 1e3, noIndex: true}
tags: [1.10, 2.0]
categories:
  - {name: 2024}
---
`;
  const bytes = new TextEncoder().encode(post);
  const file = {
    name: 'a.md',
    size: bytes.length,
    read: async function* () {
      yield bytes;
    },
  };
  const source = openMarkdown('a.md', [file], new Map());
  const mapping = createMapping(articles, source, noChoices);
  const [row] = await Array.fromAsync(source.read());
  assert.ok(row !== undefined && 'fields' in row);
  const { values, names, faults } = buildRecord(articles, mapping.map(row, false), true);
  assert.deepEqual(faults, []);
  const { 'versionData.body': _, ...rest } = Object.fromEntries(values);
  assert.deepEqual(rest, {
    'versionData.title': '1.10',
    'articleData.slug': 'a',
    'articleData.featured': true,
    'articleData.allowComments': true,
    'articleData.authors': [{ name: '007' }],
    'versionData.seo': { title: '1e3', noIndex: true },
  });
  assert.deepEqual(Object.fromEntries(names), { tags: ['1.10', '2.0'], categories: ['2024'] });
});
