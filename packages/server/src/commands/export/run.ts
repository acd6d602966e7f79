/**
 * Exports an organization: every record of every resource as the API returns it, one JSON object per line, in an order in
 * which it can be imported again.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '@trellis/client/api-client.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { resourcesInOrder } from '@trellis/importer/order.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { UsageError } from '../command-line.ts';
import type { Connection } from '../connection.ts';
import { showProgress } from '../import/progress.ts';

export interface ExportOptions {
  /** Names of resources; none for all. */
  readonly resources: readonly string[];
  /**
   * A file, an existing folder or path that ends in a slash for one file per resource, or `-` for standard output.
   */
  readonly output: string;
}

export interface ExportDependencies {
  readonly connection: Connection;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly isTerminal: boolean;
}

/** The result of an export. */
export interface ExportReport {
  readonly records: number;
  readonly resources: Readonly<Record<string, number>>;
  /** Resources whose modules are switched off. */
  readonly switchedOff: readonly string[];
  /** Empty for standard output. */
  readonly files: readonly string[];
  readonly seconds: number;
}

/** A destination of lines. A file gets its name only when it is complete. */
interface Sink {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

/**
 * Exports an organization.
 * @throws UsageError for an unknown resource or an output that cannot be written; ProblemError
 */
export async function runExport(options: ExportOptions, io: ExportDependencies): Promise<ExportReport> {
  const chosen = chooseResources(options.resources);
  const client = new ApiClient(io.connection);
  const began = performance.now();
  const progress = showProgress(null, io.isTerminal, io.stderr);
  const counts: Record<string, number> = {};
  const switchedOff: string[] = [];
  let records = 0;
  const isFolder = await isFolderName(options.output);
  if (isFolder) await mkdir(options.output, { recursive: true });
  const files =
    options.output === '-'
      ? []
      : isFolder
        ? chosen.map(({ name }) => join(options.output, `${name}.ndjson`))
        : [options.output];
  let sink: Sink | null = null;
  try {
    for (const [index, resource] of chosen.entries()) {
      sink ??=
        options.output === '-' ? writeTo(io.stdout) : await openFile(files[isFolder ? index : 0] ?? '');
      counts[resource.name] = 0;
      try {
        for await (const record of listAll(client, resource)) {
          await sink.write(`${JSON.stringify({ resource: resource.name, ...record })}\n`);
          counts[resource.name] = (counts[resource.name] ?? 0) + 1;
          records += 1;
          progress.advance(records, 0);
        }
      } catch (error) {
        // Skipped when exporting everything, but an error when this resource was requested.
        if (options.resources.length > 0 || !isSwitchedOff(error)) throw error;
        delete counts[resource.name];
        switchedOff.push(resource.name);
      }
      if (isFolder || index === chosen.length - 1) {
        await sink.finish();
        sink = null;
      }
    }
  } finally {
    progress.end();
    await sink?.abandon();
  }
  return { records, resources: counts, switchedOff, files, seconds: (performance.now() - began) / 1000 };
}

function chooseResources(names: readonly string[]): readonly Resource[] {
  const unknown = names.find((name) => !resourcesInOrder.some((resource) => resource.name === name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--resource: there is no resource "${unknown}". The resources are: ${resourcesInOrder.map(({ name }) => name).join(', ')}.`,
    );
  }
  return names.length === 0 ? resourcesInOrder : resourcesInOrder.filter(({ name }) => names.includes(name));
}

/** All records of a resource, oldest first, under every parent. */
async function* listAll(
  client: ApiClient,
  resource: Resource,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const query = { limit: '100', sort: 'createdAt' };
  if (resource.parent === null) {
    yield* client.itemsOf({ path: `/v1${resource.path}`, query });
    return;
  }
  const { parameter, resource: parentName } = resource.parent;
  const parent = resourcesInOrder.find(({ name }) => name === parentName);
  if (parent === undefined) throw new Error(`no resource is named ${parentName}`);
  const parents = client.itemsOf({ path: `/v1${parent.path}`, query: { ...query, fields: 'id' } });
  for await (const { id } of parents) {
    yield* client.itemsOf({ path: `/v1${resource.path.replace(`{${parameter}}`, String(id))}`, query });
  }
}

function isSwitchedOff(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'module_disabled';
}

async function isFolderName(output: string): Promise<boolean> {
  if (output === '-') return false;
  if (output.endsWith('/')) return true;
  const found = await stat(output).catch(() => null);
  return found?.isDirectory() ?? false;
}

function writeTo(stdout: (text: string) => void): Sink {
  return {
    write: async (text) => stdout(text),
    finish: async () => undefined,
    abandon: async () => undefined,
  };
}

async function openFile(path: string): Promise<Sink> {
  const partial = `${path}.partial-${process.pid}`;
  const stream = createWriteStream(partial);
  let failure: Error | null = null;
  stream.on('error', (error) => {
    failure = error;
  });
  const orFail = () => {
    if (failure !== null) throw new UsageError(`--output: ${path} cannot be written: ${failure.message}`);
  };
  await once(stream, 'open').catch(() => undefined);
  orFail();
  return {
    async write(text) {
      if (!stream.write(text)) await once(stream, 'drain').catch(() => undefined);
      orFail();
    },
    async finish() {
      stream.end();
      await once(stream, 'close').catch(() => undefined);
      orFail();
      await rename(partial, path);
    },
    async abandon() {
      stream.destroy();
      await rm(partial, { force: true });
    },
  };
}
