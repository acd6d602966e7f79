/**
 * Uploads that are not finished, with their bytes, in the browser's storage: after a reload they continue under the same key, so that
 * each file is stored once. They belong to a person and an organization.
 */
import type { Vault } from '../../storage/vault.ts';

export interface StoredUpload {
  /** Idempotency key of the upload. */
  readonly key: string;
  /** When the person has chosen the file, in milliseconds since 1970. */
  readonly askedAt: number;
  readonly file: File;
  readonly visibility: string;
}

/** Keeps uploads until they are removed: all of them, or none. @throws DOMException when the browser has no room for them */
export function storeUploads(vault: Vault, uploads: readonly StoredUpload[]): Promise<void> {
  return vault.write(
    uploads.flatMap(({ file, ...upload }) => [
      { put: ['upload', upload.key], value: upload } as const,
      { put: ['upload-file', upload.key], file } as const,
    ]),
  );
}

export function removeUpload(vault: Vault, key: string): Promise<void> {
  return vault.write([{ remove: ['upload', key] }, { remove: ['upload-file', key] }]);
}

/** The unfinished uploads. */
export async function listUploads(vault: Vault): Promise<readonly StoredUpload[]> {
  const uploads = await vault.all<Omit<StoredUpload, 'file'>>(['upload']);
  const found: StoredUpload[] = [];
  for (const upload of uploads) {
    const file = await vault.file(['upload-file', upload.key]);
    if (file !== null) found.push({ ...upload, file });
    // Without its file there is nothing left to send.
    else await removeUpload(vault, upload.key);
  }
  return found;
}
