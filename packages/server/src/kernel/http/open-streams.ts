/**
 * The limit on concurrent event streams. An open stream queries the database whenever events are logged, but counts as one
 * request only, so rate limits do not bound its cost.
 */
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';

/** The value of Retry-After, in seconds; streams may end at any time. */
const retryAfterSeconds = 10;

/** The streams that are open in this process. */
export class OpenStreams {
  private readonly counts = new Map<string, number>();

  /**
   * Counts a new stream of a token and of its organization.
   * @returns a function that ends the count
   * @throws Problem rate_limited, with Retry-After
   */
  take(tokenHash: string, organizationId: string): () => void {
    const { perToken, perOrganization } = limits.openStreams;
    const places = [
      { name: 'token', key: tokenHash, quota: perToken },
      { name: 'organization', key: organizationId, quota: perOrganization },
    ];
    const full = places.find(({ key, quota }) => (this.counts.get(key) ?? 0) >= quota);
    if (full !== undefined) {
      throw new Problem('rate_limited', `The limit of the ${full.name} is ${full.quota} open streams.`, {
        headers: { 'retry-after': String(retryAfterSeconds) },
      });
    }
    for (const { key } of places) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return () => {
      for (const { key } of places) this.giveBack(key);
    };
  }

  private giveBack(key: string): void {
    const left = (this.counts.get(key) ?? 0) - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }
}
