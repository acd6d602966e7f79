/**
 * Asks for a recent sign-in before a session reads more records of a resource than people look at in a day. Pages of lists and searches are
 * what an export is made of, so each process counts the different records that a session has got by them, for each resource of an
 * organization. What the session has got already is never refused: lists that are read again, or for a bulk change, are no export.
 */
import type { Problem } from '@trellis/schema/problem.ts';
import { nounOf } from '@trellis/schema/resources/nouns.ts';
import { type Actor, hasRecentSignIn, needsRecentSignIn } from '../identity/actor.ts';
import { BoundedMap } from '../lib/bounded-map.ts';

/** Different records of a resource that a session gets in a day without a recent sign-in. */
export const recordsPerDay = 10_000;
/** By how much a list may exceed that with what begins a list or a search, so that what is looked at next is still shown. */
const furtherShare = 0.1;
const dayMs = 86_400_000;
/** Resources of sessions that are counted at the same time, with 4 KiB each. */
const maxCounted = 10_000;

/** What a session gets by one request. */
export interface ListedPage {
  /** The resource; null for what belongs to none. */
  readonly resource: string | null;
  /** What tells the records apart. */
  readonly keys: readonly string[];
  /** Whether it continues a list. */
  readonly continues: boolean;
}

interface Count {
  readonly beganAtMs: number;
  readonly records: DistinctCount;
}

/** Counts by a clock in ms that does not go backwards. Bearer tokens, and sessions after a recent sign-in, are not counted. */
export class ExportGuard {
  private readonly counts = new BoundedMap<string, Count>(maxCounted);
  private readonly most: number;

  /** @param most `recordsPerDay`; fewer in tests */
  constructor(most = recordsPerDay) {
    this.most = most;
  }

  /**
   * Counts the records of a page before it is sent.
   * @throws Problem insufficient_user_authentication if the session has got as many as it may, and the page has more
   */
  note({ session, organizationId }: Actor, page: ListedPage, nowMs: number): void {
    if (session === null || hasRecentSignIn(session)) return;
    const key = `${session.id} ${organizationId} ${page.resource}`;
    const known = this.counts.get(key);
    // A sign-in begins a new count.
    const longestMs = Math.min(dayMs, session.authenticatedSecondsAgo * 1_000);
    const isCurrent = known !== undefined && nowMs - known.beganAtMs < longestMs;
    const count = isCurrent ? known : { beganAtMs: nowMs, records: new DistinctCount() };
    const places = page.keys.map(placeOf);
    const fresh = places.filter((place) => !count.records.has(place));
    if (fresh.length === 0) return;
    // A list that is read again because something was added to it has mostly what was read before.
    const goesOn = page.continues && fresh.length * 2 > places.length;
    const most = goesOn ? this.most : this.most * (1 + furtherShare);
    if (count.records.estimate() >= most) throw tooMany(page.resource);
    for (const place of fresh) count.records.add(place);
    this.counts.set(key, count);
  }
}

function tooMany(resource: string | null): Problem {
  const records = resource === null ? 'records' : nounOf(resource);
  return needsRecentSignIn(
    undefined,
    `This session has read as many ${records} within a day as an export has. So that nobody takes them away, reading more of them`,
  );
}

const places = 32_768;

/** Counts what differs, by which places of a bitmap are taken (linear counting): within some percent up to 20,000, in 4 KiB. */
class DistinctCount {
  private readonly bits = new Uint8Array(places / 8);
  private taken = 0;

  has(place: number): boolean {
    return ((this.bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  add(place: number): void {
    if (this.has(place)) return;
    this.bits[place >> 3] = (this.bits[place >> 3] ?? 0) | (1 << (place & 7));
    this.taken += 1;
  }

  estimate(): number {
    return -places * Math.log(1 - Math.min(this.taken, places - 1) / places);
  }
}

/** FNV-1a, and the upper bits mixed into the lower ones. */
function placeOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) % places;
}
