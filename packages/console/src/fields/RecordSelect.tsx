/** Chooses a record by typing a part of it. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { recordPathOf } from '../resources/places.ts';
import { listRecords, recordKeys, searchRecords } from '../resources/queries.ts';
import { titleOf } from '../resources/values.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import { useRecordName, useRecordTitle } from './ReferenceName.tsx';

interface Props {
  /** Whose records are offered. */
  readonly resource: Resource;
  readonly parentId: string | null;
  /** Values that the fields of records which are offered have; the list has filters of these names. */
  readonly where?: Readonly<Record<string, string>>;
  /** Id of a record that is not offered. */
  readonly except?: string;
  /** Id of the chosen record. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly placeholder?: string;
  readonly description?: string;
  readonly error?: ReactNode;
  readonly size?: 'xs' | 'sm';
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly clearable?: boolean;
  readonly autoFocus?: boolean;
  readonly className?: string;
  /** Whether the chosen record can be opened from here, in a tab of its own: what is being edited stays. */
  readonly isLinked?: boolean;
}

const optionsShown = 20;
const everyRecord = {};

export function RecordSelect({
  resource,
  parentId,
  where = everyRecord,
  except,
  value,
  onChange,
  label,
  hideLabel = false,
  isLinked = false,
  ...rest
}: Props) {
  const { api } = useWorkspace();
  const text = useText();
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [isAwaited, setIsAwaited] = useState(false);
  const [settled] = useDebouncedValue(typed.trim(), 150);
  const title = useRecordTitle(resource, parentId, value);
  const name = useRecordName(resource, parentId, value);
  const words = settled.length >= limits.searchText.min && settled !== title ? settled : '';
  const options = useQuery({
    queryKey: [...recordKeys.all(resource), 'options', parentId, where, words],
    queryFn: async ({ signal }) => {
      if (words !== '') {
        const hits = await searchRecords(api, resource, parentId, words, optionsShown, signal);
        return hits.filter(({ record }) =>
          Object.entries(where).every(([name, one]) => record[name] === one),
        );
      }
      const fields = [resource.titleField, ...(resource.titleFallbacks ?? [])].join(',');
      const query = { ...where, limit: String(optionsShown), fields };
      const { items } = await listRecords(api, resource, parentId, query, undefined, signal);
      return items.map((record) => ({ id: record.id, title: titleOf(resource, record) }));
    },
    enabled: isOpen,
    staleTime: 30_000,
    // An option that goes while it is pressed would not be chosen.
    placeholderData: keepPreviousData,
  });
  const found = (options.data ?? [])
    .filter(({ id }) => id !== except)
    .map((option) => ({ value: option.id, label: option.title }));
  const isSearched = typed.trim().length >= limits.searchText.min && typed !== title;
  const isFound = typed.trim() === settled && options.isSuccess && !options.isPlaceholderData;
  const [first] = found;
  // Enter selects the first result for the input, as soon as it arrives, unless the arrows have chosen another one.
  useEffect(() => {
    if (!isAwaited || !isFound) return;
    setIsAwaited(false);
    if (first === undefined) return;
    setTyped(first.label);
    setIsOpen(false);
    onChange(first.value);
  });
  const isListed = value === null || found.some((option) => option.value === value);
  const data = isListed ? found : [{ value, label: name }, ...found];
  return (
    <Select
      {...rest}
      {...(hideLabel ? { 'aria-label': label } : { label })}
      {...(isLinked && value !== null && title !== null
        ? {
            leftSectionPointerEvents: 'all',
            leftSection: (
              <Link
                to={recordPathOf(resource, parentId, value) as string}
                target="_blank"
                aria-label={text('select.open', { name: title })}
                style={{ color: 'inherit' }}
              >
                <Icon name="external" size={14} />
              </Link>
            ),
          }
        : {})}
      searchable
      // The options are the server's search results, which match more than the letters of the title.
      filter={({ options: all }) => all}
      data={data}
      value={value}
      searchValue={typed}
      onSearchChange={(next) => {
        setTyped(next);
        setIsAwaited(false);
      }}
      onChange={onChange}
      onKeyDown={(event) => {
        const isChosen = event.currentTarget.hasAttribute('aria-activedescendant');
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || isChosen || !isOpen || !isSearched)
          return;
        event.preventDefault();
        setIsAwaited(true);
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => {
        setIsOpen(false);
        setIsAwaited(false);
      }}
      nothingFoundMessage={options.isFetching ? text('loading') : text('select.none')}
      comboboxProps={{ withinPortal: true }}
      withAsterisk={rest.required === true}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
}
