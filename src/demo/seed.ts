/**
 * Why: a first look should meet something real. On an empty installation an organization is made with a site, its
 * taxonomy and some articles in several states; the content goes in through the HTTP API, as anybody's would.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseToml } from 'smol-toml';
import type { Database } from '../database/database.ts';
import { createBrowserClient, listClients, setClientOrigins } from '../identity/administration/clients.ts';
import { createOrganization, listOrganizations } from '../identity/administration/organizations.ts';
import { createToken } from '../identity/administration/tokens.ts';
import { createUser } from '../identity/administration/users.ts';
import { allScopes } from '../identity/scopes.ts';
import { decodeId } from '../lib/ids.ts';
import { DemoApi } from './api.ts';
import type { DemoFile } from './demo-file.ts';

const organizationKey = 'demo';
const userEmail = 'demo@example.com';
const tokenLifeSeconds = 365 * 86_400;
/** Of the pages of the documentation. */
const browserClient = 'Documentation';

/** Whether the installation is empty, or holds only a demo whose making was interrupted. */
export async function isWithoutOrganizations(worker: Database): Promise<boolean> {
  const organizations = await listOrganizations(worker);
  return organizations.every(({ key }) => key === organizationKey);
}

/**
 * Makes the demo organization and its content. May be run again after it was interrupted.
 * @param addresses public ones, for the result
 * @param callUrl where the server is reached from here
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
  const token = await makeDemoToken(worker, 'api');
  const sandboxToken = await makeDemoToken(worker, 'sandbox');
  const siteId = await seedSite(new DemoApi(`${callUrl}/v1`, token));
  await seedPlants(new DemoApi(`${callUrl}/sandbox`, sandboxToken));
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

/** The publishable key for `/docs/visitors` of a server that is now at this address; the same one each time. */
export async function makeDemoKey(worker: Database, siteId: string, baseUrl: string): Promise<string> {
  const site = decodeId('site', siteId);
  if (site === null) throw new Error(`the demo has no site: ${siteId}`);
  const wanted = { organization: organizationKey, origins: [baseUrl] };
  const clients = await listClients(worker, organizationKey);
  const { publishableKey } = clients.some(({ name }) => name === browserClient)
    ? await setClientOrigins(worker, { client: browserClient, ...wanted })
    : await createBrowserClient(worker, site, { name: browserClient, ...wanted });
  if (publishableKey === null) throw new Error('the client of a browser has no key');
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

/** How far each post goes: enough to see every perspective of an article. */
const posts: readonly {
  file: string;
  category: string;
  tags: readonly string[];
  moves: readonly string[];
}[] = [
  { file: 'Core-team-changes.md', category: 'community', tags: ['governance'], moves: ['PUBLISHED'] },
  { file: 'Rust-1.84.1.md', category: 'releases', tags: ['release'], moves: ['PUBLISHED'] },
  { file: 'regex-1.9.md', category: 'releases', tags: ['release', 'library'], moves: ['PUBLISHED'] },
  { file: 'cve-2026-33056.md', category: 'security', tags: ['advisory'], moves: ['PUBLISHED'] },
  { file: 'survey-2017.md', category: 'community', tags: ['survey'], moves: ['PUBLISHED', 'UNPUBLISHED'] },
  { file: 'Windows-7.md', category: 'releases', tags: ['release'], moves: ['IN_REVIEW', 'APPROVED'] },
  { file: 'Underhanded-Rust.md', category: 'community', tags: [], moves: [] },
];

async function seedSite(api: DemoApi): Promise<string> {
  const siteId = await api.create('/sites', {
    name: 'Rust Blog (sample)',
    key: 'rust-blog',
    externalId: 'demo-site',
  });
  const categories = new Map<string, string>();
  for (const [position, name] of ['Releases', 'Security', 'Community'].entries()) {
    const slug = name.toLowerCase();
    categories.set(slug, await api.create(`/sites/${siteId}/categories`, { name, slug, position }));
  }
  const tags = new Map<string, string>();
  for (const slug of new Set(posts.flatMap((post) => post.tags))) {
    tags.set(slug, await api.create(`/sites/${siteId}/tags`, { name: slug, slug }));
  }
  for (const post of posts) {
    const { title, authors, body } = readPost(post.file);
    const categoryIds = [categories.get(post.category)];
    const id = await api.create(`/sites/${siteId}/articles`, {
      externalId: basename(post.file, '.md'),
      articleData: {
        authors: authors.map((name) => ({ name })),
        categoryIds,
        primaryCategoryId: categoryIds[0],
        tagIds: post.tags.map((slug) => tags.get(slug)),
      },
      versionData: { title, body, locale: 'en' },
    });
    for (const status of post.moves) {
      await api.patch(`/sites/${siteId}/articles/${id}`, { versionData: { status } });
    }
  }
  return siteId;
}

async function seedPlants(api: DemoApi): Promise<void> {
  for (const [index, [name, tag]] of [
    ['Monstera deliciosa', 'indoor'],
    ['Salvia rosmarinus', 'herb'],
    ['Olea europaea', 'tree'],
  ].entries()) {
    await api.createPlant({ id: index + 1, name, tag });
  }
}

const contentFolder = fileURLToPath(new URL('./content/posts/', import.meta.url));

function readPost(file: string): { title: string; authors: readonly string[]; body: string } {
  const text = readFileSync(join(contentFolder, file), 'utf8');
  const [, head = '', body = ''] = /^\+\+\+\n([\s\S]*?\n)\+\+\+\n([\s\S]*)$/.exec(text) ?? [];
  const { title, authors } = parseToml(head);
  if (typeof title !== 'string' || !Array.isArray(authors))
    throw new Error(`${file} has no title or authors`);
  return { title, authors: authors.map(String), body };
}
