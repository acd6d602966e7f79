/** Reads all of an archive and compares it with its manifest, without a database. */
import { beginsWithOrganization } from '../../kernel/database/tables.ts';
import type { ArchiveReader } from './archive.ts';
import { restoreContents } from './contents.ts';
import { checkTable, TableDigester } from './digests.ts';

/**
 * Verifies an archive.
 * @param organizationId the only organization whose rows and contents it may have (uuid); null: it is a backup of all
 * @throws BackupError for what is damaged or missing
 */
export async function verifyArchive(
  archive: ArchiveReader,
  organizationId: string | null,
  onProgress: (text: string) => void,
): Promise<void> {
  for (const table of archive.manifest.tables) {
    onProgress(table.name);
    const digester = new TableDigester(organizationId === null && beginsWithOrganization(table));
    for await (const _ of digester.tap(archive.readParts(table.parts, table.bytes)));
    checkTable(table, digester.finish(), 'in the archive');
  }
  await restoreContents(archive, null, organizationId, ({ count }) => onProgress(`${count} files`));
}
