/**
 * The limits on contents that are being read from the store of files, of whose connections a process has few. Small ones are read into memory,
 * so that the store is free again whatever their readers do; a large one keeps its place until it has been sent, and its reader has a share of
 * them. Each piece waits for a turn at the event loop, as requests do: sending as fast as a client reads would leave the others none.
 */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Problem, type ProblemCode } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { FairPlaces, type PlaceLimits } from '../lib/fair-places.ts';
import type { FairQueue } from '../lib/fair-queue.ts';
import { createPulledStream } from '../objects/pulled-stream.ts';

/** Contents of at most this size are held in memory while they are sent: nearly all renditions, which are at most 2,560 pixels wide. */
const smallBytes = 524_288;

/** How many contents are open at once. All together are fewer than the connections to a store of files (`s3-client.ts`). */
interface OpenBodyLimits {
  readonly small: PlaceLimits;
  /** Large ones of the process. */
  readonly process: number;
  /** Large ones of each owner, in the order in which the owners of a reader are given. */
  readonly owners: readonly { readonly name: string; readonly most: number }[];
  /** The refusal of an owner that has as many as it may. */
  readonly refusal: ProblemCode;
  /** What a reader that makes room for another one has not done for so long, in ms: ended, or read anything. */
  readonly slow: { readonly since: 'openedAtMs' | 'movedAtMs'; readonly milliseconds: number };
}

/** Of everybody, whom nobody knows: who takes long makes room. */
export const limitsOfPublic: OpenBodyLimits = {
  small: { slots: 16, slotsOfOwner: 8, waiting: 256, waitingOfOwner: 128 },
  process: 40,
  owners: [{ name: 'network', most: 16 }],
  refusal: 'overloaded',
  slow: { since: 'openedAtMs', milliseconds: 1_000 },
};

const { perToken, perOrganization } = limits.openDownloads;
/** Of members: who has a slow connection may go on, unless it has stopped. */
export const limitsOfMembers: OpenBodyLimits = {
  small: { slots: 16, slotsOfOwner: 8, waiting: 1_024, waitingOfOwner: 256 },
  process: 128,
  owners: [
    { name: 'token', most: perToken },
    { name: 'organization', most: perOrganization },
  ],
  refusal: 'rate_limited',
  slow: { since: 'movedAtMs', milliseconds: 10_000 },
};

/** Who loads a content. */
export interface BodyReader {
  /** One for each limit; the last one has a share of the process. */
  readonly owners: readonly string[];
  /** Whose turns at the event loop are used. */
  readonly turnsOf: string;
}

/** A content that is being sent, or is about to be. */
interface OpenBody {
  readonly owners: readonly string[];
  readonly openedAtMs: number;
  movedAtMs: number;
  /** Null until it is open. */
  body: Readable | null;
}

/** The contents that this process is sending. */
export class OpenBodies {
  private readonly limits: OpenBodyLimits;
  private readonly turns: FairQueue;
  private readonly small: FairPlaces;
  /** The large ones, in the order in which they were opened. */
  private readonly places = new Set<OpenBody>();

  constructor(bodyLimits: OpenBodyLimits, turns: FairQueue) {
    this.limits = bodyLimits;
    this.turns = turns;
    this.small = new FairPlaces(bodyLimits.small, () =>
      refusal('overloaded', 'Too many contents are being loaded.'),
    );
  }

  /**
   * Opens a content, and counts it until it has been read, or a large one until it has been sent or given up.
   * @throws Problem with Retry-After: overloaded, or the refusal of an owner
   */
  async open(
    reader: BodyReader,
    sizeBytes: number,
    open: () => Promise<Readable>,
  ): Promise<Buffer | Readable> {
    if (sizeBytes > smallBytes) return this.openLarge(reader, open);
    const bytes = await this.small.take(reader.owners.at(-1) ?? '', async () => buffer(await open()));
    await this.turns.enter(reader.turnsOf);
    return bytes;
  }

  private async openLarge({ owners, turnsOf }: BodyReader, open: () => Promise<Readable>): Promise<Readable> {
    this.makeRoom(owners);
    const now = performance.now();
    const place: OpenBody = { owners, openedAtMs: now, movedAtMs: now, body: null };
    this.places.add(place);
    try {
      const content = await open();
      const pieces: AsyncIterator<Buffer> = content[Symbol.asyncIterator]();
      place.body = createPulledStream({
        pull: async () => {
          place.movedAtMs = performance.now();
          const { done, value } = await pieces.next();
          if (done === true) return null;
          await this.turns.enter(turnsOf);
          return value;
        },
        release: async () => {
          content.destroy();
          this.places.delete(place);
        },
      });
      return place.body;
    } catch (error) {
      this.places.delete(place);
      throw error;
    }
  }

  /** Ends the slowest content: of an owner that has all its places, or else of the one that has most. */
  private makeRoom(owners: readonly string[]): void {
    const { owners: levels, process, refusal: code, slow } = this.limits;
    const full = levels.findIndex(({ most }, level) => this.ofOwner(level, owners[level]).length >= most);
    if (full === -1 && this.places.size < process) return;
    const candidates = full === -1 ? this.ofLargest() : this.ofOwner(full, owners[full]);
    const latest = performance.now() - slow.milliseconds;
    const [slowest] = candidates
      .filter((place) => place.body !== null && place[slow.since] <= latest)
      .sort((one, other) => one[slow.since] - other[slow.since]);
    if (slowest !== undefined) {
      slowest.body?.destroy();
      this.places.delete(slowest);
      return;
    }
    const level = levels[full];
    throw level === undefined
      ? refusal('overloaded', 'Too many large contents are being loaded.')
      : refusal(code, `The limit of the ${level.name} is ${level.most} large contents at once.`);
  }

  private ofOwner(level: number, owner: string | undefined): OpenBody[] {
    return [...this.places].filter(({ owners }) => owners[level] === owner);
  }

  private ofLargest(): OpenBody[] {
    const byOwner = Map.groupBy(this.places, ({ owners }) => owners.at(-1));
    const [largest = []] = [...byOwner.values()].sort((one, other) => other.length - one.length);
    return largest;
  }
}

function refusal(code: ProblemCode, detail: string): Problem {
  return new Problem(code, `${detail} Try again when one has ended.`, { headers: { 'retry-after': '1' } });
}
