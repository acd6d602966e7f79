/** The database of a test in a process that the test starts: it is named in the environment. */
import { Database, type DatabaseOptions } from '@trellis/server/kernel/database/database.ts';
import type { TestDatabase } from './database.ts';

const variable = 'TEST_DATABASE';

/** The part of the environment of such a process. */
export function environmentFor({ urls }: Pick<TestDatabase, 'urls'>): Record<string, string> {
  return { [variable]: JSON.stringify(urls) };
}

/** What a process has of the database. */
export interface ProcessDatabase extends Pick<TestDatabase, 'worker' | 'api'> {
  close(): Promise<void>;
}

/** Opens the pools of such a process. @param workerOptions options of PostgreSQL for the connections of `trellis_worker` */
export function openProcessDatabase(
  options: Pick<DatabaseOptions, 'applicationName' | 'poolSize' | 'acquireTimeoutMs' | 'log'>,
  workerOptions?: string,
): ProcessDatabase {
  const urls: TestDatabase['urls'] = JSON.parse(process.env[variable] ?? '');
  const workerUrl = new URL(urls.worker);
  if (workerOptions !== undefined) workerUrl.searchParams.set('options', workerOptions);
  const open = (url: string) => new Database({ ...options, url, prepare: true });
  const worker = open(workerUrl.href);
  const api = open(urls.api);
  return {
    worker,
    api,
    async close() {
      await worker.close();
      await api.close();
    },
  };
}
