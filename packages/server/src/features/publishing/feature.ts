/** Timed changes: publishing and unpublishing articles, and the expiry of files. */
import type { Feature } from '../../kernel/feature.ts';
import { startScheduler } from './scheduler.ts';

export const publishingFeature: Feature = {
  name: 'publishing',
  background: {
    scheduled: ({ api, models, signals, log }, worker) => [
      startScheduler({ worker, api, models, nudge: () => signals.emit('committed'), log }),
    ],
  },
};
