/** Finds sites for administration commands, which name them by key. Only the serving role can read records. */

import { decodeId } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { AdministrationError, suggestion } from './checks.ts';
import { findOrganization, organizationUuid } from './organizations.ts';

const listSites: Statement = {
  name: 'administration_sites',
  text: 'SELECT id, key FROM trellis.sites WHERE organization_id = $1',
};

/**
 * Finds the uuid of a site.
 * @param api pool of the serving role
 * @param keyOrId key or id of the site
 */
export async function findSite(
  worker: Database,
  api: Database,
  organizationKey: string,
  keyOrId: string,
): Promise<string> {
  const organization = organizationUuid(await findOrganization(worker, organizationKey));
  const [found] = await api.query({ organizationId: organization, userId: null }, [
    step(listSites, [organization]),
  ]);
  const sites = found?.rows ?? [];
  const wanted = decodeId('site', keyOrId);
  const site = sites.find(([id, key]) => key === keyOrId || id === wanted)?.[0];
  if (site) return site;
  const hint = suggestion(
    keyOrId,
    sites.map(([, key]) => key ?? ''),
  );
  throw new AdministrationError(`"${organizationKey}" has no site "${keyOrId}".${hint}`);
}
