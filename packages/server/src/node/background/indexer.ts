/** The role `indexer` makes long texts findable after their commit. Any number of nodes may have it. */
import type { Database } from '../../database/database.ts';
import { startIndexer } from '../../pipeline/indexer.ts';
import { type Loop, logTo, type Surroundings } from './surroundings.ts';

/** Starts it. */
export function startIndexerRole({ api, models, signals, log }: Surroundings, worker: Database): Loop {
  const indexer = startIndexer({ worker, api, models, log: logTo(log) });
  signals.on('committed', () => indexer.nudge());
  return indexer;
}
