/**
 * The generated files, in docs/generated and packages/client: what they must be, writing them, and finding those that are out
 * of date.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSilentChange, visitorLookupChanges } from '@trellis/server/features/visitors/http/changelog.ts';
import { visitorLookupSchemas } from '@trellis/server/features/visitors/http/schemas.ts';
import { renderConfigurationReference } from '@trellis/server/kernel/config/reference.ts';
import { buildAsyncApi } from '@trellis/server/kernel/contract/asyncapi.ts';
import { limitsPage } from '@trellis/server/kernel/contract/documentation/limits-page.ts';
import { renderMarkdown } from '@trellis/server/kernel/contract/documentation/page.ts';
import { errorsPage, permissionsPage } from '@trellis/server/kernel/contract/documentation/pages.ts';
import { buildOpenApi } from '@trellis/server/kernel/contract/openapi.ts';
import { apiWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import stringify from 'json-stringify-pretty-compact';
import { renderClientModules } from './client-types.ts';
import { renderCountryNames } from './country-names.ts';

const origin = 'http://localhost:3000';
const contract = 'docs/generated/openapi.json';

const api = apiWithoutServer(origin);
const openApi = buildOpenApi(api, origin);
const clientModules = renderClientModules(openApi);

/** What every file must be that follows from the code alone. */
const goldens: Readonly<Record<string, () => string>> = {
  [contract]: () => renderJson(openApi),
  'packages/client/src/generated/types.ts': () => clientModules.types,
  'packages/client/src/generated/operations.ts': () => clientModules.operations,
  'packages/schema/src/values/country-names.ts': renderCountryNames,
  'docs/generated/asyncapi.json': () => renderJson(buildAsyncApi(api, origin)),
  'docs/generated/errors.md': () => renderMarkdown(errorsPage()),
  'docs/generated/permissions.md': () => renderMarkdown(permissionsPage()),
  'docs/generated/limits.md': () =>
    renderMarkdown(limitsPage(api.features.flatMap(({ limits = [] }) => limits))),
  'docs/generated/configuration.md': renderConfigurationReference,
};

/** What fits is on one line, such as the schema of a field: otherwise one new resource would change 13,000 lines. */
function renderJson(document: object): string {
  return `${stringify(document, { indent: 2, maxLength: 140 })}\n`;
}

/** What writing the files has done. */
export interface WrittenFiles {
  /** Paths of the files that were not yet as they had to be. */
  readonly written: readonly string[];
  /** Why schema.sql is left as it is; null when it was described. */
  readonly withoutSchema: string | null;
}

/**
 * Writes the files below a folder.
 * @param describeSchema gives the text of schema.sql, or throws where no database can be started
 */
export async function writeGeneratedFiles(
  root: string,
  describeSchema: () => Promise<string>,
): Promise<WrittenFiles> {
  const written = Object.entries(goldens).flatMap(([file, render]) => write(root, file, render()));
  try {
    return {
      written: [...written, ...write(root, 'docs/generated/schema.sql', await describeSchema())],
      withoutSchema: null,
    };
  } catch (error) {
    return { written, withoutSchema: (error as Error).message };
  }
}

/** Writes a file that has another text; returns its path if it has. */
function write(root: string, file: string, text: string): string[] {
  if (read(root, file) === text) return [];
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  return [file];
}

/** A sentence for each fault of the files below a folder. Needs no database: schema.sql is not among them. */
export function checkGeneratedFiles(root: string): string[] {
  const faults = Object.entries(goldens)
    .filter(([file, render]) => read(root, file) !== render())
    .map(([file]) => `${file} is not what the code says. Run "npm run generate" and look at the difference.`);
  if (isContractChangeSilent(root)) {
    faults.push(`${contract} has changed, but CHANGELOG.md does not say so. Add an entry for the change.`);
  }
  const silent = findSilentChange(visitorLookupSchemas, visitorLookupChanges);
  if (silent !== null) faults.push(silent);
  return faults;
}

/** Whether the document differs from the last commit's and the changelog does not. A first document is no change. */
function isContractChangeSilent(root: string): boolean {
  const committed = readCommitted(root, contract);
  return (
    committed !== null &&
    committed !== read(root, contract) &&
    (readCommitted(root, 'CHANGELOG.md') ?? '') === (read(root, 'CHANGELOG.md') ?? '')
  );
}

function read(root: string, file: string): string | null {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return null;
  }
}

/** The file as it was committed last; null without a commit, without the file in it, and without git. */
function readCommitted(root: string, file: string): string | null {
  const git = spawnSync('git', ['show', `HEAD:${file}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  return git.status === 0 ? git.stdout : null;
}
