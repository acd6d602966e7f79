/**
 * The schema: `sql/schema` has the tables, policies and functions of each feature together, as an empty database gets them. Migrations
 * change what is there since release 0.1.0, and the same files with them. See docs/decisions/0009-database-roles-and-schema.md.
 */
import { createHash } from 'node:crypto';
import { splitStatements } from './split-statements.ts';
import { readSqlFiles, releaseFolder, type SqlFile } from './sql-files.ts';

/** The name by which the schema is recorded among the migrations of a database that it has made. */
export const schemaName = 'schema';

/** The schema of a release. */
export interface Schema {
  /** In the order in which they are applied. */
  readonly files: readonly SqlFile[];
  /** SHA-256 of the statements without comments and functions, hexadecimal. */
  readonly checksum: string;
  /** The functions, each with its owner and its grants, by name. */
  readonly functions: readonly SqlFile[];
}

/** A database of a checkout from before release 0.1.0. */
export class OutdatedDatabaseError extends Error {
  constructor() {
    super(
      'This database was made by a checkout from before release 0.1.0, and has another schema. Nothing was changed. To keep its content, run ' +
        '"trellis organization export" with that checkout for each organization, and "trellis organization import" with this one into a new database.',
    );
    this.name = 'OutdatedDatabaseError';
  }
}

/** Reads the schema of a release; of this one by default. */
export async function readSchema(release: string = releaseFolder): Promise<Schema> {
  const files = await readSqlFiles(`${release}sql/schema/`);
  const hash = createHash('sha256');
  const functions = new Map<string, string>();
  for (const statement of files.flatMap(({ sql }) => splitStatements(sql))) {
    const [, name] = ofFunction.exec(statement) ?? [];
    if (name === undefined) hash.update(`${statement.replaceAll(comment, '')};`);
    else functions.set(name, `${functions.get(name) ?? ''}${statement};\n`);
  }
  return {
    files,
    checksum: hash.digest('hex'),
    functions: [...functions].map(([name, sql]) => ({ name, sql })),
  };
}

/** A statement that makes a function, or gives it an owner or grants. Comments may precede it. */
const ofFunction =
  /^(?:--[^\n]*\n|\s)*(?:CREATE OR REPLACE|ALTER|REVOKE ALL ON|GRANT EXECUTE ON) FUNCTION trellis\.(\w+)/;

const comment = /^ *--.*\n/gm;
