/** The role `indexer`: indexes long texts for search after their commit. Any number of nodes may have it. */
import { startIndexer } from '../../pipeline/search/indexer.ts';
import { type Loop, logTo, type RoleDependencies } from './dependencies.ts';
import type { Workplaces } from './workplaces.ts';

/** Starts the role. */
export function startIndexerRole({ models, signals, log }: RoleDependencies, workplaces: Workplaces): Loop {
  const indexers = workplaces.run((place) =>
    startIndexer({ worker: place, api: place.api, models, log: logTo(log) }),
  );
  signals.on('committed', () => {
    for (const indexer of indexers.running) indexer.nudge();
  });
  return indexers;
}
