/** Runs the commands of a documentation page as they stand, and compares their output with the blocks below them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

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

/** Without what differs from run to run: the end of ids, also of imports, of which pages show only the beginning, and how long an import took. */
function shorten(output: string): string {
  return output
    .replace(/\b([a-z]+_)[0-9a-z]{26}\b/g, '$1…')
    .replace(/ in \d+\.\d s \(\d+ rows\/s\)/g, '')
    .replace(/-[0-9a-f]{8}-[0-9a-f]{16}\b/g, '-…')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

/**
 * Runs all blocks with commands of a page, one after the other in one shell. A block of another language behind one is its output.
 * @param page path of the Markdown file
 * @param folder in which they run
 * @param environment of the commands
 * @returns the number of blocks that were run
 */
export async function runBlocks(
  page: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const blocks = readBlocks(await readFile(page, 'utf8'));
  const scripts = blocks.filter(({ language }) => language === 'sh');
  const separator = '=== next block ===';
  const script = scripts.map(({ text }) => text).join(`\necho; echo '${separator}'\n`);
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script], {
    cwd: folder,
    env: environment,
  });
  const outputs = stdout.split(separator).map(shorten);
  for (const [index, block] of scripts.entries()) {
    const next = blocks[blocks.indexOf(block) + 1];
    const expected = next === undefined || next.language === 'sh' ? '' : next.text.trim();
    assert.equal(outputs[index], expected, block.text);
  }
  return scripts.length;
}
