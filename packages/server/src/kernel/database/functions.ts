/**
 * The SQL functions of the schema. They need no migrations: all are replaced whenever one has changed (CREATE OR REPLACE,
 * docs/decisions/0009-database-roles-and-schema.md). While nodes are replaced one by one, both releases call them, so a function keeps what its
 * callers rely on. Another signature is another function: a numbered migration drops the old one in a later release.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Schema } from './schema.ts';
import type { SqlFile } from './sql-files.ts';

/** All functions of this release, in an order in which they can be created. */
export interface FunctionSet {
  /** The name by which the set is recorded among the migrations. It depends on the texts of all files. */
  readonly name: string;
  /** SHA-256 of all texts, hexadecimal. */
  readonly checksum: string;
  readonly files: readonly SqlFile[];
}

const prefix = 'functions/';

/** Whether a recorded name is that of a set of functions, of any release. */
export function isFunctionSet(name: string): boolean {
  return name.startsWith(prefix);
}

/** The functions of a schema. */
export function functionsOf({ functions: files }: Schema): FunctionSet {
  const hash = createHash('sha256');
  for (const { name, sql } of files) hash.update(`${name}\n${Buffer.byteLength(sql)}\n${sql}`);
  const checksum = hash.digest('hex');
  return {
    name: `${prefix}${checksum.slice(0, 12)}`,
    checksum,
    files: sortByUse(files),
  };
}

/**
 * Creates or replaces all functions and records the set, in a transaction of the schema's owner.
 * @throws Error of PostgreSQL for a file that cannot be applied
 */
export async function applyFunctions(
  client: pg.Client,
  { name, checksum, files }: FunctionSet,
): Promise<void> {
  // The owner of a function must have CREATE on its schema when it becomes the owner.
  await client.query('GRANT CREATE ON SCHEMA trellis TO trellis_search');
  for (const { sql } of files) await client.query(sql);
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
function sortByUse(files: readonly SqlFile[]): SqlFile[] {
  const sorted: SqlFile[] = [];
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
