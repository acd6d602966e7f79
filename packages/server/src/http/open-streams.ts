/**
 * Why: a stream asks the database again whenever something happens, for as long as it is open, and counts as one request.
 * So it is bounded how many there are.
 */
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';

/** When to try again, in seconds: places become free at any time. */
const retryAfterSeconds = 10;

/** The streams that are open in this process. */
export class OpenStreams {
  private readonly counts = new Map<string, number>();

  /**
   * Takes a place among the streams of a token and among those of its organization.
   * @returns gives it back
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
