/**
 * What is particular to a resource in the console, by the name of the resource. A resource without an entry has the pages that are
 * derived from its declaration. Pages of its own are in `pages.ts`.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { IconName } from '../parts/icons.tsx';

/** What a page of one record is given. */
export interface RecordPageProps {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** `new` for a record that is not created yet. */
  readonly recordId: string;
}

/** What a page of a list is given. */
export type ListPageProps = Omit<RecordPageProps, 'recordId'>;

export interface Particular {
  readonly icon?: IconName;
  /** The columns that a list shows before others are chosen; by default title, status and instants. */
  readonly columns?: readonly string[];
}

const registry: Readonly<Record<string, Particular>> = {
  sites: { icon: 'globe', columns: ['name', 'key', 'defaultLocale', 'updatedAt'] },
  categories: { icon: 'folder', columns: ['name', 'slug', 'parentId', 'updatedAt'] },
  tags: { icon: 'tag', columns: ['name', 'slug', 'color', 'updatedAt'] },
  articles: { icon: 'file', columns: ['versionData.title', 'versionData.status', 'state', 'updatedAt'] },
  books: { icon: 'book', columns: ['title', 'isbn13', 'tradeStatus', 'updatedAt'] },
  magazines: { icon: 'archive', columns: ['title', 'issnPrint', 'frequency', 'updatedAt'] },
  issues: { icon: 'list', columns: ['title', 'volume', 'number', 'status', 'updatedAt'] },
  'knowledge-files': {
    icon: 'file',
    columns: ['name', 'status', 'visibility', 'mediaType', 'updatedAt'],
  },
  contacts: {
    icon: 'user',
    columns: ['displayName', 'emails', 'jobTitle', 'lifecycleStage', 'updatedAt'],
  },
  companies: { icon: 'building', columns: ['name', 'domains', 'industry', 'updatedAt'] },
  'webhook-endpoints': { icon: 'webhook' },
  members: { icon: 'users' },
  invitations: { icon: 'users' },
  roles: { icon: 'key' },
  clients: { icon: 'code' },
  tokens: { icon: 'key' },
  views: { icon: 'filter', columns: ['name', 'resource', 'shared', 'ownerUserId', 'updatedAt'] },
};

/** What is particular to a resource; nothing for one without an entry. */
export function particularOf(resource: string): Particular {
  return registry[resource] ?? {};
}
