/**
 * Why: one command, under a minute, that says whether a change may be committed: format and lint, types, layers and
 * generated files.
 */
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name: string) => `${root}node_modules/.bin/${name}`;

interface Outcome {
  readonly name: string;
  readonly code: number;
  readonly output: string;
}

/** Runs a script of node_modules/.bin, or of ours, on this same Node. */
function run(name: string, script: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('close', (code) => resolve({ name, code: code ?? 1, output }));
  });
}

/** A rule that passes whatever is written would look just like one that holds: seed a violation and expect a refusal. */
async function layersBite(): Promise<Outcome> {
  const folder = `${root}src/lib/seeded`;
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(`${folder}/violation.ts`, `import '../../http/server.ts';\n`);
    const seeded = await run('layers bite', bin('depcruise'), [
      'src/lib',
      '--config',
      '.dependency-cruiser.cjs',
    ]);
    const caught = seeded.code !== 0 && seeded.output.includes('layer-lib');
    return {
      ...seeded,
      code: caught ? 0 : 1,
      output: caught ? '' : `the seeded violation passed:\n${seeded.output}`,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const first = await Promise.all([
  run('format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']),
  run('types', bin('tsc'), ['-p', '.']),
  run('types of the browser script', bin('tsc'), ['-p', 'src/agent']),
  run('generated files', 'scripts/generate.ts', ['--check']),
]);
// One after the other: the seeded violation must not be seen by the others.
const outcomes = [
  ...first,
  await run('layers', bin('depcruise'), ['src', '--config', '.dependency-cruiser.cjs']),
  await layersBite(),
];
for (const { name, code, output } of outcomes) {
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (code !== 0) process.stdout.write(`${output}\n`);
}
process.exitCode = outcomes.every(({ code }) => code === 0) ? 0 : 1;
