/**
 * The operations on contents of knowledge files, which are bytes beside the JSON of their records. Callers without the right
 * are refused before a byte is stored, and once more by the write itself.
 */
import { Readable } from 'node:stream';
import { Problem } from '@trellis/schema/problem.ts';
import { acceptInput, answerRead, answerWrite, readWriteHeaders, toAnswer } from '../../../http/calls.ts';
import type { HttpContext } from '../../../http/context.ts';
import type { Answer, Call, Operation } from '../../../http/operation.ts';
import { readParameters } from '../../../http/parameters.ts';
import {
  placeOf,
  requirementOf,
  type SharedOperations,
  targetOf,
} from '../../../http/resource-operations.ts';
import { idParameter } from '../../../http/resource-parameters.ts';
import { type ObjectStore, ObjectStoreError } from '../../../objects/object-store.ts';
import { fingerprintOf } from '../../../pipeline/idempotency.ts';
import type { Model } from '../../../pipeline/model.ts';
import { type PlanAdditions, planAction, planCreate } from '../../../pipeline/plans.ts';
import { readRecord } from '../../../pipeline/read.ts';
import { authorizeOnly } from '../../../pipeline/write/authorize.ts';
import { write } from '../../../pipeline/write.ts';
import { sniffMediaType } from '../extraction.ts';
import { contentValues, decideContent, decideExtraction, lockContent, type StoredContent } from '../rules.ts';
import { answerContent } from './content.ts';

/** A body for POST that makes a file which others see, with content. */
const createExample = {
  name: 'Travel policy 2026',
  visibility: 'ORGANIZATION',
  content: '# Travel policy\n\nTrains before planes.',
};
/** How long looking at stored bytes may take, in ms. */
const sniffMs = 60_000;

/** Replaces the create by one that takes content, and adds upload, download and another extraction. */
export function knowledgeFileOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  const { resource } = model;
  const item = `/v1${resource.path}/{id}`;
  const id = idParameter('id', resource.name, resource.idPrefix, 'Id of the knowledge file.');
  const common = {
    tag: resource.title.plural,
    pathParameters: [id],
    body: null,
    conditional: false,
  } as const;
  const writing = { ...common, requirement: requirementOf(resource, 'update') } as const;
  const changed = {
    status: 200,
    description: 'The record after the change.',
    schemaName: resource.title.singular,
    headers: ['ETag', 'Idempotent-Replayed', 'Preference-Applied'],
  } as const;
  return {
    create: {
      ...shared.create,
      body: shared.create.body === null ? null : { ...shared.create.body, example: createExample },
      problems: [...shared.create.problems, 'storage_unavailable'],
      handle: (call) => create(context, model, call),
    },
    putContent: {
      ...writing,
      operationId: 'putKnowledgeFileContent',
      method: 'PUT',
      path: `${item}/content`,
      summary: 'Upload the content of a knowledge file',
      description:
        'Takes raw bytes of any type and replaces what was there. What they are is recognized from the bytes; `Content-Type` is not trusted. Text is extracted in the background: `status` goes from PROCESSING to READY or FAILED.',
      queryParameters: [
        {
          name: 'fileName',
          description: 'Name of the file, offered when it is downloaded.',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: 255 },
          example: 'travel-policy.pdf',
        },
      ],
      takesContent: true,
      success: changed,
      problems: ['version_mismatch', 'storage_unavailable'],
      handle: (call) => upload(context, model, call),
    },
    getContent: {
      ...common,
      operationId: 'getKnowledgeFileContent',
      method: 'GET',
      path: `${item}/content`,
      summary: 'Download the content of a knowledge file',
      description:
        'Returns the bytes, whole or the part that `Range` names. The ETag is the SHA-256 of the content. 404 while there is none.',
      requirement: requirementOf(resource, 'read'),
      queryParameters: [],
      success: {
        status: 200,
        description: 'The content.',
        schemaName: null,
        headers: ['ETag'],
        isContent: true,
      },
      conditional: true,
      problems: ['range_not_satisfiable', 'storage_unavailable'],
      handle: (call) =>
        answerRead(context, call, async () => {
          const target = targetOf(resource, call);
          const { values } = await readRecord(context.database, model, target, 'working', 'narrow');
          const { sha256, sizeBytes, mediaType } = values;
          if (typeof sha256 !== 'string' || typeof mediaType !== 'string') throw new Problem('not_found');
          return answerContent(call, {
            etag: `"${sha256}"`,
            mediaType,
            sizeBytes: Number(sizeBytes),
            fileName: String(values.fileName ?? values.name),
            open: (range) => storing(() => context.objects.open(target.organizationId, sha256, range)),
          });
        }),
    },
    extract: {
      ...writing,
      operationId: 'extractKnowledgeFileText',
      method: 'POST',
      path: `${item}/extract`,
      summary: 'Extract the text of a knowledge file again',
      description:
        'Reads the content once more: a FAILED file after the machine was out of memory, or a READY one after an upgrade. A file that is PROCESSING stays as it is.',
      queryParameters: [],
      success: changed,
      problems: ['invalid_transition', 'version_mismatch'],
      handle: (call) =>
        answerWrite(context, call, ({ minimal }) =>
          planAction(model, targetOf(resource, call), {}, { minimal }, decideExtraction),
        ),
    },
  };
}

/** Creates a file, with content when the body has some. */
function create(context: HttpContext, model: Model, call: Call): Promise<Answer> {
  return answerWrite(context, call, async ({ body, minimal }) => {
    const input = acceptInput(model.input.create(body));
    const place = placeOf(model.resource, call);
    const { content } = input.values;
    if (typeof content !== 'string') return planCreate(context.models, model, place, input, { minimal });
    await authorizeOnly(context.database, requestOf(call));
    const stored = await store(context, call, [Buffer.from(content)], null);
    const values = { ...input.values, ...contentValues(stored, 1) };
    const reads = { content: lockContent(place.organizationId, stored.sha256) };
    const keeping = { reads, ...keepContent(context, call, stored.sha256) };
    return planCreate(context.models, model, place, { ...input, values }, { minimal }, keeping);
  });
}

async function upload(context: HttpContext, model: Model, call: Call): Promise<Answer> {
  const base = requestOf(call);
  await authorizeOnly(context.database, base);
  const { key, ifMatch, minimal } = readWriteHeaders(call);
  const { fileName = null } = readParameters(call.query, call.operation.queryParameters);
  const target = targetOf(model.resource, call);
  // Who may not see the file, or has its id wrong, need not send it.
  await readRecord(context.database, model, target, 'working', 'narrow');
  const stored = await store(context, call, call.content ?? [], fileName);
  const fingerprint = fingerprintOf({
    method: call.method,
    path: call.path,
    query: call.query,
    body: stored.sha256,
    ifMatch: call.headers['if-match'],
  });
  const reads = { content: lockContent(call.credentials.organizationId, stored.sha256) };
  const plan = planAction(
    model,
    target,
    reads,
    { minimal },
    (before) => decideContent(before, stored),
    keepContent(context, call, stored.sha256),
  );
  const result = await write(context.writes, {
    scope: call.credentials,
    requestId: call.requestId,
    plan,
    token: { ...base, key, ifMatch, fingerprint, context: context.writes },
  });
  return toAnswer(result, minimal);
}

function requestOf({ credentials, operation }: Call) {
  return { credentials, audience: 'api', requirement: operation.requirement } as const;
}

/** Refuses if the sweep of unreferenced bytes was faster: it holds the same lock while it looks and removes. */
function keepContent(context: HttpContext, call: Call, sha256: string): Pick<PlanAdditions, 'confirm'> {
  const { organizationId } = call.credentials;
  return {
    async confirm() {
      const isStored = await storing(() => context.objects.has(organizationId, sha256));
      return isStored ? null : storageUnavailable();
    },
  };
}

/** Stores bytes as they come, then looks at what they are. */
async function store(
  context: HttpContext,
  call: Call,
  source: Readable | readonly Buffer[],
  fileName: string | null,
): Promise<StoredContent> {
  const { objects, maxContentBytes } = context;
  const { organizationId } = call.credentials;
  const idle = new AbortController();
  const options = { maxBytes: maxContentBytes, signal: idle.signal, ...announcedBytes(call, source) };
  try {
    const pieces = source instanceof Readable ? receive(source, idle, context.uploadIdleMs) : source;
    const stored = await storing(() => objects.put(organizationId, iterate(pieces), options));
    const mediaType = await recognize(objects, organizationId, stored.sha256, fileName);
    return { ...stored, mediaType, fileName };
  } catch (error) {
    if (idle.signal.aborted) throw new Problem('request_timeout', undefined, { cause: error });
    throw error;
  }
}

/** How many bytes are to come, so that too many are refused before the first. */
function announcedBytes({ headers }: Call, source: Readable | readonly Buffer[]): { expectedBytes?: number } {
  const length = headers['content-length'];
  if (!(source instanceof Readable) || typeof length !== 'string') return {};
  return { expectedBytes: Number(length) };
}

async function* iterate(pieces: AsyncIterable<Buffer> | readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

/** Pieces of a request's body; a client that sends nothing for a while is given up. */
async function* receive(
  source: Readable,
  idle: AbortController,
  uploadIdleMs: number,
): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => idle.abort(), uploadIdleMs);
  try {
    for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      timer.refresh();
      yield piece;
      timer.refresh();
      free(piece);
    }
  } finally {
    // The store may take longer for its part.
    clearTimeout(timer);
  }
}

/**
 * Gives back the memory of a piece that has been stored. Left to the garbage collector, some 60 MB of them pile up before
 * it looks. A piece that shares its memory with others keeps it.
 */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

async function recognize(
  objects: ObjectStore,
  organizationId: string,
  sha256: string,
  fileName: string | null,
): Promise<string> {
  const file = await storing(() => objects.borrow(organizationId, sha256, AbortSignal.timeout(sniffMs)));
  try {
    return await sniffMediaType(file.path, fileName);
  } finally {
    await file.release();
  }
}

/** Runs work on the object store and puts its failures into words for the caller. */
async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    if (error.reason === 'too_large') throw new Problem('body_too_large', undefined, { cause: error });
    throw storageUnavailable(error);
  }
}

function storageUnavailable(cause?: unknown): Problem {
  return new Problem('storage_unavailable', undefined, { cause, headers: { 'retry-after': '1' } });
}
