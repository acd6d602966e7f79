/** The wording check finds unused words in comments and names, and comments that begin with "Why:". */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkWords, findWordFaults } from '../../scripts/words.ts';

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
    "import { step } from '../database/flight.ts';",
    'const placeholders = [];',
    'const twine = 1;',
  ];
  assert.deepEqual(findWordFaults(lines.join('\n'), 'src/file.ts'), []);
});

test('the files of the project are found and have no fault', async () => {
  const { files, faults } = await checkWords(root);
  assert.ok(files > 300, `${files} files`);
  assert.deepEqual(faults, []);
});
