/** The SQL files of a release: its schema and its migrations. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The folder of this release, with `migrations` and `sql` in it. */
export const releaseFolder = fileURLToPath(new URL('../../../../../', import.meta.url));

/** A file; its name has no `.sql`. */
export interface SqlFile {
  readonly name: string;
  readonly sql: string;
}

/** The SQL files of a folder, by name. Others are left out. */
export async function readSqlFiles(folder: string): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => /^[a-z0-9_]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: await readFile(`${folder}${file}`, 'utf8'),
    })),
  );
}

/** The folders of a release with the schema and the migrations. */
const folders = ['sql/schema/', 'sql/migrations/'];

/** A text by its path in the folder of a release. */
export interface ReleaseText {
  readonly path: string;
  readonly text: string;
}

/** The SQL texts that create and migrate a database. @param release its folder, with a trailing slash; this release when absent */
export async function readReleaseTexts(release = releaseFolder): Promise<ReleaseText[]> {
  const found = await Promise.all(
    folders
      .filter((folder) => existsSync(`${release}${folder}`))
      .map(async (folder) =>
        (await readSqlFiles(`${release}${folder}`)).map(({ name, sql }) => ({
          path: `${folder}${name}.sql`,
          text: sql,
        })),
      ),
  );
  return found.flat();
}
