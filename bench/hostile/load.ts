/** The messages between the run and its two load generators, and the counted results. */
import type { Target } from './client.ts';

/** What the hostile tenant does for a while. */
export interface HostileLoad {
  readonly target: Target;
  /** Names of ingredients. */
  readonly ingredients: readonly string[];
  readonly articles: readonly string[];
  readonly seconds: number;
}

/** How often an ingredient was sent, by the status of its response; 0: without one, because the connection failed or the turn ended. */
export type HostileCounts = Readonly<Record<string, Readonly<Record<number, number>>>>;

/** What the other tenant does for a while: requests at a steady rate, whatever the responses take. */
export interface SteadyLoad {
  readonly target: Target;
  /** Records that it reads and changes. */
  readonly articles: readonly string[];
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

/** The results of a load generator. */
export interface SteadyResult {
  /** From when a request was due to the end of its response, in ms, by kind of request. */
  readonly milliseconds: Readonly<Record<string, readonly number[]>>;
  /** Responses other than 2xx, by kind and status, such as `list 503`; 0 is a connection that failed. */
  readonly refusals: Readonly<Record<string, number>>;
}

/** The value below which so large a part of the numbers lies; 0 of none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
