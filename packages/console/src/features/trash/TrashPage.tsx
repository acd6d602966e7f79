/** The trash: what was deleted, by whom and how long it stays, with what restores it or deletes it for good. */
import '../../ui/input-styles.ts';
import { Button, Checkbox, Group, NativeSelect } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { TrashEntry } from '@trellis/client/generated/types.ts';
import { goesToTrash } from '@trellis/schema/resources/resource.ts';
import { useRef, useState } from 'react';
import { byCursor } from '../../api/pages.ts';
import { RecordSelect } from '../../fields/RecordSelect.tsx';
import { resourceByName, resources } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import details from '../../ui/details.module.css';
import { Empty } from '../../ui/Empty.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import shared from '../../ui/shared.module.css';
import { deletionsOf } from './deletions.ts';
import styles from './Trash.module.css';
import { TrashRow } from './TrashRow.tsx';
import { texts } from './texts.ts';
import { useRestoreSelected } from './use-restore-selected.ts';

const kept = resources.filter(goesToTrash);

export function TrashPage() {
  const text = useText();
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { api } = useWorkspace();
  const refusal = useRefusal();
  const navigate = useNavigate();
  const { resource: wanted = '', search = '', deletedBy = '' } = useSearch({ strict: false });
  const members = resourceByName('members');
  const shown = kept.filter((resource) => refusal(resource, 'delete') === null);
  const chosen = shown.find(({ name }) => name === wanted);
  const resource = (chosen?.name ?? null) as TrashEntry['resource'] | null;
  const show = (conditions: Readonly<Record<string, string>>) =>
    void navigate({ to: '.', search: withoutEmpty(conditions), replace: true, resetScroll: false });
  const present = { resource: resource ?? '', search, deletedBy };
  const isFiltered = search !== '' || deletedBy !== '';
  const [typed, setTyped] = useState(search);
  const searchField = useRef<HTMLInputElement>(null);
  const searchSoon = useDebouncedCallback((words: string) => show({ ...present, search: words }), 250);
  const clear = () => {
    setTyped('');
    show({});
    // The button goes with the empty list.
    searchField.current?.focus();
  };
  const list = useInfiniteQuery({
    queryKey: ['v1', 'trash', resource, search, deletedBy],
    queryFn: ({ pageParam: cursor, signal }) => {
      const conditions = { search: search || undefined, deletedBy: deletedBy || undefined };
      const query = { limit: 50, resource: resource ?? undefined, ...conditions, cursor };
      return api.read('listTrash', { query, signal });
    },
    ...byCursor,
    placeholderData: keepPreviousData,
  });
  const entries = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const selected = entries.filter(({ id }) => selection.has(id));
  const restoring = useRestoreSelected();
  const select = (ids: readonly string[], isSelected: boolean) => {
    const chosen = new Set(ids);
    setSelection(isSelected ? selection.union(chosen) : selection.difference(chosen));
  };
  const deletions = deletionsOf(entries);
  return (
    <>
      <PageHead title={text('trash.title')} />
      <div className={shared.page}>
        <p className={shared.about}>{featureText('about')}</p>
        <div className={`${shared.group} ${styles.filters}`} role="search">
          <SearchInput
            ref={searchField}
            className={details.search}
            label={featureText('search')}
            value={typed}
            onChange={(value) => {
              setTyped(value);
              searchSoon(value.trim());
            }}
          />
          <NativeSelect
            size="xs"
            aria-label={featureText('resource')}
            value={resource ?? ''}
            data={[
              { value: '', label: featureText('all') },
              ...shown.map((one) => ({ value: one.name, label: names.plural(one) })),
            ]}
            onChange={({ currentTarget: { value } }) => show({ ...present, resource: value })}
          />
          {refusal(members, 'read') === null && (
            <RecordSelect
              resource={members}
              parentId={null}
              label={featureText('deleter')}
              hideLabel
              placeholder={featureText('deleter')}
              clearable
              size="xs"
              value={deletedBy || null}
              onChange={(id) => show({ ...present, deletedBy: id ?? '' })}
            />
          )}
        </div>
        <FailureNotice error={list.error} />
        <FailureNotice error={restoring.error} />
        {list.isPending && <Loading />}
        {list.isSuccess && entries.length === 0 && !isFiltered && (
          <Empty
            icon="trash"
            title={featureText('none')}
            about={featureText(resource === null ? 'noneAbout' : 'noneOf')}
          />
        )}
        {list.isSuccess && entries.length === 0 && isFiltered && (
          <Empty
            icon="search"
            title={text('list.noMatch')}
            about={list.hasNextPage ? featureText('noMatchYet') : text('list.noMatchAbout')}
          >
            <Button variant="default" onClick={clear}>
              {text('list.clear')}
            </Button>
          </Empty>
        )}
        {entries.length > 0 && (
          <Group justify="space-between" gap="8px 16px" ps={14} pe={8}>
            <Checkbox
              size="xs"
              label={featureText('selectAll')}
              checked={selected.length === entries.length}
              indeterminate={selected.length > 0 && selected.length < entries.length}
              onChange={({ currentTarget }) =>
                select(
                  entries.map(({ id }) => id),
                  currentTarget.checked,
                )
              }
            />
            <Button
              size="xs"
              disabled={selected.length === 0}
              loading={restoring.isPending}
              onClick={() => restoring.mutate(selected)}
            >
              {featureText('restoreSelected', { count: selected.length })}
            </Button>
          </Group>
        )}
        <ul className={shared.rows} aria-label={text('trash.title')}>
          {entries.map((entry) => (
            <TrashRow
              key={entry.id}
              entry={entry}
              isSelected={selection.has(entry.id)}
              select={(isSelected) => select([entry.id], isSelected)}
              deletion={deletions.get(entry.id) ?? null}
              selectDeletion={(ids) => select(ids, true)}
              failure={restoring.data?.get(entry.id) ?? null}
            />
          ))}
        </ul>
        {list.hasNextPage && (
          <div>
            <MoreButton list={list} label={featureText(isFiltered ? 'searchMore' : 'more')} />
          </div>
        )}
      </div>
    </>
  );
}

/** What an address has of conditions. */
function withoutEmpty(conditions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== ''));
}
