/** Operations on stored changes. Each method is one transaction, so other tabs and crashes never see a partial result. */
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import {
  type Amendment,
  type Change,
  type ChangeId,
  type NewChange,
  type Submission,
  versionOf,
} from './change.ts';
import type { ChangeRows, ChangeTable } from './change-table.ts';
import { areEqual, namesIn, type Values } from './fields.ts';
import { isConflict, type Refusal } from './refusal.ts';

export class ChangeStore {
  private readonly table: ChangeTable;

  constructor(table: ChangeTable) {
    this.table = table;
  }

  /** All changes, in order. */
  list(): Promise<Change[]> {
    return this.table.list();
  }

  /** Stores a change with its key. It becomes part of the record's last change if that one was not sent or is in conflict. */
  async add(added: NewChange, submission: Submission): Promise<Change> {
    const sequence = await this.table.nextSequence();
    return this.table.transact((rows) => {
      const last = ofRecord(rows, added.record).at(-1);
      const change = toChange(rows, sequence, added, submission);
      const isOpen =
        last !== undefined && (isConflict(last) || (last.firstSentAt === null && last.refusal === null));
      return put(rows, isOpen && mayCombine(last, change) ? combine(last, change) : change);
    });
  }

  /**
   * Marks a change as sent. It is immutable from here on.
   * @param rebased the request for a later version, if the change was never sent
   * @returns null when the change is gone, refused, or was modified
   */
  markSent(id: ChangeId, now: number, rebased: Amendment | null): Promise<Change | null> {
    return this.table.transact((rows) => {
      const stored = findSame(rows, id);
      if (stored === null || stored.refusal !== null) return null;
      // The change that it depends on may have been removed because it could not be decrypted. Then the own If-Match applies.
      const sent = { ...stored, dependsOn: null, firstSentAt: stored.firstSentAt ?? now };
      return put(rows, stored.firstSentAt === null ? { ...sent, ...rebased } : sent);
    });
  }

  /** Removes a completed change; requests that depend on it apply to the version that it produced. */
  settle(sequence: number, etag: string | null): Promise<void> {
    return this.table.transact((rows) => {
      const stored = rows.get(sequence);
      if (stored !== undefined) remove(rows, stored, etag);
    });
  }

  /** Stores the refusal of a change, unless the change is gone or was modified. Edits that were made on top of a conflict are decided with it. */
  refuse(id: ChangeId, refusal: Refusal): Promise<void> {
    return this.table.transact((rows) => {
      let stored = findSame(rows, id);
      if (stored === null) return;
      stored = { ...stored, refusal };
      const later = ofRecord(rows, stored.record).filter(({ sequence }) => sequence > id.sequence);
      for (const next of later) {
        if (!isConflict(stored) || !mayCombine(stored, next)) break;
        const contains: number[] = [...(stored.contains ?? []), next.sequence, ...(next.contains ?? [])];
        stored = { ...combine(stored, next), contains };
        rows.delete(next.sequence);
      }
      put(rows, stored);
    });
  }

  /**
   * Discards a change; requests that depend on it apply to the version that the discarded one would have changed.
   * @returns whether it still existed
   */
  dismiss(id: ChangeId): Promise<boolean> {
    return this.table.transact((rows) => {
      const stored = findSame(rows, id);
      if (stored !== null) remove(rows, stored, stored.request.ifMatch);
      return stored !== null;
    });
  }

  /**
   * Marks a refused change for resending under a new key, unchanged or amended, on the user's request.
   * @returns the stored change; null when the change is gone, was modified or is not refused
   */
  retry(id: ChangeId, amended: Amendment | null, submission: Submission): Promise<Change | null> {
    return this.table.transact((rows) => {
      const stored = findSame(rows, id);
      if (stored === null || stored.refusal === null) return null;
      return put(rows, { ...stored, ...amended, ...submission, ...sentAgain() });
    });
  }

  /**
   * Replaces a change by its merge with the changes of others, under a new key. The later changes of the record get new keys as well, and
   * requests no longer depend on them: their author has not seen the merged version.
   * @param amended null when nothing is left to send: the change is removed
   * @returns the merged change, or null; `false` when the change is gone or was modified: then nothing was done
   */
  merge(id: ChangeId, amended: Amendment | null): Promise<Change | null | false> {
    return this.table.transact((rows) => {
      const stored = findSame(rows, id);
      if (stored === null) return false;
      for (const other of ofRecord(rows, stored.record)) {
        if (other.sequence <= id.sequence || other.firstSentAt !== null) continue;
        rows.set(other.sequence, { ...other, dependsOn: null, key: makeIdempotencyKey() });
      }
      if (amended !== null) return put(rows, { ...stored, ...amended, ...sentAgain() });
      rows.delete(id.sequence);
      return null;
    });
  }

  /**
   * Replaces changes by others; the first one gets the `sequence` of the first replaced one.
   * @returns the stored changes; null when a replaced change is gone or was modified: then nothing was done
   */
  async replace(
    ids: readonly ChangeId[],
    added: readonly NewChange[],
    submission: Submission,
  ): Promise<readonly Change[] | null> {
    const free: number[] = [];
    for (const _ of added) free.push(await this.table.nextSequence());
    return this.table.transact((rows) => {
      if (ids.some((id) => findSame(rows, id) === null)) return null;
      for (const { sequence } of ids) rows.delete(sequence);
      const [first] = ids;
      return added.map((one, index) => {
        const sequence = index === 0 ? first?.sequence : free[index];
        return put(rows, toChange(rows, sequence ?? 0, one, submission));
      });
    });
  }
}

function toChange(rows: ChangeRows, sequence: number, added: NewChange, submission: Submission): Change {
  const { record, request, label, base = null, after = null } = added;
  const preceding =
    base !== null || after === null ? undefined : [...rows.values()].find(({ key }) => key === after);
  return {
    sequence,
    key: makeIdempotencyKey(),
    record,
    request,
    label,
    base,
    dependsOn: preceding?.sequence ?? null,
    ...submission,
    madeAt: submission.askedAt,
    firstSentAt: null,
    refusal: null,
  };
}

function ofRecord(rows: ChangeRows, record: string): Change[] {
  return [...rows.values()].filter((row) => row.record === record).sort((a, b) => a.sequence - b.sequence);
}

function findSame(rows: ChangeRows, { sequence, key }: ChangeId): Change | null {
  const stored = rows.get(sequence);
  return stored?.key === key ? stored : null;
}

function put(rows: ChangeRows, stored: Change): Change {
  rows.set(stored.sequence, stored);
  return stored;
}

function remove(rows: ChangeRows, removed: Change, etag: string | null): void {
  rows.delete(removed.sequence);
  for (const other of rows.values()) {
    if (other.dependsOn !== removed.sequence) continue;
    put(rows, { ...other, request: { ...other.request, ifMatch: etag }, dependsOn: removed.dependsOn });
  }
}

function sentAgain() {
  return { key: makeIdempotencyKey(), firstSentAt: null, refusal: null } as const;
}

/** Whether a change is an edit of the values that an earlier one leaves, so that both can be sent as one request. */
function mayCombine(first: Change, { request, base }: Change): boolean {
  const { body } = first.request;
  return (
    first.request.method === 'PATCH' &&
    request.method === 'PATCH' &&
    first.base !== null &&
    base !== null &&
    first.request.path === request.path &&
    // An automatic save must not gain the rights of an explicit one.
    first.request.sessionScopes === request.sessionScopes &&
    isPlainObject(body) &&
    namesIn(base).every(
      (field) => !namesIn(body).includes(field) || areEqual(valueAt(base, field), valueAt(body, field)),
    )
  );
}

/** One change with the effect of both. The new key tells pages that it contains more than they know. */
function combine(first: Change, next: Change): Change {
  const { label, askedAt, session } = next;
  const body = composePatches(first.request.body, next.request.body);
  // The earlier version is the precondition: a later one would overwrite what others have changed in between.
  const [before, after] = [versionOf(first.request.ifMatch), versionOf(next.request.ifMatch)];
  const ifMatch = (before ?? 0) > (after ?? 0) ? next.request.ifMatch : first.request.ifMatch;
  return {
    ...first,
    ...{ label, askedAt, session },
    key: makeIdempotencyKey(),
    request: { ...first.request, body, ifMatch },
    base: composePatches(next.base, first.base),
  };
}

/** The merge patch (RFC 7396) with the effect of both patches in sequence. */
export function composePatches(first: unknown, second: unknown): Values {
  const composed: Record<string, unknown> = isPlainObject(first) ? { ...first } : {};
  for (const [name, value] of Object.entries(isPlainObject(second) ? second : {})) {
    composed[name] =
      isPlainObject(value) && isPlainObject(composed[name]) ? composePatches(composed[name], value) : value;
  }
  return composed;
}
