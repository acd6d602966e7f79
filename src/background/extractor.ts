/** Why: the role `extractor` reads the texts of new files, so that they can be searched. Any number of nodes do so. */
import { startExtraction } from '../content/extraction-service.ts';
import type { Database } from '../database/database.ts';
import { defaultExtractionLimits } from '../knowledge/extraction.ts';
import { modelOf } from '../pipeline/model.ts';
import { knowledgeFiles } from '../resources/knowledge-files.ts';
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
