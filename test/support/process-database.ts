/** The database of a test in a process that the test starts: it is named in the environment. */
import { Database, type DatabaseOptions } from '@trellis/server/database/database.ts';
import type { PlacedDatabase } from './places.ts';
import type { DatabaseLocation } from './workplaces.ts';

const variable = 'TEST_DATABASE';

/** The part of the environment of such a process. */
export function environmentFor({ name, urls, adminUrl }: DatabaseLocation): Record<string, string> {
  return { [variable]: JSON.stringify({ name, urls, adminUrl }) };
}

/** What a process has of the database. */
export interface ProcessDatabase extends PlacedDatabase {
  close(): Promise<void>;
}

/** Opens the pools of such a process. @param workerOptions options of PostgreSQL for the connections of `trellis_worker` */
export function openProcessDatabase(
  options: Pick<DatabaseOptions, 'applicationName' | 'poolSize' | 'acquireTimeoutMs' | 'log'>,
  workerOptions?: string,
): ProcessDatabase {
  const { name, urls, adminUrl }: DatabaseLocation = JSON.parse(process.env[variable] ?? '');
  const workerUrl = new URL(urls.worker);
  if (workerOptions !== undefined) workerUrl.searchParams.set('options', workerOptions);
  const open = (url: string) => new Database({ ...options, url, prepare: true });
  const worker = open(workerUrl.href);
  const api = open(urls.api);
  return {
    name,
    urls: { ...urls, worker: workerUrl.href },
    adminUrl,
    applicationName: options.applicationName,
    worker,
    api,
    async close() {
      await worker.close();
      await api.close();
    },
  };
}
