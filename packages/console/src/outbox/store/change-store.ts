/** What is done to the waiting changes. Each method is one transaction, so that tabs and crashes see all of it or nothing. */

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

/** The changes of all owners. */
export class ChangeStore {
  private readonly table: ChangeTable;

  constructor(table: ChangeTable) {
    this.table = table;
  }

  /** The changes of an owner in their order. */
  list(owner: string): Promise<Change[]> {
    return this.table.list(owner);
  }

  /** Stores a change with its key: joined with the one that it was made after, following it, or by itself (see `after`). */
  add(owner: string, added: NewChange, submission: Submission): Promise<Change> {
    return this.table.transact(async (rows) => {
      const { request, label, base = null, after = null } = added;
      const preceding = await findLast(rows, owner, after);
      if (preceding !== null && mayJoin(preceding, added)) {
        return put(rows, {
          ...preceding,
          ...submission,
          // By it other tabs know that they have not seen what it is now.
          key: makeIdempotencyKey(),
          request: { ...preceding.request, body: joinPatches(preceding.request.body, request.body) },
          base: joinBases(preceding.base, base),
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
        joins: added.joins === true,
        follows: preceding?.sequence ?? null,
        ...submission,
        madeAt: submission.askedAt,
        firstSentAt: null,
        refusal: null,
      };
      return { ...fresh, sequence: await rows.insert(fresh) };
    });
  }

  /**
   * Notes that a change is about to be sent: from now on it is what it is. Null when it is gone, is refused, or still follows
   * another one.
   */
  claim(sequence: number, now: number): Promise<Change | null> {
    return this.table.transact(async (rows) => {
      const stored = await rows.find(sequence);
      if (stored === null || stored.refusal !== null) return null;
      // What it follows may have been removed because it could not be opened. Then its own If-Match decides.
      if (stored.follows !== null && (await rows.find(stored.follows)) !== null) return null;
      return put(rows, { ...stored, follows: null, firstSentAt: stored.firstSentAt ?? now });
    });
  }

  /** Removes a change that was carried out; what follows it applies to the version that it left. */
  settle(sequence: number, etag: string | null): Promise<void> {
    return this.table.transact(async (rows) => {
      const stored = await rows.find(sequence);
      if (stored !== null) await remove(rows, stored, etag);
    });
  }

  /** Keeps why a change was refused, unless it is gone or not what it was. */
  refuse(id: ChangeId, refusal: Refusal): Promise<void> {
    return this.table.transact(async (rows) => {
      const stored = await findSame(rows, id);
      if (stored !== null) rows.put({ ...stored, refusal });
    });
  }

  /**
   * Removes a change that a person gives up; what follows it applies to the version that it would have changed.
   * @returns whether it was still there
   */
  dismiss(id: ChangeId): Promise<boolean> {
    return this.table.transact(async (rows) => {
      const stored = await findSame(rows, id);
      if (stored !== null) await remove(rows, stored, stored.request.ifMatch);
      return stored !== null;
    });
  }

  /**
   * Lets a refused change be sent again under a new key, as it is or amended, because the person has asked for it.
   * @returns the stored change; null when it is gone or not what it was
   */
  retry(id: ChangeId, amended: Amendment | null, submission: Submission): Promise<Change | null> {
    return this.table.transact(async (rows) => {
      const stored = await findSame(rows, id);
      if (stored === null || stored.refusal === null) return null;
      return put(rows, { ...stored, ...amended, ...submission, ...sentAgain() });
    });
  }

  /**
   * Puts a merged request in the place of a refused change and of those that follow it (`chainFrom`), under a new key. What follows
   * them and was not merged is refused for the same reason, since its maker has not seen what it would apply to.
   * @param amended null when nothing is left to be done: they are removed
   * @param submission when the person has asked for it anew; null when they have not
   * @returns the change that is left, or null; `false` when one of them is gone or not what it was, and nothing was done
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
      const next = all.find(({ follows }) => follows === last);
      for (const { sequence } of present) rows.remove(sequence);
      if (next !== undefined) {
        const follows = amended === null ? null : stored.sequence;
        rows.put({ ...next, refusal: stored.refusal, follows });
      }
      if (amended === null) return null;
      const contains = present.flatMap((one) => [one.sequence, ...(one.contains ?? [])]);
      const others = contains.filter((sequence) => sequence !== stored.sequence);
      return put(rows, { ...stored, ...amended, ...submission, ...sentAgain(), contains: others });
    });
  }
}

/** The change of a key if no other one follows it yet. */
async function findLast(rows: ChangeRows, owner: string, key: string | null): Promise<Change | null> {
  if (key === null) return null;
  const all = await rows.ofOwner(owner);
  const found = all.find((stored) => stored.key === key);
  if (found === undefined || all.some(({ follows }) => follows === found.sequence)) return null;
  return found;
}

async function findSame(rows: ChangeRows, { sequence, key }: ChangeId): Promise<Change | null> {
  const stored = await rows.find(sequence);
  return stored?.key === key ? stored : null;
}

async function remove(rows: ChangeRows, removed: Change, etag: string | null): Promise<void> {
  rows.remove(removed.sequence);
  for (const other of await rows.ofOwner(removed.owner)) {
    if (other.follows !== removed.sequence) continue;
    rows.put({ ...other, request: { ...other.request, ifMatch: etag }, follows: removed.follows });
  }
}

function sentAgain() {
  return { key: makeIdempotencyKey(), firstSentAt: null, refusal: null } as const;
}

function put(rows: ChangeRows, stored: Change): Change {
  rows.put(stored);
  return stored;
}

function mayJoin(preceding: Change, { joins, request, base = null }: NewChange): boolean {
  return (
    joins === true &&
    meetsLeft(preceding, base) &&
    preceding.joins &&
    preceding.firstSentAt === null &&
    preceding.refusal === null &&
    preceding.request.method === 'PATCH' &&
    request.method === 'PATCH' &&
    preceding.request.path === request.path &&
    // What nobody has asked to save gets no rights from what somebody has.
    preceding.request.sessionScopes === request.sessionScopes
  );
}

/** Whether a change begins with what another one leaves, not with what that was merged into when a page was opened while it waited. */
function meetsLeft({ request: { body } }: Change, base: Values | null): boolean {
  if (base === null || !isPlainObject(body)) return true;
  const left = namesIn(body);
  return namesIn(base).every(
    (field) => !left.includes(field) || areEqual(valueAt(base, field), valueAt(body, field)),
  );
}

/** The values that two changes replace one after the other: those that the first one of them met. */
function joinBases(first: Values | null, second: Values | null): Values | null {
  return first === null || second === null ? null : joinPatches(second, first);
}

/** One merge patch (RFC 7396) that does what both do one after the other. */
export function joinPatches(first: unknown, second: unknown): Record<string, unknown> {
  const joined: Record<string, unknown> = isPlainObject(first) ? { ...first } : {};
  for (const [name, value] of Object.entries(isPlainObject(second) ? second : {})) {
    joined[name] =
      isPlainObject(value) && isPlainObject(joined[name]) ? joinPatches(joined[name], value) : value;
  }
  return joined;
}
