/** The page of a record: reads it, and shows its form. */
import { useQuery } from '@tanstack/react-query';
import { isProblem } from '../api/problem.ts';
import type { Draft } from '../fields/draft.ts';
import { collectionPath } from '../resources/places.ts';
import type { RecordPageProps } from '../resources/presentation.ts';
import { readRecord, recordKeys } from '../resources/queries.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Empty } from '../ui/Empty.tsx';
import { Loading } from '../ui/Loading.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { describeError } from '../ui/problem-text.ts';
import { RetryButton } from '../ui/RetryButton.tsx';
import { RecordEditor } from './RecordEditor.tsx';
import { useNewName } from './use-record-draft.ts';

interface Props extends RecordPageProps {
  /** Initial values of a new record. */
  readonly initial?: Draft;
}

export function RecordPage({ resource, parentId, recordId, initial = {} }: Props) {
  const { api } = useWorkspace();
  const names = useNames();
  const text = useText();
  const isNew = recordId === 'new';
  const newName = useNewName();
  const record = useQuery({
    queryKey: recordKeys.record(resource, recordId),
    queryFn: ({ signal }) => readRecord(api, resource, parentId, recordId, signal),
    enabled: !isNew,
    refetchOnWindowFocus: false,
  });
  const up = { label: names.plural(resource), href: collectionPath(resource, parentId) };
  const shown = { resource, parentId, up };
  if (isNew) return <RecordEditor key={newName} {...shown} record={null} name={newName} initial={initial} />;
  if (record.data !== undefined)
    return <RecordEditor {...shown} record={record.data} name={record.data.id} />;
  return (
    <>
      <PageHead title={names.singular(resource)} up={up} />
      {record.isPending && <Loading />}
      {isProblem(record.error, 'not_found') && (
        <Empty icon="search" title={text('record.missing')} about={text('notFound.about')} />
      )}
      {record.isError && !isProblem(record.error, 'not_found') && (
        <Empty icon="warning" title={text('failure.title')} about={describeError(record.error, text, names)}>
          <RetryButton error={record.error} retry={() => void record.refetch()} />
        </Empty>
      )}
    </>
  );
}
