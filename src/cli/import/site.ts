/** Why: people know a site by its key; the API's paths want its id. */

import { nearestName } from '../../lib/text.ts';
import { type ApiClient, ImportStopped, RefusedError } from '../api-client.ts';
import { UsageError } from '../command-line.ts';

export interface Site {
  readonly id: string;
  readonly key: string;
}

/**
 * The site with this key or id.
 * @throws UsageError when the organization has none, with the nearest key
 * @throws ImportStopped when it cannot be found out
 */
export async function findSite(client: ApiClient, keyOrId: string): Promise<Site> {
  const keys: string[] = [];
  try {
    for await (const { id, key } of client.list('/sites', { limit: '100', fields: 'key' })) {
      if (key === keyOrId || id === keyOrId) return { id: String(id), key: String(key) };
      keys.push(String(key));
    }
  } catch (error) {
    throw error instanceof RefusedError ? new ImportStopped(error.message, { cause: error }) : error;
  }
  const nearest = nearestName(keyOrId, keys);
  if (nearest !== null)
    throw new UsageError(`--site: there is no site "${keyOrId}". Did you mean "${nearest}"?`);
  throw new UsageError(
    keys.length === 0
      ? `--site: the organization has no site yet. Create one: POST /v1/sites {"name": …, "key": "${keyOrId}"}.`
      : `--site: there is no site "${keyOrId}". There are: ${keys.slice(0, 20).join(', ')}.`,
  );
}
