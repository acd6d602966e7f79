/**
 * Provides renditions of pictures, and whole pictures without their metadata: those that were made from the object store, others by having them made, each once, whichever
 * nodes are asked for it at the same time. Anybody may ask, so what is made at a time, what waits and how long is limited.
 */
import { createReadStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@trellis/schema/problem.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Logger } from 'pino';
import type { Database } from '../../../kernel/database/database.ts';
import { BoundedMap } from '../../../kernel/lib/bounded-map.ts';
import { withDeadline } from '../../../kernel/lib/deadline.ts';
import { FairPlaces, type PlaceLimits } from '../../../kernel/lib/fair-places.ts';
import type { ObjectStore } from '../../../kernel/objects/object-store.ts';
import {
  defaultExtractionLimits,
  ExtractionError,
  type ExtractionLimits,
  type KeptPart,
  type Rendition,
  renderPicture,
  wholePicture,
} from '../extraction.ts';
import { removeIfUnused } from '../object-sweep.ts';
import {
  claimRendition,
  completeRendition,
  failRendition,
  failureOf,
  type Picture,
  type PictureContent,
  type RenditionKey,
  type RenditionState,
  readRenditionState,
  releaseRendition,
} from './public-pictures.ts';

/** Limits of one process. */
export interface RendererLimits extends PlaceLimits {
  readonly extraction: ExtractionLimits;
  /** How long a request waits for its rendition, in ms. */
  readonly deadlineMs: number;
}

/** Enough for what cameras of phones make, beside the requests of an installation on a small machine. */
export const defaultRendererLimits: RendererLimits = {
  // Each takes a processor and some hundred megabytes.
  slots: 3,
  slotsOfOwner: 2,
  waiting: 64,
  waitingOfOwner: 16,
  deadlineMs: 10_000,
  extraction: {
    ...defaultExtractionLimits,
    cpuMilliseconds: { least: 5_000, perMegabyte: 5_000, most: 15_000 },
    wallMilliseconds: 20_000,
  },
};

/** What the renderer depends on. */
export interface RendererOptions {
  /** Pool of the role `trellis_api`. */
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly limits: RendererLimits;
  readonly log: Logger;
}

/** How much longer a claim lasts than the process that makes a rendition may take. */
const secondsAfterProcess = 10;
/** How long nobody tries again to make a rendition of a picture of which one could not be made. */
const secondsAfterFailure = 600;
/** How long this process does not try again after a process has failed or taken too long, which may be the machine's fault, in ms. */
const patienceAfterProcessMs = 60_000;
/** How often to look whether another process has made a rendition, in ms. */
const pollMs = 200;
/** Bytes of a whole picture that had to be turned, and of what takes the place of metadata in others. */
const wholeBytes = 32 * 1024 * 1024;

/** Provides renditions on one node. */
export class PictureRenderer {
  private readonly options: RendererOptions;
  private readonly places: FairPlaces;
  private readonly stopping = new AbortController();
  /** Until when nothing is made of pictures that took too long. */
  private readonly tooSlow = new BoundedMap<string, number>(10_000);
  /** The renditions that this process is asked for and has not made. */
  private readonly making = new Map<string, Promise<RenditionState>>();

  constructor(options: RendererOptions) {
    this.options = options;
    this.places = new FairPlaces(options.limits, () => overloaded('many'));
  }

  /**
   * A rendition, or the whole picture without metadata.
   * @returns null if it cannot be made of this picture
   * @throws Problem overloaded if too many wait, or it takes too long
   */
  provide(key: RenditionKey, rendition: Wanted): Promise<PictureContent | null> {
    return withDeadline(this.options.limits.deadlineMs, this.stopping.signal, async (deadline) => {
      for (;;) {
        const known = await readRenditionState(this.options.database, key);
        if (known !== null) return known === 'failed' ? null : known;
        const made = await this.join(key, rendition, deadline);
        if (made !== null) return made === 'failed' ? null : made;
        // Another process is making it.
        await delay(pollMs, undefined, { signal: deadline }).catch(() => Promise.reject(overloaded('slow')));
      }
    });
  }

  /** Ends what is being made, and resolves when it has ended. */
  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.making.values());
  }

  /** Waits for a rendition that this process makes, until the deadline; it is made all the same, for the next request. */
  private join(key: RenditionKey, rendition: Wanted, deadline: AbortSignal): Promise<RenditionState> {
    const { picture, variant } = key;
    const name = `${pictureNameOf(picture)}/${variant}`;
    let making = this.making.get(name);
    if (making === undefined) {
      this.refuseSlow(key);
      const begun = this.places
        .take(picture.organizationId, () => this.make(key, rendition))
        .finally(() => this.making.delete(name));
      // No request may be waiting for it when it fails, so the rejection is handled here.
      begun.catch((error: unknown) => {
        const isRefused = error instanceof Problem && error.cause === undefined;
        if (!this.stopping.signal.aborted && !isRefused)
          this.options.log.warn({ err: error, fileId: picture.fileId }, 'a rendition could not be made');
      });
      this.making.set(name, begun);
      making = begun;
    }
    return new Promise((resolve, reject) => {
      const refuse = () => reject(overloaded('slow'));
      if (deadline.aborted) return refuse();
      deadline.addEventListener('abort', refuse, { once: true });
      making.then(resolve, reject).finally(() => deadline.removeEventListener('abort', refuse));
    });
  }

  /** Makes a rendition. @returns null if another process has it, or the picture is not public any more */
  private async make(key: RenditionKey, rendition: Wanted): Promise<RenditionState> {
    const { database, objects, limits } = this.options;
    const { organizationId } = key.picture;
    this.stopping.signal.throwIfAborted();
    // Another size may have failed while this one has waited.
    this.refuseSlow(key);
    const known = await readRenditionState(database, key);
    if (known !== null) return known;
    const claimId = newUuid();
    const claimSeconds = Math.ceil(limits.extraction.wallMilliseconds / 1_000) + secondsAfterProcess;
    if (!(await claimRendition(database, key, claimId, claimSeconds))) return null;
    try {
      const content = await this.render(key, rendition);
      const isStored = () => objects.has(organizationId, content.sha256);
      const evicted = await completeRendition(database, key, claimId, content, isStored);
      for (const sha256 of evicted ?? [])
        await removeIfUnused({ api: database, objects }, organizationId, sha256).catch((error: unknown) =>
          // The sweep removes them later.
          this.options.log.warn({ err: error }, 'the bytes of an old rendition could not be removed'),
        );
      return evicted === null ? null : content;
    } catch (error) {
      if (!(error instanceof ExtractionError)) {
        await releaseRendition(database, key, claimId);
        throw error;
      }
      this.options.log.warn(
        { fileId: key.picture.fileId, variant: key.variant, reason: error.reason, detail: error.detail },
        'a rendition cannot be made of this picture',
      );
      await failRendition(database, key, claimId, secondsAfterFailure);
      return 'failed';
    }
  }

  /** @throws Problem overloaded */
  private refuseSlow(key: RenditionKey): void {
    if ((this.tooSlow.get(attemptsOf(key)) ?? 0) > performance.now()) throw overloaded('failed');
  }

  private async render(key: RenditionKey, rendition: Wanted): Promise<PictureContent> {
    const { objects } = this.options;
    const { organizationId, original } = key.picture;
    const { signal } = this.stopping;
    const limits = limitsOf(rendition, this.options.limits.extraction);
    const file = await objects.borrow(organizationId, original.sha256, signal);
    try {
      const made = await renderPicture(file.path, original.mediaType, rendition, limits, signal).catch(
        (error) => {
          if (error instanceof ExtractionError) throw error;
          this.tooSlow.set(attemptsOf(key), performance.now() + patienceAfterProcessMs);
          throw overloaded('failed', error);
        },
      );
      const isWhole = 'kept' in made;
      const maxBytes = limits.renditionBytes + (isWhole ? original.sizeBytes : 0);
      const source = isWhole ? partsOf(made.kept, file.path) : piecesOf(Buffer.from(made.base64, 'base64'));
      const stored = await objects.put(organizationId, source, { maxBytes, signal });
      return { ...stored, mediaType: isWhole ? original.mediaType : made.mediaType };
    } finally {
      await file.release();
    }
  }
}

/** What is to be made. */
type Wanted = Rendition | typeof wholePicture;

function limitsOf(wanted: Wanted, limits: ExtractionLimits): ExtractionLimits {
  return wanted === wholePicture ? { ...limits, renditionBytes: wholeBytes } : limits;
}

function pictureNameOf({ organizationId, fileId, original }: Picture): string {
  return `${organizationId}/${fileId}/${original.sha256}`;
}

/** What fails together: all sizes of a picture. */
function attemptsOf({ picture, variant }: RenditionKey): string {
  return `${pictureNameOf(picture)}/${failureOf(variant)}`;
}

/** The bytes of a file without those that are removed. */
async function* partsOf(kept: readonly KeptPart[], path: string): AsyncGenerator<Buffer> {
  for (const part of kept) {
    if (typeof part === 'string') yield Buffer.from(part, 'base64');
    else yield* createReadStream(path, { start: part.start, end: part.end - 1 });
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const refusals = {
  many: 'Too many copies of pictures are being made.',
  slow: 'This copy of the picture is still being made.',
  failed: 'This copy of the picture could not be made now.',
} as const;

function overloaded(reason: keyof typeof refusals, cause?: unknown): Problem {
  const detail = `${refusals[reason]} Try again.`;
  return new Problem('overloaded', detail, { cause, headers: { 'retry-after': '2' } });
}
