/** What is checked before anything of an export is read: its size, its origin, and that the organization is not here. */
import type { AppliedMigration } from '../../../kernel/database/migrate.ts';
import type { OwnerSession } from '../../../kernel/database/owner-session.ts';
import { schemaName } from '../../../kernel/database/schema.ts';
import { BackupError } from '../errors.ts';
import type { OrganizationManifest } from '../manifest.ts';
import { checkMigrationsOf } from '../restore.ts';

/**
 * Checks the numbers of the manifest, to which the tables are held while they are read: few compressed bytes can be billions of rows.
 * @throws BackupError if all tables together have more rows than that
 */
export function checkSize({ tables }: OrganizationManifest, maxRows: number): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (rows <= maxRows) return;
  throw new BackupError(
    `The export has ${rows} rows, and an import accepts ${maxRows}. If you know that the organization is that large, permit more with --max-rows.`,
  );
}

/**
 * Compares the migrations since release 0.1.0. Before it, each checkout has its own schema: what counts is that the tables and columns of the export
 * are those of this one, which `matchTables` requires.
 * @throws BackupError
 */
export async function checkOrigin(manifest: OrganizationManifest): Promise<void> {
  const isMigration = ({ name }: AppliedMigration) => name !== schemaName;
  if (manifest.migrations.every(isMigration)) return;
  const advice = 'Bring both installations to the same release, then export it again.';
  await checkMigrationsOf(manifest, advice, { counts: isMigration });
}

/** @throws BackupError if the organization, or another one of that key, is here */
export async function checkAbsent(session: OwnerSession, id: string, key: string): Promise<void> {
  const rows = await session.rows('SELECT id, key FROM trellis.organizations WHERE id = $1 OR key = $2', [
    id,
    key,
  ]);
  const same = rows.find(([other]) => other === id);
  if (same !== undefined) {
    throw new BackupError(
      `The organization is in this installation already, with the key "${same[1]}". An organization can be imported once.`,
    );
  }
  if (rows.length > 0) {
    throw new BackupError(
      `There is another organization with the key "${key}" here. Choose a key with --key.`,
    );
  }
}
