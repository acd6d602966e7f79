/** The page of a path of the API: a list, a record, or a new record. */
import '../ui/input-styles.ts';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouter } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { Suspense, useEffect } from 'react';
import { ListPage } from '../lists/ListPage.tsx';
import { RecordPage } from '../records/RecordPage.tsx';
import { resourceByName } from '../resources/declared.ts';
import { useListRefusal } from '../resources/list-refusal.ts';
import {
  anyParent,
  collectionPath,
  findPlace,
  findShortPlace,
  noteParent,
  readLastParent,
} from '../resources/places.ts';
import { presentationOf } from '../resources/presentation.ts';
import { listRecords, recordKeys } from '../resources/queries.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Empty } from '../ui/Empty.tsx';
import { Loading } from '../ui/Loading.tsx';
import { FailureNotice } from '../ui/Notice.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';

/** The page of a path: a list or a record. */
export function PlacePage() {
  const { _splat: path = '' } = useParams({ strict: false });
  const place = findPlace(path) ?? findShortPlace(path);
  const names = useNames();
  const text = useText();
  const refusal = useRefusal();
  const listRefusal = useListRefusal();
  if (place === null) return <NotFoundPage />;
  const { resource, parentId, recordId } = place;
  const refused = parentId === anyParent ? listRefusal(resource) : refusal(resource, 'read');
  if (refused !== null) {
    return (
      <>
        <PageHead title={names.plural(resource)} />
        <Empty icon="lock" title={text('list.forbidden')} about={refused} />
      </>
    );
  }
  if (resource.parent !== null && parentId === anyParent)
    return (
      <ChooseParent resource={resource} parent={resourceByName(resource.parent.resource)} rest={recordId} />
    );
  if (resource.parent !== null && parentId !== null) noteParent(resource.parent.resource, parentId);
  const { list: List = ListPage, record: Page = RecordPage, create: Create } = presentationOf(resource);
  return (
    <Suspense fallback={<Loading />}>
      {recordId === null ? (
        <List key={path} resource={resource} parentId={parentId} />
      ) : recordId === 'new' && Create !== undefined ? (
        <Create key={path} resource={resource} parentId={parentId} />
      ) : (
        <Page key={path} resource={resource} parentId={parentId} recordId={recordId} />
      )}
    </Suspense>
  );
}

interface ChooseProps {
  readonly resource: Resource;
  readonly parent: Resource;
  /** What follows the path of the collection; null: nothing. */
  readonly rest: string | null;
}

/** Redirects to the parent that was used last, or to the first one. Without any, it says what to do first. */
function ChooseParent({ resource, parent, rest }: ChooseProps) {
  const { api } = useWorkspace();
  const router = useRouter();
  const names = useNames();
  const text = useText();
  const first = useQuery({
    queryKey: [...recordKeys.list(parent, null, ''), 'first'],
    queryFn: async ({ signal }) => {
      const query = { fields: parent.titleField, limit: '50' };
      const { items } = await listRecords(api, parent, null, query, undefined, signal);
      return items.map(({ id }) => id);
    },
  });
  const last = readLastParent(parent.name);
  const chosen = first.data?.find((id) => id === last) ?? first.data?.[0];
  useEffect(() => {
    if (chosen === undefined) return;
    const path = collectionPath(resource, chosen);
    void router.navigate({ to: rest === null ? path : `${path}/${rest}`, search: true, replace: true });
  }, [chosen, rest, resource, router]);
  const isMissing = first.data?.length === 0;
  return (
    <>
      <PageHead title={names.plural(resource)} />
      {first.isError && <FailureNotice error={first.error} />}
      {!first.isError && !isMissing && <Loading />}
      {isMissing && (
        <Empty
          icon={presentationOf(parent).icon ?? 'list'}
          title={text('list.noParent', { parent: names.singular(parent) })}
          about={text('list.noParentAbout', { name: names.plural(resource), parent: names.noun(parent) })}
        >
          <Anchor component={Link} to={`${collectionPath(parent, null)}/new`}>
            {text('record.new', { name: names.noun(parent) })}
          </Anchor>
        </Empty>
      )}
    </>
  );
}
