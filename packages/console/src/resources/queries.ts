/** Queries of records, and their keys. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { Api, ApiRecord, Page } from '../api/api.ts';
import { collectionPath, recordPathOf } from './places.ts';
import { titleOf } from './values.ts';

/** A result of a search. */
export interface Found {
  readonly id: string;
  readonly title: string;
  /** What was found, where that is not the title; null: nothing to add. */
  readonly detail: string | null;
  readonly record: ApiRecord;
}

interface SearchHit {
  readonly id: string;
  readonly title: string | null;
  readonly highlights?: readonly { readonly field: string; readonly snippet: string }[];
  readonly record: ApiRecord;
}

/** The query keys of a resource; a change of a record invalidates all of them. */
export const recordKeys = {
  all: (resource: Resource) => ['v1', resource.name] as const,
  list: (resource: Resource, parentId: string | null, query: string) =>
    ['v1', resource.name, 'list', parentId, query] as const,
  record: (resource: Resource, id: string) => ['v1', resource.name, 'record', id] as const,
};

/** One page of a list, of 50 records unless the query has a `limit`. @param query parameters without the cursor */
export function listRecords(
  api: Api,
  resource: Resource,
  parentId: string | null,
  query: Readonly<Record<string, string>>,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<Page<ApiRecord>> {
  const parameters = new URLSearchParams({
    limit: '50',
    ...query,
    ...(cursor === undefined ? {} : { cursor }),
  });
  return api.get(`/v1${collectionPath(resource, parentId)}?${parameters}`, signal);
}

/** One record. @param fields dotted names, separated by commas; absent: all */
export function readRecord(
  api: Api,
  resource: Resource,
  parentId: string | null,
  id: string,
  signal?: AbortSignal,
  fields?: string,
): Promise<ApiRecord> {
  const query = fields === undefined ? '' : `?${new URLSearchParams({ fields })}`;
  return api.get(`/v1${recordPathOf(resource, parentId, id)}${query}`, signal);
}

/** The best records of a resource for a text, of this resource only. */
export async function searchRecords(
  api: Api,
  resource: Resource,
  parentId: string | null,
  query: string,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Found[]> {
  const parameters = new URLSearchParams({ query, limit: String(limit) });
  const path = `/v1${collectionPath(resource, parentId)}/search?${parameters}`;
  const { items } = await api.get<Page<SearchHit>>(path, signal);
  return items
    .filter(({ id }) => id.startsWith(`${resource.idPrefix}_`))
    .map(({ id, title, highlights = [], record }) => {
      const other = highlights.find(({ snippet }) => title?.includes(plain(snippet)) !== true);
      return {
        id,
        title: title ?? titleOf(resource, record),
        detail: other === undefined ? null : withoutMarkdown(plain(other.snippet)),
        record,
      };
    });
}

/** A highlighted text without its marks. */
function plain(snippet: string): string {
  return snippet.replaceAll(/<\/?mark>/g, '');
}

/** A piece of a text without the marks of headings, strong words and code. */
function withoutMarkdown(text: string): string {
  return text.replaceAll(/(?<=^|\s)#{1,6}\s+|\*\*|`/g, '');
}
