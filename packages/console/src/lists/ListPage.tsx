/** The list of a resource's records, derived from its declaration. */
import { Button } from '@mantine/core';
import { useDebouncedCallback, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { byCursor } from '../api/pages.ts';
import { RecordSelect } from '../fields/RecordSelect.tsx';
import { texts as liveTexts } from '../live/texts.ts';
import { useLiveList } from '../live/use-live-list.ts';
import { rowsInPlace } from '../pending/cache.ts';
import { resourceByName } from '../resources/declared.ts';
import { collectionPath } from '../resources/places.ts';
import { presentationOf } from '../resources/presentation.ts';
import { listRecords, recordKeys } from '../resources/queries.ts';
import { isOffered, useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Empty } from '../ui/Empty.tsx';
import { GuardedButton } from '../ui/GuardedButton.tsx';
import { Icon } from '../ui/icons.tsx';
import { readSingleKeys } from '../ui/keys.ts';
import { Loading } from '../ui/Loading.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { describeError } from '../ui/problem-text.ts';
import { RetryButton } from '../ui/RetryButton.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import shared from '../ui/shared.module.css';
import { ColumnsMenu, SortMenu } from './columns/ColumnMenus.tsx';
import { ExportMenu } from './export/ExportMenu.tsx';
import { FilterBar } from './FilterBar.tsx';
import { Gallery } from './Gallery.tsx';
import { GroupBar } from './GroupBar.tsx';
import { groupingOf } from './groups.ts';
import { ImportButton } from './ImportButton.tsx';
import { LayoutSwitch } from './LayoutSwitch.tsx';
import styles from './ListPage.module.css';
import { RecordTable } from './RecordTable.tsx';
import { useSelection } from './use-selection.ts';
import { hasGallery, hasSavedViews, queryOf, useView, type View } from './view.ts';

const ViewsMenu = lazy(() =>
  import('./views/ViewsMenu.tsx').then((module) => ({ default: module.ViewsMenu })),
);
const ViewBar = lazy(() => import('./views/ViewBar.tsx').then((module) => ({ default: module.ViewBar })));
const BulkBar = lazy(() => import('./bulk/BulkBar.tsx').then((module) => ({ default: module.BulkBar })));

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
}

interface ListProps extends Props {
  /** Buttons beside the one that creates. */
  readonly actions?: ReactNode;
  /** Begins to create a record; without it the page for a new one is opened. */
  readonly create?: () => void;
}

export function ListPage({ resource, parentId, actions, create: createHere }: ListProps) {
  const { api } = useWorkspace();
  const navigate = useNavigate();
  const names = useNames();
  const text = useText();
  const refusal = useRefusal();
  const [view, change] = useView(resource);
  const query = queryOf(resource, view);
  const list = useInfiniteQuery({
    queryKey: recordKeys.list(resource, parentId, JSON.stringify(query)),
    queryFn: ({ pageParam, signal }) => {
      // The first page should appear quickly; further pages may be larger.
      const size = pageParam === undefined ? {} : { limit: String(limits.listPageSize.max) };
      return listRecords(api, resource, parentId, { ...query, ...size }, pageParam, signal);
    },
    ...byCursor,
    placeholderData: keepPreviousData,
    meta: rowsInPlace,
  });
  const newPath = `${collectionPath(resource, parentId)}/new`;
  const createRefusal = refusal(resource, 'create');
  const create = createHere ?? (() => void navigate({ to: newPath }));
  useHotkeys(readSingleKeys() && createRefusal === null ? [['n', create]] : []);
  const records = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const listName = JSON.stringify([resource.name, parentId, query]);
  const selection = useSelection(records, listName);
  const live = useLiveList(resource, parentId, query, records);
  const ownLive = useFeatureText(liveTexts);
  const [isEditing, setIsEditing] = useState(false);
  // Inputs without a value are in no address: those that were cleared are new ones.
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setClearings(clearings + 1);
    change({ search: '', filters: {} });
  };
  const grouping = groupingOf(resource);
  const isFiltered = view.search !== '' || Object.keys(view.filters).length > 0;
  const createLabel = text('record.new', { name: names.noun(resource) });
  const createButton = (
    <GuardedButton refusal={createRefusal} onClick={create} leftSection={<Icon name="plus" />}>
      {createLabel}
    </GuardedButton>
  );
  // Beside the choice of a parent, a narrow head has no room for words.
  const isSmall = useMediaQuery('(max-width: 560px)', false, { getInitialValueInEffect: false });
  const createIcon = (
    <GuardedButton refusal={createRefusal} onClick={create} px={9} aria-label={createLabel}>
      <Icon name="plus" />
    </GuardedButton>
  );
  return (
    <>
      <PageHead
        title={names.plural(resource)}
        aside={<ParentSwitch resource={resource} parentId={parentId} />}
        actions={
          <>
            {actions}
            {isOffered(resource, 'create') && (isSmall && parentId !== null ? createIcon : createButton)}
          </>
        }
      />
      {grouping !== null && (list.isPending || records.length > 0 || isFiltered) && (
        <GroupBar
          resource={resource}
          parentId={parentId}
          grouping={grouping}
          view={view}
          query={query}
          isCounted={!list.isPending}
        />
      )}
      <ListTools
        key={clearings}
        resource={resource}
        parentId={parentId}
        view={view}
        change={change}
        query={query}
      />
      {view.savedId !== '' && hasSavedViews(resource) && (
        <Suspense>
          <ViewBar resource={resource} view={view} change={change} />
        </Suspense>
      )}
      <div role="status" className={styles.fresh}>
        {live.fresh > 0 && (
          <Button
            size="xs"
            onClick={() => {
              live.reset();
              void list.refetch();
              window.scrollTo({ top: 0 });
            }}
          >
            {ownLive('fresh', { count: live.fresh })}
          </Button>
        )}
      </div>
      {list.isPending && <Loading />}
      {list.isError && records.length === 0 && (
        <Empty icon="warning" title={text('failure.title')} about={describeError(list.error, text, names)}>
          <RetryButton error={list.error} retry={() => void list.refetch()} />
          {isFiltered && (
            <Button variant="default" onClick={clear}>
              {text('list.clear')}
            </Button>
          )}
        </Empty>
      )}
      {list.isSuccess && records.length === 0 && isFiltered && (
        <Empty icon="search" title={text('list.noMatch')} about={text('list.noMatchAbout')}>
          <Button variant="default" onClick={clear}>
            {text('list.clear')}
          </Button>
        </Empty>
      )}
      {list.isSuccess && records.length === 0 && !isFiltered && (
        <Empty
          icon={presentationOf(resource).icon ?? 'list'}
          title={text('list.empty', { name: names.nouns(resource) })}
          about={text('list.emptyAbout')}
        >
          {isOffered(resource, 'create') && createButton}
          {isImportable(resource) && <ImportButton resource={resource} parentId={parentId} size="sm" />}
        </Empty>
      )}
      {records.length > 0 && view.layout === 'gallery' && (
        <Gallery
          resource={resource}
          parentId={parentId}
          view={view}
          records={records}
          list={list}
          selection={selection}
          deleted={live.deleted}
        />
      )}
      {(records.length > 0 || isEditing) && view.layout === 'table' && (
        <RecordTable
          resource={resource}
          parentId={parentId}
          view={view}
          change={change}
          records={records}
          isStale={list.isPlaceholderData}
          hasMore={list.hasNextPage}
          error={list.error}
          selection={selection}
          live={live}
          noteEditing={setIsEditing}
          loadMore={() => {
            if (!list.isFetchingNextPage) void list.fetchNextPage();
          }}
        />
      )}
      {selection.records.size > 0 && (
        <Suspense>
          <BulkBar
            resource={resource}
            parentId={parentId}
            query={query}
            selection={selection}
            deleted={live.deleted}
            isComplete={!list.hasNextPage && selection.records.size >= records.length}
          />
        </Suspense>
      )}
    </>
  );
}

/** Chooses the record that the list belongs to, such as the site. */
export function ParentSwitch({ resource, parentId }: Props) {
  const navigate = useNavigate();
  const names = useNames();
  const refusal = useRefusal();
  if (resource.parent === null) return null;
  const parent = resourceByName(resource.parent.resource);
  if (refusal(parent, 'read') !== null) return null;
  return (
    <RecordSelect
      resource={parent}
      parentId={null}
      value={parentId}
      label={names.singular(parent)}
      hideLabel
      className={styles.parent ?? ''}
      onChange={(id) => {
        if (id !== null && id !== parentId) void navigate({ to: collectionPath(resource, id) });
      }}
    />
  );
}

interface ToolsProps extends Props {
  /** Parameters of the API. */
  readonly query: Readonly<Record<string, string>>;
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
}

function ListTools({ resource, parentId, query, view, change }: ToolsProps) {
  const text = useText();
  const names = useNames();
  const [words, setWords] = useState(view.search);
  const input = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback((value: string) => change({ search: value }), 250);
  useHotkeys(readSingleKeys() ? [['/', () => input.current?.focus()]] : []);
  // Filters and "clear" change the address, too.
  const [shown, setShown] = useState(view.search);
  if (shown !== view.search) {
    setShown(view.search);
    setWords(view.search);
  }
  return (
    <div className={`${shared.tools} ${shared.tools} ${styles.tools}`} data-page-actions>
      {hasSavedViews(resource) && (
        <Suspense fallback={<div className={styles.views} />}>
          <ViewsMenu resource={resource} parentId={parentId} view={view} />
        </Suspense>
      )}
      <SearchInput
        ref={input}
        className={styles.search}
        label={text('list.search', { name: names.nouns(resource) })}
        value={words}
        onChange={(value) => {
          setWords(value);
          if (value === '' || value.trim().length >= limits.searchText.min) search(value.trim());
        }}
      />
      <FilterBar
        resource={resource}
        parentId={parentId}
        filters={view.filters}
        change={(filters) => change({ filters })}
      />
      <div className={`${shared.group} ${styles.right}`}>
        {hasGallery(resource) && <LayoutSwitch view={view} change={change} />}
        {isImportable(resource) && <ImportButton resource={resource} parentId={parentId} size="xs" />}
        <ExportMenu resource={resource} parentId={parentId} query={query} columns={view.columns} />
        <SortMenu resource={resource} view={view} change={change} />
        <ColumnsMenu resource={resource} view={view} change={change} />
      </div>
    </div>
  );
}

/** Whether rows of a file can become records of the resource. */
function isImportable(resource: Resource): boolean {
  return resource.portable !== false && isOffered(resource, 'create');
}
