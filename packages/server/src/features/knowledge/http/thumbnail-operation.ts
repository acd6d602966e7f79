/** The operation that reads a small copy of a picture for members, public or not. */
import { Problem } from '@trellis/schema/problem.ts';
import { isPicture } from '@trellis/schema/values/pictures.ts';
import { handleRead } from '../../../kernel/http/calls.ts';
import type { HttpContext } from '../../../kernel/http/context.ts';
import type { Operation } from '../../../kernel/http/operation.ts';
import { requirementOf, targetOf } from '../../../kernel/http/resource-operations.ts';
import type { Model } from '../../../kernel/pipeline/model.ts';
import { readRecord } from '../../../kernel/pipeline/read/read.ts';
import type { Picture } from '../pictures/public-pictures.ts';
import type { FileRecord } from '../rules.ts';
import { respondWithContent } from './content.ts';
import { findRendition, openPicture, type PictureContext } from './pictures.ts';

type Common = Pick<Operation, 'tag' | 'pathParameters' | 'body'>;

/** The width and height of the box that a thumbnail fits into, in pixels. It is one of the sizes of public pictures. */
const thumbnailPixels = 320;

export function thumbnailOperation(
  context: HttpContext & PictureContext,
  model: Model,
  common: Common,
): Operation {
  const { resource } = model;
  return {
    ...common,
    operationId: 'getKnowledgeFileThumbnail',
    method: 'GET',
    path: `/v1${resource.path}/{id}/thumbnail`,
    summary: 'Load a thumbnail of a picture',
    description: `Returns a copy of the picture within ${thumbnailPixels} × ${thumbnailPixels} pixels as WebP, upright and without metadata; of an animation, its first frame. The picture need not be public. The copy is made for the first request, and kept. If it cannot be made soon, the response is 503 with \`Retry-After\`. A file that is no picture, or of which no copy can be made, gives 404.`,
    requirement: requirementOf(resource, 'read'),
    queryParameters: [],
    success: {
      status: 200,
      description: 'The thumbnail.',
      schemaName: null,
      headers: ['ETag'],
      isContent: true,
    },
    conditional: true,
    problems: ['range_not_satisfiable', 'storage_unavailable'],
    handle: (call) =>
      handleRead(context, call, async () => {
        const { userId } = call.credentials;
        const target = targetOf(resource, call);
        const record = await readRecord(context.database, model, target, 'working', 'narrow');
        const picture = pictureOf(target.organizationId, record as FileRecord);
        if (picture === null) throw new Problem('not_found', 'The file is no picture.');
        const rendition = {
          width: thumbnailPixels,
          height: thumbnailPixels,
          fit: 'inside',
          format: 'webp',
        } as const;
        const key = { picture, userId };
        const made = await findRendition(context, key, { rendition });
        if (made === null) throw new Problem('not_found', 'No copy can be made of this picture.');
        return respondWithContent(context, call, {
          etag: `"${made.sha256}"`,
          mediaType: made.mediaType,
          sizeBytes: made.sizeBytes,
          fileName: `${record.values.name}.webp`,
          open: () => openPicture(context, key, made),
        });
      }),
  };
}

/** What renditions are made of; null for other contents. */
function pictureOf(organizationId: string, { id, values }: FileRecord): Picture | null {
  const { sha256, mediaType, sizeBytes, width, height } = values;
  if (sha256 === null || sizeBytes === null || !isPicture(mediaType)) return null;
  const focalPoint = (values.focalPoint ?? { x: 50, y: 50 }) as Picture['focalPoint'];
  return {
    organizationId,
    fileId: id,
    original: { sha256, mediaType, sizeBytes },
    focalPoint,
    aspectRatio: width === null || height === null ? null : width / height,
  };
}
