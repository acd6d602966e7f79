/** The page of an article: reads it together with the changes of it that wait in this browser, and opens the editor. */
import '../../ui/segmented-styles.ts';
import { useQuery } from '@tanstack/react-query';
import { isProblem } from '../../api/problem.ts';
import { useChanges } from '../../outbox/edit/use-changes.ts';
import { collectionPath } from '../../resources/places.ts';
import type { RecordPageProps } from '../../resources/presentation.ts';
import { readRecord } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { describeError } from '../../ui/problem-text.ts';
import { RetryButton } from '../../ui/RetryButton.tsx';
import { ArticleEditor } from './ArticleEditor.tsx';
import { NewArticle } from './NewArticle.tsx';

export function ArticlePage(props: RecordPageProps) {
  const { resource, parentId, recordId } = props;
  const names = useNames();
  const up = { label: names.plural(resource), href: collectionPath(resource, parentId) };
  if (recordId === 'new') return <NewArticle resource={resource} parentId={parentId} up={up} />;
  return <OpenArticle {...props} up={up} />;
}

interface OpenProps extends RecordPageProps {
  readonly up: { readonly label: string; readonly href: string };
}

function OpenArticle({ resource, parentId, recordId, up }: OpenProps) {
  const { api } = useWorkspace();
  const changes = useChanges();
  const names = useNames();
  const text = useText();
  const opened = useQuery({
    queryKey: ['article', recordId],
    queryFn: async ({ signal }) => {
      // Pending changes are read first: one that is completed in between is then applied twice, with the same result.
      const waiting = await changes.list(recordId);
      return { waiting, record: await readRecord(api, resource, parentId, recordId, signal) };
    },
    // The editor reloads the edited article itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (opened.data !== undefined) {
    return <ArticleEditor resource={resource} parentId={parentId} opened={opened.data} up={up} />;
  }
  const isMissing = isProblem(opened.error, 'not_found');
  return (
    <>
      <PageHead title={names.singular(resource)} up={up} />
      {opened.isPending && <Loading />}
      {isMissing && <Empty icon="search" title={text('record.missing')} about={text('notFound.about')} />}
      {opened.isError && !isMissing && (
        <Empty icon="warning" title={text('failure.title')} about={describeError(opened.error, text, names)}>
          <RetryButton error={opened.error} retry={() => void opened.refetch()} />
        </Empty>
      )}
    </>
  );
}
