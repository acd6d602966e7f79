/** The unit for systemd, as systemd reads it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installFromDebian } from '../support/debian.ts';

const execute = promisify(execFile);
const unit = fileURLToPath(new URL('../../deploy/systemd/trellis@.service', import.meta.url));
const program = '/opt/trellis/node_modules/.bin/trellis';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-systemd-'));
  const analyze = () => execute('systemd-analyze', ['--version']);
  await analyze().catch(async () => {
    await installFromDebian(['systemd']);
    await analyze();
  });
});
after(() => rm(folder, { recursive: true, force: true }));

/** Writes an instance of the unit whose program exists on this machine. @returns its path */
async function writeInstance(change: (text: string) => string = (text) => text): Promise<string> {
  const text = await readFile(unit, 'utf8');
  assert.match(text, new RegExp(`^ExecStart=${program} serve$`, 'm'));
  const path = join(folder, 'trellis@api.service');
  await writeFile(path, change(text.replaceAll(program, process.execPath)));
  return path;
}

test('systemd understands the unit', async () => {
  const { stderr } = await execute('systemd-analyze', ['verify', await writeInstance()]);
  assert.equal(stderr, '');
  const typo = await writeInstance((text) => text.replace('ProtectClock', 'ProtectClok'));
  assert.match((await execute('systemd-analyze', ['verify', typo])).stderr, /ProtectClok/);
});

test('a service has few rights', async () => {
  // An exposure of at most 2.0 of 10; above it, the exit code is 1.
  const words = ['security', '--offline=true', '--threshold=20', '--no-pager'];
  await execute('systemd-analyze', [...words, await writeInstance()]);
  const open = await writeInstance((text) => text.replace('CapabilityBoundingSet=\n', ''));
  await assert.rejects(execute('systemd-analyze', [...words, open]), { code: 1 });
});
