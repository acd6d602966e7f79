/**
 * The SQL functions: their current texts are in `sql/functions`, one file each. Migrations are never edited; functions
 * are replaced whenever a file has changed (docs/decisions/0040-functions-in-files.md).
 *
 * Files are idempotent (CREATE OR REPLACE). While nodes are replaced one by one, those of the previous release call the
 * functions too, so a file must keep what they rely on. Another signature is another function: a numbered migration
 * drops the old one in a later release.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { runStatements } from './split-statements.ts';

const folder = fileURLToPath(new URL('../../../../sql/functions/', import.meta.url));
/** Functions that a distributed database (Citus) has in place of those of the same name, or in addition. */
const distributedFolder = fileURLToPath(new URL('../../../../sql/distributed/functions/', import.meta.url));

/** One file; `name` is the name of the function. */
interface FunctionFile {
  readonly name: string;
  readonly sql: string;
}

/** All functions of this release, in an order in which they can be created. */
export interface FunctionSet {
  /** The name by which the set is recorded among the migrations. It depends on the texts of all files. */
  readonly name: string;
  /** SHA-256 of all texts, hexadecimal. */
  readonly checksum: string;
  readonly files: readonly FunctionFile[];
  /** The files of a distributed database. */
  readonly distributedFiles: readonly FunctionFile[];
}

const prefix = 'functions/';

/** Whether a recorded name is that of a set of functions, of any release. */
export function isFunctionSet(name: string): boolean {
  return name.startsWith(prefix);
}

/** Reads the files of this release. */
export async function readFunctions(): Promise<FunctionSet> {
  const files = await readFiles(folder);
  const others = await readFiles(distributedFolder);
  const distributedFiles = [
    ...files.filter(({ name }) => others.every((other) => other.name !== name)).map(inDistributedForm),
    ...others,
  ];
  const hash = createHash('sha256');
  for (const { name, sql } of [...files, ...distributedFiles])
    hash.update(`${name}\n${Buffer.byteLength(sql)}\n${sql}`);
  const checksum = hash.digest('hex');
  return {
    name: `${prefix}${checksum.slice(0, 12)}`,
    checksum,
    files: sortByUse(files),
    distributedFiles: sortByUse(distributedFiles),
  };
}

async function readFiles(path: string): Promise<FunctionFile[]> {
  const names = (await readdir(path)).filter((name) => /^[a-z0-9_]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: await readFile(`${path}${file}`, 'utf8'),
    })),
  );
}

/** A line of a file that only a distributed database has, and one that it does not have. */
const distributedLine = /^( *)-- distributed: /gm;
const singleServerLine = /^.* -- single server\n/gm;

/** A function as a distributed database has it: with the lines that a single server takes for comments, and without those of a single server. */
function inDistributedForm({ name, sql }: FunctionFile): FunctionFile {
  return { name, sql: sql.replace(singleServerLine, '').replace(distributedLine, '$1') };
}

/**
 * Creates or replaces all functions and records the set, in a transaction of the schema's owner.
 * @throws Error of PostgreSQL for a file that cannot be applied
 */
export async function applyFunctions(
  client: pg.Client,
  { name, checksum, files, distributedFiles }: FunctionSet,
  isDistributed: boolean,
): Promise<void> {
  // The owner of a function must have CREATE on its schema when it becomes the owner.
  await client.query('GRANT CREATE ON SCHEMA trellis TO trellis_search');
  for (const { sql } of isDistributed ? distributedFiles : files) await runStatements(client, sql);
  await client.query('REVOKE CREATE ON SCHEMA trellis FROM trellis_search');
  await client.query(
    `INSERT INTO trellis.migrations (name, checksum, applied_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (name) DO UPDATE SET applied_at = excluded.applied_at`,
    [name, checksum],
  );
}

/**
 * Sorts functions before those that call them, because PostgreSQL checks standard SQL bodies when it creates a
 * function.
 * @throws Error for a cycle
 */
function sortByUse(files: readonly FunctionFile[]): FunctionFile[] {
  const sorted: FunctionFile[] = [];
  const waiting = new Set(files);
  while (waiting.size > 0) {
    const next = [...waiting].find(({ name, sql }) =>
      [...waiting].every((other) => other.name === name || !sql.includes(`trellis.${other.name}(`)),
    );
    if (next === undefined) {
      throw new Error(
        `functions call each other in a circle: ${[...waiting].map(({ name }) => name).join(', ')}`,
      );
    }
    waiting.delete(next);
    sorted.push(next);
  }
  return sorted;
}
