/** A hash of a file or folder, by which an import that is run again is the same import. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Bytes of the largest file of a folder whose content counts: posts are smaller, and of pictures the size is enough. */
const largestHashed = 1_048_576;

/** The SHA-256 of the content of a file, or of the files in a folder with their paths. @throws the errors of `node:fs` */
export async function hashPath(path: string): Promise<string> {
  const hash = createHash('sha256');
  const found = await stat(path);
  if (!found.isDirectory()) {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  }
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    const { size } = await stat(file);
    hash.update(JSON.stringify([file.slice(path.length), size]));
    if (size <= largestHashed) hash.update(await readFile(file));
  }
  return hash.digest('hex');
}
