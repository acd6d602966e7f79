/** The role `extractor`: extracts the text of new files for search. Any number of nodes may have it. */

import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { modelOf } from '../../pipeline/model.ts';
import { defaultExtractionLimits } from '../../resources/knowledge-files/extraction.ts';
import { startExtraction } from '../../resources/knowledge-files/extraction-service.ts';
import type { Loop, RoleDependencies } from './dependencies.ts';
import type { Workplaces } from './workplaces.ts';

/** How often it looks for work without a signal, in ms. */
const pollMs = 2_000;

/** Starts the role. */
export function startExtractorRole(dependencies: RoleDependencies, workplaces: Workplaces): Loop {
  const { objects, models, signals, metrics, log } = dependencies;
  const extractions = workplaces.run((place) =>
    startExtraction({
      worker: place,
      api: place.api,
      objects,
      model: modelOf(models, knowledgeFiles.name),
      limits: defaultExtractionLimits,
      pollMs,
      nudge: () => signals.emit('committed'),
      ended: metrics.countExtraction,
      log,
    }),
  );
  signals.on('filed', () => {
    for (const extraction of extractions.running) extraction.nudge();
  });
  return extractions;
}
