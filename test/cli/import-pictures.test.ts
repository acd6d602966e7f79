/** Pictures beside posts: folders of Jekyll, Hugo and Eleventy are imported with the pictures that their posts show. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { noChoices } from '@trellis/importer/columns.ts';
import { describeReport, type ImportReport } from '@trellis/importer/report.ts';
import { importPath } from '@trellis/server/commands/import/import-path.ts';
import { undoPath } from '@trellis/server/commands/import/undo-file.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import { createImportRunner } from '../support/killed-import.ts';
import { halves, type PictureServer, startPictureServer } from '../support/pictures.ts';
import type { Json } from '../support/server.ts';

let server: PictureServer;
let folder: string;
let token: string;
let site: string;
let organization: TestOrganization;
let owner: string;
let organizations = 0;

before(async () => {
  server = await startPictureServer();
});
after(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-pictures-'));
  organizations += 1;
  const { worker } = server.database;
  organization = await createOrganization(worker, `pictures-${organizations}`);
  owner = await createMember(worker, organization, 'OWNER');
  token = (await createToken(worker, organization, owner)).token;
  site = (await send('POST', '/sites', { name: 'Blog', key: 'blog' })).id;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function send(method: string, path: string, body?: object): Promise<Json> {
  const response = await server.call(method, `/v1${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });
  assert.ok(response.status < 300, response.text);
  return response.json;
}

async function write(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'site', name)), { recursive: true });
    await writeFile(join(folder, 'site', name), content);
  }
}

async function imported(
  more: { readonly dryRun?: boolean; readonly as?: string } = {},
): Promise<ImportReport> {
  const options = {
    path: join(folder, 'site'),
    resource: 'articles',
    parents: { site },
    ...noChoices,
    columns: null,
    delimiter: null,
    dryRun: more.dryRun ?? false,
    existing: 'merge' as const,
    duplicates: 'reject' as const,
    statuses: false,
    concurrency: 4,
    rejectedFile: null,
    alwaysWriteRejected: false,
    undoFolder: folder,
  };
  const report = await importPath(options, {
    connection: { baseUrl: server.url, token: more.as ?? token },
    stderr: () => {},
    isTerminal: false,
  });
  assert.ok(report !== null);
  assert.equal(report.stopped, null);
  return report;
}

const rows = ({ created, updated, unchanged, rejected }: ImportReport) => [
  created,
  updated,
  unchanged,
  rejected,
];
const numbers = ({ pictures }: ImportReport) => [pictures?.stored, pictures?.found, pictures?.unused];
const left = ({ pictures }: ImportReport) =>
  Object.fromEntries((pictures?.left ?? []).map(({ reason, examples }) => [reason, examples]));

async function articles(): Promise<Map<string, Json>> {
  const { items } = await send('GET', `/sites/${site}/articles?limit=100`);
  return new Map(items.map((item: Json) => [item.articleData.slug, item]));
}
const files = async (): Promise<Json[]> => (await send('GET', '/knowledge-files?limit=100')).items;

/** The address of a picture in texts. */
const shown = ({ picturePath }: Json) => `${server.url}${picturePath}?w=1280`;

/** Every picture has a size of its own, by which it is known. */
async function picturesByWidth(): Promise<Map<number, Json>> {
  return new Map((await files()).map((file) => [file.width, file]));
}

/** A small site of each generator, whose pictures are 10, 20, 30 … pixels wide; what its posts become. */
const sites: Readonly<
  Record<
    string,
    {
      readonly files: Readonly<Record<string, string | number>>;
      readonly bodies: Readonly<Record<string, string>>;
      readonly covers: Readonly<Record<string, number>>;
      readonly numbers: readonly number[];
    }
  >
> = {
  Jekyll: {
    files: {
      '_posts/2015-03-04-hello.md':
        '---\ntitle: Hello\nimage: /assets/img/cover.png\n---\n![A tree]({{ site.baseurl }}/assets/img/tree.png "T")\n\n`![no](/assets/img/tree.png)`\n\n[![small](/assets/img/tree.png)](/assets/img/large.jpg)\n\n![far](https://example.com/a.png)\n',
      '_posts/2015-03-05-second.html':
        '---\ntitle: Second\nheader:\n  teaser: assets/img/tree.png\n---\n<p><img alt="x" src="{{ "/assets/img/tree.png" | relative_url }}"></p>\n',
      'assets/img/tree.png': 10,
      'assets/img/cover.png': 20,
      'assets/img/large.jpg': 30,
      'assets/img/logo.png': 40,
      '_site/assets/img/tree.png': 50,
    },
    bodies: {
      hello:
        '![A tree](10 "T")\n\n`![no](/assets/img/tree.png)`\n\n[![small](10)](30)\n\n![far](https://example.com/a.png)\n',
      second: '<p><img alt="x" src="10"></p>\n',
    },
    covers: { hello: 20, second: 10 },
    numbers: [3, 0, 1],
  },
  Hugo: {
    files: {
      'content/posts/oak/index.md':
        '+++\ntitle = "Oak"\n[cover]\nimage = "cover.png"\nalt = "An oak"\n+++\n![Leaf](leaf.png)\n\n{{< figure src="bark.webp" title="Bark" >}}\n',
      'content/posts/oak/cover.png': 20,
      'content/posts/oak/leaf.png': 10,
      'content/posts/oak/bark.webp': 30,
      'content/posts/elm.md':
        '---\ntitle: Elm\nimages:\n  - /images/elm.png\n---\n![Elm][elm]\n\n[elm]: /images/elm.png "An elm"\n',
      'static/images/elm.png': 40,
    },
    bodies: {
      oak: '![Leaf](10)\n\n{{< figure src="30" title="Bark" >}}\n',
      elm: '![Elm][elm]\n\n[elm]: 40 "An elm"\n',
    },
    covers: { oak: 20, elm: 40 },
    numbers: [4, 0, 0],
  },
  Eleventy: {
    files: {
      'src/posts/fern.md':
        '---\ntitle: Fern\nthumbnail: ../img/my%20fern.png\n---\n![x](<../img/my fern.png>)\n![y](/img/moss.png)\n',
      'src/img/my fern.png': 10,
      'src/img/moss.png': 20,
    },
    bodies: { fern: '![x](10)\n![y](20)\n' },
    covers: { fern: 10 },
    numbers: [2, 0, 0],
  },
};

for (const [generator, sample] of Object.entries(sites)) {
  test(`posts of ${generator} show their pictures, once, also in a dry run, another run and after an undo`, async () => {
    for (const [name, content] of Object.entries(sample.files)) {
      const format = name.endsWith('.jpg') ? 'jpeg' : name.endsWith('.webp') ? 'webp' : 'png';
      await write({ [name]: typeof content === 'string' ? content : await halves(content, 8, { format }) });
    }
    const posts = Object.keys(sample.bodies).length;

    const dry = await imported({ dryRun: true });
    assert.deepEqual([rows(dry), numbers(dry), dry.pictures?.left], [[posts, 0, 0, 0], sample.numbers, []]);
    assert.deepEqual(await files(), []);

    const first = await imported();
    assert.deepEqual(
      [rows(first), numbers(first), first.pictures?.left],
      [[posts, 0, 0, 0], sample.numbers, []],
    );
    assert.deepEqual(first.notImported, []);
    const pictures = await picturesByWidth();
    const written = await articles();
    const widths = new RegExp(
      [...pictures.keys()].map((width) => `(?<=[("] ?)${width}(?=[ )"])|(?<=: )${width}(?= )`).join('|'),
      'g',
    );
    for (const [slug, body] of Object.entries(sample.bodies)) {
      const { versionData } = written.get(slug);
      assert.equal(
        versionData.body,
        body.replaceAll(widths, (width) => shown(pictures.get(Number(width)))),
      );
      assert.equal(versionData.coverFileId, pictures.get(sample.covers[slug] ?? 0)?.id, slug);
      for (const [, address = ''] of versionData.body.matchAll(/(http:\/\/127[^\s)"]+)/g)) {
        assert.equal((await fetch(address)).status, 200, address);
      }
    }

    const [stored = 0] = sample.numbers;
    const again = await imported();
    assert.deepEqual(
      [rows(again), numbers(again)],
      [
        [0, 0, posts, 0],
        [0, stored, sample.numbers[2]],
      ],
    );
    assert.equal(again.undoFile, null);
    assert.deepEqual([await articles(), await picturesByWidth()], [written, pictures]);

    const undone = await undoPath(first.undoFile ?? '', { baseUrl: server.url, token }, () => {});
    assert.deepEqual([undone.deleted, undone.kept, undone.stopped], [posts + stored, 0, null]);
    assert.deepEqual([await files(), (await articles()).size], [[], 0]);
  });
}

test('pictures that cannot be taken are named, keep their address, and reject no post', async () => {
  await writeFile(join(folder, 'secret.png'), await halves(10, 8, { format: 'png' }));
  await write({
    'a.md': '---\ntitle: A\ncover: gone.png\n---\n![x](missing.png) ![y](../secret.png) ![z](/etc/passwd)\n',
    'b.md': '![x](drawing.svg) ![y](text.png) ![z](link.png) ![v](damaged.png)\n',
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'text.png': 'not a picture',
    'damaged.png': (await halves(20, 8, { format: 'png' })).subarray(0, 60),
  });
  await symlink(join(folder, 'secret.png'), join(folder, 'site', 'link.png'));
  await symlink('/etc/passwd', join(folder, 'site', 'passwd.md'));
  const dry = await imported({ dryRun: true });
  const report = await imported();
  assert.deepEqual(rows(report), [2, 0, 0, 0]);
  const missing = 'The folder has no such picture. Import the whole folder of the site, not only its posts.';
  const noPicture =
    'It is no picture in a format that readers can be shown: JPEG, PNG, WebP, GIF, AVIF or TIFF.';
  const expected = {
    [missing]: [
      { place: 'a.md', address: '../secret.png' },
      { place: 'a.md', address: '/etc/passwd' },
      { place: 'a.md', address: 'gone.png' },
      { place: 'a.md', address: 'missing.png' },
      { place: 'b.md', address: 'link.png' },
    ],
    [noPicture]: [
      { place: 'b.md', address: 'drawing.svg' },
      { place: 'b.md', address: 'text.png' },
    ],
  };
  assert.deepEqual(left(dry), expected);
  const damaged = 'It was uploaded, but the server cannot read it: the file may be damaged.';
  assert.deepEqual(left(report), {
    ...expected,
    [damaged]: [{ place: 'b.md', address: 'damaged.png' }],
  });
  assert.deepEqual(
    report.skipped.filter(({ what }) => what.startsWith('links')),
    [{ what: 'links that lead out of the folder', count: 2 }],
  );
  const [file] = await files();
  const { a, b } = Object.fromEntries(await articles());
  assert.equal(a.versionData.body, '![x](missing.png) ![y](../secret.png) ![z](/etc/passwd)\n');
  assert.equal(a.versionData.coverFileId, null);
  assert.equal(b.versionData.body, `![x](drawing.svg) ![y](text.png) ![z](link.png) ![v](${shown(file)})\n`);
  const text = describeReport(report);
  assert.match(text, /Pictures:\n {2}1 uploaded\n/);
  assert.match(text, /5 references: The folder has no such picture[^\n]*\n {4}a\.md: \.\.\/secret\.png\n/);
  const again = await imported();
  assert.deepEqual([rows(again), left(again)], [[0, 0, 2, 0], left(report)]);
});

test('a token that may not upload or publish pictures loses no post, and a later run adds them', async () => {
  await write({ 'a.md': '![x](a.png)\n', 'a.png': await halves(10, 8, { format: 'png' }) });
  const { worker } = server.database;
  const scopes = ['sites:read', 'articles:read', 'articles:write', 'articles:publish'];
  const files = ['knowledge-files:read', 'knowledge-files:write'];
  const scoped = async (more: readonly string[]) =>
    (await createToken(worker, organization, owner, { scopes: [...scopes, ...more] })).token;
  const bodyOf = async () => (await articles()).get('a').versionData.body;

  const without = await imported({ as: await scoped([]) });
  assert.deepEqual(
    [rows(without), numbers(without)],
    [
      [1, 0, 0, 0],
      [0, 0, 0],
    ],
  );
  const [reason = ''] = Object.keys(left(without));
  assert.match(reason, /^It was not uploaded: .*knowledge-files:read/);
  assert.equal(await bodyOf(), '![x](a.png)\n');

  const hidden = await imported({ as: await scoped(files) });
  assert.deepEqual(
    [rows(hidden), numbers(hidden)],
    [
      [0, 1, 0, 0],
      [1, 0, 0],
    ],
  );
  assert.match(
    Object.keys(left(hidden))[0] ?? '',
    /^It was uploaded, but is not public: .*knowledge-files:publish/,
  );
  const address = /\((http.*)\)/.exec(await bodyOf())?.[1] ?? '';
  assert.equal((await fetch(address)).status, 404);

  const whole = await imported({ as: await scoped([...files, 'knowledge-files:publish']) });
  assert.deepEqual([rows(whole), numbers(whole), whole.pictures?.left], [[0, 0, 1, 0], [0, 1, 0], []]);
  assert.equal((await fetch(address)).status, 200);
});

test('pictures of drafts are not public, and one that was taken back stays so', async () => {
  await write({
    'draft.md': '---\ndraft: true\n---\n![x](draft.png)\n',
    'post.md': '![x](post.png)\n',
    'draft.png': await halves(10, 8, { format: 'png' }),
    'post.png': await halves(20, 8, { format: 'png' }),
  });
  await imported();
  const { draft, post } = Object.fromEntries(
    (await files()).map((file) => [file.name.replace('.png', ''), file]),
  );
  assert.deepEqual([draft.publicSince, post.publicSince !== null], [null, true]);
  await send('POST', `/knowledge-files/${post.id}/unpublish-picture`);
  const again = await imported();
  assert.deepEqual(rows(again), [0, 0, 2, 0]);
  assert.deepEqual(left(again), {
    'It is not public, since somebody has changed it or taken it back.': [
      { place: 'post.md', address: 'post.png' },
    ],
  });
  assert.equal((await send('GET', `/knowledge-files/${post.id}`)).publicSince, null);
});

test('an undo keeps a picture that another article shows, and another import takes both again', async () => {
  await write({
    'post.md': '![x](post.png) ![y](own.png)\n',
    'post.png': await halves(20, 8, { format: 'png' }),
    'own.png': await halves(10, 8, { format: 'png' }),
  });
  const report = await imported();
  const file = (await picturesByWidth()).get(20);
  await send('POST', `/sites/${site}/articles`, {
    versionData: { title: 'Other', body: `![](${shown(file)})` },
  });
  const undone = await undoPath(report.undoFile ?? '', { baseUrl: server.url, token }, () => {});
  assert.deepEqual([undone.deleted, undone.kept], [2, 1]);
  assert.match(undone.keptRecords[0]?.reason ?? '', /^It is used by Other \(art_/);
  const again = await imported();
  assert.deepEqual([rows(again), numbers(again), again.pictures?.left], [[1, 0, 0, 0], [1, 1, 0], []]);
});

test('an import of pictures that is killed at any request ends with each picture once', async () => {
  for (let index = 1; index <= 4; index += 1) {
    await write({
      [`post-${index}.md`]: `---\ntitle: Post ${index}\n---\n![x](${index}.png) ![all](all.png)\n`,
      [`${index}.png`]: await halves(10 * index, 8, { format: 'png' }),
    });
  }
  await write({ 'all.png': await halves(100, 8, { format: 'png' }) });
  const words = ['import', join(folder, 'site'), '--resource', 'articles', '--site', 'blog'];
  const runner = await createImportRunner({ ...server, token }, folder, words);
  try {
    for (const requests of [7, 12, 19]) assert.equal(await runner.killed(requests), 'SIGKILL');
    const report = await runner.whole();
    assert.deepEqual([report.rejected, report.pictures.left], [0, []]);
    const stored = await files();
    assert.deepEqual(
      stored.map(({ width }) => width).sort((a, b) => a - b),
      [10, 20, 30, 40, 100],
    );
    assert.ok(stored.every(({ publicSince, version }) => publicSince !== null && version === 4));
    const again = await runner.whole();
    assert.deepEqual([again.unchanged, again.pictures.found, again.pictures.stored], [4, 5, 0]);
    const undone = await undoPath(join(folder, report.undoFile), { baseUrl: server.url, token }, () => {});
    assert.deepEqual([undone.deleted, undone.kept], [9, 0]);
  } finally {
    runner.close();
  }
});
