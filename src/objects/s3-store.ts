/**
 * Why: several machines need one place for their files. Any store that speaks S3 will do: only PUT, GET with a range,
 * HEAD, DELETE and ListObjectsV2 are used.
 *
 *   PREFIX/ORGANIZATION/SHA256
 *
 * The key is known only when all bytes are, so they go into a local file first, and from there in a single PUT. That is
 * enough up to 5 GiB, which is S3's own limit for one; multipart uploads would only be needed beyond.
 */
import { openAsBlob } from 'node:fs';
import { describeDiskFailure } from './disk-failures.ts';
import {
  defaultIncomingOptions,
  type IncomingFile,
  type IncomingFiles,
  type IncomingOptions,
  openIncomingFiles,
} from './incoming-files.ts';
import {
  assertObjectName,
  assertOrganizationId,
  assertPage,
  assertRange,
  isOrganizationId,
  isSha256,
  type ListedObject,
  maxPageSize,
  notFound,
  type ObjectStore,
  ObjectStoreError,
} from './object-store.ts';
import { checkByProbe } from './probe.ts';
import { createPulledStream } from './pulled-stream.ts';
import { type ListPage, parseListPage } from './s3-answers.ts';
import {
  createS3Client,
  type S3Answer,
  type S3Client,
  type S3Location,
  type S3Retries,
  type S3Timeouts,
} from './s3-client.ts';

/** Which S3 store, what of it is ours, and how patient we are. */
export interface S3StoreOptions extends S3Location, Partial<IncomingOptions> {
  /** What all keys begin with, for example `trellis/`; empty for none. Nothing else may be kept under it. */
  readonly prefix: string;
  /** Local folder for bytes on their way. It needs room for the uploads under way, and must not be in memory. */
  readonly spoolDirectory: string;
  /** By default 10 s for an answer, and uploads no slower than 256 KiB/s. */
  readonly timeouts?: Partial<S3Timeouts>;
  /** By default four attempts, with up to 0.2, 0.4 and 0.8 s between them. */
  readonly retries?: Partial<S3Retries>;
}

const maxPutBytes = 5 * 1_073_741_824;
const defaultTimeouts: S3Timeouts = { answerMs: 10_000, minBytesPerSecond: 262_144 };
const defaultRetries: S3Retries = { attempts: 4, baseDelayMs: 200 };

/**
 * Opens a store in an S3 bucket. The bucket is not looked at; `check` does that.
 * @throws TypeError for an endpoint, bucket or prefix of the wrong form; ObjectStoreError `unavailable` when the spool
 *   folder cannot be used
 */
export async function createS3Store(options: S3StoreOptions): Promise<ObjectStore> {
  const client = createS3Client(
    options,
    { ...defaultTimeouts, ...options.timeouts },
    { ...defaultRetries, ...options.retries },
  );
  const prefix = readPrefix(options.prefix);
  const spool = await openIncomingFiles(options.spoolDirectory, { ...defaultIncomingOptions, ...options });
  const keyOf = (organizationId: string, sha256: string) => `${prefix}${organizationId}/${sha256}`;

  const store: ObjectStore = {
    async put(organizationId, source, putOptions) {
      assertOrganizationId(organizationId);
      const maxBytes = Math.min(putOptions.maxBytes, maxPutBytes);
      const file = await spool.receive(source, { ...putOptions, maxBytes });
      try {
        await upload(client, keyOf(organizationId, file.sha256), file, putOptions.signal);
      } finally {
        await file.discard().catch(() => undefined);
      }
      return { sha256: file.sha256, sizeBytes: file.sizeBytes };
    },
    async open(organizationId, sha256, range) {
      assertObjectName(organizationId, sha256);
      if (range !== undefined) assertRange(range);
      const headers: Record<string, string> =
        range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
      const answer = await client.send({ method: 'GET', key: keyOf(organizationId, sha256), headers });
      if (range !== undefined && answer.status === 416) {
        await answer.release();
        throw new RangeError(`The object has no byte ${range.start}.`);
      }
      await expectObject(client, answer, sha256, range?.start);
      return createPulledStream(answer);
    },
    async borrow(organizationId, sha256, signal) {
      assertObjectName(organizationId, sha256);
      const file = await download(client, spool, keyOf(organizationId, sha256), sha256, signal);
      return { path: file.path, release: () => file.discard() };
    },
    async has(organizationId, sha256) {
      assertObjectName(organizationId, sha256);
      const answer = await client.send({ method: 'HEAD', key: keyOf(organizationId, sha256) });
      await answer.release();
      if (answer.status === 200) return true;
      if (answer.status !== 404) throw client.refusal(answer.status, '');
      return await isThere(client, keyOf(organizationId, sha256));
    },
    async remove(organizationId, sha256) {
      assertObjectName(organizationId, sha256);
      const answer = await client.send({ method: 'DELETE', key: keyOf(organizationId, sha256) });
      const code = await client.readErrorCode(answer);
      if (answer.status >= 300 && code !== 'NoSuchKey') throw client.refusal(answer.status, code);
    },
    async list(organizationId, after, limit) {
      assertPage(organizationId, after, limit);
      return await listObjects(client, `${prefix}${organizationId}/`, after, limit);
    },
    async *organizations() {
      let token: string | null = null;
      do {
        const page: ListPage = await listPage(client, {
          prefix,
          delimiter: '/',
          ...(token === null ? {} : { 'continuation-token': token }),
        });
        for (const name of page.prefixes) {
          const organizationId = name.slice(prefix.length, -1);
          if (isOrganizationId(organizationId)) yield organizationId;
        }
        token = page.continuationToken;
      } while (token !== null);
    },
    check: () => checkByProbe(store),
    async close() {
      spool.close();
    },
  };
  return store;
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

async function upload(client: S3Client, key: string, file: IncomingFile, signal: AbortSignal): Promise<void> {
  const type = 'application/octet-stream';
  const blob = await openAsBlob(file.path, { type }).catch((error) => {
    throw describeDiskFailure(file.path, error);
  });
  const answer = await client.send({ method: 'PUT', key, body: { blob, sha256: file.sha256 }, signal });
  const code = await client.readErrorCode(answer);
  if (answer.status !== 200 || code !== '') throw client.refusal(answer.status, code);
}

/** Copies an object into a local file and checks it against its hash. */
async function download(
  client: S3Client,
  spool: IncomingFiles,
  key: string,
  sha256: string,
  signal: AbortSignal,
): Promise<IncomingFile> {
  const answer = await client.send({ method: 'GET', key, signal });
  await expectObject(client, answer, sha256, undefined);
  const file = await receive(client, spool, answer, signal);
  if (file.sha256 === sha256) return file;
  await file.discard();
  throw client.misbehaviour(`has other bytes under the hash ${sha256}`);
}

async function receive(
  client: S3Client,
  spool: IncomingFiles,
  answer: S3Answer,
  signal: AbortSignal,
): Promise<IncomingFile> {
  const body = createPulledStream(answer);
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

/** @throws ObjectStoreError unless the answer is the object, from the byte that was asked for */
async function expectObject(
  client: S3Client,
  answer: S3Answer,
  sha256: string,
  start: number | undefined,
): Promise<void> {
  if (answer.status === 200 && start === undefined) return;
  const isAskedFor = answer.headers.get('content-range')?.startsWith(`bytes ${start}-`) ?? false;
  if (answer.status === 206 && isAskedFor) return;
  if (answer.status === 200 || answer.status === 206) {
    await answer.release();
    throw client.misbehaviour('does not answer with the range it was asked for');
  }
  const code = await client.readErrorCode(answer);
  throw code === 'NoSuchKey' ? notFound(sha256) : client.refusal(answer.status, code);
}

/** What HEAD cannot say, having no body: whether the object is missing, or the whole bucket. */
async function isThere(client: S3Client, key: string): Promise<boolean> {
  const answer = await client.send({ method: 'GET', key, headers: { range: 'bytes=0-0' } });
  const code = await client.readErrorCode(answer);
  // 416: an object without bytes.
  if (answer.status < 300 || answer.status === 416) return true;
  if (code === 'NoSuchKey') return false;
  throw client.refusal(answer.status, code);
}

async function listPage(client: S3Client, query: Readonly<Record<string, string>>): Promise<ListPage> {
  const answer = await client.send({ method: 'GET', key: '', query: { 'list-type': '2', ...query } });
  if (answer.status !== 200) throw client.refusal(answer.status, await client.readErrorCode(answer));
  const xml = await client.readText(answer);
  try {
    return parseListPage(xml);
  } catch (error) {
    throw client.misbehaviour('answers with something that is no list of S3', error);
  }
}

/** Objects below a folder. Foreign keys are passed over, so several pages of the store may make one of ours. */
async function listObjects(
  client: S3Client,
  folder: string,
  after: string | null,
  limit: number,
): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  let position: Record<string, string> = after === null ? {} : { 'start-after': `${folder}${after}` };
  for (;;) {
    const size = String(Math.min(limit - found.length, maxPageSize));
    const page = await listPage(client, { prefix: folder, 'max-keys': size, ...position });
    for (const { key, modifiedAt } of page.objects) {
      const sha256 = key.slice(folder.length);
      if (key.startsWith(folder) && isSha256(sha256)) found.push({ sha256, modifiedAt });
    }
    if (page.continuationToken === null || found.length >= limit) return found.slice(0, limit);
    position = { 'continuation-token': page.continuationToken };
  }
}
