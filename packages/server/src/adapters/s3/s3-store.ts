/**
 * Objects in an S3 bucket, for several machines that share their files. Any store that speaks S3 will do: only PUT, GET
 * with a range, HEAD, DELETE and ListObjectsV2 are used.
 *
 *   PREFIX/ORGANIZATION/SHA256
 *
 * The key is known only when all bytes are, so they go into a local file first, and from there in a single PUT. That is
 * enough up to 5 GiB, which is S3's own limit for one; multipart uploads would only be needed beyond.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { describeDiskFailure } from '../../kernel/objects/disk-failures.ts';
import {
  defaultIncomingOptions,
  type IncomingFile,
  type IncomingFiles,
  type IncomingOptions,
  openIncomingFiles,
} from '../../kernel/objects/incoming-files.ts';
import {
  assertObjectName,
  assertOrganizationId,
  assertPage,
  assertRange,
  type ByteRange,
  isOrganizationId,
  isSha256,
  type ListedObject,
  maxPageSize,
  notFound,
  type ObjectStore,
  ObjectStoreError,
} from '../../kernel/objects/object-store.ts';
import { checkByProbe } from '../../kernel/objects/probe.ts';
import { createPulledStream, type PulledSource } from '../../kernel/objects/pulled-stream.ts';
import {
  createS3Client,
  type S3Client,
  type S3Location,
  S3Refusal,
  type S3Retries,
  type S3Timeouts,
} from './s3-client.ts';

/** The S3 store, the part of it that is used, and time limits. */
export interface S3StoreOptions extends S3Location, Partial<IncomingOptions> {
  /** What all keys begin with, for example `trellis/`; empty for none. Nothing else may be kept under it. */
  readonly prefix: string;
  /** Local folder for bytes in transit. It needs room for the uploads in progress, and must not be in memory. */
  readonly spoolDirectory: string;
  /** By default 10 s for a response, and uploads no slower than 256 KiB/s. */
  readonly timeouts?: Partial<S3Timeouts>;
  /** By default four attempts, with up to 0.2, 0.4 and 0.8 s between them. */
  readonly retries?: Partial<S3Retries>;
}

const maxPutBytes = 5 * 1_073_741_824;
const defaultTimeouts: S3Timeouts = { responseMs: 10_000, minBytesPerSecond: 262_144 };
const defaultRetries: S3Retries = { attempts: 4, baseDelayMs: 200 };

/**
 * Opens a store in an S3 bucket without accessing the bucket; `check` does that.
 * @throws TypeError for an invalid endpoint, bucket or prefix; ObjectStoreError `unavailable` if the spool folder
 *   cannot be used
 */
export async function createS3Store(options: S3StoreOptions): Promise<ObjectStore> {
  const { bucket } = options;
  const client = createS3Client(
    options,
    { ...defaultTimeouts, ...options.timeouts },
    { ...defaultRetries, ...options.retries },
  );
  const prefix = readPrefix(options.prefix);
  const spool = await openIncomingFiles(options.spoolDirectory, { ...defaultIncomingOptions, ...options });
  const placeOf = (organizationId: string, sha256: string): Place => ({
    Bucket: bucket,
    Key: `${prefix}${organizationId}/${sha256}`,
  });

  const store: ObjectStore = {
    async put(organizationId, source, putOptions) {
      assertOrganizationId(organizationId);
      const maxBytes = Math.min(putOptions.maxBytes, maxPutBytes);
      const file = await spool.receive(source, { ...putOptions, maxBytes });
      try {
        await upload(client, placeOf(organizationId, file.sha256), file, putOptions.signal);
      } finally {
        await file.discard().catch(() => undefined);
      }
      return { sha256: file.sha256, sizeBytes: file.sizeBytes };
    },
    async open(organizationId, sha256, range) {
      assertObjectName(organizationId, sha256);
      if (range !== undefined) assertRange(range);
      const place = placeOf(organizationId, sha256);
      return createPulledStream(await openObject(client, place, sha256, range));
    },
    async borrow(organizationId, sha256, signal) {
      assertObjectName(organizationId, sha256);
      const file = await download(client, spool, placeOf(organizationId, sha256), sha256, signal);
      return { path: file.path, release: () => file.discard() };
    },
    async has(organizationId, sha256) {
      assertObjectName(organizationId, sha256);
      const place = placeOf(organizationId, sha256);
      try {
        await client.call((aws, abortSignal) => aws.send(new HeadObjectCommand(place), { abortSignal }));
        return true;
      } catch (error) {
        if (!(error instanceof S3Refusal && error.status === 404)) throw error;
        return await isThere(client, place);
      }
    },
    async remove(organizationId, sha256) {
      assertObjectName(organizationId, sha256);
      const command = new DeleteObjectCommand(placeOf(organizationId, sha256));
      try {
        await client.call((aws, abortSignal) => aws.send(command, { abortSignal }));
      } catch (error) {
        if (!(error instanceof S3Refusal && error.code === 'NoSuchKey')) throw error;
      }
    },
    async list(organizationId, after, limit) {
      assertPage(organizationId, after, limit);
      return await listObjects(client, bucket, `${prefix}${organizationId}/`, after, limit);
    },
    async *organizations() {
      let token: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await listPage(client, {
          Bucket: bucket,
          Prefix: prefix,
          Delimiter: '/',
          ContinuationToken: token,
        });
        for (const { Prefix = '' } of page.CommonPrefixes ?? []) {
          const organizationId = Prefix.slice(prefix.length, -1);
          if (isOrganizationId(organizationId)) yield organizationId;
        }
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },
    check: () => checkByProbe(store),
    async close() {
      spool.close();
      client.close();
    },
  };
  return store;
}

/** Bucket and key of an object. */
interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

function readPrefix(prefix: string): string {
  const isPlain = /^[A-Za-z0-9._/-]{0,500}$/.test(prefix) && !/^\/|\/\/|(^|\/)\.{1,2}(\/|$)/.test(prefix);
  if (!isPlain) {
    throw new TypeError(
      'The prefix in the object store may have letters, digits, ".", "_", "-" and "/" between names.',
    );
  }
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}

/** Sends a file under its hash, which the signature covers, so that the store verifies the bytes. */
async function upload(
  client: S3Client,
  place: Place,
  file: IncomingFile,
  signal: AbortSignal,
): Promise<void> {
  await client.call(
    async (aws, abortSignal) => {
      const body = createReadStream(file.path);
      let diskFailure: unknown;
      body.on('error', (error) => {
        diskFailure = error;
      });
      const command = new PutObjectCommand({
        ...place,
        Body: body,
        ContentLength: file.sizeBytes,
        ContentType: 'application/octet-stream',
      });
      command.middlewareStack.add(
        (next) => (args) => {
          if (hasHeaders(args.request)) {
            args.request.headers['x-amz-content-sha256'] = file.sha256;
          }
          return next(args);
        },
        { step: 'build', name: 'signTheHash' },
      );
      try {
        return await aws.send(command, { abortSignal });
      } catch (error) {
        throw diskFailure === undefined ? error : describeDiskFailure(file.path, diskFailure);
      } finally {
        body.destroy();
      }
    },
    { bytes: file.sizeBytes, signal },
  );
}

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request;
}

/** @throws ObjectStoreError `not_found` or `unavailable`; RangeError when the range holds no byte of the object */
async function openObject(
  client: S3Client,
  place: Place,
  sha256: string,
  range: ByteRange | undefined,
  signal?: AbortSignal,
): Promise<PulledSource> {
  const wanted = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
  const command = () => new GetObjectCommand({ ...place, ...wanted });
  const response = await client
    .call((aws, abortSignal) => aws.send(command(), { abortSignal }), signal === undefined ? {} : { signal })
    .catch((error: unknown) => {
      if (!(error instanceof S3Refusal)) throw error;
      if (error.status === 416) throw new RangeError(`The object has no byte ${range?.start}.`);
      throw error.code === 'NoSuchKey' ? notFound(sha256) : error;
    });
  if (!(response.Body instanceof Readable)) throw client.misbehaviour('responds without a body');
  const source = client.read(response.Body);
  if (range === undefined || response.ContentRange?.startsWith(`bytes ${range.start}-`)) return source;
  await source.release();
  throw client.misbehaviour('does not respond with the range it was asked for');
}

/** Copies an object into a local file and checks it against its hash. */
async function download(
  client: S3Client,
  spool: IncomingFiles,
  place: Place,
  sha256: string,
  signal: AbortSignal,
): Promise<IncomingFile> {
  const source = await openObject(client, place, sha256, undefined, signal);
  const file = await receive(client, spool, source, signal);
  if (file.sha256 === sha256) return file;
  await file.discard();
  throw client.misbehaviour(`has other bytes under the hash ${sha256}`);
}

async function receive(
  client: S3Client,
  spool: IncomingFiles,
  source: PulledSource,
  signal: AbortSignal,
): Promise<IncomingFile> {
  const body = createPulledStream(source);
  try {
    return await spool.receive(body, { maxBytes: maxPutBytes, signal });
  } catch (error) {
    const isStoresFault = error instanceof ObjectStoreError && error.reason !== 'unavailable';
    if (!isStoresFault) throw error;
    throw error.cause instanceof ObjectStoreError ? error.cause : client.misbehaviour('failed', error);
  } finally {
    body.destroy();
  }
}

/** What HEAD cannot say, having no body: whether the object is missing, or the whole bucket. */
async function isThere(client: S3Client, place: Place): Promise<boolean> {
  try {
    const command = new GetObjectCommand({ ...place, Range: 'bytes=0-0' });
    const { Body } = await client.call((aws, abortSignal) => aws.send(command, { abortSignal }));
    if (Body instanceof Readable) Body.destroy();
    return true;
  } catch (error) {
    if (!(error instanceof S3Refusal)) throw error;
    if (error.code === 'NoSuchKey') return false;
    // An object without bytes.
    if (error.status === 416) return true;
    throw error;
  }
}

/** @throws ObjectStoreError `unavailable`, also for a response that is not a list */
async function listPage(
  client: S3Client,
  query: ListObjectsV2CommandInput,
): Promise<ListObjectsV2CommandOutput> {
  const page = await client.call((aws, abortSignal) =>
    aws.send(new ListObjectsV2Command(query), { abortSignal }),
  );
  // The SDK reads any XML, and finds nothing in it.
  const isList = page.Name === query.Bucket && (page.IsTruncated !== true || page.NextContinuationToken);
  if (!isList) throw client.misbehaviour('sends something other than a response of S3 (not a list)');
  return page;
}

/** Objects below a folder. Foreign keys are skipped, so several pages of the store may be read for one page. */
async function listObjects(
  client: S3Client,
  bucket: string,
  folder: string,
  after: string | null,
  limit: number,
): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  let token: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await listPage(client, {
      Bucket: bucket,
      Prefix: folder,
      MaxKeys: Math.min(limit - found.length, maxPageSize),
      StartAfter: after === null ? undefined : `${folder}${after}`,
      ContinuationToken: token,
    });
    for (const { Key = '', LastModified } of page.Contents ?? []) {
      const sha256 = Key.slice(folder.length);
      if (LastModified === undefined) throw client.misbehaviour('lists an object without its time');
      if (Key.startsWith(folder) && isSha256(sha256)) found.push({ sha256, modifiedAt: LastModified });
    }
    token = page.NextContinuationToken;
  } while (token !== undefined && found.length < limit);
  return found.slice(0, limit);
}
