/**
 * The SQL functions: their present text stands in `sql/functions`, one file each. Migrations say how tables came to be and
 * are never edited; functions have no history worth keeping, and are put in place anew whenever a file has changed.
 *
 * Files are idempotent (CREATE OR REPLACE). Nodes of the previous release still call the functions while they are replaced
 * one by one: a file must not change what they rely on. Another signature is another function: a numbered migration drops
 * the old one in a later release.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

const folder = fileURLToPath(new URL('../../../../sql/functions/', import.meta.url));

/** One file: `name` is the function's. */
interface FunctionFile {
  readonly name: string;
  readonly sql: string;
}

/** All functions of this release, in an order in which they can be created. */
export interface FunctionSet {
  /** What the set is recorded under among the migrations: it changes with every file. */
  readonly name: string;
  /** SHA-256 of all texts, hexadecimal. */
  readonly checksum: string;
  readonly files: readonly FunctionFile[];
}

const prefix = 'functions/';

/** Whether a recorded name is that of a set of functions, of whatever release. */
export function isFunctionSet(name: string): boolean {
  return name.startsWith(prefix);
}

/** Reads the files of this release. */
export async function readFunctions(): Promise<FunctionSet> {
  const names = (await readdir(folder)).filter((name) => /^[a-z0-9_]+\.sql$/.test(name)).sort();
  const files = await Promise.all(
    names.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: await readFile(`${folder}${file}`, 'utf8'),
    })),
  );
  const hash = createHash('sha256');
  for (const { name, sql } of files) hash.update(`${name}\n${Buffer.byteLength(sql)}\n${sql}`);
  const checksum = hash.digest('hex');
  return { name: `${prefix}${checksum.slice(0, 12)}`, checksum, files: sortByUse(files) };
}

/**
 * Puts all functions in place and records the set; inside a transaction of the schema's owner.
 * @throws Error of PostgreSQL for a file that cannot be applied
 */
export async function applyFunctions(
  client: pg.Client,
  { name, checksum, files }: FunctionSet,
): Promise<void> {
  // Only who may create in the schema can be made the owner of a function.
  await client.query('GRANT CREATE ON SCHEMA trellis TO trellis_search');
  for (const { sql } of files) await client.query(sql);
  await client.query('REVOKE CREATE ON SCHEMA trellis FROM trellis_search');
  await client.query(
    `INSERT INTO trellis.migrations (name, checksum, applied_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (name) DO UPDATE SET applied_at = excluded.applied_at`,
    [name, checksum],
  );
}

/** Functions before those that call them: a body in standard SQL is checked when it is created. @throws Error for a circle */
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
