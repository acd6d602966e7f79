/** Knowledge files: their contents, the text that is extracted from them, and pictures. */
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { repeat } from '../../kernel/background/roles.ts';
import type { Feature } from '../../kernel/feature.ts';
import { extend } from '../../kernel/pipeline/extensions.ts';
import { startExtractorRole } from './extractor-role.ts';
import { limitRows } from './http/limit-rows.ts';
import { knowledgeFileOperations } from './http/operations.ts';
import { describePicture } from './http/picture-document.ts';
import { pictureOperation, registerPictures } from './http/pictures.ts';
import { sweepGraceMs, sweepObjects } from './object-sweep.ts';
import { defaultRendererLimits, PictureRenderer, type RendererLimits } from './pictures/renderer.ts';
import { knowledgeFileRules, knowledgeFileStorage } from './rules.ts';

/** In ms. */
const contentSweepMs = 3_600_000;

/** The feature. @param renditions limits of the making of renditions that differ from the defaults */
export function knowledgeFeature(renditions: Partial<RendererLimits> = {}): Feature {
  return {
    name: 'knowledge',
    extensions: [extend(knowledgeFiles, { storage: knowledgeFileStorage, rules: knowledgeFileRules })],
    serve: (context) => {
      const { database, objects, log } = context;
      const limits = { ...defaultRendererLimits, ...renditions };
      const renderer = new PictureRenderer({ database, objects, limits, log });
      return {
        ownOperations: {
          [knowledgeFiles.name]: (model, shared) => knowledgeFileOperations(context, renderer, model, shared),
        },
        register: (app) => registerPictures(app, { database, objects, renderer }),
        close: () => renderer.close(),
      };
    },
    documents: {
      publicOperations: [
        {
          operation: pictureOperation,
          needs: 'none; no token',
          describe: () => describePicture(pictureOperation),
        },
      ],
      limits: [
        { kind: 'heading', text: 'Texts of knowledge files' },
        { kind: 'table', caption: 'Limits of text extraction', columns: ['What', 'Limit'], rows: limitRows },
      ],
    },
    background: {
      roles: [
        {
          role: 'extractor',
          omitted: 'does not extract text from files',
          poolSize: 2,
          start: startExtractorRole,
        },
      ],
      scheduledWithoutWorker: ({ api, objects, log }) => [
        repeat('unreferenced file contents', contentSweepMs, log, (signal) =>
          sweepObjects({ api, objects, graceMs: sweepGraceMs, now: Date.now(), signal, log }),
        ),
      ],
    },
  };
}
