/**
 * `npm run check`: decides in under a minute whether a change may be committed. Checks format and lint, types,
 * unused exports, layers, generated files and migrations.
 */
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMigrationFaults } from './describe-schema.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name: string) => `${root}node_modules/.bin/${name}`;

interface Outcome {
  readonly name: string;
  readonly code: number;
  readonly output: string;
}

/** Runs a script of node_modules/.bin, or one of ours, with this Node. */
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

/** An import of its own types, as the smallest circle. */
const itself = 'itself';

/** Imports that a rule has to refuse in a file of the folder. */
const violations = [
  { folder: 'packages/server/src/kernel/lib', imports: itself, rule: 'no-cycles' },
  { folder: 'packages/server/src/kernel/pipeline', imports: './write/kinds.ts', rule: 'pipeline-shared' },
  {
    folder: 'packages/server/src/kernel/pipeline/search',
    imports: '../list/list.ts',
    rule: 'pipeline-search',
  },
  {
    folder: 'packages/server/src/kernel/pipeline/write/steps',
    imports: '../../read/read.ts',
    rule: 'pipeline-write',
  },
  { folder: 'packages/server/src/kernel/lib', imports: '../http/app.ts', rule: 'kernel-lib' },
  {
    folder: 'packages/server/src/kernel/http',
    imports: '../../features/webhooks/settings.ts',
    rule: 'kernel-knows-no-feature',
  },
  {
    folder: 'packages/server/src/features/crm',
    imports: '../webhooks/settings.ts',
    rule: 'feature-crm',
  },
  { folder: 'packages/importer/src', imports: 'node:fs', rule: 'runs-in-a-browser' },
  { folder: 'packages/console/src', imports: 'node:fs', rule: 'console-runs-in-a-browser' },
  { folder: 'packages/console/src', imports: './storage/indexed-db.ts', rule: 'console-stores-sealed' },
  // base62.ts uses node:crypto: imports of the engine must not use Node either.
  {
    folder: 'packages/importer/src',
    imports: '../../server/src/kernel/lib/base62.ts',
    rule: 'runs-in-a-browser',
  },
  ...[
    'text',
    'api',
    'storage',
    'outbox/store',
    'outbox/merge',
    'outbox/send',
    'outbox/edit',
    'outbox/bulk',
    'ui',
    'session',
    'resources',
    'fields',
    'live',
    'pending',
    'records',
    'lists',
    'features',
    'shell',
  ].map((floor) => ({
    folder: `packages/console/src/${floor}`,
    imports: `${floor.includes('/') ? '../' : ''}../app/router.tsx`,
    rule: `console-floor-${floor.replace('/', '-')}`,
  })),
  { folder: 'packages/console/src/ui', imports: '../session/workspace.ts', rule: 'console-floor-ui' },
  {
    folder: 'packages/console/src/outbox/store',
    imports: '../send/queue.ts',
    rule: 'console-floor-outbox-store',
  },
  {
    folder: 'packages/console/src/features/articles',
    imports: '../events/methods.ts',
    rule: 'console-feature-articles',
  },
] as const;

/** Seeds violations and expects all to be refused, since a rule that never fires looks just like one that holds. */
async function checkLayersBite(): Promise<Outcome> {
  const seeds = violations.map((violation, index) => ({
    ...violation,
    path: `${violation.folder}/seeded-violation-${index}.ts`,
  }));
  try {
    for (const { path, imports } of seeds) {
      const statement =
        imports === itself ? `import type {} from './${basename(path)}'` : `import '${imports}'`;
      await writeFile(`${root}${path}`, `${statement};\n`);
    }
    const paths = seeds.map(({ path }) => path);
    const seeded = await run('layers bite', bin('depcruise'), [
      ...paths,
      '--config',
      '.dependency-cruiser.cjs',
    ]);
    const lines = seeded.output.split('\n');
    const passed = seeds.filter(
      ({ path, rule }) => !lines.some((line) => line.includes(` ${rule}: `) && line.includes(path)),
    );
    const output = passed.map(({ path, imports }) => `${path} may import ${imports}\n`).join('');
    return { ...seeded, code: output === '' ? 0 : 1, output };
  } finally {
    for (const { path } of seeds) await rm(`${root}${path}`, { force: true });
  }
}

/** Exports that nobody imports: the run has to find a seeded one, and no other. */
async function checkExports(): Promise<Outcome> {
  const seeds = `${root}packages/server/src/kernel/lib/seeded`;
  await mkdir(seeds, { recursive: true });
  try {
    await writeFile(`${seeds}/violation.ts`, 'export const seeded = 1;\n');
    const found = await run('unused exports', bin('knip'), [
      '--include',
      'exports,types',
      '--reporter',
      'compact',
    ]);
    const lines = found.output.split('\n').filter((line) => line.includes('.ts'));
    const others = lines.filter((line) => !line.includes('lib/seeded/violation.ts'));
    if (lines.length === others.length)
      return { ...found, code: 1, output: `the seeded violation passed:\n${found.output}` };
    return { ...found, code: others.length === 0 ? 0 : 1, output: others.join('\n') };
  } finally {
    await rm(seeds, { recursive: true, force: true });
  }
}

/** Whether migrations make of a database what a new one is. */
async function checkMigrations(): Promise<Outcome> {
  const faults = await findMigrationFaults(root);
  return { name: 'migrations', code: faults.length === 0 ? 0 : 1, output: faults.join('\n') };
}

const first = await Promise.all([
  run('format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']),
  run('types', bin('tsc'), ['-p', '.']),
  run('types of the browser script', bin('tsc'), ['-p', 'packages/agent/src']),
  run('types of waiting changes', bin('tsc'), ['-p', 'test/console/changes']),
  run('types of the client', bin('tsc'), ['-p', 'packages/client/src']),
  run('types of the console', bin('tsc'), ['-p', 'packages/console/src']),
  run('generated files', 'scripts/generate.ts', ['--check']),
]);
// One after the other, so that seeded violations are not seen by other checks.
const outcomes = [
  ...first,
  await checkExports(),
  await run('layers', bin('depcruise'), ['packages', '--config', '.dependency-cruiser.cjs']),
  await checkLayersBite(),
  await checkMigrations(),
];
for (const { name, code, output } of outcomes) {
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (code !== 0) process.stdout.write(`${output}\n`);
}
process.exitCode = outcomes.every(({ code }) => code === 0) ? 0 : 1;
