/**
 * Asks for a recent sign-in before a session reads more records than people look at. Pages of lists are what an export is made of, so
 * each process counts the records that a session has got by them. Searches are not counted: they rank a thousand matches at most.
 * A stream of events counts for those that are in the log when it begins.
 */
import { type Actor, hasRecentSignIn, needsRecentSignIn } from '../identity/actor.ts';
import { BoundedMap } from '../lib/bounded-map.ts';

/** Records that a session gets in a window without a recent sign-in. */
export const recordsPerWindow = 10_000;
const windowMs = 15 * 60_000;
/** Sessions that are counted at the same time. */
const maxCounted = 10_000;

interface Count {
  readonly beganAtMs: number;
  readonly records: number;
}

/** Counts by a clock in ms that does not go backwards. Bearer tokens, and sessions after a recent sign-in, are not counted. */
export class ExportGuard {
  private readonly counts = new BoundedMap<string, Count>(maxCounted);

  /** @throws Problem insufficient_user_authentication for a session that has got as many as it may */
  check({ session }: Actor, nowMs: number): void {
    if (session === null || hasRecentSignIn(session)) return;
    if (this.countOf(session.id, nowMs).records >= recordsPerWindow) throw needsRecentSignIn();
  }

  /** Counts the records of a page. */
  note({ session }: Actor, records: number, nowMs: number): void {
    if (session === null || hasRecentSignIn(session)) return;
    const { beganAtMs, records: before } = this.countOf(session.id, nowMs);
    this.counts.set(session.id, { beganAtMs, records: before + records });
  }

  private countOf(sessionId: string, nowMs: number): Count {
    const known = this.counts.get(sessionId);
    const isCurrent = known !== undefined && nowMs - known.beganAtMs < windowMs;
    return isCurrent ? known : { beganAtMs: nowMs, records: 0 };
  }
}
