/**
 * Public pictures for readers, without a token: the picture without its metadata, or a smaller copy. Every response is a picture by its
 * type, can run nothing, and may be shown by pages of other origins.
 */
import { Readable } from 'node:stream';
import { Problem } from '@trellis/schema/problem.ts';
import { type PictureAddress, parsePicturePath, picturePathOf } from '@trellis/schema/resources/pictures.ts';
import { isWebPicture, pictureSteps } from '@trellis/schema/values/pictures.ts';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../../kernel/database/database.ts';
import { type Interface, registerOperations } from '../../../kernel/http/interface.ts';
import { limitsOfPublic, OpenBodies } from '../../../kernel/http/open-bodies.ts';
import type {
  OperationDescription,
  OperationResponse,
  ReceivedRequest,
} from '../../../kernel/http/operation.ts';
import { readParameters } from '../../../kernel/http/parameters.ts';
import { isUnchanged } from '../../../kernel/http/preconditions.ts';
import { unauthenticated } from '../../../kernel/lib/fair-queue.ts';
import { hostPrefix } from '../../../kernel/lib/network-address.ts';
import { type ObjectStore, ObjectStoreError } from '../../../kernel/objects/object-store.ts';
import { type Rendition, wholePicture } from '../extraction.ts';
import {
  forgetRendition,
  type Picture,
  type PictureContent,
  type RenditionKey,
  readPublicPicture,
  wholeVariant,
} from '../pictures/public-pictures.ts';
import type { PictureRenderer } from '../pictures/renderer.ts';

/** How long browsers use their copy without asking, and how long caches that many share do, in seconds. */
const browserSeconds = 86_400;
const sharedCacheSeconds = 300;

const pathParameter = (name: string, description: string, pattern: string, example: string) => ({
  name,
  description,
  schema: { type: 'string', maxLength: 64, pattern },
  example,
  resource: null,
});
const suffix = '01h455vb4pex5vsknk084sn02q';

/** A size: one of few, since every other would have to be made and kept as well. */
const sizeParameter = (name: string, what: string) => ({
  name,
  description: `${what} of the box, in pixels. Pictures are never enlarged.`,
  required: false,
  schema: { type: 'integer', enum: [...pictureSteps] },
  example: 640,
});
const choiceParameter = (name: string, description: string, values: readonly string[], example: string) => ({
  name,
  description,
  required: false,
  schema: { type: 'string', enum: [...values], default: values[0] },
  example,
});

/** The operation. */
export const pictureOperation = {
  operationId: 'getPicture',
  method: 'GET',
  path: '/pictures/{organization}/{file}/{content}',
  tag: 'KnowledgeFiles',
  summary: 'Load a public picture',
  description: `Returns a picture that was made public, for everybody. The path is the \`picturePath\` of the knowledge file. Without parameters it is the picture in its size and format, upright and without metadata such as the place; of a TIFF or HEIC, which most browsers do not show, it is a copy in another format. With \`w\` or \`h\` it is a copy that fits into a box; of an animation, its first frame. What is returned is made for the first request, and kept. If it cannot be made soon, the response is 503 with \`Retry-After\`. If a size cannot be made at all, it is the picture as without parameters; if that cannot be made either, 404. A picture that is not public, or was taken back, gets 404. If the picture was replaced by another content that is public, the address of a former content redirects (307) to that of the present one. Caches that many share may keep a picture for ${sharedCacheSeconds} seconds, browsers for ${browserSeconds}.`,
  pathParameters: [
    pathParameter('organization', 'Id of the organization.', '^org_[0-9a-z]{26}$', `org_${suffix}`),
    pathParameter('file', 'Id of the knowledge file.', '^kf_[0-9a-z]{26}$', `kf_${suffix}`),
    pathParameter(
      'content',
      'The first 32 digits of the SHA-256 of the content.',
      '^[0-9a-f]{32}$',
      'e3b0c44298fc1c149afbf4c8996fb924',
    ),
  ],
  queryParameters: [
    sizeParameter('w', 'Width'),
    sizeParameter('h', 'Height'),
    choiceParameter(
      'fit',
      '`inside`: the whole picture, within the box. `cover`: the part of it that fills the box, around the `focalPoint` of the file; needs `w` and `h`.',
      ['inside', 'cover'],
      'cover',
    ),
    choiceParameter(
      'format',
      '`auto`: AVIF or WebP for those who list it in `Accept`, otherwise PNG for a picture with transparency and JPEG for others. Needs `w` or `h`.',
      ['auto', 'avif', 'webp', 'jpeg', 'png'],
      'auto',
    ),
  ],
  body: null,
  success: { status: 200, description: 'The picture.' },
} as const satisfies OperationDescription;

/** What pictures are served with. */
export interface PictureContext {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly renderer: PictureRenderer;
}

/** Registers the route. */
export function registerPictures(app: FastifyInstance, context: PictureContext): void {
  const bodies = new OpenBodies(limitsOfPublic, context.database.turns);
  const readers: Interface<OperationDescription> = {
    // Admitted as unauthenticated requests.
    admit: async () => undefined,
    respond: (_operation, received, request) =>
      respond(context, received, (sizeBytes, open) => {
        const reader = { owners: [hostPrefix(request.ip) ?? 'unknown'], turnsOf: unauthenticated };
        return bodies.open(reader, sizeBytes, open);
      }),
  };
  registerOperations(app, [pictureOperation], readers);
}

async function respond(
  context: PictureContext,
  received: ReceivedRequest,
  withPlace: (sizeBytes: number, open: () => Promise<Readable>) => Promise<Buffer | Readable>,
): Promise<OperationResponse> {
  const requested = readWanted(received);
  const address = parsePicturePath(received.path);
  if (address === null) throw new Problem('not_found');
  const picture = await readPicture(context, address);
  if (!picture.original.sha256.startsWith(address.content)) return redirectTo(picture, received.query);
  const isShown = isWebPicture(picture.original.mediaType);
  const wanted = requested ?? (isShown ? null : largest(received));
  const reader = { picture, userId: null };
  const made = wanted === null ? null : await findRendition(context, reader, wanted);
  const content = made ?? (isShown ? await findWhole(context, reader) : null);
  if (wanted !== null && made === null) {
    // That took a while, in which it may have been taken back or replaced.
    const present = await readPicture(context, address);
    if (!present.original.sha256.startsWith(address.content)) return redirectTo(present, received.query);
  }
  if (content === null)
    throw new Problem('not_found', 'No copy without metadata can be made of this picture.');
  // A failure may pass, so what stands in for a rendition is kept for a short time only.
  const seconds = wanted !== null && made === null ? sharedCacheSeconds : browserSeconds;
  const headers = {
    etag: `"${content.sha256}"`,
    'cache-control': `public, max-age=${seconds}, s-maxage=${sharedCacheSeconds}`,
    ...(wanted?.varies === true ? { vary: 'Accept' } : {}),
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  };
  if (isUnchanged(received, headers.etag, 'bytes')) return { status: 304, headers, body: null };
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': content.mediaType,
      'content-length': String(content.sizeBytes),
    },
    body:
      received.method === 'HEAD'
        ? Readable.from([])
        : await withPlace(content.sizeBytes, () => openPicture(context, reader, content)),
  };
}

/** The public picture at an address. @throws Problem not_found */
async function readPicture({ database }: PictureContext, address: PictureAddress): Promise<Picture> {
  const picture = await readPublicPicture(database, address);
  if (picture === null) throw new Problem('not_found');
  return picture;
}

/** An address names a content. Where a text has that of a former one, its readers see the picture that took its place. */
function redirectTo({ organizationId, fileId, original }: Picture, query: string): OperationResponse {
  const path = picturePathOf(organizationId, fileId, original.sha256);
  const headers = {
    location: query === '' ? path : `${path}?${query}`,
    'cache-control': `public, max-age=${sharedCacheSeconds}`,
    'cross-origin-resource-policy': 'cross-origin',
  };
  return { status: 307, headers, body: null };
}

/** The rendition that somebody asks for; null if none can be made. @throws Problem overloaded, storage_unavailable */
export async function findRendition(
  { renderer }: Pick<PictureContext, 'renderer'>,
  { picture, userId }: Omit<RenditionKey, 'variant'>,
  wanted: Pick<Wanted, 'rendition'>,
): Promise<PictureContent | null> {
  const rendition = withOneSide({ ...wanted.rendition, focalPoint: picture.focalPoint }, picture);
  const key = { picture, userId, variant: variantOf(rendition) };
  return withStoreProblem(() => renderer.provide(key, rendition));
}

/** The whole picture without metadata; null if they cannot be removed. @throws Problem overloaded, storage_unavailable */
function findWhole(
  { renderer }: Pick<PictureContext, 'renderer'>,
  reader: Omit<RenditionKey, 'variant'>,
): Promise<PictureContent | null> {
  return withStoreProblem(() => renderer.provide({ ...reader, variant: wholeVariant }, wholePicture));
}

/** Of a box that the whole picture fits into, one side decides: the other one would only be a further name of the same copy. */
function withOneSide(rendition: Rendition, { aspectRatio }: Picture): Rendition {
  const { width, height, fit } = rendition;
  if (fit === 'cover' || width === null || height === null || aspectRatio === null) return rendition;
  return width / height <= aspectRatio ? { ...rendition, height: null } : { ...rendition, width: null };
}

/** Opens the bytes. A rendition whose bytes are gone, as after a restored backup, is forgotten, so that the next request has it made. */
export function openPicture(
  { database, objects }: Omit<PictureContext, 'renderer'>,
  key: Omit<RenditionKey, 'variant'>,
  { sha256 }: PictureContent,
): Promise<Readable> {
  const { organizationId, original } = key.picture;
  return withStoreProblem(async () => {
    try {
      return await objects.open(organizationId, sha256);
    } catch (error) {
      const isGone = error instanceof ObjectStoreError && error.reason === 'not_found';
      if (isGone && sha256 !== original.sha256) await forgetRendition(database, key, sha256);
      throw error;
    }
  });
}

async function withStoreProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    throw new Problem('storage_unavailable', undefined, { cause: error, headers: { 'retry-after': '1' } });
  }
}

/** The copy that a request asks for. */
interface Wanted {
  readonly rendition: Omit<Rendition, 'focalPoint'>;
  /** Whether it depends on `Accept`. */
  readonly varies: boolean;
}

/**
 * Reads the parameters.
 * @returns null without any: the picture itself
 * @throws Problem unknown_parameter, invalid_parameter
 */
function readWanted({ query, headers }: ReceivedRequest): Wanted | null {
  const { w, h, fit, format = 'auto' } = readParameters(query, pictureOperation.queryParameters);
  if (w === undefined && h === undefined) {
    if (query !== '') throw missing('w', 'Give a width or a height.');
    return null;
  }
  if (fit === 'cover' && w === undefined) throw missing('w', 'With fit=cover both w and h are needed.');
  if (fit === 'cover' && h === undefined) throw missing('h', 'With fit=cover both w and h are needed.');
  return {
    rendition: {
      width: w === undefined ? null : Number(w),
      height: h === undefined ? null : Number(h),
      fit: fit === 'cover' ? 'cover' : 'inside',
      format: format === 'auto' ? preferredFormat(headers.accept) : (format as Rendition['format']),
    },
    varies: format === 'auto',
  };
}

/** What stands for a picture that most browsers do not show. */
function largest({ headers }: ReceivedRequest): Wanted {
  const format = preferredFormat(headers.accept);
  return {
    rendition: { width: Math.max(...pictureSteps), height: null, fit: 'inside', format },
    varies: true,
  };
}

function missing(parameter: string, detail: string): Problem {
  return new Problem('invalid_parameter', detail, { errors: [{ parameter, code: 'required', detail }] });
}

/** AVIF or WebP only for those who name it: `image/*` is also sent by browsers that cannot show them (RFC 9110, 12.5.1). */
function preferredFormat(accept = ''): Rendition['format'] {
  const accepted = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
    .map(([type]) => type);
  if (accepted.includes('image/avif')) return 'avif';
  return accepted.includes('image/webp') ? 'webp' : 'plain';
}

/** The name of a rendition: everything that decides about its bytes besides the picture. */
function variantOf({ width, height, fit, format, focalPoint: { x, y } }: Rendition): string {
  const around = fit === 'cover' ? `-${x}.${y}` : '';
  return `${width ?? ''}x${height ?? ''}-${fit}${around}-${format}`;
}
