/** The list of a resource's records, derived from its declaration. */
import { Button, Checkbox, CloseButton, Menu, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useRef, useState } from 'react';
import { useWorkspace } from '../app/workspace.ts';
import { particularOf } from '../particular/registry.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Icon } from '../parts/icons.tsx';
import { Loading } from '../parts/Loading.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { describeError } from '../parts/problem-text.ts';
import { RefusableButton } from '../parts/Refusable.tsx';
import { isOffered, useRefusal } from '../rights/missing-right.ts';
import { readSingleKeys } from '../shell/keys.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { FilterBar } from './FilterBar.tsx';
import styles from './ListPage.module.css';
import { collectionPath } from './places.ts';
import { listRecords, recordKeys } from './queries.ts';
import { RecordSelect } from './RecordSelect.tsx';
import { RecordTable } from './RecordTable.tsx';
import { columnsOf, queryOf, useView, type View } from './view.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
}

export function ListPage({ resource, parentId }: Props) {
  const { api } = useWorkspace();
  const navigate = useNavigate();
  const names = useNames();
  const text = useText();
  const refusal = useRefusal();
  const [view, change] = useView(resource);
  const query = queryOf(resource, view);
  const list = useInfiniteQuery({
    queryKey: recordKeys.list(resource, parentId, JSON.stringify(query)),
    queryFn: ({ pageParam, signal }) => listRecords(api, resource, parentId, query, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.nextCursor : null),
    placeholderData: keepPreviousData,
  });
  const newPath = `${collectionPath(resource, parentId)}/new`;
  const createRefusal = refusal(resource, 'create');
  const create = () => void navigate({ to: newPath });
  useHotkeys(readSingleKeys() && createRefusal === null ? [['n', create]] : []);
  const records = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = view.search !== '' || Object.keys(view.filters).length > 0;
  const createButton = (
    <RefusableButton refusal={createRefusal} onClick={create} leftSection={<Icon name="plus" />}>
      {text('record.new', { name: names.noun(resource) })}
    </RefusableButton>
  );
  return (
    <>
      <PageHead
        title={names.plural(resource)}
        aside={<ParentSwitch resource={resource} parentId={parentId} />}
        actions={isOffered(resource, 'create') && createButton}
      />
      <ListTools resource={resource} view={view} change={change} />
      {list.isPending && <Loading />}
      {list.isError && records.length === 0 && (
        <Empty icon="warning" title={text('failure.title')} about={describeError(list.error, text)}>
          <Button variant="default" onClick={() => void list.refetch()}>
            {text('retry')}
          </Button>
          {isFiltered && (
            <Button variant="default" onClick={() => change({ search: '', filters: {} })}>
              {text('list.clear')}
            </Button>
          )}
        </Empty>
      )}
      {list.isSuccess && records.length === 0 && isFiltered && (
        <Empty icon="search" title={text('list.noMatch')} about={text('list.noMatchAbout')}>
          <Button variant="default" onClick={() => change({ search: '', filters: {} })}>
            {text('list.clear')}
          </Button>
        </Empty>
      )}
      {list.isSuccess && records.length === 0 && !isFiltered && (
        <Empty
          icon={particularOf(resource.name).icon ?? 'list'}
          title={text('list.empty', { name: names.nouns(resource) })}
          about={text('list.emptyAbout')}
        >
          {isOffered(resource, 'create') && createButton}
        </Empty>
      )}
      {records.length > 0 && (
        <RecordTable
          resource={resource}
          parentId={parentId}
          view={view}
          change={change}
          records={records}
          isStale={list.isPlaceholderData}
          hasMore={list.hasNextPage}
          error={list.error}
          loadMore={() => {
            if (!list.isFetchingNextPage) void list.fetchNextPage();
          }}
        />
      )}
    </>
  );
}

/** Chooses the record that the list belongs to, such as the site. */
function ParentSwitch({ resource, parentId }: Props) {
  const navigate = useNavigate();
  const names = useNames();
  if (resource.parent === null) return null;
  const parent = resourceByName(resource.parent.resource);
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

interface ToolsProps {
  readonly resource: Resource;
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
}

function ListTools({ resource, view, change }: ToolsProps) {
  const text = useText();
  const names = useNames();
  const [words, setWords] = useState(view.search);
  const input = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback((value: string) => change({ search: value }), 250);
  useHotkeys(readSingleKeys() ? [['/', () => input.current?.focus()]] : []);
  const isTooShort = words !== '' && words.trim().length < limits.searchText.min;
  // Filters and "clear" change the address, too.
  const [shown, setShown] = useState(view.search);
  if (shown !== view.search) {
    setShown(view.search);
    setWords(view.search);
  }
  return (
    <div className={styles.tools}>
      <TextInput
        ref={input}
        className={styles.search ?? ''}
        type="search"
        size="xs"
        aria-label={text('list.search', { name: names.nouns(resource) })}
        placeholder={text('list.search', { name: names.nouns(resource) })}
        leftSection={<Icon name="search" size={14} />}
        rightSection={
          words !== '' && (
            <CloseButton
              size="sm"
              aria-label={text('list.clearSearch')}
              onClick={() => {
                setWords('');
                change({ search: '' });
              }}
            />
          )
        }
        value={words}
        onChange={(event) => {
          const value = event.currentTarget.value;
          setWords(value);
          if (value === '' || value.trim().length >= limits.searchText.min) search(value.trim());
        }}
        error={isTooShort ? text('list.tooShort', { count: limits.searchText.min }) : undefined}
      />
      <FilterBar resource={resource} filters={view.filters} change={(filters) => change({ filters })} />
      <Menu position="bottom-end" closeOnItemClick={false} width={220}>
        <Menu.Target>
          <Button variant="default" size="xs" leftSection={<Icon name="columns" size={14} />} ml="auto">
            {text('list.columns')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={styles.columns ?? ''}>
          {columnsOf(resource).map((column) => {
            const isShown = view.columns.includes(column);
            const rest = view.columns.filter((other) => other !== column);
            return (
              <Menu.Item
                key={column}
                role="menuitemcheckbox"
                aria-checked={isShown}
                disabled={column === resource.titleField}
                leftSection={<Checkbox.Indicator checked={isShown} size="xs" />}
                onClick={() => change({ columns: isShown ? rest : inOrder(resource, [...rest, column]) })}
              >
                {names.field(column)}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** Columns in the order of the declaration, the title first. */
function inOrder(resource: Resource, columns: readonly string[]): readonly string[] {
  const known = columnsOf(resource).filter((column) => columns.includes(column));
  return [resource.titleField, ...known.filter((column) => column !== resource.titleField)];
}
