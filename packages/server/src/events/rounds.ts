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

  /** @param waitMs how long the others wait for a place, in ms */
  constructor(waitMs: number) {
    this.waitMs = waitMs;
  }

  /**
   * Does the work at each place, one part after the other, except where the last round has not ended.
   * @returns the most work that a part had; of a place that did not end in time: as if it had some
   * @throws the first failure, when the others have ended or are left
   */
  async run(
    places: readonly Workplace[],
    work: (part: BackgroundDatabase) => Promise<WorkFound>,
  ): Promise<WorkFound> {
    const [only] = places;
    if (places.length === 1 && only !== undefined) return workOn(only, work);
    for (const place of places) {
      if (this.underWay.has(place)) continue;
      const round = workOn(place, work).finally(() => this.underWay.delete(place));
      this.underWay.set(place, round);
    }
    const rounds = [...this.underWay.values()];
    const ended = await Promise.race([Promise.allSettled(rounds), sleep(this.waitMs, null)]);
    if (ended === null) {
      // Whoever fails later is tried again anyway.
      for (const round of rounds) round.catch(() => undefined);
      return 'partial';
    }
    let most: WorkFound = 'none';
    for (const one of ended) {
      if (one.status === 'rejected') throw one.reason;
      most = more(most, one.value);
    }
    return most;
  }

  /** Waits for the rounds that have not ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.underWay.values());
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
