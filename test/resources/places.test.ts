/** How many places a new field and a new resource need: they are added to a copy of the product, which then serves both. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { copyProduct } from '../support/product-copy.ts';
import { insert, withExhibitions } from './exhibitions/insert.ts';

const root = join(import.meta.dirname, '../..');
const program = 'test/resources/places/program.ts';
let copy: string;

before(async () => {
  copy = await copyProduct(['test/support', 'package.json', 'CHANGELOG.md']);
  await cp(join(root, program), join(copy, program));
});
after(() => rm(copy, { recursive: true, force: true }));

/** Files that somebody writes or changes by hand, each with the edit. */
type Places = Readonly<Record<string, (text: string) => string>>;

const exhibition = (file: string) => readFileSync(join(import.meta.dirname, 'exhibitions', file), 'utf8');

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
  'sql/schema/09_books_and_magazines.sql': (text) =>
    insert(text, '  imprint text,\n', '  translator_note text,\n'),
  'CHANGELOG.md': (text) => insert(text, '\n### API', '\n- Books have a note of the translator.\n'),
};

const newResource: Places = {
  'packages/schema/src/resources/exhibitions.ts': () => exhibition('exhibitions.ts'),
  'packages/schema/src/resources/list.ts': (text) =>
    insert(
      insert(text, '\n  issues,\n', '\n  exhibitions,'),
      'import { issues }',
      "import { exhibitions } from './exhibitions.ts';\n",
    ),
  'sql/schema/17_exhibitions.sql': () => exhibition('exhibitions.sql'),
  'CHANGELOG.md': (text) => insert(text, '\n### API', '\n- Exhibitions.\n'),
  // Of its action: the plan, in its feature.
  'packages/server/src/features/exhibitions/feature.ts': () =>
    exhibition('feature.ts').replace('./exhibitions.ts', '@trellis/schema/resources/exhibitions.ts'),
  'packages/server/src/features.ts': (text) => withExhibitions(text, './features/exhibitions/feature.ts'),
};

async function edit(places: Places): Promise<void> {
  for (const [path, change] of Object.entries(places)) {
    const present = await readFile(join(copy, path), 'utf8').catch(() => '');
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), change(present));
  }
}

test('a field is written in three places, a resource with an action in six, and then served, documented and named', async () => {
  assert.equal(Object.keys(newField).length, 3);
  assert.equal(Object.keys(newResource).length, 6);
  await edit(newField);
  await edit(newResource);
  // The databases of the other tests have another schema.
  const { TRELLIS_TEST_ADMIN_URL: _others, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: copy, env });
  assert.deepEqual(JSON.parse(stdout), {
    read: 'Revised twice',
    found: [true],
    documented: true,
    germanField: 'Anmerkung der Übersetzung',
    status: 'PLANNED',
    approved: 'Within the budget.',
    germanResource: 'Ausstellungen',
  });
});
