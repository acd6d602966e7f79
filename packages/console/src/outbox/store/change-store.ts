/** Operations on stored changes. Each method is one transaction, so other tabs and crashes never see a partial result. */
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import {
  type Amendment,
  type Change,
  type ChangeId,
  chainFrom,
  type NewChange,
  type Refusal,
  type Submission,
} from './change.ts';
import type { ChangeRows, ChangeTable } from './change-table.ts';
import { areEqual, namesIn, type Values } from './fields.ts';

/** Stores the changes of all owners. */
export class ChangeStore {
  private readonly table: ChangeTable;

  constructor(table: ChangeTable) {
    this.table = table;
  }

  /** The changes of an owner, in order. */
  list(owner: string): Promise<Change[]> {
    return this.table.list(owner);
  }

  /** Stores a change with its key: coalesced with its predecessor, dependent on it, or independent (see `after`). */
  add(owner: string, added: NewChange, submission: Submission): Promise<Change> {
    return this.table.transact(async (rows) => {
      const { request, label, base = null, after = null } = added;
      const preceding = await findLast(rows, owner, after);
      if (preceding !== null && mayCoalesce(preceding, added)) {
        return put(rows, {
          ...preceding,
          ...submission,
          // The new key tells other tabs that they have not seen the coalesced change.
          key: makeIdempotencyKey(),
          request: { ...preceding.request, body: composePatches(preceding.request.body, request.body) },
          base: composeBases(preceding.base, base),
          label,
        });
      }
      const fresh: Omit<Change, 'sequence'> = {
        owner,
        key: makeIdempotencyKey(),
        record: added.record,
        request,
        label,
        base,
        coalesces: added.coalesces === true,
        dependsOn: preceding?.sequence ?? null,
        ...submission,
        madeAt: submission.askedAt,
        firstSentAt: null,
        refusal: null,
      };
      return { ...fresh, sequence: await rows.insert(fresh) };
    });
  }

  /** Marks the change as sent. It is immutable from here on. Null when the change is gone, refused, or depends on another change. */
  claim(sequence: number, now: number): Promise<Change | null> {
    return this.table.transact(async (rows) => {
      const stored = await rows.find(sequence);
      if (stored === null || stored.refusal !== null) return null;
      // The predecessor may have been removed because it could not be decrypted. Then the change's own If-Match applies.
      if (stored.dependsOn !== null && (await rows.find(stored.dependsOn)) !== null) return null;
      return put(rows, { ...stored, dependsOn: null, firstSentAt: stored.firstSentAt ?? now });
    });
  }

  /** Removes a completed change; its dependent change applies to the version that it produced. */
  settle(sequence: number, etag: string | null): Promise<void> {
    return this.table.transact(async (rows) => {
      const stored = await rows.find(sequence);
      if (stored !== null) await remove(rows, stored, etag);
    });
  }

  /** Stores the refusal of a change, unless the change is gone or was modified. */
  refuse(id: ChangeId, refusal: Refusal): Promise<void> {
    return this.table.transact(async (rows) => {
      const stored = await findSame(rows, id);
      if (stored !== null) rows.put({ ...stored, refusal });
    });
  }

  /**
   * Discards a change; its dependent change applies to the version that the discarded one would have changed.
   * @returns whether it still existed
   */
  dismiss(id: ChangeId): Promise<boolean> {
    return this.table.transact(async (rows) => {
      const stored = await findSame(rows, id);
      if (stored !== null) await remove(rows, stored, stored.request.ifMatch);
      return stored !== null;
    });
  }

  /**
   * Marks a refused change for resending under a new key, unchanged or amended, on the user's request.
   * @returns the stored change; null when the change is gone or was modified
   */
  retry(id: ChangeId, amended: Amendment | null, submission: Submission): Promise<Change | null> {
    return this.table.transact(async (rows) => {
      const stored = await findSame(rows, id);
      if (stored === null || stored.refusal === null) return null;
      return put(rows, { ...stored, ...amended, ...submission, ...sentAgain() });
    });
  }

  /**
   * Replaces a refused change and its dependent edits (`chainFrom`) by a merged request under a new key. Dependent changes that are not
   * part of the merge are refused for the same reason, since their author has not seen the merge result.
   * @param amended null when nothing is left to send: the changes are removed
   * @param submission of an explicit save; null for an automatic merge
   * @returns the merged change, or null; `false` when a change is gone or was modified: then nothing was done
   */
  merge(
    chain: readonly Change[],
    amended: Amendment | null,
    submission: Submission | null = null,
  ): Promise<Change | null | false> {
    return this.table.transact(async (rows) => {
      const [first] = chain;
      const stored = first === undefined ? null : await findSame(rows, first);
      if (stored === null || stored.refusal === null) return false;
      const all = await rows.ofOwner(stored.owner);
      const present = chainFrom(stored, all);
      if (present.map(({ key }) => key).join() !== chain.map(({ key }) => key).join()) return false;
      const last = present.at(-1)?.sequence;
      const next = all.find(({ dependsOn }) => dependsOn === last);
      for (const { sequence } of present) rows.remove(sequence);
      if (next !== undefined) {
        const dependsOn = amended === null ? null : stored.sequence;
        rows.put({ ...next, refusal: stored.refusal, dependsOn });
      }
      if (amended === null) return null;
      const contains = present.flatMap((one) => [one.sequence, ...(one.contains ?? [])]);
      const others = contains.filter((sequence) => sequence !== stored.sequence);
      return put(rows, { ...stored, ...amended, ...submission, ...sentAgain(), contains: others });
    });
  }
}

/** The change with the given key, if no other change depends on it yet. */
async function findLast(rows: ChangeRows, owner: string, key: string | null): Promise<Change | null> {
  if (key === null) return null;
  const all = await rows.ofOwner(owner);
  const found = all.find((stored) => stored.key === key);
  if (found === undefined || all.some(({ dependsOn }) => dependsOn === found.sequence)) return null;
  return found;
}

async function findSame(rows: ChangeRows, { sequence, key }: ChangeId): Promise<Change | null> {
  const stored = await rows.find(sequence);
  return stored?.key === key ? stored : null;
}

async function remove(rows: ChangeRows, removed: Change, etag: string | null): Promise<void> {
  rows.remove(removed.sequence);
  for (const other of await rows.ofOwner(removed.owner)) {
    if (other.dependsOn !== removed.sequence) continue;
    rows.put({ ...other, request: { ...other.request, ifMatch: etag }, dependsOn: removed.dependsOn });
  }
}

function sentAgain() {
  return { key: makeIdempotencyKey(), firstSentAt: null, refusal: null } as const;
}

function put(rows: ChangeRows, stored: Change): Change {
  rows.put(stored);
  return stored;
}

function mayCoalesce(preceding: Change, { coalesces, request, base = null }: NewChange): boolean {
  return (
    coalesces === true &&
    meetsLeft(preceding, base) &&
    preceding.coalesces &&
    preceding.firstSentAt === null &&
    preceding.refusal === null &&
    preceding.request.method === 'PATCH' &&
    request.method === 'PATCH' &&
    preceding.request.path === request.path &&
    // An automatic save must not gain the rights of an explicit one.
    preceding.request.sessionScopes === request.sessionScopes
  );
}

/**
 * Whether a change is based on the result of its predecessor. A page that was opened while that one was pending displays it merged with
 * other changes instead.
 */
function meetsLeft({ request: { body } }: Change, base: Values | null): boolean {
  if (base === null || !isPlainObject(body)) return true;
  const left = namesIn(body);
  return namesIn(base).every(
    (field) => !left.includes(field) || areEqual(valueAt(base, field), valueAt(body, field)),
  );
}

/** The values that two consecutive changes replace together: the earlier base wins. */
function composeBases(first: Values | null, second: Values | null): Values | null {
  return first === null || second === null ? null : composePatches(second, first);
}

/** The merge patch (RFC 7396) with the effect of both patches in sequence. */
export function composePatches(first: unknown, second: unknown): Record<string, unknown> {
  const joined: Record<string, unknown> = isPlainObject(first) ? { ...first } : {};
  for (const [name, value] of Object.entries(isPlainObject(second) ? second : {})) {
    joined[name] =
      isPlainObject(value) && isPlainObject(joined[name]) ? composePatches(joined[name], value) : value;
  }
  return joined;
}
