/** Runs the tour of the README line by line and compares its output. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDataDirectory } from '../support/folders.ts';
import { startServing } from '../support/program.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Block {
  readonly language: string;
  readonly text: string;
}

function readBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** Ids differ from run to run; the README shows only their prefix. */
function shorten(output: string): string {
  return output.replace(/\b([a-z]+_)[0-9a-z]{26}\b/g, '$1…').trim();
}

/** Waits for the extraction of texts, which ends while a person types the next command. */
async function waitForTexts(demoPath: string): Promise<void> {
  const { baseUrl, token } = JSON.parse(await readFile(demoPath, 'utf8'));
  const headers = { authorization: `Bearer ${token}` };
  await until('the texts of the files are read', async () => {
    const response = await fetch(`${baseUrl}/v1/knowledge-files?status=READY`, { headers });
    const { items } = (await response.json()) as { items?: unknown[] };
    return items?.length === 3;
  });
}

test('the five-minute tour of the README prints what it says', async () => {
  const blocks = readBlocks(await readFile(join(root, 'README.md'), 'utf8'));
  const scripts = blocks.filter(({ language }) => language === 'sh');
  assert.ok(scripts.length >= 7);
  const folder = await makeDataDirectory('tour');
  // The tour's folder is a clone with a running server: the same files, but data of its own.
  for (const name of [
    'package.json',
    'package-lock.json',
    'scripts',
    'node_modules',
    'packages',
    'migrations',
  ]) {
    await symlink(join(root, name), join(folder, name));
  }
  const server = await startServing(['--demo', '--port', '0', '--data-dir', join(folder, '.trellis')], {
    TRELLIS_LOG_LEVEL: 'silent',
  });
  try {
    await waitForTexts(join(folder, '.trellis', 'demo.json'));
    const separator = '=== next block ===';
    const script = scripts.map(({ text }) => text).join(`\necho; echo '${separator}'\n`);
    const environment = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('TRELLIS_')),
    );
    const run = promisify(execFile);
    const { stdout } = await run('bash', ['-eu', '-c', script], {
      cwd: folder,
      env: { ...environment, TRELLIS_DATA_DIR: join(folder, '.trellis') },
    });
    const outputs = stdout.split(separator).map(shorten);
    for (const [index, block] of scripts.entries()) {
      const next = blocks[blocks.indexOf(block) + 1];
      const expected = next === undefined || next.language === 'sh' ? '' : next.text.trim();
      assert.equal(outputs[index], expected, block.text);
    }
  } finally {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
});
