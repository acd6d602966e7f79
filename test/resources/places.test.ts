/** How many places a new field and a new resource need: they are added to a copy of the product, which then serves both. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const program = 'test/resources/places/program.ts';
let copy: string;

before(async () => {
  copy = await mkdtemp(join(tmpdir(), 'trellis-places-'));
  const isSource = (path: string) => !['node_modules', 'dist'].includes(basename(path));
  for (const part of ['packages', 'migrations', 'sql', 'test/support', 'package.json', 'CHANGELOG.md'])
    await cp(join(root, part), join(copy, part), { recursive: true, filter: isSource });
  await cp(join(root, program), join(copy, program));
  // Packages of others are those of the product; its own ones are the copies.
  await mkdir(join(copy, 'node_modules/@trellis'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@trellis' && !name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of await readdir(join(copy, 'packages')))
    await symlink(join(copy, 'packages', name), join(copy, 'node_modules/@trellis', name));
});
after(() => rm(copy, { recursive: true, force: true }));

/** Files that somebody writes or changes by hand, each with the edit. */
type Places = Readonly<Record<string, (text: string) => string>>;

const exhibition = (file: string) => readFileSync(join(import.meta.dirname, 'exhibitions', file), 'utf8');

function insert(text: string, before: string, inserted: string): string {
  assert.equal(text.split(before).length, 2, `one ${before}`);
  return text.replace(before, `${inserted}${before}`);
}

const newField: Places = {
  'packages/schema/src/resources/books.ts': (text) =>
    insert(
      insert(
        insert(text, "\n      imprint: 'Imprint',", "\n      translatorNote: 'Anmerkung der Übersetzung',"),
        "'description', 'subjects'],",
        "'translatorNote', ",
      ),
      '\n    imprint: ',
      `
    translatorNote: nullable(
      text({ max: 500, searchable: 'C', description: 'A note of the translator.', example: 'Revised.' }),
    ),`,
    ),
  'migrations/9001_translator_note.sql': () => 'ALTER TABLE trellis.books ADD COLUMN translator_note text;\n',
  'CHANGELOG.md': (text) => insert(text, '\n## Unreleased', '\n- Books have a note of the translator.\n'),
};

const newResource: Places = {
  'packages/schema/src/resources/exhibitions.ts': () => exhibition('exhibitions.ts'),
  'packages/schema/src/resources/list.ts': (text) =>
    insert(
      insert(text, '\n  issues,\n', '\n  exhibitions,'),
      'import { issues }',
      "import { exhibitions } from './exhibitions.ts';\n",
    ),
  'migrations/9002_exhibitions.sql': () => exhibition('exhibitions.sql'),
  'CHANGELOG.md': (text) => insert(text, '\n## Unreleased', '\n- Exhibitions.\n'),
};

async function edit(places: Places): Promise<void> {
  for (const [path, change] of Object.entries(places)) {
    const present = await readFile(join(copy, path), 'utf8').catch(() => '');
    await writeFile(join(copy, path), change(present));
  }
}

test('a field is written in three places, a resource in four, and then served, documented and named', async () => {
  assert.equal(Object.keys(newField).length, 3);
  assert.equal(Object.keys(newResource).length, 4);
  await edit(newField);
  await edit(newResource);
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: copy });
  assert.deepEqual(JSON.parse(stdout), {
    read: 'Revised twice',
    found: [true],
    documented: true,
    germanField: 'Anmerkung der Übersetzung',
    status: 'PLANNED',
    germanResource: 'Ausstellungen',
  });
});
