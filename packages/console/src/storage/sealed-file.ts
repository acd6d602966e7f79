/** Files, sealed in parts so that none has to be in memory as a whole. */
import { openBytes, type Place, type SealKey, sealBytes, sealBytesFor } from './seal.ts';

/** What is known of a sealed file. It is stored sealed, beside the content. */
export interface FileHead {
  readonly name: string;
  readonly type: string;
  readonly lastModified: number;
  readonly size: number;
  /** New for each sealing, so that parts of two contents cannot be mixed. */
  readonly contentId: string;
}

const partBytes = 1_048_576;

/** Seals a file. @throws DOMException when it cannot be read */
export async function sealFile(
  key: SealKey,
  place: Place,
  file: File,
): Promise<{ readonly head: FileHead; readonly content: Blob }> {
  const { name, type, lastModified, size } = file;
  const head = { name, type, lastModified, size, contentId: crypto.randomUUID() };
  const parts: Blob[] = [];
  for (let at = 0; at < size; at += partBytes) {
    const bytes = new Uint8Array(await file.slice(at, at + partBytes).arrayBuffer());
    // As a blob of its own the browser may keep it outside of memory.
    parts.push(new Blob([await sealBytesFor(key, partOf(place, head, at), bytes)]));
  }
  return { head, content: new Blob(parts) };
}

/** The file; null when a part of it was not sealed for it. */
export async function openFile(
  key: SealKey,
  place: Place,
  head: FileHead,
  content: unknown,
): Promise<File | null> {
  if (!(content instanceof Blob)) return null;
  const parts: Blob[] = [];
  const { name, type, lastModified, size } = head;
  for (let at = 0, from = 0; at < size; at += partBytes) {
    const to = from + Math.min(partBytes, size - at) + sealBytes;
    const sealed = new Uint8Array(await content.slice(from, to).arrayBuffer());
    const bytes = await openBytes(key, partOf(place, head, at), sealed);
    if (bytes === null) return null;
    parts.push(new Blob([bytes]));
    from = to;
  }
  return new File(parts, name, { type, lastModified });
}

function partOf(place: Place, { contentId, size }: FileHead, at: number): Place {
  return [...place, contentId, size, at];
}
