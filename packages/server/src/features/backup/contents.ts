/**
 * The contents of files in an archive: those that the snapshot of the database refers to, each as an object of its own, and a
 * list with a line for each: organization, hash, size, and the object with the content (`-` if it was missing).
 */
import type { OwnerSession } from '../../kernel/database/owner-session.ts';
import {
  assertObjectName,
  assertOrganizationId,
  isOrganizationId,
  isSha256,
  type ObjectStore,
  ObjectStoreError,
} from '../../kernel/objects/object-store.ts';
import { contentTables } from '../knowledge/object-sweep.ts';
import type { ArchiveReader, ArchiveWriter } from './archive.ts';
import { BackupError } from './errors.ts';
import type { StoredContents } from './manifest.ts';
import { CheckedContent, putStream } from './object-streams.ts';

const pageSize = 1_000;
/** Longer than any line, of which there is one for each content. */
const maxLineBytes = 256;
/** The maximum size of a content, which is that of TRELLIS_MAX_CONTENT_BYTES. */
const maxContentBytes = 2_147_483_647;
const none = '-';

/**
 * Begins the list of contents in the transaction of the snapshot. PostgreSQL keeps it beyond the end of the transaction,
 * which need not be open while contents are copied.
 * @param organizationId only those of this one (uuid); null: all
 */
export async function openContentList(session: OwnerSession, organizationId: string | null): Promise<void> {
  if (organizationId !== null) assertOrganizationId(organizationId);
  const condition = organizationId === null ? '' : ` AND organization_id = '${organizationId}'`;
  const references = contentTables.map(
    (table) => `SELECT organization_id, sha256 FROM trellis.${table} WHERE sha256 IS NOT NULL${condition}`,
  );
  await session.run(
    `DECLARE trellis_contents NO SCROLL CURSOR WITH HOLD FOR ${references.join(' UNION ')} ORDER BY 1, 2`,
  );
}

/** What is copied so far. */
export interface CopiedContents {
  count: number;
  bytes: number;
}

/**
 * Copies all contents of the list.
 * @param missing what to do about contents that are missing in the installation
 * @throws BackupError for a missing or damaged content, unless such contents are to be noted
 */
export async function copyContents(options: {
  readonly session: OwnerSession;
  readonly objects: ObjectStore;
  readonly archive: ArchiveWriter;
  readonly missing: 'refuse' | 'note';
  readonly onProgress: (copied: CopiedContents) => void;
}): Promise<StoredContents> {
  const { session, archive, onProgress } = options;
  const copied: CopiedContents = { count: 0, bytes: 0 };
  const missing: string[] = [];
  async function* lines(): AsyncGenerator<Buffer> {
    for (;;) {
      const page = await session.rows(`FETCH ${pageSize} FROM trellis_contents`);
      for (const [organizationId, sha256] of page) {
        if (typeof organizationId !== 'string' || typeof sha256 !== 'string') continue;
        const stored = await copyContent(options, organizationId, sha256);
        if (stored === null) missing.push(`${organizationId} ${sha256}`);
        copied.count += 1;
        copied.bytes += stored?.sizeBytes ?? 0;
        onProgress(copied);
        yield Buffer.from(
          `${organizationId} ${sha256} ${stored?.sizeBytes ?? 0} ${stored?.object ?? none}\n`,
        );
      }
      if (page.length < pageSize) return;
    }
  }
  const parts = await archive.writeParts(lines());
  return { ...copied, parts, missing };
}

/** @returns null for a content that is missing or damaged, where that is to be noted */
async function copyContent(
  {
    objects,
    archive,
    missing,
  }: { readonly objects: ObjectStore; readonly archive: ArchiveWriter; readonly missing: 'refuse' | 'note' },
  organizationId: string,
  sha256: string,
): Promise<{ object: string; sizeBytes: number } | null> {
  const content = new CheckedContent(sha256, () => new DamagedContentError());
  try {
    const { sha256: object } = await archive.write(content.read(await objects.open(organizationId, sha256)));
    return { object, sizeBytes: content.sizeBytes };
  } catch (error) {
    const isMissing = error instanceof ObjectStoreError && error.reason === 'not_found';
    if (!isMissing && !(error instanceof DamagedContentError)) throw error;
    if (missing === 'note') return null;
    throw new BackupError(
      `The content ${sha256} of organization ${organizationId} is ${isMissing ? 'missing' : 'damaged'} in this installation. ` +
        'Restore it from an earlier backup; with --allow-missing-files the backup is made without it.',
    );
  }
}

class DamagedContentError extends Error {}

/**
 * Reads all contents of an archive and checks them.
 * @param store where they are put; null only to check them
 * @param only the organization (uuid) that all of them have to belong to; null: any
 * @returns how many there are, without the missing ones
 * @throws BackupError for a list or a content that differs from what the manifest and the list say
 */
export async function restoreContents(
  archive: ArchiveReader,
  store: ObjectStore | null,
  only: string | null,
  onProgress: (copied: CopiedContents) => void,
): Promise<CopiedContents> {
  const { contents } = archive.manifest;
  const restored: CopiedContents = { count: 0, bytes: 0 };
  let lines = 0;
  for await (const line of readLines(archive.readParts(contents.parts, contents.count * maxLineBytes))) {
    const [organizationId = '', sha256 = '', size = '', object = ''] = line.split(' ');
    lines += 1;
    if (!isOrganizationId(organizationId) || !isSha256(sha256) || !/^\d{1,10}$/.test(size)) {
      throw new BackupError('The list of file contents does not have the form of one.');
    }
    if (only !== null && organizationId !== only) {
      throw new BackupError('The list of file contents has one of another organization.');
    }
    if (object === none) continue;
    assertObjectName(organizationId, object);
    const sizeBytes = await restoreContent(archive, store, { organizationId, sha256, object });
    if (sizeBytes !== Number(size)) throw differs(organizationId, sha256);
    restored.count += 1;
    restored.bytes += sizeBytes;
    onProgress(restored);
  }
  if (lines !== contents.count || restored.bytes !== contents.bytes) {
    throw new BackupError(
      `The list of file contents has ${lines} contents with ${restored.bytes} bytes instead of ${contents.count} with ${contents.bytes}.`,
    );
  }
  return restored;
}

async function restoreContent(
  archive: ArchiveReader,
  store: ObjectStore | null,
  {
    organizationId,
    sha256,
    object,
  }: { readonly organizationId: string; readonly sha256: string; readonly object: string },
): Promise<number> {
  const content = new CheckedContent(sha256, () => differs(organizationId, sha256));
  const bytes = content.read(archive.read(object));
  if (store === null) for await (const _ of bytes);
  else await putStream(store, organizationId, bytes, maxContentBytes);
  return content.sizeBytes;
}

function differs(organizationId: string, sha256: string): BackupError {
  return new BackupError(
    `The content ${sha256} of organization ${organizationId} has other bytes than its hash says.`,
  );
}

async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun = '';
  for await (const piece of source) {
    const lines = `${begun}${piece.toString('latin1')}`.split('\n');
    begun = lines.pop() ?? '';
    if (begun.length > maxLineBytes)
      throw new BackupError('The list of file contents has a line that is too long.');
    yield* lines;
  }
  if (begun !== '') throw new BackupError('The list of file contents ends in the middle of a line.');
}
