/** The filters of the log. */
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useId, useState } from 'react';
import { RecordSelect } from '../../fields/RecordSelect.tsx';
import { resourceByName } from '../../resources/declared.ts';
import { useFeatureText } from '../../text/feature.ts';
import shared from '../../ui/shared.module.css';
import styles from './EventsPage.module.css';
import { filterEventTypes, renderEventType, useEventTypeChoices } from './EventTypes.tsx';
import type { FeedFilter } from './filter.ts';
import { texts } from './texts.ts';

interface Props {
  readonly filter: FeedFilter;
  readonly change: (part: Partial<FeedFilter>) => void;
  readonly isFiltered: boolean;
}

export function EventFilters({ filter, change, isFiltered }: Props) {
  const featureText = useFeatureText(texts);
  return (
    <div className={`${shared.tools} ${shared.group} ${styles.filters}`} role="search">
      <Select
        aria-label={featureText('type')}
        placeholder={featureText('type')}
        size="xs"
        w={190}
        searchable
        selectFirstOptionOnChange
        clearable
        data={useEventTypeChoices()}
        filter={filterEventTypes}
        renderOption={renderEventType}
        comboboxProps={{ width: 260, position: 'bottom-start' }}
        value={filter.type === '' ? null : filter.type}
        onChange={(type) => change({ type: type ?? '' })}
      />
      <RecordSelect
        resource={resourceByName('members')}
        parentId={null}
        label={featureText('actor')}
        hideLabel
        placeholder={featureText('actor')}
        size="xs"
        clearable
        className={styles.actor ?? ''}
        value={filter.actorId === '' ? null : filter.actorId}
        onChange={(id) => change({ actorId: id ?? '' })}
      />
      <SubjectInput value={filter.subject} onChange={(subject) => change({ subject })} />
      <DayInput label={featureText('from')} value={filter.from} onChange={(from) => change({ from })} />
      <DayInput label={featureText('to')} value={filter.to} onChange={(to) => change({ to })} />
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          onClick={() => change({ type: '', actorId: '', subject: '', from: '', to: '' })}
        >
          {featureText('clear')}
        </Button>
      )}
    </div>
  );
}

interface InputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function SubjectInput({ value, onChange }: InputProps) {
  const featureText = useFeatureText(texts);
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setTyped(value);
  }
  const settle = useDebouncedCallback(onChange, 400);
  return (
    <TextInput
      aria-label={featureText('record')}
      placeholder={featureText('record')}
      size="xs"
      w={200}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        settle(event.currentTarget.value.trim());
      }}
    />
  );
}

function DayInput({ label, value, onChange }: InputProps & { readonly label: string }) {
  const id = useId();
  return (
    <div className={`${shared.small} ${shared.group}`}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        type="date"
        size="xs"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
