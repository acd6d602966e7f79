/** The role `extractor`: extracts the text of new files for search. Any number of nodes may have it. */

import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import type { Loop, RoleDependencies } from '../../kernel/background/roles.ts';
import type { Database } from '../../kernel/database/database.ts';
import { modelOf } from '../../kernel/pipeline/model.ts';
import { defaultExtractionLimits } from './extraction.ts';
import { type ExtractionOutcome, startExtraction } from './extraction-service.ts';

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
    ended: metrics.counter<ExtractionOutcome>(
      'trellis_extractions_total',
      'Attempts to extract the text of a file: ready, failed permanently, or postponed by a fault of this server.',
      ['ready', 'failed', 'postponed'],
    ),
    log,
  });
  signals.on('filed', () => extraction.nudge());
  return extraction;
}
