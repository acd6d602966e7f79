/**
 * Asks for a recent sign-in before a session reads more records than people look at. Pages of lists are what an export is made of, so
 * each process counts the records that a session has got by them. Searches are not counted: they rank a thousand matches at most. A page
 * that is read again, as open pages of the console do by themselves, is no further part of an export, so only what it has more counts.
 * A stream of events counts for those that are in the log when it begins.
 */
import { type Actor, hasRecentSignIn, needsRecentSignIn } from '../identity/actor.ts';
import { BoundedMap } from '../lib/bounded-map.ts';

/** Records that a session gets in a window without a recent sign-in. */
export const recordsPerWindow = 10_000;
const windowMs = 15 * 60_000;
/** Sessions that are counted at the same time. */
const maxCounted = 10_000;

/** Pages of a session that are known when they are read again: the last 24, and up to as many from before. */
const maxKnownPages = 48;
/** Requests with longer paths and queries are counted each time. */
const longestKnown = 400;

interface Count {
  readonly beganAtMs: number;
  readonly records: number;
  /** By path and query: how many records the page had at most. */
  readonly pages: BoundedMap<string, number>;
}

/** Counts by a clock in ms that does not go backwards. Bearer tokens, and sessions after a recent sign-in, are not counted. */
export class ExportGuard {
  private readonly counts = new BoundedMap<string, Count>(maxCounted);

  /** @throws Problem insufficient_user_authentication for a session that has got as many as it may */
  check({ session }: Actor, nowMs: number): void {
    if (session === null || hasRecentSignIn(session)) return;
    if (this.countOf(session.id, nowMs).records >= recordsPerWindow) throw needsRecentSignIn();
  }

  /** Counts the records of a page, of one that was read before those that it has more. @param page path and query */
  note({ session, organizationId }: Actor, page: string | null, records: number, nowMs: number): void {
    if (session === null || hasRecentSignIn(session)) return;
    const count = this.countOf(session.id, nowMs);
    // A session has one count in all organizations, which have different records at the same path.
    const key = page === null || page.length > longestKnown ? null : `${organizationId} ${page}`;
    const known = key === null ? 0 : (count.pages.get(key) ?? 0);
    if (key !== null) count.pages.set(key, Math.max(known, records));
    this.counts.set(session.id, { ...count, records: count.records + Math.max(0, records - known) });
  }

  private countOf(sessionId: string, nowMs: number): Count {
    const known = this.counts.get(sessionId);
    const isCurrent = known !== undefined && nowMs - known.beganAtMs < windowMs;
    return isCurrent
      ? known
      : { beganAtMs: nowMs, records: 0, pages: new BoundedMap<string, number>(maxKnownPages) };
  }
}
