/** The schema that an empty database gets, and whether the migrations make the same of one of the release before them. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { compareSchemas, describeDatabase } from '@trellis/server/kernel/database/describe-schema.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import { releaseFolder } from '@trellis/server/kernel/database/sql-files.ts';

/** The folders of releases that a database is migrated to, one after the other, each with a slash at its end. */
type Releases = readonly string[];

/**
 * Describes databases on an embedded PostgreSQL that lives as long.
 * @throws Error when none can be started here, or the schema or a migration fails
 */
async function describeMigrated(histories: readonly Releases[]): Promise<string[]> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'trellis-schema-'));
  try {
    const cluster = await startEmbedded({ dataDirectory, log: () => undefined });
    try {
      const passwords = makeRolePasswords();
      const descriptions: string[] = [];
      for (const [index, releases] of histories.entries()) {
        const name = `trellis_${index}`;
        const urls = await setUpDatabase(cluster.adminUrl(), name, passwords);
        for (const release of releases) await migrate(urls.owner, () => undefined, { release });
        descriptions.push(await describeDatabase(cluster.adminUrl(name)));
      }
      return descriptions;
    } finally {
      await cluster.stop('immediate');
    }
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** The description of what an empty database gets. @throws as `describeMigrated` */
export async function describeNewSchema(): Promise<string> {
  const [description = ''] = await describeMigrated([[releaseFolder]]);
  return description;
}

/**
 * What a migrated database has in addition to a new one (`+`), or lacks (`-`). Without `sql/migrations` there is none to compare. With them,
 * `sql/baseline` has the files of `sql/schema` as they were in the release before the first migration.
 * @param release its folder, with a slash at its end
 * @throws as `describeMigrated`
 */
export async function findMigrationFaults(release: string): Promise<string[]> {
  if (!existsSync(`${release}sql/migrations`)) return [];
  if (!existsSync(`${release}sql/baseline`))
    return ['sql/baseline is missing: copy sql/schema of the release before the first migration there.'];
  const before = `${await mkdtemp(join(tmpdir(), 'trellis-baseline-'))}/`;
  try {
    await cp(`${release}sql/baseline`, `${before}sql/schema`, { recursive: true });
    const [fresh = '', migrated = ''] = await describeMigrated([[release], [before, release]]);
    return compareSchemas(migrated, fresh);
  } finally {
    await rm(before, { recursive: true, force: true });
  }
}
