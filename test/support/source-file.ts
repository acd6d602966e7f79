/** Files to import whose content is in memory. */
import type { SourceFile } from '@trellis/importer/readers/file.ts';

/** A file with this content, which is read in chunks as from a disk. */
export function toFile(name: string, content: string | Uint8Array): SourceFile {
  const bytes = Buffer.from(content);
  return {
    name,
    size: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    },
  };
}
