/** A seeded random number generator, and choices made with it. */
import { createHash } from 'node:crypto';
import { seededNumbers } from '../support/seed.ts';

export class Random {
  private readonly next: () => number;

  /** @param purpose what is generated; each purpose has its own choices */
  constructor(seed: number, purpose: string) {
    this.next = seededNumbers(createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32BE());
  }

  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from the least to the most, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(list: readonly T[]): T {
    const index = Math.floor(this.next() * list.length);
    if (list.length === 0) throw new Error('there is nothing to pick from');
    // The index is within the list, whose items may be undefined.
    return list[index] as T;
  }
}
