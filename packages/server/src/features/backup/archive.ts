/**
 * Where a backup, or the export of one organization, is kept: objects in an object store (a folder, or a prefix in S3), which
 * stores each one durably and completely or not at all. All are sealed under a key of their own.
 *
 *   under a random id                 tables and contents, in any order
 *   under `manifestPlace`             the manifest, written last: one line of JSON with the format and the salt of the key,
 *                                     then the sealed manifest
 */
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { openStream, sealStream } from '../../kernel/lib/sealed-stream.ts';
import { SealBrokenError } from '../../kernel/lib/sealer.ts';
import { type ObjectStore, ObjectStoreError } from '../../kernel/objects/object-store.ts';
import { BackupError } from './errors.ts';
import { type ArchiveKind, type ArchiveManifest, formats } from './manifest.ts';
import { putStream } from './object-streams.ts';
import { type BackupKey, createBackupKey, openBackupKey } from './passphrase.ts';

/** Not a random UUID (RFC 9562), so neither an organization nor the objects of a backup have it. */
export const manifestPlace = '00000000-0000-0000-0000-000000000001';
/** Bounds, far above what a backup needs. */
const maxObjectBytes = 5 * 1_073_741_824;
const maxManifestBytes = 256 * 1_048_576;
const maxHeaderBytes = 1_024;
/** Size of the parts that long streams are divided into, before compression. */
const partBytes = 256 * 1_048_576;

/** A stored object. */
interface WrittenObject {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** An archive that is being written. */
export class ArchiveWriter {
  readonly objects = randomUUID();
  /** What has been written so far. */
  sizeBytes = 0;
  private readonly store: ObjectStore;
  private readonly format: string;
  private readonly key: BackupKey;

  private constructor(store: ObjectStore, format: string, key: BackupKey) {
    this.store = store;
    this.format = format;
    this.key = key;
  }

  /** @throws BackupError if the store has any object */
  static async create(
    store: ObjectStore,
    passphrase: string,
    { format }: Pick<ArchiveKind, 'format'>,
  ): Promise<ArchiveWriter> {
    for await (const place of store.organizations()) {
      throw new BackupError(
        place === manifestPlace
          ? 'There is a backup or an export already. Choose another place for this one.'
          : 'There is an incomplete backup or export, or another object store. Remove it, or choose another place for this one.',
      );
    }
    return new ArchiveWriter(store, format, await createBackupKey(passphrase));
  }

  /** Stores a stream as it is, such as the content of a file, which is often compressed already. */
  async write(source: AsyncIterable<Uint8Array>): Promise<WrittenObject> {
    return this.put(this.objects, sealStream(source, this.key.key, 'content'));
  }

  /** Stores a stream of any length in compressed parts. Returns their hashes. */
  async writeParts(source: AsyncIterable<Uint8Array>): Promise<string[]> {
    const pieces = source[Symbol.asyncIterator]();
    const parts: string[] = [];
    let isEnded = false;
    async function* nextPart(): AsyncGenerator<Uint8Array> {
      for (let length = 0; length < partBytes; ) {
        const { done, value } = await pieces.next();
        if (done) {
          isEnded = true;
          return;
        }
        length += value.length;
        yield value;
      }
    }
    try {
      while (!isEnded) {
        const sealed = sealStream(through(nextPart(), createZstdCompress()), this.key.key, 'part');
        parts.push((await this.put(this.objects, sealed)).sha256);
      }
    } finally {
      if (!isEnded) await pieces.return?.();
    }
    return parts;
  }

  /** Completes it. */
  async finish(manifest: ArchiveManifest): Promise<void> {
    const header = {
      format: this.format,
      salt: this.key.salt.toString('hex'),
      check: this.key.check.toString('hex'),
    };
    const body = through(one(Buffer.from(JSON.stringify(manifest))), createZstdCompress());
    const sealed = sealStream(body, this.key.key, 'manifest');
    await this.put(manifestPlace, concatenate(one(Buffer.from(`${JSON.stringify(header)}\n`)), sealed));
  }

  private async put(place: string, source: AsyncIterable<Uint8Array>): Promise<WrittenObject> {
    const stored = await putStream(this.store, place, source, maxObjectBytes);
    this.sizeBytes += stored.sizeBytes;
    return stored;
  }
}

/** A complete archive. */
export class ArchiveReader<M extends ArchiveManifest = ArchiveManifest> {
  readonly manifest: M;
  private readonly store: ObjectStore;
  private readonly key: Buffer;
  private readonly noun: string;

  private constructor(store: ObjectStore, key: Buffer, { noun }: ArchiveKind, manifest: M) {
    this.store = store;
    this.key = key;
    this.noun = noun;
    this.manifest = manifest;
  }

  /** @throws BackupError without a manifest of this kind, and for a wrong passphrase or a damaged manifest */
  static async open<M extends ArchiveManifest>(
    store: ObjectStore,
    passphrase: string,
    kind: ArchiveKind<M>,
  ): Promise<ArchiveReader<M>> {
    const { noun } = kind;
    const [found, ...others] = await store.list(manifestPlace, null, 2);
    if (found === undefined) {
      throw new BackupError(
        `There is no complete ${noun}: its manifest, which is written last, is missing. The ${noun} was interrupted, or this is another place.`,
      );
    }
    if (others.length > 0) throw new BackupError('There are several manifests. Nothing of them is used.');
    const stored = await collect(await store.open(manifestPlace, found.sha256), maxManifestBytes);
    const end = stored.subarray(0, maxHeaderBytes).indexOf('\n');
    const { salt, check } = readHeader(stored.subarray(0, Math.max(end, 0)).toString('utf8'), kind);
    const { key } = await openBackupKey(passphrase, salt, check, noun);
    const opened = openStream(one(stored.subarray(end + 1)), key, 'manifest');
    const text = await collect(decompress(opened), maxManifestBytes).catch((error: unknown) => {
      throw describeDamage(error, 'The manifest', noun);
    });
    return new ArchiveReader(store, key, kind, kind.parse(text.toString('utf8')));
  }

  /** A content as it was written. @throws BackupError while reading, if it is damaged or missing */
  read(sha256: string): AsyncGenerator<Buffer> {
    return this.opened(sha256, 'content');
  }

  /**
   * A stream that was written in parts.
   * @param maxBytes how long it is at most: compressed bytes may expand to any number
   * @throws BackupError while reading, if it is damaged, incomplete or too long
   */
  async *readParts(parts: readonly string[], maxBytes: number): AsyncGenerator<Buffer> {
    let length = 0;
    for (const sha256 of parts) {
      for await (const piece of decompress(this.opened(sha256, 'part'))) {
        length += piece.length;
        if (length > maxBytes)
          throw new BackupError(`A part of the ${this.noun} is longer than its manifest says.`);
        yield piece;
      }
    }
  }

  private async *opened(sha256: string, context: string): AsyncGenerator<Buffer> {
    try {
      const stored = await this.store.open(this.manifest.objects, sha256);
      yield* openStream(stored, this.key, context);
    } catch (error) {
      throw describeDamage(error, `The object ${sha256}`, this.noun);
    }
  }
}

function readHeader(
  line: string,
  { format }: ArchiveKind,
): { readonly salt: Buffer; readonly check: Buffer } {
  const [, found = '', salt, check] =
    /^\{"format":"([a-z0-9-]+)","salt":"([0-9a-f]{64})","check":"([0-9a-f]{64})"\}$/.exec(line) ?? [];
  const known = formats.find(({ name }) => name === found);
  if (salt === undefined || check === undefined || known === undefined) {
    throw new BackupError('The manifest is damaged, or of a later release: its format is not known.');
  }
  if (found !== format) throw new BackupError(`This is ${known.is}: "${known.readBy}" reads it.`);
  return { salt: Buffer.from(salt, 'hex'), check: Buffer.from(check, 'hex') };
}

function describeDamage(error: unknown, what: string, noun: string): unknown {
  if (error instanceof ObjectStoreError && error.reason === 'not_found') {
    return new BackupError(`${what} of the ${noun} is missing.`);
  }
  const isDamaged =
    error instanceof SealBrokenError ||
    (error instanceof Error && 'code' in error && isZstdError(error.code));
  return isDamaged
    ? new BackupError(`${what} of the ${noun} is damaged: its bytes were changed or cut off.`)
    : error;
}

function isZstdError(code: unknown): boolean {
  return typeof code === 'string' && /^(?:ZSTD|Z_|ERR_ZSTD)/.test(code);
}

function decompress(source: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  return through(source, createZstdDecompress());
}

/** The output of a transformation. An error of the source is one of the output; ending early ends the source. */
function through(source: AsyncIterable<Uint8Array>, transformation: Duplex): AsyncIterable<Buffer> {
  pipeline(source, transformation, () => undefined);
  return transformation;
}

async function collect(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    length += piece.length;
    if (length > maxBytes) throw new BackupError(`The manifest has more than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function* concatenate(...sources: AsyncIterable<Buffer>[]): AsyncGenerator<Buffer> {
  for (const source of sources) yield* source;
}
