/**
 * The interface of an object store, which holds the bytes of files: they are large, immutable and never queried, so they
 * are kept outside the database. An object is named by its organization and the SHA-256 of its bytes: the same bytes are
 * stored once per organization and never shared between two.
 */
import type { Readable } from 'node:stream';

/** Limits of a put. */
export interface PutOptions {
  /** Maximum number of bytes. */
  readonly maxBytes: number;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** The announced number of bytes (Content-Length). Any other number means a truncated upload. */
  readonly expectedBytes?: number;
}

/** What was stored. */
export interface StoredObject {
  /** SHA-256 of the bytes, as 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Positions in bytes, both included and counted from 0, as in a Range header (RFC 9110, section 14.1.2). */
export interface ByteRange {
  readonly start: number;
  /** May be beyond the last byte, which then ends the range. */
  readonly end: number;
}

/** One object in a list. */
export interface ListedObject {
  readonly sha256: string;
  /** When its bytes were last put; putting the same bytes again updates it. */
  readonly modifiedAt: Date;
}

/** A read-only file with an object's bytes. */
interface BorrowedFile {
  readonly path: string;
  /** Releases the file. Further calls do nothing. */
  release(): Promise<void>;
}

/**
 * Stores bytes by organization and hash.
 *
 * Every call rejects with `ObjectStoreError` for operational failures, and with `TypeError` for an organization id that is
 * not a UUID or a hash that is not a SHA-256, so that neither can name another path.
 */
export interface ObjectStore {
  /**
   * Streams bytes in, hashing as they come. Nothing is visible under the hash before all bytes are stored durably,
   * and a call that fails leaves nothing. Bytes that are there already are put again, which renews `modifiedAt`.
   *
   * A `Readable` source is neither drained nor destroyed by a failure, so that a response can still be sent.
   *
   * @throws ObjectStoreError `too_large`, `incomplete` (the source failed or had another length) or `unavailable`;
   *   the reason of the signal once that is aborted
   */
  put(organizationId: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredObject>;
  /**
   * Opens the bytes, or a range of them. The stream must be read to its end or destroyed; when it breaks off, its
   * error is an `ObjectStoreError` `unavailable`.
   *
   * @throws ObjectStoreError `not_found` or `unavailable`; RangeError when the range holds no byte of the object
   */
  open(organizationId: string, sha256: string, range?: ByteRange): Promise<Readable>;
  /**
   * A local file with the bytes, for tools that need one: the stored file itself on local disk, otherwise a copy,
   * checked against the hash, that `release` removes. Use it within hours: old copies are removed, as of dead processes.
   *
   * @throws ObjectStoreError `not_found` or `unavailable`; the reason of the signal once that is aborted
   */
  borrow(organizationId: string, sha256: string, signal: AbortSignal): Promise<BorrowedFile>;
  /** @throws ObjectStoreError `unavailable` */
  has(organizationId: string, sha256: string): Promise<boolean>;
  /** Removes the bytes, if there are any. @throws ObjectStoreError `unavailable` */
  remove(organizationId: string, sha256: string): Promise<void>;
  /**
   * A page of an organization's objects, ascending by hash, behind the hash `after` (null: from the first). Fewer than
   * `limit` (1 to 1,000) are the last page.
   *
   * @throws ObjectStoreError `unavailable`; RangeError for another limit
   */
  list(organizationId: string, after: string | null, limit: number): Promise<ListedObject[]>;
  /** The organizations that have objects, in no order. @throws ObjectStoreError `unavailable` */
  organizations(): AsyncIterable<string>;
  /** Writes, reads, lists and removes a probe. @throws ObjectStoreError `unavailable` with what is wrong */
  check(): Promise<void>;
  /** Ends background work. Calls in progress are not interrupted. */
  close(): Promise<void>;
}

/**
 * The kind of a failure:
 * - `too_large`: more bytes than `maxBytes`;
 * - `incomplete`: the upload was interrupted or did not have the announced length;
 * - `not_found`: there are no bytes with that hash;
 * - `unavailable`: the disk or the S3 store failed. A retry may help; the message is for the operator.
 */
export type ObjectStoreReason = 'too_large' | 'incomplete' | 'not_found' | 'unavailable';

/** A failure of an object store. The message never contains a secret; `cause` is the underlying error, if any. */
export class ObjectStoreError extends Error {
  readonly reason: ObjectStoreReason;

  constructor(reason: ObjectStoreReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'ObjectStoreError';
    this.reason = reason;
  }
}

/** The maximum number of objects per page, which is also the maximum of S3. */
export const maxPageSize = 1_000;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const digest = /^[0-9a-f]{64}$/;

/** Whether a name found in a store is an organization id. */
export function isOrganizationId(name: string): boolean {
  return uuid.test(name);
}

/** Whether a name found in a store is a hash. */
export function isSha256(name: string): boolean {
  return digest.test(name);
}

/** @throws TypeError unless the id is a UUID in lower case, as the database writes it */
export function assertOrganizationId(organizationId: string): void {
  if (!isOrganizationId(organizationId)) {
    throw new TypeError(`The organization id must be a UUID in lower case, not ${quote(organizationId)}.`);
  }
}

/** @throws TypeError for an organization id or hash of the wrong form */
export function assertObjectName(organizationId: string, sha256: string): void {
  assertOrganizationId(organizationId);
  if (!isSha256(sha256)) {
    throw new TypeError(`A hash must be 64 lower-case hexadecimal digits, not ${quote(sha256)}.`);
  }
}

/** @throws TypeError or RangeError for invalid arguments of a page */
export function assertPage(organizationId: string, after: string | null, limit: number): void {
  if (after === null) assertOrganizationId(organizationId);
  else assertObjectName(organizationId, after);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPageSize) {
    throw new RangeError(`A page has 1 to ${maxPageSize} objects, not ${limit}.`);
  }
}

/** @throws RangeError for a range that cannot contain a byte */
export function assertRange({ start, end }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`${start}-${end} is not a range of bytes.`);
  }
}

/** The error for missing bytes. */
export function notFound(sha256: string, cause?: unknown): ObjectStoreError {
  return new ObjectStoreError('not_found', `There are no bytes with the hash ${sha256}.`, cause);
}

function quote(text: string): string {
  return JSON.stringify(String(text).slice(0, 100));
}
