/** Counts what becomes of the pictures beside posts, and keeps a bounded number of those that are not shown. */
import type { LeftPictures, PictureReport } from './report.ts';

const mostReasons = 50;
const mostExamples = 100;

/** A reference to a picture that readers do not see. */
export interface LeftPicture {
  readonly reason: string;
  /** The post, and the address in it. */
  readonly place: string;
  readonly address: string;
}

export class PictureTally {
  /** Hashes of the pictures that were uploaded, and of those that had been before. */
  readonly stored = new Set<string>();
  readonly found = new Set<string>();
  /** Paths of the pictures that posts refer to. */
  readonly used = new Set<string>();
  private readonly left = new Map<string, { count: number; examples: LeftPicture[] }>();

  /** Notes what a post refers to in vain. */
  addLeft(pictures: readonly LeftPicture[]): void {
    for (const picture of pictures) {
      const known = this.left.get(picture.reason) ?? { count: 0, examples: [] };
      if (known.count === 0 && this.left.size >= mostReasons) continue;
      this.left.set(picture.reason, known);
      known.count += 1;
      // Posts are handled concurrently: the first ones by name, whichever come first.
      known.examples.push(picture);
      if (known.examples.length > 2 * mostExamples) known.examples = firstOf(known.examples);
    }
  }

  /** @param files number of pictures in the folder */
  summarize(files: number): PictureReport {
    const left = [...this.left].map(
      ([reason, { count, examples }]): LeftPictures => ({
        reason,
        count,
        examples: firstOf(examples).map(({ place, address }) => ({ place, address })),
      }),
    );
    return {
      stored: this.stored.size,
      found: this.found.size,
      unused: files - this.used.size,
      left: left.sort((one, other) => (one.reason < other.reason ? -1 : 1)),
    };
  }
}

function firstOf(examples: readonly LeftPicture[]): LeftPicture[] {
  const order = ({ place, address }: LeftPicture) => `${place}\0${address}`;
  return examples.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)).slice(0, mostExamples);
}
