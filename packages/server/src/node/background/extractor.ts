/** The role `extractor`: extracts the text of new files for search. Any number of nodes may have it. */

import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import type { Database } from '../../database/database.ts';
import { modelOf } from '../../pipeline/model.ts';
import { defaultExtractionLimits } from '../../resources/knowledge-files/extraction.ts';
import { startExtraction } from '../../resources/knowledge-files/extraction-service.ts';
import type { Loop, RoleDependencies } from './dependencies.ts';

/** How often it looks for work without a signal, in ms. */
const pollMs = 2_000;

/** Starts the role. */
export function startExtractorRole(dependencies: RoleDependencies, worker: Database): Loop {
  const { api, objects, models, signals, metrics, log } = dependencies;
  const extraction = startExtraction({
    worker,
    api,
    objects,
    model: modelOf(models, knowledgeFiles.name),
    limits: defaultExtractionLimits,
    pollMs,
    nudge: () => signals.emit('committed'),
    ended: metrics.countExtraction,
    log,
  });
  signals.on('filed', () => extraction.nudge());
  return extraction;
}
