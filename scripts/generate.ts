/**
 * `npm run generate`: writes docs/generated, the files that others rely on (the API's document, its errors, permissions
 * and limits, the settings, the schema), and what packages/client knows of the operations, so that every change of them
 * shows in a review.
 *
 *   npm run generate              writes the files; schema.sql is made from a new database
 *   npm run generate -- --check   fails when a file does not match the code, when the API's document has changed since the
 *                                 last commit and CHANGELOG.md has not, or when the shape of the visitor lookup differs
 *                                 from its own changelog. Needs no database: schema.sql is checked by
 *                                 test/database/schema.test.ts
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderConfigurationReference } from '@trellis/server/config/reference.ts';
import { buildAsyncApi } from '@trellis/server/contract/asyncapi.ts';
import { renderMarkdown } from '@trellis/server/contract/documentation/page.ts';
import { errorsPage, limitsPage, permissionsPage } from '@trellis/server/contract/documentation/pages.ts';
import { buildOpenApi } from '@trellis/server/contract/openapi.ts';
import { operationsWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import { findSilentChange, visitorLookupChanges } from '@trellis/server/visitors/http/changelog.ts';
import { visitorLookupSchemas } from '@trellis/server/visitors/http/schemas.ts';
import { renderClientModules } from './client-types.ts';
import { describeNewSchema } from './describe-schema.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const origin = 'http://localhost:3000';
const contract = 'docs/generated/openapi.json';

const openApi = buildOpenApi(operationsWithoutServer(origin), origin);
const clientModules = renderClientModules(openApi);

/** What every file must be that follows from the code alone. */
const goldens: Readonly<Record<string, () => string>> = {
  [contract]: () => `${JSON.stringify(openApi, null, 2)}\n`,
  'packages/client/src/generated/types.ts': () => clientModules.types,
  'packages/client/src/generated/operations.ts': () => clientModules.operations,
  'docs/generated/asyncapi.json': () => `${JSON.stringify(buildAsyncApi(origin), null, 2)}\n`,
  'docs/generated/errors.md': () => renderMarkdown(errorsPage()),
  'docs/generated/permissions.md': () => renderMarkdown(permissionsPage()),
  'docs/generated/limits.md': () => renderMarkdown(limitsPage()),
  'docs/generated/configuration.md': renderConfigurationReference,
};

if (process.argv.includes('--check')) check();
else await writeAll();

async function writeAll(): Promise<void> {
  for (const [file, render] of Object.entries(goldens)) write(file, render());
  try {
    write('docs/generated/schema.sql', await describeNewSchema());
  } catch (error) {
    // The others are worth having without it, and the tests tell when it is out of date.
    process.stderr.write(`docs/generated/schema.sql is left as it is: ${(error as Error).message}\n`);
  }
}

function write(file: string, text: string): void {
  if (read(file) === text) return;
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  process.stdout.write(`${file} written\n`);
}

function check(): void {
  const faults = Object.entries(goldens)
    .filter(([file, render]) => read(file) !== render())
    .map(([file]) => `${file} is not what the code says. Run "npm run generate" and look at the difference.`);
  if (isContractChangeSilent()) {
    faults.push(`${contract} has changed, but CHANGELOG.md does not say so. Add an entry for the change.`);
  }
  const silent = findSilentChange(visitorLookupSchemas, visitorLookupChanges);
  if (silent !== null) faults.push(silent);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

/** Whether the document differs from the last commit's and the changelog does not. A first document is no change. */
function isContractChangeSilent(): boolean {
  const committed = readCommitted(contract);
  return (
    committed !== null &&
    committed !== read(contract) &&
    (readCommitted('CHANGELOG.md') ?? '') === (read('CHANGELOG.md') ?? '')
  );
}

function read(file: string): string | null {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return null;
  }
}

/** The file as it was committed last; null without a commit, without the file in it, and without git. */
function readCommitted(file: string): string | null {
  const git = spawnSync('git', ['show', `HEAD:${file}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  return git.status === 0 ? git.stdout : null;
}
