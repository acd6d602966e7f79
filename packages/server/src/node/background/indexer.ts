/** The role `indexer` makes long texts findable after their commit. Any number of nodes may have it. */
import type { Database } from '../../database/database.ts';
import { startIndexer } from '../../pipeline/indexer.ts';
import { type Dependencies, type Loop, logTo } from './dependencies.ts';

/** Starts it. */
export function startIndexerRole({ api, models, signals, log }: Dependencies, worker: Database): Loop {
  const indexer = startIndexer({ worker, api, models, log: logTo(log) });
  signals.on('committed', () => indexer.nudge());
  return indexer;
}
