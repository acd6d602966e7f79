/**
 * The operations on the contents of knowledge files. Callers without permission are refused before a byte is stored, and
 * again by the write itself.
 */
import { Readable } from 'node:stream';
import { Problem } from '@trellis/schema/problem.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import {
  acceptInput,
  handleRead,
  handleWrite,
  readWriteHeaders,
  toResponse,
} from '../../../kernel/http/calls.ts';
import type { HttpContext } from '../../../kernel/http/context.ts';
import type { Call, Operation, OperationResponse } from '../../../kernel/http/operation.ts';
import { ownOperations } from '../../../kernel/http/own-operations.ts';
import { readParameters } from '../../../kernel/http/parameters.ts';
import {
  itemOf,
  placeOf,
  requirementOf,
  type SharedOperations,
  targetOf,
} from '../../../kernel/http/resource-operations.ts';
import {
  type ObjectStore,
  ObjectStoreError,
  type StoredObject,
} from '../../../kernel/objects/object-store.ts';
import { checkVersion, type Preconditions } from '../../../kernel/pipeline/entity-tags.ts';
import type { Model } from '../../../kernel/pipeline/model.ts';
import { readRecord } from '../../../kernel/pipeline/read/read.ts';
import { fingerprintOf } from '../../../kernel/pipeline/write/idempotency/idempotency.ts';
import { type PlanAdditions, planAction, planCreate } from '../../../kernel/pipeline/write/plans.ts';
import { authorizeOnly } from '../../../kernel/pipeline/write/steps/authorize.ts';
import { write } from '../../../kernel/pipeline/write/write.ts';
import { usageOperation } from '../../uses/operation.ts';
import { sniffMediaType } from '../extraction.ts';
import { findFileUses } from '../file-uses.ts';
import type { PictureRenderer } from '../pictures/renderer.ts';
import {
  contentValues,
  decideContent,
  decideExtraction,
  decidePublication,
  decideTakingBack,
  type FileRecord,
  lockContent,
  type StoredContent,
} from '../rules.ts';
import { respondWithContent } from './content.ts';
import { ReceivedContent } from './received-content.ts';
import { thumbnailOperation } from './thumbnail-operation.ts';

/** An example body for POST: a file with content that other members see. */
const createExample = {
  name: 'Travel policy 2026',
  visibility: 'ORGANIZATION',
  content: '# Travel policy\n\nTrains before planes.',
};
/** Time limit for recognizing the type of stored bytes, in ms. */
const sniffMs = 60_000;

/** Replaces the create operation with one that takes content, and adds upload, download and the plans of the actions. */
export function knowledgeFileOperations(
  context: HttpContext,
  renderer: PictureRenderer,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  const { resource } = model;
  const { path: item, parameters: pathParameters } = itemOf(resource);
  const common = {
    tag: resource.title.plural,
    pathParameters,
    body: null,
    conditional: false,
  } as const;
  return {
    create: {
      ...shared.create,
      body: shared.create.body === null ? null : { ...shared.create.body, example: createExample },
      problems: [...shared.create.problems, 'storage_unavailable'],
      handle: (call) => create(context, model, call),
    },
    putContent: {
      ...common,
      requirement: requirementOf(resource, 'update'),
      operationId: 'putKnowledgeFileContent',
      method: 'PUT',
      path: `${item}/content`,
      summary: 'Upload the content of a knowledge file',
      description:
        'Takes a form with one file, or the bytes themselves as `application/octet-stream`, and replaces the content. The type of the file is recognized from its bytes, not from `Content-Type`. What programs write for an object that they cannot send, such as `[object Object]`, is refused. `If-Match` takes the ETag of the record or that of the content. Text is extracted in the background from PDF, DOCX, XLSX, PPTX, OpenDocument, EPUB, RTF, HTML, e-mail messages (EML), Markdown, CSV and plain text: `status` goes from PROCESSING to READY, NOT_APPLICABLE (a picture, sound or film) or FAILED. A picture that was public is taken back, which requires the right to publish.',
      queryParameters: [
        {
          name: 'fileName',
          description: 'Name of the file, offered when it is downloaded.',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: limits.fileName },
          example: 'travel-policy.pdf',
        },
      ],
      acceptsContent: true,
      success: {
        status: 200,
        description: 'The record after the change.',
        schemaName: resource.title.singular,
        headers: ['ETag', 'Idempotent-Replayed', 'Preference-Applied'],
      },
      problems: [
        'malformed_form',
        'digest_mismatch',
        'validation_failed',
        'version_mismatch',
        'storage_unavailable',
      ],
      handle: (call) => upload(context, model, call),
    },
    getContent: {
      ...common,
      operationId: 'getKnowledgeFileContent',
      method: 'GET',
      path: `${item}/content`,
      summary: 'Download the content of a knowledge file',
      description:
        'Returns the content, or the part that `Range` selects. The ETag is the SHA-256 of the content. A file without content gives 404.',
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
        handleRead(context, call, async () => {
          const target = targetOf(resource, call);
          const { values } = await readRecord(context.database, model, target, 'working', 'narrow');
          const { sha256, sizeBytes, mediaType } = values;
          if (typeof sha256 !== 'string' || typeof mediaType !== 'string') throw new Problem('not_found');
          return respondWithContent(context, call, {
            etag: `"${sha256}"`,
            mediaType,
            sizeBytes: Number(sizeBytes),
            fileName: String(values.fileName ?? values.name),
            open: (range) =>
              withStoreProblems(() => context.objects.open(target.organizationId, sha256, range)),
          });
        }),
    },
    getThumbnail: thumbnailOperation({ ...context, renderer }, model, common),
    getUsage: usageOperation(context, model, {
      operationId: 'getKnowledgeFileUsage',
      summary: 'Read where a knowledge file is used',
      description:
        'Records that refer to the file in a field, such as a cover, and articles whose present or published text has the id of the file, as addresses of its content and of public pictures do. Also named are articles of which only a former version has the file as its cover, which prevents its deletion. Resources that the caller may not read are left out.',
      pathParameters,
      findUses: findFileUses,
    }),
    ...ownOperations(context, model, shared, knowledgeFiles, {
      actions: {
        extractKnowledgeFileText: ({ target, shape }) =>
          planAction(model, target, {}, shape, decideExtraction),
        publishKnowledgeFilePicture: ({ target, shape }) =>
          planAction(model, target, {}, shape, (before: FileRecord, { instant }) =>
            decidePublication(before, instant),
          ),
        unpublishKnowledgeFilePicture: ({ target, shape }) =>
          planAction(model, target, {}, shape, decideTakingBack),
      },
    }),
  };
}

/** Creates a file, with content when the body has it. */
function create(context: HttpContext, model: Model, call: Call): Promise<OperationResponse> {
  return handleWrite(context, call, async ({ body, minimal }) => {
    const input = acceptInput(model.input.create(body));
    const place = placeOf(model.resource, call);
    const { content } = input.values;
    if (typeof content !== 'string') return planCreate(context.models, model, place, input, { minimal });
    await authorizeOnly(context.database, requestOf(call));
    const stored = await store(context, call, Buffer.from(content), () => null);
    const values = { ...input.values, ...contentValues(stored, 1) };
    const reads = { content: lockContent(place.organizationId, stored.sha256) };
    const keeping = { reads, ...keepContent(context, call, stored.sha256) };
    return planCreate(context.models, model, place, { ...input, values }, { minimal }, keeping);
  });
}

async function upload(context: HttpContext, model: Model, call: Call): Promise<OperationResponse> {
  const base = requestOf(call);
  await authorizeOnly(context.database, base);
  const { key, preconditions, minimal } = readWriteHeaders(call);
  const { fileName } = readParameters(call.query, call.operation.queryParameters);
  const target = targetOf(model.resource, call);
  const limits = { maxBytes: context.maxContentBytes, idleMs: context.uploadIdleMs };
  const received = new ReceivedContent(call.content ?? Readable.from([]), call.headers, limits);
  // Refuses before the bytes are received when the file does not exist or is hidden from the caller.
  const { values } = await readRecord(context.database, model, target, 'working', 'narrow');
  const stored = await store(
    context,
    call,
    received,
    (ofForm) =>
      // Programs that send a form name its file in any way, often "blob".
      fileName ?? (ofForm === null ? null : String(values.fileName ?? ofForm)),
  );
  const fingerprint = fingerprintOf({
    method: call.method,
    path: call.path,
    query: call.query,
    body: stored.sha256,
    ifMatch: call.headers['if-match'],
    ifNoneMatch: call.headers['if-none-match'],
  });
  const reads = { content: lockContent(call.credentials.organizationId, stored.sha256) };
  const plan = planAction(
    model,
    target,
    reads,
    { minimal },
    (before: FileRecord) => {
      checkConditions(preconditions, before);
      return decideContent(target.organizationId, before, stored);
    },
    keepContent(context, call, stored.sha256),
  );
  const result = await write(context.writes, {
    scope: call.credentials,
    requestId: call.requestId,
    plan,
    token: { ...base, key, preconditions: unconditional, fingerprint, context: context.writes },
  });
  return toResponse(result, minimal);
}

/** The plan checks the conditions itself. */
const unconditional: Preconditions = { ifMatch: undefined, ifNoneMatch: undefined };

/**
 * Conditions name the version of the record, or the content as a download does. `If-None-Match: *` is an upload for a file without content.
 * @throws Problem version_mismatch
 */
function checkConditions(preconditions: Preconditions, { version, values: { sha256 } }: FileRecord): void {
  const isFirst = sha256 === null && preconditions.ifNoneMatch?.any === true;
  checkVersion(isFirst ? { ...preconditions, ifNoneMatch: undefined } : preconditions, version, sha256);
}

function requestOf({ credentials, operation }: Call) {
  return { credentials, audience: 'api', requirement: operation.requirement } as const;
}

/** Refuses the write when the sweep of unreferenced bytes has removed the content; both use the same lock. */
function keepContent(context: HttpContext, call: Call, sha256: string): Pick<PlanAdditions, 'confirm'> {
  const { organizationId } = call.credentials;
  return {
    async confirm() {
      const isStored = await withStoreProblems(() => context.objects.has(organizationId, sha256));
      return isStored ? null : storageUnavailable();
    },
  };
}

/** Stores bytes as they arrive, then recognizes their type. @param named the name of the file, if the caller gives one */
async function store(
  { objects, maxContentBytes: maxBytes }: HttpContext,
  { credentials: { organizationId } }: Call,
  source: ReceivedContent | Buffer,
  named: (ofForm: string | null) => string | null,
): Promise<StoredContent> {
  if (Buffer.isBuffer(source)) {
    const options = { maxBytes, signal: new AbortController().signal };
    const stored = await withStoreProblems(() =>
      objects.put(organizationId, Readable.from([source]), options),
    );
    return withType(objects, organizationId, stored, named(null));
  }
  const { idle, expectedBytes } = source;
  const options = { maxBytes, signal: idle.signal, ...(expectedBytes === null ? {} : { expectedBytes }) };
  try {
    const stored = await withStoreProblems(() => objects.put(organizationId, source.bytes(), options));
    return await withType(objects, organizationId, stored, named(source.fileName));
  } catch (error) {
    if (idle.signal.aborted) throw new Problem('request_timeout', undefined, { cause: error });
    throw source.problem ?? error;
  }
}

async function withType(
  objects: ObjectStore,
  organizationId: string,
  stored: StoredObject,
  fileName: string | null,
): Promise<StoredContent> {
  const mediaType = await recognize(objects, organizationId, stored.sha256, fileName);
  return { ...stored, mediaType, fileName };
}

async function recognize(
  objects: ObjectStore,
  organizationId: string,
  sha256: string,
  fileName: string | null,
): Promise<string> {
  const file = await withStoreProblems(() =>
    objects.borrow(organizationId, sha256, AbortSignal.timeout(sniffMs)),
  );
  try {
    return await sniffMediaType(file.path, fileName);
  } finally {
    await file.release();
  }
}

/** Runs work on the object store and turns its errors into problems. */
async function withStoreProblems<T>(work: () => Promise<T>): Promise<T> {
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
