/** The site of the demo with its categories and tags, and articles in every state. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseToml } from 'smol-toml';
import type { DemoApi } from './api.ts';

/** The created site, with the ids of its articles by `externalId`. */
export interface DemoSite {
  readonly id: string;
  readonly articleIds: ReadonlyMap<string, string>;
}

const approved = ['IN_REVIEW', 'APPROVED'] as const;

/** The status transitions of each post; an issue may publish further ones. */
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
  { file: 'Windows-7.md', category: 'releases', tags: ['release'], moves: approved },
  { file: 'Rustup-1.27.1.md', category: 'releases', tags: ['release'], moves: approved },
  { file: 'mdbook-security-advisory.md', category: 'security', tags: ['advisory'], moves: approved },
  { file: 'Underhanded-Rust.md', category: 'community', tags: [], moves: [] },
];

/** Creates the site. */
export async function seedSite(api: DemoApi): Promise<DemoSite> {
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
  const articleIds = new Map<string, string>();
  for (const post of posts) {
    const { title, authors, body } = readPost(post.file);
    const categoryIds = [categories.get(post.category)];
    const externalId = basename(post.file, '.md');
    const id = await api.create(`/sites/${siteId}/articles`, {
      externalId,
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
    articleIds.set(externalId, id);
  }
  return { id: siteId, articleIds };
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
