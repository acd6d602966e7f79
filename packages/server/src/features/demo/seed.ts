/**
 * Creates the demo: an organization with content of every kind in several states, through the HTTP API, on an empty
 * installation.
 */

import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createBrowserClient, listClients, setClientOrigins } from '../access/clients.ts';
import { createOrganization, listOrganizations } from '../access/organizations.ts';
import { createToken } from '../access/tokens.ts';
import { createUser } from '../access/users.ts';
import { DemoApi } from './api.ts';
import { seedBooks } from './books.ts';
import { seedCrm } from './crm.ts';
import type { DemoFile } from './demo-file.ts';
import { seedKnowledge } from './knowledge.ts';
import { seedMagazines } from './magazines.ts';
import { seedSite } from './site.ts';

const organizationKey = 'demo';
const userEmail = 'demo@example.com';
const tokenLifeSeconds = 365 * 86_400;
/** Members besides the owner, with different roles. */
const colleagues = [
  { name: 'Amara Okafor', email: 'amara@example.com', role: 'ADMIN' },
  { name: 'Jonas Weber', email: 'jonas@example.com', role: 'EDITOR' },
  { name: 'Lucía Romero', email: 'lucia@example.com', role: 'AUTHOR' },
];
/** The client of the documentation pages. */
const browserClient = 'Documentation';

/** Whether the installation is empty, or contains only a demo whose creation was interrupted. */
export async function isWithoutOrganizations(worker: Database): Promise<boolean> {
  const organizations = await listOrganizations(worker);
  return organizations.every(({ key }) => key === organizationKey);
}

/**
 * Creates the demo organization and its content. May be run again after an interruption.
 * @param addresses the public ones, for the result
 * @param callUrl the address under which this process reaches the server
 */
export async function seedDemo(
  worker: Database,
  addresses: { baseUrl: string; sandboxUrl: string },
  callUrl: string,
): Promise<DemoFile> {
  await createOrganization(worker, { key: organizationKey, name: 'Demo', defaultCountry: 'DE' });
  await createUser(worker, {
    email: userEmail,
    organization: organizationKey,
    role: 'OWNER',
    name: 'Demo User',
  });
  for (const colleague of colleagues)
    await createUser(worker, { organization: organizationKey, ...colleague });
  const token = await makeDemoToken(worker, 'api');
  const sandboxToken = await makeDemoToken(worker, 'sandbox');
  const siteId = await seedContent(new DemoApi(callUrl, '/v1', token));
  await seedPlants(new DemoApi(callUrl, '/sandbox', sandboxToken));
  const publishableKey = await makeDemoKey(worker, siteId, addresses.baseUrl);
  return {
    ...addresses,
    organization: organizationKey,
    user: userEmail,
    siteId,
    token,
    sandboxToken,
    publishableKey,
  };
}

/** The publishable key for `/docs/visitors` of a server with this address; the same one each time. */
export async function makeDemoKey(worker: Database, siteId: string, baseUrl: string): Promise<string> {
  const site = decodeId('site', siteId);
  if (site === null) throw new Error(`The site of the demo does not exist: ${siteId}`);
  const wanted = { organization: organizationKey, origins: [baseUrl] };
  const clients = await listClients(worker, organizationKey);
  const { publishableKey } = clients.some(({ name }) => name === browserClient)
    ? await setClientOrigins(worker, { client: browserClient, ...wanted })
    : await createBrowserClient(worker, site, { name: browserClient, ...wanted });
  if (publishableKey === null) throw new Error('The browser client of the demo has no publishable key');
  return publishableKey;
}

async function makeDemoToken(worker: Database, audience: 'api' | 'sandbox'): Promise<string> {
  const { token } = await createToken(worker, {
    organization: organizationKey,
    email: userEmail,
    scopes: allScopes,
    audiences: [audience],
    expiresInSeconds: tokenLifeSeconds,
    client: 'Demo',
  });
  return token;
}

/** Returns the id of the site. */
async function seedContent(api: DemoApi): Promise<string> {
  const site = await seedSite(api);
  await seedBooks(api);
  await seedMagazines(api, site);
  await seedCrm(api);
  // Last, because extracting the text uses processor time.
  await seedKnowledge(api);
  return site.id;
}

/** Not 1, which everybody tries first. */
const firstPlant = 1_001;

async function seedPlants(api: DemoApi): Promise<void> {
  for (const [index, [name, tag]] of [
    ['Monstera deliciosa', 'indoor'],
    ['Salvia rosmarinus', 'herb'],
    ['Olea europaea', 'tree'],
  ].entries()) {
    await api.createPlant({ id: firstPlant + index, name, tag });
  }
}
