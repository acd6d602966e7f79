/** Runs the tour of the README as it stands, against a running server, and compares its output. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

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

/**
 * Runs all blocks of the README in a folder in which `npx trellis` works.
 * @param folder has the data directory of the server with the demo in `.trellis`
 * @param environment of the commands
 */
export async function takeTour(
  readme: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const blocks = readBlocks(await readFile(readme, 'utf8'));
  const scripts = blocks.filter(({ language }) => language === 'sh');
  assert.ok(scripts.length >= 7);
  await waitForTexts(join(folder, '.trellis', 'demo.json'));
  const separator = '=== next block ===';
  const script = scripts.map(({ text }) => text).join(`\necho; echo '${separator}'\n`);
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script], {
    cwd: folder,
    env: { ...environment, TRELLIS_DATA_DIR: join(folder, '.trellis') },
  });
  const outputs = stdout.split(separator).map(shorten);
  for (const [index, block] of scripts.entries()) {
    const next = blocks[blocks.indexOf(block) + 1];
    const expected = next === undefined || next.language === 'sh' ? '' : next.text.trim();
    assert.equal(outputs[index], expected, block.text);
  }
}
