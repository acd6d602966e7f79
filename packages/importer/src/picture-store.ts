/**
 * Stores pictures as knowledge files, each once, and makes them public. Everything is found again by the hash of the bytes, so that an import
 * that was interrupted continues where it was, and one that is repeated writes nothing.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { ProblemError } from '@trellis/client/problem.ts';
import type { ApiRecord } from './api.ts';
import type { Collection } from './collection.ts';
import { ImportStopped } from './errors.ts';
import { describePictureFile, isAsImported, pictureKeyOf } from './picture-record.ts';
import { concatenate, type SourceFile } from './readers/file.ts';
import { decidingBytes, type PictureType, pictureTypeOf } from './readers/picture-type.ts';

/** Maximum size of a picture: it is sent from memory. */
const largestPictureBytes = 52_428_800;
/** How long a picture is waited for until the server has read it, in ms; and how often it is asked, from the first time on. */
const [longestWaitMs, firstPauseMs, longestPauseMs] = [30_000, 50, 1_000];

/** Reasons for the report. */
const reasons = {
  tooLarge: `It is larger than ${largestPictureBytes / 1_048_576} MiB.`,
  noPicture: 'It is no picture in a format that readers can be shown: JPEG, PNG, WebP, GIF, AVIF or TIFF.',
  changed: 'The file has changed while it was imported. Run the import again.',
  unread: 'It is not public yet, since the server has not read it. Run the import again later.',
  damaged: 'It was uploaded, but the server cannot read it: the file may be damaged.',
  takenBack: 'It is not public, since somebody has changed it or taken it back.',
} as const;

/** A picture of the folder. */
export interface Picture {
  readonly name: string;
  readonly file: SourceFile;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly type: PictureType;
}

/** Reads a picture of the folder. @returns why it cannot be taken, if it cannot */
export async function readPicture(file: SourceFile): Promise<Picture | string> {
  if (file.size > largestPictureBytes) return reasons.tooLarge;
  const hash = sha256.create();
  let start = new Uint8Array(0);
  let length = 0;
  try {
    for await (const chunk of file.read()) {
      if (start.length < decidingBytes)
        start = Uint8Array.from([...start, ...chunk.subarray(0, decidingBytes)]);
      length += chunk.length;
      if (length > largestPictureBytes) return reasons.tooLarge;
      hash.update(chunk);
    }
  } catch (error) {
    return `It cannot be read: ${(error as Error).message}`;
  }
  const type = pictureTypeOf(start);
  if (type === null) return reasons.noPicture;
  const name = file.name.slice(file.name.lastIndexOf('/') + 1);
  return { name, file, sha256: bytesToHex(hash.digest()), type };
}

/** Finds and stores pictures. All methods throw ImportStopped. */
export class PictureStore {
  private readonly collection: Collection;
  private readonly importId: string;
  /** Their files as far as they are known, or why there is none, by hash. */
  private readonly records = new Map<string, Promise<ApiRecord | string | null>>();
  /** One upload at a time, since each is in memory. */
  private uploading: Promise<unknown> = Promise.resolve();
  /** Why the server does not take pictures from the caller; null while it does. */
  private refusal: string | null = null;
  private publishRefusal: string | null = null;
  /** Whether the server has not read a picture in time, so that no further one is waited for. */
  private isSlow = false;

  /** @param collection of knowledge files */
  constructor(collection: Collection, importId: string) {
    this.collection = collection;
    this.importId = importId;
  }

  /** The file of a picture; null when it has to be stored, or why it cannot be. */
  find({ sha256: hash }: Picture): Promise<ApiRecord | string | null> {
    const known = this.records.get(hash) ?? this.request(hash);
    this.records.set(hash, known);
    return known;
  }

  /** Stores a picture that is not there yet. @returns its file, or why there is none */
  store(picture: Picture, alternativeText: string): Promise<ApiRecord | string> {
    const before = this.find(picture);
    const stored = this.uploading.then(async () => {
      const found = await before;
      if (typeof found === 'string' || (found !== null && !isEmpty(found))) return found;
      return this.orReason(() => this.upload(picture, alternativeText, found), this.noteRefusal);
    });
    this.uploading = stored.catch(() => undefined);
    this.records.set(picture.sha256, stored);
    return stored;
  }

  /** Why a picture cannot be made public; null when it can be, or is. */
  whyNotPublic({ publicSince, ...record }: ApiRecord): string | null {
    if (publicSince !== null) return null;
    const isRead = record.status !== 'PROCESSING';
    if (isRead && (record.status !== 'NOT_APPLICABLE' || record.width === null)) return reasons.damaged;
    if (!isAsImported({ publicSince, ...record })) return reasons.takenBack;
    return this.publishRefusal;
  }

  /** Makes a picture public, unless somebody has taken it back. @returns why it is not public; null when it is */
  async publish({ sha256: hash }: Picture, record: ApiRecord): Promise<string | null> {
    const keep = (current: ApiRecord) => this.records.set(hash, Promise.resolve(current));
    if (this.whyNotPublic(record) !== null) return this.whyNotPublic(record);
    const read = await this.waitUntilRead(record);
    keep(read);
    const reason = this.whyNotPublic(read);
    if (reason !== null || read.publicSince !== null) return reason;
    if (read.status === 'PROCESSING') return reasons.unread;
    const published = await this.orReason(
      () => this.collection.act(read, 'publish-picture'),
      (refusal) => {
        this.publishRefusal = `It was uploaded, but is not public: ${refusal}`;
      },
    );
    if (typeof published === 'string') return this.publishRefusal ?? published;
    keep(published);
    return null;
  }

  private readonly noteRefusal = (reason: string) => {
    this.refusal = `It was not uploaded: ${reason}`;
  };

  private async request(hash: string): Promise<ApiRecord | string | null> {
    if (this.refusal !== null) return this.refusal;
    return this.orReason(() => this.collection.first({ externalId: pictureKeyOf(hash) }), this.noteRefusal);
  }

  private async upload(
    { name, file, sha256: hash }: Picture,
    alternativeText: string,
    found: ApiRecord | null,
  ): Promise<ApiRecord | string> {
    if (this.refusal !== null) return this.refusal;
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.read()) chunks.push(chunk);
    const bytes = new Uint8Array(concatenate(chunks));
    if (bytesToHex(sha256(bytes)) !== hash) return reasons.changed;
    const body = { ...describePictureFile(name, alternativeText, hash), importId: this.importId };
    const record = found ?? (await this.collection.create(pictureKeyOf(hash), body)).record;
    // An earlier run may have been killed in between.
    return isEmpty(record) ? this.collection.putContent(record, String(record.name), bytes, hash) : record;
  }

  private async waitUntilRead(record: ApiRecord): Promise<ApiRecord> {
    let current = record;
    let pause = firstPauseMs;
    for (let waited = 0; current.status === 'PROCESSING' && !this.isSlow; waited += pause) {
      if (waited > longestWaitMs) this.isSlow = true;
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, longestPauseMs);
      current = (await this.collection.read(record.id)) ?? current;
    }
    return current;
  }

  /**
   * The result of requests, or why the server refuses them.
   * @param refused called when it refuses the caller: that applies to all pictures, but not to posts, which need other rights
   * @throws ImportStopped
   */
  private async orReason<T>(send: () => Promise<T>, refused: (reason: string) => void): Promise<T | string> {
    try {
      return await send();
    } catch (error) {
      const problem = error instanceof ImportStopped ? error.cause : error;
      if (!(problem instanceof ProblemError)) throw error;
      if (problem.status === 403) refused(problem.message);
      else if (error instanceof ImportStopped) throw error;
      return problem.status === 403 ? (this.refusal ?? problem.message) : problem.reasons.join(' ');
    }
  }
}

function isEmpty({ status }: ApiRecord): boolean {
  return status === 'PENDING_UPLOAD';
}
