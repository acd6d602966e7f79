/**
 * Generates clients from the OpenAPI document with the generators of others, compiles programs that use them (`generated-clients`), and bundles
 * the programs. The generators have a package.json of their own, so that their versions are theirs.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import type { Connect } from './generated-clients/file-client.ts';
import { foreignEnvironment } from './published-package.ts';
import type { Json } from './server.ts';

const run = promisify(execFile);

/** The generators and how each is called in the folder; the programs have their names, that of the types the one of their client. */
const generators: Readonly<Record<string, string>> = {
  'openapi-fetch': 'openapi-typescript openapi.json --output generated/openapi-typescript.d.ts',
  'hey-api': 'openapi-ts --input openapi.json --output generated/hey-api --no-log-file',
  oazapfts: 'oazapfts openapi.json generated/oazapfts.ts',
  'swagger-typescript-api':
    'swagger-typescript-api generate --path openapi.json --output generated --name swagger-typescript-api.ts',
  orval: 'orval --config orval.config.mjs',
};

/** Names of the programs with a client of knowledge files. */
export const clientNames: readonly string[] = Object.keys(generators);

/** Clients, ready to be used. */
export interface GeneratedClients {
  /** The program of this name. */
  connect: (name: string) => Promise<Connect>;
  /** Calls every operation, then works with articles; both by openapi-fetch. */
  run(options: { url: string; token: string; siteId: string }): Promise<void>;
  close(): Promise<void>;
}

/** Installs the generators, and generates and compiles all clients. @throws Error with the output of what fails */
export async function generateClients(document: string): Promise<GeneratedClients> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-clients-'));
  const close = () => rm(folder, { recursive: true, force: true });
  const call = (program: string, ...words: readonly string[]) => runIn(folder, program, words);
  try {
    await cp(join(import.meta.dirname, 'generated-clients'), folder, { recursive: true });
    await writeFile(join(folder, 'openapi.json'), document);
    await writeFile(join(folder, 'every-operation.ts'), callEveryOperation(JSON.parse(document)));
    await call('npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts');
    for (const command of Object.values(generators)) {
      const [program = '', ...words] = command.split(' ');
      await call(process.execPath, join('node_modules/.bin', program), ...words);
    }
    for (const project of ['tsconfig.json', 'tsconfig.exact.json'])
      await call(process.execPath, 'node_modules/.bin/tsc', '--project', project);
    await using bundle = await rolldown({
      input: clientNames.map((name) => `${name}.ts`),
      cwd: folder,
      platform: 'node',
    });
    await bundle.write({ dir: 'programs', format: 'esm', entryFileNames: '[name].mjs' });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    connect: async (name) => (await import(join(folder, 'programs', `${name}.mjs`))).connect,
    async run({ url, token, siteId }) {
      await call(process.execPath, 'every-operation.ts', url, token);
      await call(process.execPath, 'openapi-fetch-articles.ts', url, token, siteId);
    },
  };
}

/**
 * A program that calls every operation of the document once, with the document's own examples: it compiles only if they
 * are of the types that were generated, and each call must get a documented status.
 */
function callEveryOperation(document: Json): string {
  const calls = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => describeCall(document, path, method, operation)),
  );
  return [
    "import assert from 'node:assert/strict';",
    "import createClient from 'openapi-fetch';",
    "import type { paths } from './generated/openapi-typescript.d.ts';",
    '',
    "const [baseUrl = '', token = ''] = process.argv.slice(2);",
    "const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } });",
    'const check = (name: string, status: number, documented: readonly string[]) =>',
    "  assert.ok(status < 500 && documented.includes(String(status)), name + ' responded with ' + status);",
    ...calls,
    '',
  ].join('\n');
}

function describeCall(document: Json, path: string, method: string, operation: Json): string {
  const inPlace: Record<string, Record<string, unknown>> = {};
  for (const given of operation.parameters ?? []) {
    const parameter =
      given.$ref === undefined ? given : document.components.parameters[given.$ref.split('/').at(-1)];
    if (!parameter.required) continue;
    inPlace[parameter.in] = { ...inPlace[parameter.in], [parameter.name]: parameter.example };
  }
  const [body] = Object.values<Json>(operation.requestBody?.content ?? {});
  const options = [
    `params: ${JSON.stringify(inPlace)}`,
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body.example ?? 'bytes')}`]),
    "parseAs: 'text'",
  ].join(', ');
  const call = `await client.${method.toUpperCase()}(${JSON.stringify(path)}, { ${options} })`;
  const documented = JSON.stringify(Object.keys(operation.responses));
  return `check('${operation.operationId}', (${call}).response.status, ${documented});`;
}

async function runIn(folder: string, program: string, words: readonly string[]): Promise<void> {
  const options = { cwd: folder, env: foreignEnvironment(), maxBuffer: 2 ** 26, timeout: 120_000 };
  await run(program, words, options).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${[program, ...words].join(' ')}\n${error.stdout}${error.stderr}`);
  });
}
