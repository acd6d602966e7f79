/** Lints the OpenAPI documents with the two most common linters. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '..', '..', 'node_modules', '.bin');

/** Runs `redocly lint` with the rules `recommended-strict`. Returns one line per fault. */
export function lintWithRedocly(document: unknown): Promise<string[]> {
  return withFiles({ 'redocly.yaml': 'extends:\n  - recommended-strict\n' }, document, async (folder) => {
    const words = [
      'lint',
      'openapi.json',
      '--config',
      'redocly.yaml',
      '--format',
      'json',
      '--max-problems',
      '1000',
    ];
    const { code, output } = await runTool(folder, 'redocly', words);
    const report = JSON.parse(output.slice(output.indexOf('{')));
    const { errors, warnings, ignored } = report.totals;
    if ((code === 0) !== (errors === 0)) throw new Error(`redocly ended with ${code}: ${output}`);
    const faults = report.problems.map((problem: unknown) => JSON.stringify(problem));
    if (faults.length !== errors + warnings + ignored) throw new Error(`redocly is unclear: ${output}`);
    return faults;
  });
}

/**
 * Runs `spectral lint` with the rules `spectral:oas`, except those given. Returns all faults, including hints.
 */
export function lintWithSpectral(document: unknown, without: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(without.map((name) => [name, 'off']));
  const ruleset = JSON.stringify({ extends: ['spectral:oas'], rules });
  return withFiles({ 'spectral.yaml': ruleset }, document, async (folder) => {
    const words = ['lint', 'openapi.json', '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet'];
    const { code, output } = await runTool(folder, 'spectral', [...words, '--fail-severity', 'hint']);
    const report: unknown[] = JSON.parse(output.slice(output.indexOf('['), output.lastIndexOf(']') + 1));
    if ((code === 0) !== (report.length === 0)) throw new Error(`spectral ended with ${code}: ${output}`);
    return report.map((problem) => JSON.stringify(problem));
  });
}

async function withFiles<T>(
  files: Readonly<Record<string, string>>,
  document: unknown,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-openapi-'));
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document, null, 2));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a program of node_modules with the Node.js of this process. */
function runTool(
  folder: string,
  name: string,
  words: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(bin, name), ...words], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
