/**
 * Temporary folders that PostgreSQL may enter. As root, the embedded PostgreSQL runs as another user; in a folder that only
 * root can enter, its cluster would be created elsewhere and not be removed after the test.
 */
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new temporary folder for a data directory; the caller removes it. */
export async function makeDataDirectory(name: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, `trellis-${name}-`));
  await chmod(folder, 0o755);
  return folder;
}
