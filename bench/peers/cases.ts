/** What is asked of both servers, once in the words of each. */
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type BenchData, titleWord } from '../data.ts';
import type { LoadRequest } from '../load.ts';

/** A server, as the requests to it are written. */
export interface Dialect {
  readonly name: 'bare' | 'ours';
  readonly collection: string;
  /** As this server writes it. */
  id(uuid: string): string;
  /** Of the parameter that has a cursor. */
  readonly cursor: string;
  /** Parameters of a list without bodies. */
  readonly narrow: string;
  create(title: string, summary: string, body: string): object;
  rename(title: string): object;
  /** Changes a field that is not searched. */
  readdress(url: string): object;
}

/** The two servers' ways of saying the same. */
export function dialectsOf({ siteId, categoryId }: BenchData): Readonly<Record<'bare' | 'ours', Dialect>> {
  const ourCategory = encodeId('cat', categoryId);
  return {
    bare: {
      name: 'bare',
      collection: `/sites/${siteId}/articles`,
      id: (uuid) => uuid,
      cursor: 'after',
      narrow: 'limit=25',
      create: (title, summary, body) => ({ title, summary, body, categoryId }),
      rename: (title) => ({ title }),
      readdress: (canonicalUrl) => ({ canonicalUrl }),
    },
    ours: {
      name: 'ours',
      collection: `/v1/sites/${encodeId('site', siteId)}/articles`,
      id: (uuid) => encodeId('art', uuid),
      cursor: 'cursor',
      narrow: `limit=25&fields=${[
        'siteId',
        'articleData.primaryCategoryId',
        'articleData.slug',
        'versionData.title',
        'versionData.summary',
        'state',
        'version',
        'createdAt',
        'updatedAt',
      ].join(',')}`,
      create: (title, summary, body) => ({
        articleData: { categoryIds: [ourCategory], primaryCategoryId: ourCategory },
        versionData: { title, summary, body },
      }),
      rename: (title) => ({ versionData: { title } }),
      readdress: (canonicalUrl) => ({ articleData: { canonicalUrl } }),
    },
  };
}

/** One row of the table. */
export interface Case {
  readonly name: string;
  /** Least requests per second of ours, as a part of the bare server's; null: not stated. */
  readonly aim: number | null;
  readonly connections: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is compared with the bare server that has an index of all texts. */
  readonly isSearched?: true;
  /** Whether the bare server can also write the rows of ours for it. */
  readonly hasRows?: true;
  requests(dialect: Dialect, data: BenchData, cursors: Cursors): readonly LoadRequest[];
}

/** Where the page after row 90,000 (or nine tenths of the list) begins, for each server. */
export type Cursors = Readonly<Record<Dialect['name'], string>>;

const minimal = { prefer: 'return=minimal' };

const get: Case['requests'] = (dialect, { articleIds }) =>
  articleIds.map((id) => ({ method: 'GET', path: `${dialect.collection}/${dialect.id(id)}` }));
const list: Case['requests'] = ({ collection, narrow }) => [
  { method: 'GET', path: `${collection}?${narrow}` },
];
const filter: Case['requests'] = ({ collection, narrow }) => [
  { method: 'GET', path: `${collection}?${narrow}&search=${titleWord}` },
];
const createArticle: Case['requests'] = (dialect, { samples }) =>
  samples.map(({ title, summary, body }) => ({
    method: 'POST',
    path: dialect.collection,
    body: JSON.stringify(dialect.create(`${title} {number}`, summary, body)),
  }));
// Drafts: changing a published article opens a new version first. Titles are new: a patch without a change writes nothing.
const rename: Case['requests'] = (dialect, { draftIds, samples }) =>
  draftIds.map((id, index) => ({
    method: 'PATCH',
    path: `${dialect.collection}/${dialect.id(id)}`,
    body: JSON.stringify(dialect.rename(`${samples[index % samples.length]?.title} {number}`)),
  }));

const readdress: Case['requests'] = (dialect, { draftIds }) =>
  draftIds.map((id) => ({
    method: 'PATCH',
    path: `${dialect.collection}/${dialect.id(id)}`,
    body: JSON.stringify(dialect.readdress('https://example.com/{number}')),
  }));

/** The cases at the usual number of connections, then those that show what more of them do. */
export const cases: readonly Case[] = [
  { name: 'get', aim: 0.7, connections: 16, requests: get },
  { name: 'list 25', aim: 0.5, connections: 16, requests: list },
  {
    name: 'list after cursor',
    aim: 0.5,
    connections: 16,
    requests: ({ name, collection, narrow, cursor }, _data, cursors) => [
      { method: 'GET', path: `${collection}?${narrow}&${cursor}=${cursors[name]}` },
    ],
  },
  {
    name: 'search filter, 1 % of titles',
    aim: 0.6,
    connections: 16,
    requests: filter,
  },
  {
    name: 'search filter, 1 % of titles, and words of summaries',
    aim: 0.6,
    connections: 16,
    isSearched: true,
    requests: filter,
  },
  { name: 'create', aim: 0.35, connections: 16, hasRows: true, requests: createArticle },
  { name: 'create, minimal', aim: 0.4, connections: 16, headers: minimal, requests: createArticle },
  { name: 'patch', aim: 0.25, connections: 16, hasRows: true, requests: rename },
  {
    name: 'patch of a field that is not searched',
    aim: 0.35,
    connections: 16,
    hasRows: true,
    requests: readdress,
  },
  { name: 'patch, minimal', aim: 0.3, connections: 16, headers: minimal, requests: rename },
  { name: 'get, 64 connections', aim: null, connections: 64, requests: get },
  { name: 'get, 256 connections', aim: null, connections: 256, requests: get },
  { name: 'list 25, 64 connections', aim: null, connections: 64, requests: list },
  { name: 'list 25, 256 connections', aim: null, connections: 256, requests: list },
];
