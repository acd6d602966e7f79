/** The page of a saved view, which redirects to its list. */
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isProblem } from '../../api/problem.ts';
import { parametersOf } from '../../lists/view.ts';
import { readSavedView, type SavedView } from '../../lists/views/saved-view.ts';
import { texts } from '../../lists/views/texts.ts';
import { RecordPage } from '../../records/RecordPage.tsx';
import { resources } from '../../resources/declared.ts';
import { collectionPath } from '../../resources/places.ts';
import type { RecordPageProps } from '../../resources/presentation.ts';
import { readRecord, recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { describeError } from '../../ui/problem-text.ts';
import { RetryButton } from '../../ui/RetryButton.tsx';

export function SavedViewPage(props: RecordPageProps) {
  return props.recordId === 'new' ? <RecordPage {...props} /> : <Opening {...props} />;
}

function Opening({ resource, recordId }: RecordPageProps) {
  const { api } = useWorkspace();
  const router = useRouter();
  const featureText = useFeatureText(texts);
  const names = useNames();
  const text = useText();
  const saved = useQuery({
    queryKey: recordKeys.record(resource, recordId),
    queryFn: ({ signal }) => readRecord(api, resource, null, recordId, signal),
  });
  const view = saved.data as SavedView | undefined;
  const listed = resources.find(({ name }) => name === view?.resource);
  useEffect(() => {
    if (view === undefined || listed === undefined) return;
    const search = parametersOf(listed, readSavedView(listed, view).view);
    void router.navigate({ to: collectionPath(listed, null), search, replace: true });
  }, [view, listed, router]);
  const isMissing = isProblem(saved.error, 'not_found') || (view !== undefined && listed === undefined);
  return (
    <>
      <PageHead
        title={view?.name ?? names.singular(resource)}
        up={{ label: names.plural(resource), href: collectionPath(resource, null) }}
      />
      {isMissing && <Empty icon="search" title={text('record.missing')} about={featureText('missingPage')} />}
      {saved.isError && !isMissing && (
        <Empty icon="warning" title={text('failure.title')} about={describeError(saved.error, text, names)}>
          <RetryButton error={saved.error} retry={() => void saved.refetch()} />
        </Empty>
      )}
      {!saved.isError && !isMissing && <Loading />}
    </>
  );
}
