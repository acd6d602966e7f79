/**
 * Removes the bytes that no file, not even one in the trash, and no rendition refers to: the file was purged, its content replaced, or the upload never finished. They
 * are removed a day later, so that a write under way never loses what it has just stored.
 */
import type { Logger } from 'pino';
import { backupLock } from '../../kernel/database/backup-lock.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { ListedObject, ObjectStore } from '../../kernel/objects/object-store.ts';
import { lockNumber } from '../../kernel/pipeline/locks.ts';
import { seeAllRecords } from '../../kernel/pipeline/see-all-records.ts';

/** Bytes younger than this are kept, in ms. */
export const sweepGraceMs = 24 * 3_600_000;
/** Objects checked in one step. */
const pageSize = 500;

/** The tables whose column `sha256` refers to contents. */
export const contentTables = ['knowledge_files', 'trash', 'picture_renditions'] as const;

const lockContent: Statement = {
  name: 'lock_content',
  text: `SELECT pg_advisory_xact_lock($1), pg_try_advisory_xact_lock_shared(${backupLock})`,
};
const findUse: Statement = {
  name: 'content_use',
  text: contentTables
    .map((table) => `(SELECT FROM trellis.${table} WHERE organization_id = $1 AND sha256 = $2 LIMIT 1)`)
    .join(' UNION ALL '),
};

/**
 * Removes unreferenced bytes in all organizations. Several nodes may do so at the same time.
 * @param api pool of the role `trellis_api`, which reads the files of one organization
 * @returns how many objects were removed
 */
export async function sweepObjects(options: {
  readonly api: Database;
  readonly objects: ObjectStore;
  readonly graceMs: number;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
}): Promise<number> {
  const { objects, graceMs, now, signal, log } = options;
  let removed = 0;
  for await (const organizationId of objects.organizations()) {
    let after: string | null = null;
    for (;;) {
      if (signal.aborted) return removed;
      const page: ListedObject[] = await objects.list(organizationId, after, pageSize);
      const old = page.filter(({ modifiedAt }) => modifiedAt.getTime() < now - graceMs);
      for (const { sha256 } of old) {
        if (signal.aborted) return removed;
        if (await removeIfUnused(options, organizationId, sha256)) removed += 1;
      }
      if (page.length < pageSize) break;
      after = page.at(-1)?.sha256 ?? null;
    }
  }
  if (removed > 0) log.info({ removed }, 'unreferenced file contents were removed');
  return removed;
}

/**
 * Removes bytes under a lock that writes referring to the same bytes share until they have committed. While a backup is made, nothing is
 * removed: what its snapshot refers to may be unreferenced by now, and is still to be copied.
 */
export async function removeIfUnused(
  { api, objects }: { readonly api: Database; readonly objects: ObjectStore },
  organizationId: string,
  sha256: string,
): Promise<boolean> {
  const scope = { organizationId, userId: null };
  const lock = step(lockContent, [lockNumber(organizationId, sha256)]);
  return api.transaction(scope, [step(seeAllRecords), lock], async ([, locks], transaction) => {
    if (locks?.rows[0]?.[1] !== 't') return false;
    // Read after the lock is acquired, so that references committed by earlier lock owners are seen.
    const [use] = await transaction.send([step(findUse, [organizationId, sha256])]);
    if (use?.rows[0] !== undefined) return false;
    await objects.remove(organizationId, sha256);
    await transaction.commit([]);
    return true;
  });
}
