/** The environment of `trellis serve` in a benchmark. */
import type { RoleUrls } from '@trellis/server/kernel/database/setup.ts';
import type { Environment } from './processes.ts';

/** Settings of a node that is measured, on this database. */
export function nodeSettings({ api, worker }: Pick<RoleUrls, 'api' | 'worker'>): Environment {
  return {
    TRELLIS_DATABASE_URL: api,
    TRELLIS_DATABASE_WORKER_URL: worker,
    TRELLIS_CURSOR_KEY: '07'.repeat(32),
    TRELLIS_VISITOR_KEY: '08'.repeat(32),
    TRELLIS_LOG_LEVEL: 'warn',
    // High enough never to refuse, but counted: the limits are part of what is measured.
    TRELLIS_RATE_LIMIT_TOKEN: '100000000',
    TRELLIS_RATE_LIMIT_ORGANIZATION: '100000000',
    NODE_ENV: 'production',
  };
}
