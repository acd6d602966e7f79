/**
 * The rounds of a leased loop over the servers of a distributed database. A server that does not respond holds up its own round, and
 * no other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundDatabase, Workplace } from '../database/parts.ts';
import type { WorkFound } from './leased-loop.ts';

const amounts: readonly WorkFound[] = ['none', 'partial', 'full'];

export class Rounds {
  private readonly waitMs: number;
  /** Of the places whose round has not ended. */
  private readonly underWay = new Map<Workplace, Promise<WorkFound>>();
  /** Since the last call: a round may fail when nobody waits for it. */
  private readonly failures: unknown[] = [];

  /** @param waitMs how long the others wait for a place, in ms */
  constructor(waitMs: number) {
    this.waitMs = waitMs;
  }

  /**
   * Does the work at each place, one part after the other, except where the last round has not ended.
   * @returns the most work that a part had; of a place that did not end in time: as if it had some
   * @throws the first failure since the last call, when the others have ended or are left
   */
  async run(
    places: readonly Workplace[],
    work: (part: BackgroundDatabase) => Promise<WorkFound>,
  ): Promise<WorkFound> {
    const [only] = places;
    if (places.length === 1 && only !== undefined) return workOn(only, work);
    for (const place of places) {
      if (this.underWay.has(place)) continue;
      const round = workOn(place, work)
        .catch((error: unknown): WorkFound => {
          this.failures.push(error);
          return 'none';
        })
        .finally(() => this.underWay.delete(place));
      this.underWay.set(place, round);
    }
    const waiting = new AbortController();
    const waited = sleep(this.waitMs, null, { signal: waiting.signal }).catch(() => null);
    const ended = await Promise.race([Promise.all(this.underWay.values()), waited]);
    // Otherwise the timer of a long wait would keep a process that has stopped its loops.
    waiting.abort();
    const [failure] = this.failures.splice(0);
    if (failure !== undefined) throw failure;
    return ended === null ? 'partial' : ended.reduce(more, 'none');
  }

  /** Waits for the rounds that have not ended. */
  async ended(): Promise<void> {
    await Promise.all(this.underWay.values());
  }
}

async function workOn(
  place: Workplace,
  work: (part: BackgroundDatabase) => Promise<WorkFound>,
): Promise<WorkFound> {
  let most: WorkFound = 'none';
  for (const part of place.parts()) most = more(most, await work(part));
  return most;
}

function more(one: WorkFound, other: WorkFound): WorkFound {
  return amounts.indexOf(one) < amounts.indexOf(other) ? other : one;
}
