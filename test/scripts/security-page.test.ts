/** The tables of docs/security.md: every requirement of OWASP ASVS 5.0 that they promise stands there, with tests that exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync('docs/security.md', 'utf8');

/**
 * The requirements of levels 1 and 2, by section: the number of the last one. Those of level 3 and sections without any of levels 1 and 2
 * are left out.
 */
const sections: Readonly<Record<string, readonly number[]>> = {
  '3.2': upTo(2),
  '3.3': upTo(4),
  '3.4': upTo(6),
  '3.5': upTo(5),
  '3.7': upTo(2),
  '6.1': upTo(3),
  '6.2': upTo(12),
  '6.3': upTo(4),
  '6.4': upTo(4),
  '6.5': upTo(5),
  '6.6': upTo(3),
  '6.8': upTo(4),
  '7.1': upTo(3),
  '7.2': upTo(4),
  '7.3': upTo(2),
  '7.4': upTo(5),
  '7.5': upTo(2),
  '7.6': upTo(2),
  '8.1': upTo(2),
  '8.2': upTo(3),
  '8.3': upTo(1),
  '8.4': upTo(1),
  '10.1': upTo(2),
  '10.2': upTo(2),
  '10.3': upTo(4),
  '10.4': upTo(11),
  '10.5': upTo(5),
  '10.6': upTo(2),
  '10.7': upTo(3),
  '14.1': upTo(2),
  '14.2': upTo(4),
  '14.3': upTo(3),
};

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** All numbers that a text names, with those between "6.6.1 to 6.6.3". */
function numbersOf(text: string): string[] {
  const numbers: string[] = [];
  for (const [, section = '', first = '', last] of text.matchAll(
    /\b(\d+\.\d+)\.(\d+)(?: to \1\.(\d+))?\b/g,
  )) {
    for (let number = Number(first); number <= Number(last ?? first); number += 1) {
      numbers.push(`${section}.${number}`);
    }
  }
  return numbers;
}

/** The rows of tables whose first cell names requirements. */
const rows = page
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+/.test(line))
  .map((line) => {
    const [, requirement = '', how = '', tests = ''] = line.split('|').map((cell) => cell.trim());
    return { requirement, how, tests };
  });

test('every requirement of the chapters stands on the page', () => {
  const inapplicable = page.split('\n').filter((line) => line.includes('do not apply'));
  const named = new Set([...rows.map(({ requirement }) => requirement), ...inapplicable].flatMap(numbersOf));
  const expected = Object.entries(sections).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  );
  assert.deepEqual(
    expected.filter((number) => !named.has(number)),
    [],
  );
  assert.equal(expected.length, 117);
});

test('every requirement names its test, or says why it has none', () => {
  for (const { requirement, tests } of rows) {
    assert.match(tests, /^(?:`.+\.test\.ts`|`test\/.+\/`|no test: .+)/, requirement);
  }
});

test('every test and file that the page names exists', () => {
  const folders = ['', 'packages/server/src/', 'packages/server/src/features/sign-in/', 'test/sign-in/'];
  const names = [...page.matchAll(/`([a-z][\w./-]*\.(?:ts|tsx|sql))`/g)].map(([, name = '']) => name);
  assert.ok(names.length > 80, String(names.length));
  assert.deepEqual(
    names.filter((name) => !folders.some((folder) => existsSync(`${folder}${name}`))),
    [],
  );
});
