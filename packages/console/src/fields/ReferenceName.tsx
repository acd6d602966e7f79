/** The title of a record that another one refers to. */
import { useQuery } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { Api } from '../api/api.ts';
import { recordPathOf } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { titleOf } from '../resources/values.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useNames } from '../text/names.ts';

/** Reads the title of a record. @throws ProblemError */
export async function readTitle(
  api: Api,
  resource: Resource,
  parentId: string | null,
  id: string,
  signal?: AbortSignal,
): Promise<string> {
  const fields = [resource.titleField, ...(resource.titleFallbacks ?? [])].join(',');
  const path = `/v1${recordPathOf(resource, parentId, id)}?${new URLSearchParams({ fields })}`;
  return titleOf(resource, await api.get<Record<string, unknown>>(path, signal));
}

/** The key under which the title of a record is kept. */
export function titleKey(resource: Resource, id: string | null) {
  return [...recordKeys.all(resource), 'title', id] as const;
}

/** The title of a record; null while it is read, and for a record that cannot be read. */
export function useRecordTitle(
  resource: Resource,
  parentId: string | null,
  id: string | null,
): string | null {
  return useTitle(resource, parentId, id).data ?? null;
}

function useTitle(resource: Resource, parentId: string | null, id: string | null) {
  const { api } = useWorkspace();
  return useQuery({
    queryKey: titleKey(resource, id),
    queryFn: ({ signal }) => readTitle(api, resource, parentId, id ?? '', signal),
    enabled: id !== null && (parentId !== null || resource.parent === null),
    staleTime: 60_000,
    retry: false,
  });
}

/** What a record is called: its title, `…` while that is read, and its kind with the end of its id where there is none to read. Nothing without an id. */
export function useRecordName(resource: Resource, parentId: string | null, id: string | null): string {
  const names = useNames();
  const title = useTitle(resource, parentId, id);
  if (id === null) return '';
  return title.data ?? (title.isLoading ? '…' : `${names.singular(resource)} …${id.slice(-6)}`);
}

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly id: string;
}

/** What a record is called. */
export function ReferenceName({ resource, parentId, id }: Props) {
  return <>{useRecordName(resource, parentId, id)}</>;
}
