/** A release after this one, as `trellis migrate` finds it: the SQL files of this release, and some more. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { releaseFolder } from '@trellis/server/kernel/database/sql-files.ts';

/**
 * Migrates a database to a later release.
 * @param files texts by path, such as `sql/migrations/9000_rooms.sql`; those of this release are replaced
 * @returns the lines that the command would print
 */
export async function migrateToLater(
  ownerUrl: string,
  files: Readonly<Record<string, string>>,
): Promise<string[]> {
  const release = `${await mkdtemp(join(tmpdir(), 'trellis-later-'))}/`;
  try {
    await cp(`${releaseFolder}sql`, `${release}sql`, { recursive: true });
    await mkdir(`${release}sql/migrations`);
    for (const [path, text] of Object.entries(files)) await writeFile(`${release}${path}`, text);
    const lines: string[] = [];
    await migrate(ownerUrl, (line) => lines.push(line), { release });
    return lines;
  } finally {
    await rm(release, { recursive: true, force: true });
  }
}
