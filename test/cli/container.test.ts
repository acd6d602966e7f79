/** The container image: its size, and that it serves the tour of the README as an unprivileged user on a read-only file system. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildImage, startEntered, type TestImage } from '../support/container.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { awaitReady, settingsOf } from '../support/program.ts';
import { foreignEnvironment } from '../support/published-package.ts';
import { takeTour } from '../support/tour.ts';

const execute = promisify(execFile);
const readme = fileURLToPath(new URL('../../README.md', import.meta.url));
/** The aim is 120 MB. What is there now, and some room. */
const MAXIMUM_ADDED_BYTES = 65_000_000;

let image: TestImage;
let database: TestDatabase;
before(async () => {
  [image, database] = await Promise.all([buildImage(), createTestDatabase()]);
});
after(async () => {
  await database?.drop();
  await image?.remove();
});

function run(command: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const [program = '', ...words] = image.enter(command, environment);
  return execute(program, words);
}

/** A command as one word of a shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

test('the layers are small and its process has no rights', async () => {
  assert.ok(image.addedBytes <= MAXIMUM_ADDED_BYTES, `${image.addedBytes} bytes`);
  const { stdout } = await run(['cat', '/proc/self/status']);
  assert.match(stdout, /^Uid:\t10001\t/m);
  assert.match(stdout, /^CapEff:\t0+$/m);
  await assert.rejects(run(['touch', '/srv/trellis/file']), /Read-only file system/);
  await assert.rejects(run(['touch', '/tmp/file']), /Read-only file system/);
});

test('it serves the tour of the README, is healthy, and stops on SIGTERM', async () => {
  const port = await findFreePort();
  const settings = { ...settingsOf(database), PORT: String(port) };
  const { Entrypoint, Cmd, Healthcheck } = image.config;
  // Takes the words of the image, so that nothing else than the image says how it is run.
  const child = startEntered(image.enter([...Entrypoint, ...Cmd, '--demo', '--json'], settings));
  const server = await awaitReady(child);
  const folder = await mkdtemp(join(tmpdir(), 'trellis-tour-'));
  try {
    // In the tour's folder, `npx trellis` is the command of the container.
    await symlink(image.volume, join(folder, '.trellis'));
    await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
    const command = image.enter(['trellis'], settings).map(quote).join(' ');
    const program = join(folder, 'node_modules/.bin/trellis');
    await writeFile(program, `#!/bin/sh\nexec ${command} "$@"\n`);
    await chmod(program, 0o755);
    await takeTour(readme, folder, foreignEnvironment());

    const [, ...check] = Healthcheck.Test;
    await run(check, settings);
    await assert.rejects(run(check, { ...settings, PORT: '1' }));
    const page = await (await fetch(`${server.url}/console`)).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path);
    assert.ok(assets.length > 2, page);
    for (const path of assets) assert.equal((await fetch(`${server.url}${path}`)).status, 200, path);
    assert.match(await readFile(`/proc/${server.pid}/status`, 'utf8'), /^Uid:\t10001\t/m);
  } finally {
    assert.equal(await server.end('SIGTERM'), 0);
    await rm(folder, { recursive: true, force: true });
  }
  assert.equal(server.events.at(-1).event, 'stopped');
});
