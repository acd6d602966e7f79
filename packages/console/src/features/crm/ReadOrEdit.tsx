/** The page of a record that is mostly read: a page that shows it, with the form behind a button. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { ApiRecord } from '../../api/api.ts';
import type { Draft } from '../../fields/draft.ts';
import { RecordPage } from '../../records/RecordPage.tsx';
import { recordPathOf } from '../../resources/places.ts';
import type { RecordPageProps } from '../../resources/presentation.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { Loading } from '../../ui/Loading.tsx';

/** What shows a record. */
export interface ViewProps<Shown extends ApiRecord> extends RecordPageProps {
  readonly record: Shown;
}

interface Props<Shown extends ApiRecord> extends RecordPageProps {
  /** Values that the form of a new one begins with. */
  readonly initial?: Draft;
  readonly View: ComponentType<ViewProps<Shown>>;
}

export function ReadOrEdit<Shown extends ApiRecord>({ View, initial = {}, ...props }: Props<Shown>) {
  const { resource, parentId, recordId } = props;
  const { api } = useWorkspace();
  const { edit } = useSearch({ strict: false });
  const isRead = recordId !== 'new' && edit === undefined;
  const record = useQuery({
    queryKey: recordKeys.record(resource, recordId),
    queryFn: ({ signal }) => api.get<Shown>(`/v1${recordPathOf(resource, parentId, recordId)}`, signal),
    enabled: isRead,
  });
  // The form also reports why the record cannot be read.
  if (!isRead || record.isLoadingError) return <RecordPage {...props} initial={initial} />;
  if (record.data === undefined) return <Loading />;
  return <View {...props} record={record.data} />;
}
