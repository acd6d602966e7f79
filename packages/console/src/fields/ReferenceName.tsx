/** The title and the status of a record that another one refers to. */

import { useQuery } from '@tanstack/react-query';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { Api } from '../api/api.ts';
import { readRecord, recordKeys } from '../resources/queries.ts';
import { titleOf } from '../resources/values.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useNames } from '../text/names.ts';

/** What is said of a record where another one refers to it. */
interface Heading {
  readonly title: string;
  /** Null for records without a status. */
  readonly status: string | null;
}

/** Reads the title and the status of a record. @throws ProblemError */
export async function readHeading(
  api: Api,
  resource: Resource,
  parentId: string | null,
  id: string,
  signal?: AbortSignal,
): Promise<Heading> {
  const status = statusOf(resource)?.field;
  const names = [resource.titleField, ...(resource.titleFallbacks ?? []), ...(status ? [status] : [])];
  const record = await readRecord(api, resource, parentId, id, signal, names.join(','));
  const value = status === undefined ? null : valueAt(record, status);
  return { title: titleOf(resource, record), status: typeof value === 'string' ? value : null };
}

/** The key under which the title and the status of a record are kept. */
export function headingKey(resource: Resource, id: string | null) {
  return [...recordKeys.all(resource), 'heading', id] as const;
}

/** The title of a record; null while it is read, and for a record that cannot be read. */
export function useRecordTitle(
  resource: Resource,
  parentId: string | null,
  id: string | null,
): string | null {
  return useHeading(resource, parentId, id).data?.title ?? null;
}

/** The status of a record; null for one without, while it is read, and for a record that cannot be read. */
export function useRecordStatus(
  resource: Resource,
  parentId: string | null,
  id: string | null,
): string | null {
  return useHeading(resource, parentId, id).data?.status ?? null;
}

function useHeading(resource: Resource, parentId: string | null, id: string | null) {
  const { api } = useWorkspace();
  return useQuery({
    queryKey: headingKey(resource, id),
    queryFn: ({ signal }) => readHeading(api, resource, parentId, id ?? '', signal),
    enabled: id !== null && (parentId !== null || resource.parent === null),
    staleTime: 60_000,
    retry: false,
  });
}

/** What a record is called: its title, `…` while that is read, and its kind with the end of its id where there is none to read. Nothing without an id. */
export function useRecordName(resource: Resource, parentId: string | null, id: string | null): string {
  const names = useNames();
  const heading = useHeading(resource, parentId, id);
  if (id === null) return '';
  return heading.data?.title ?? (heading.isLoading ? '…' : `${names.singular(resource)} …${id.slice(-6)}`);
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
