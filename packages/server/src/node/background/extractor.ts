/** Why: the role `extractor` reads the texts of new files, so that they can be searched. Any number of nodes do so. */

import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import type { Database } from '../../database/database.ts';
import { modelOf } from '../../pipeline/model.ts';
import { defaultExtractionLimits } from '../../resources/knowledge-files/extraction.ts';
import { startExtraction } from '../../resources/knowledge-files/extraction-service.ts';
import type { Loop, Surroundings } from './surroundings.ts';

/** How often it looks for work that it was not told of, in ms. */
const pollMs = 2_000;

/** Starts it. */
export function startExtractorRole(surroundings: Surroundings, worker: Database): Loop {
  const { api, objects, models, signals, metrics, log } = surroundings;
  const extraction = startExtraction({
    worker,
    api,
    objects,
    model: modelOf(models, knowledgeFiles.name),
    limits: defaultExtractionLimits,
    pollMs,
    nudge: () => signals.tell('committed'),
    ended: metrics.countExtraction,
    log,
  });
  signals.on('filed', () => extraction.nudge());
  return extraction;
}
