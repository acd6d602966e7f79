/** The role `indexer`: indexes long texts for search after their commit. Any number of nodes may have it. */

import { type Loop, logTo, type RoleDependencies } from '../../kernel/background/roles.ts';
import type { Database } from '../../kernel/database/database.ts';
import { startIndexer } from '../../kernel/pipeline/search/indexer.ts';

/** Starts the role. */
export function startIndexerRole({ api, models, signals, log }: RoleDependencies, worker: Database): Loop {
  const indexer = startIndexer({ worker, api, models, log: logTo(log) });
  signals.on('committed', () => indexer.nudge());
  return indexer;
}
