/** Generates a client from the OpenAPI document, compiles it and runs it against a server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from './server.ts';

const root = join(import.meta.dirname, '..', '..');

/** A client program, ready to run. */
export interface GeneratedClient {
  /** Calls every operation, then runs the program; fails with the output of what fails. */
  run(options: { url: string; token: string; siteId: string }): Promise<void>;
  close(): Promise<void>;
}

/** Generates types from the document and compiles the program in `client-program` with them. */
export async function generateClient(document: string): Promise<GeneratedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-client-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(join(folder, 'openapi.json'), document);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
    await cp(join(import.meta.dirname, 'client-program'), folder, { recursive: true });
    await writeFile(join(folder, 'every-operation.ts'), callEveryOperation(JSON.parse(document)));
    await runNode(folder, [toolPath('openapi-typescript'), 'openapi.json', '--output', 'schema.d.ts']);
    await runNode(folder, [toolPath('tsc'), '--project', folder]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    async run({ url, token, siteId }) {
      await runNode(folder, ['every-operation.ts', url, token]);
      await runNode(folder, ['main.ts', url, token, siteId]);
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
    "import type { paths } from './schema.d.ts';",
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

function toolPath(name: string): string {
  return join(root, 'node_modules', '.bin', name);
}

async function runNode(folder: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  assert.equal(code, 0, `${words.join(' ')}\n${output}`);
}
