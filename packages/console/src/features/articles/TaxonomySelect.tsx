/** Chooses categories or tags by search, and makes one that is not there. What was typed stays until it is taken or removed. */
import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useRef, useState } from 'react';
import type { ApiRecord } from '../../api/api.ts';
import { useWrite } from '../../records/use-write.ts';
import { collectionPath } from '../../resources/places.ts';
import { listRecords, readRecord, recordKeys, searchRecords } from '../../resources/queries.ts';
import { titleOf } from '../../resources/values.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { describeError } from '../../ui/problem-text.ts';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly fault: string | null;
}

const optionsShown = 20;
/** The option that creates a record with the typed name. No id looks like it. */
const createOption = '+';

export function TaxonomySelect({ resource, parentId, label, value, onChange, fault }: Props) {
  const { api } = useWorkspace();
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const queries = useQueryClient();
  const refused = useRefusal()(resource, 'create');
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  /** Whether Enter was pressed for what was typed. */
  const [isAwaited, setIsAwaited] = useState(false);
  const isLeaving = useRef(false);
  const name = typed.trim();
  const [settled] = useDebouncedValue(name, 150);
  const words = settled.length >= limits.searchText.min ? settled : '';
  const found = useQuery({
    queryKey: [...recordKeys.all(resource), 'options', parentId, words],
    queryFn: async ({ signal }) => {
      if (words !== '') return searchRecords(api, resource, parentId, words, optionsShown, signal);
      const query = { limit: String(optionsShown), fields: resource.titleField };
      const { items } = await listRecords(api, resource, parentId, query, undefined, signal);
      return items.map((record) => ({ id: record.id, title: titleOf(resource, record) }));
    },
    enabled: isOpen,
    staleTime: 30_000,
  });
  const chosen = useQueries({
    queries: value.map((id) => ({
      queryKey: [...recordKeys.all(resource), 'title', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        titleOf(resource, await readRecord(api, resource, parentId, id, signal)),
      staleTime: 60_000,
      retry: false,
    })),
  });
  const create = useWrite<ApiRecord>({
    written: { resource },
    changes: [[...recordKeys.all(resource), 'options']],
    done: (created) => {
      setTyped('');
      queries.setQueryData([...recordKeys.all(resource), 'title', created.id], titleOf(resource, created));
      onChange([...value, created.id]);
    },
  });
  const createNamed = (title: string) => {
    const path = `/v1${collectionPath(resource, parentId)}`;
    create.mutate({ method: 'POST', path, body: { [resource.titleField]: title } });
  };
  const known = new Map((found.data ?? []).map(({ id, title }) => [id, title]));
  value.forEach((id, index) => {
    known.set(id, chosen[index]?.data ?? known.get(id) ?? id);
  });
  const isNew =
    name !== '' &&
    refused === null &&
    !found.isFetching &&
    settled === name &&
    ![...known.values()].some((title) => title.toLowerCase() === name.toLowerCase());
  const take = (id: string) => {
    setTyped('');
    if (!value.includes(id)) onChange([...value, id]);
  };
  // Enter takes what has exactly that name, or else the first that was found, as soon as the server has said whether there is one. Only if nothing
  // was found it makes one: a near-double is made by the option for it alone.
  useEffect(() => {
    if (!isAwaited || found.isFetching || create.isPending || settled !== name) return;
    setIsAwaited(false);
    const [exact] = [...known].find(([, title]) => title.toLowerCase() === name.toLowerCase()) ?? [];
    const [first] = [...known.keys()].filter((id) => !value.includes(id));
    if (exact !== undefined) take(exact);
    else if (first !== undefined) take(first);
    else if (isNew) createNamed(name);
  });
  const options = [...known].map(([id, title]) => ({ value: id, label: title }));
  const failure = create.failure === null ? null : describeError(create.failure, text, names);
  return (
    <MultiSelect
      label={label}
      error={fault ?? failure ?? undefined}
      searchable
      // What is offered was searched by the server, which finds more than the letters of the title.
      filter={({ options: all }) => all}
      data={
        isNew ? [...options, { value: createOption, label: featureText('createOption', { name }) }] : options
      }
      value={[...value]}
      searchValue={typed}
      onSearchChange={(next) => {
        // The field empties itself when it is left.
        if (isLeaving.current && next === '') return;
        setTyped(next);
        setIsAwaited(false);
      }}
      onFocus={() => {
        isLeaving.current = false;
      }}
      onBlur={() => {
        isLeaving.current = true;
      }}
      onKeyDown={(event) => {
        const isChosen = event.currentTarget.hasAttribute('aria-activedescendant');
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || isChosen || name === '') return;
        event.preventDefault();
        setIsAwaited(true);
      }}
      onChange={(ids) => {
        if (ids.includes(createOption)) createNamed(name);
        else {
          setTyped('');
          onChange(ids);
        }
      }}
      dropdownOpened={isOpen}
      // An open list would lie over the button that comes next; typing opens it again.
      onOptionSubmit={() => setIsOpen(false)}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      nothingFoundMessage={found.isFetching ? text('loading') : text('select.none')}
      hidePickedOptions
      styles={{ inputField: { minWidth: 40 } }}
      maxDropdownHeight={260}
    />
  );
}
