/** The benchmark beside a bare server runs, on little data and for a short time. Its figures mean nothing then. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cases } from '../../bench/peers/cases.ts';

const program = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

test('both servers respond to every case', () => {
  const words = [program, 'peers', '--records', '3000', '--seconds', '1', '--turns', '1'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  for (const { name } of cases) assert.ok(stdout.includes(name), `${name} is missing in ${stdout}`);
});
