/** Deleted records: their list, restoring, and purging by request and by time. */
import { repeat } from '../../kernel/background/roles.ts';
import type { Feature } from '../../kernel/feature.ts';
import { trashOperations } from './operations.ts';
import { trashSchemas } from './schemas.ts';
import { purgeDueRecords } from './sweep.ts';

/** In ms. */
const sweepMs = 600_000;

export const trashFeature: Feature = {
  name: 'trash',
  serve: (context) => ({ operations: trashOperations(context, context.origin) }),
  documents: {
    tags: { Trash: 'Deleted records, which can be restored until their time is over.' },
    schemas: trashSchemas,
  },
  background: {
    scheduled: ({ api, models, signals, log }, worker) => [
      repeat('the trash', sweepMs, log, async (signal) => {
        const nudge = () => signals.emit('committed');
        const purged = await purgeDueRecords({ worker, api, models, nudge, now: new Date(), signal });
        if (purged > 0) log.info({ purged }, 'Purged deleted records whose time in the trash was over');
      }),
    ],
  },
};
