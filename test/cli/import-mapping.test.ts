/** The pure parts of the importer: front matter, forms of values, keys, and where it connects to. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildRecord } from '@trellis/importer/build-record.ts';
import { readFlag } from '@trellis/importer/convert.ts';
import { deriveExternalId, deriveKey } from '@trellis/importer/keys.ts';
import { FrontMatterError, splitPost } from '@trellis/importer/readers/front-matter.ts';
import { readList } from '@trellis/importer/split.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { UsageError } from '@trellis/server/commands/command-line.ts';
import { resolveConnection } from '@trellis/server/commands/connection.ts';
import { showProgress } from '@trellis/server/commands/import/progress.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

const texts = fastCheck
  .array(
    fastCheck.oneof(
      fastCheck.string({ unit: 'binary' }),
      fastCheck.constantFrom('\r\n', '\n', '\n+++\n', '\n---\n', '  ', '\uFEFF', '\u{1FAB4}'),
    ),
  )
  .map((parts) => parts.join(''));

test('the body is everything after the closing line, whatever it is', (context) => {
  const heads = fastCheck.constantFrom('+++ title = "T" +++', '--- title: T ---', '--- title: T ...');
  const property = fastCheck.property(
    texts,
    heads,
    fastCheck.constantFrom('\n', '\r\n'),
    fastCheck.constantFrom('', '\uFEFF'),
    (body, head, lineBreak, mark) => {
      const [, opening, line, closing] = /^(\S+) (.*) (\S+)$/.exec(head) ?? [];
      const post = `${mark}${[opening, line, closing, ''].join(lineBreak)}${body}`;
      assert.deepEqual(splitPost(post), { metadata: { title: 'T' }, body });
    },
  );
  checkProperty(context, property);
});

test('a text without front matter is all body', () => {
  for (const body of ['', '# Title\n', '++++\n', '+++ text\n+++\n', ' ---\na: b\n---\n', '--- \u00A0\n']) {
    assert.deepEqual(splitPost(body), { metadata: {}, body });
  }
});

test('front matter may be empty, end with the file, and hold dates', () => {
  assert.deepEqual(splitPost('---\n---\n'), { metadata: {}, body: '' });
  assert.deepEqual(splitPost('---\n# only a comment\n---'), { metadata: {}, body: '' });
  assert.deepEqual(splitPost('+++\n+++'), { metadata: {}, body: '' });
  const toml = splitPost(
    '+++\nday = 2020-01-31\ntime = 2020-01-31T10:00:00+02:00\n[a]\nb = [1979-05-27]\n+++\n',
  );
  assert.deepEqual(toml.metadata, {
    day: '2020-01-31',
    time: '2020-01-31T10:00:00+02:00',
    a: { b: ['1979-05-27'] },
  });
});

test('front matter that cannot be read is refused', () => {
  const anchors = `a0: &a0 [x, x]\n${Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`)}]\n`).join('')}`;
  for (const post of [
    '---\n',
    '+++\ntitle = "A"\n---\n',
    '---\n- a\n---\n',
    '---\ntext\n---\n',
    '---\ntags: ["\\uD800"]\n---\n',
    `---\n${anchors}---\n`,
  ]) {
    assert.throws(() => splitPost(post), FrontMatterError, post.slice(0, 40));
  }
});

test('flags and lists in the forms that people write', () => {
  for (const value of [true, 'true', 'Yes', 'on', '1', 1]) assert.equal(readFlag(value), true);
  for (const value of [false, 'FALSE', 'no', 'off', '0', 0]) assert.equal(readFlag(value), false);
  for (const value of ['', 'maybe', 2, null, []]) assert.equal(readFlag(value), undefined);
  assert.deepEqual(readList('a, b ,,c'), ['a', 'b', 'c']);
  assert.deepEqual(readList(['a, b', '', null]), ['a, b']);
  assert.deepEqual(readList(null), []);
});

test('a field that is null is cleared, and one that is absent stays', () => {
  const row = {
    values: new Map<string, unknown>([['jobTitle', null]]),
    members: new Map(),
    repairs: [],
    modes: new Map(),
    faults: [],
  };
  const { values, faults } = buildRecord(contacts, row, false);
  assert.deepEqual([...values, ...faults], [['jobTitle', null]]);
});

test('the idempotency key depends on exactly what makes two writes different', () => {
  const identity = {
    target: 'site_1',
    resource: 'articles',
    record: 'a.md',
    step: 'update',
    base: 'art_1 3',
    body: { a: 1, b: 2 },
  } as const;
  const key = deriveKey(identity);
  assert.match(key, /^[\x21-\x7e]{1,255}$/);
  assert.equal(deriveKey({ ...identity, body: { b: 2, a: 1 } }), key);
  const others = [
    { ...identity, target: 'site_2' },
    { ...identity, resource: 'tags' },
    { ...identity, record: 'b.md' },
    { ...identity, step: 'create' as const },
    { ...identity, base: 'art_1 4' },
    { ...identity, body: { a: 1, b: 3 } },
  ];
  assert.equal(new Set([key, ...others.map(deriveKey)]).size, others.length + 1);
});

test('an externalId fits its limit, and long paths stay distinct', () => {
  assert.equal(deriveExternalId('blog', 'a/b.md'), 'blog/a/b.md');
  assert.equal(deriveExternalId('blog', 'a\u0308.md'), 'blog/\u00E4.md');
  const [one, two] = ['1', '2'].map((end) => deriveExternalId('blog', `${'\u{1FAB4}'.repeat(200)}${end}`));
  assert.equal(Array.from(one ?? '').length, 128);
  assert.notEqual(one, two);
});

test('server and token come from the command line, environment or demo; the demo token is sent to no other server', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-import-'));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const resolve = (url?: string, token?: string, environment = {}) =>
    resolveConnection({ url, token, environment, dataDir });
  assert.throws(() => resolve(), /No server is given/);
  assert.throws(() => resolve('https://cms.example.com'), /No token for https:\/\/cms.example.com/);
  await writeFile(
    join(dataDir, 'demo.json'),
    JSON.stringify({ baseUrl: 'http://localhost:3000', token: 'demo-token' }),
  );
  assert.deepEqual(resolve(), { baseUrl: 'http://localhost:3000', token: 'demo-token' });
  assert.deepEqual(resolve('http://localhost:3000/v1/'), {
    baseUrl: 'http://localhost:3000',
    token: 'demo-token',
  });
  assert.throws(() => resolve('https://cms.example.com'), UsageError);
  const environment = { TRELLIS_URL: 'https://a.example.com/v1', TRELLIS_TOKEN: 'a' };
  assert.deepEqual(resolve(undefined, undefined, environment), {
    baseUrl: 'https://a.example.com',
    token: 'a',
  });
  assert.deepEqual(resolve('https://b.example.com', 'b', environment), {
    baseUrl: 'https://b.example.com',
    token: 'b',
  });
  for (const url of ['cms.example.com', 'ftp://example.com', 'https://example.com/blog']) {
    assert.throws(() => resolve(url, 'x'), /not the address of a server/);
  }
});

test('the progress bar is shown on a terminal only, and removed at the end', () => {
  const drawn: string[] = [];
  let now = 0;
  const draw = (isTerminal: boolean) =>
    showProgress(
      200,
      isTerminal,
      (text) => drawn.push(text),
      () => now,
    );
  const silent = draw(false);
  silent.advance(1, 0);
  silent.end();
  assert.deepEqual(drawn, []);
  const bar = draw(true);
  now = 2_000;
  bar.advance(100, 3);
  bar.advance(101, 3);
  bar.end();
  assert.deepEqual(drawn, [
    '\r\u001b[2K[###############...............] 100/200 rows, 50 rows/s, 3 rejected',
    '\r\u001b[2K',
  ]);
});
