/** The wording check finds unused words in comments and names, and comments that begin with "Why:". */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkedPaths, checkWords, findWordFaults } from '../../scripts/words.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const faulty: Readonly<Record<string, string>> = {
  '/** Why: files are checked. */': 'Why:',
  ' * Why: files are checked.': 'Why:',
  '// Why: it is so': 'Why:',
  '// sent in the second flight': 'batch',
  'const role = start(surroundings);': 'dependencies',
  'interface RoleSurroundings {': 'dependencies',
  'function takeTurn(name: string) {': 'acquireLock',
  '// It fades by and by.': 'gradually',
  "test('twins are refused', () => {": 'duplicates',
  '-- Strangers wait.': 'unauthenticated',
  'function createPostOffice() {': 'mailSender',
  'interface StoredAnswer {': 'response',
  'return answerWith(404);': 'response',
  '// A deleted record is answered with 404.': 'response',
  '/** Who answers for the program. */': 'responsible',
  'const told = await newEvents();': 'logged',
  'async function told(): Promise<string[]> {': 'logged',
  '  async hear(): Promise<void> {': 'receive',
  'const look = () => {': 'verb',
  'const [asked, setDialog] = useState(null);': 'requested',
  'return this.asked();': 'requested',
  'const takes = parameters.some(isPrefer);': 'accepted',
  'const chain = withMoves(record);': 'withTransitions',
  '{ onlyIfTaken: true }': 'discriminated',
  'readonly mayChangeUnasked: boolean;': 'unrequested',
};

for (const [line, instead] of Object.entries(faulty)) {
  test(`a fault is found: ${line}`, () => {
    const [fault, ...others] = findWordFaults(`\n${line}\n`, 'src/file.ts');
    assert.match(fault ?? '', /^src\/file\.ts:2: /);
    assert.ok(fault?.includes(instead), fault);
    assert.deepEqual(others, []);
  });
}

test('other words that look alike are right', () => {
  const lines = [
    '/** Checks the files. This is why. */',
    'const maxInFlight = 2; // requests in flight',
    'const placeholders = [];',
    'const twine = 1;',
    '// What a person has asked for is told to nobody who takes a look (asked once).',
  ];
  assert.deepEqual(findWordFaults(lines.join('\n'), 'src/file.ts'), []);
});

test('styles, SQL and components are checked', async () => {
  const root = await mkdtemp(join(tmpdir(), 'words-'));
  try {
    await Promise.all(checkedPaths.map((path) => seed(root, path)));
    const { files, faults } = await checkWords(root);
    assert.equal(files, faults.length);
    for (const ending of ['css', 'md', 'mjs', 'sql', 'ts', 'tsx'])
      assert.ok(
        faults.some((fault) => fault.startsWith(`sql/seeded.${ending}:1: `)),
        ending,
      );
  } finally {
    await rm(root, { recursive: true });
  }
});

/** Writes files with a word that is not used: the path itself, or one of each kind in it. */
async function seed(root: string, path: string): Promise<void> {
  if (path.endsWith('.md')) return writeFile(join(root, path), 'byAndBy\n');
  await mkdir(join(root, path));
  for (const ending of ['css', 'md', 'mjs', 'sql', 'ts', 'tsx'])
    await writeFile(join(root, path, `seeded.${ending}`), 'byAndBy\n');
}

test('the files of the project are found and have no fault', async () => {
  const { files, faults } = await checkWords(root);
  assert.ok(files > 300, `${files} files`);
  assert.deepEqual(faults, []);
});
