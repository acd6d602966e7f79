/** The control of one filter of a list: a choice, a record by its title, a day, or a text. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type Filter, findPlace, type Resource, targetOfPlace } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { targetOfReference } from '../resources/declared.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { RecordSelect } from './RecordSelect.tsx';
import { SelectBelowParents } from './SelectBelowParents.tsx';

interface Props {
  /** The resource of the list, and what its records are below. */
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly label: string;
  readonly filter: Filter;
  /** As the API takes it; '' for none yet. */
  readonly value: string;
  /** Whether the person has just chosen the filter. */
  readonly autoFocus: boolean;
  readonly onChange: (value: string) => void;
}

export function FilterControl(props: Props) {
  const { resource, parentId, label, filter, value, autoFocus, onChange } = props;
  const text = useText();
  const names = useNames();
  const refusal = useRefusal();
  const target = targetOf(resource, filter);
  // Whoever may not read these records can still give an id.
  if (target !== undefined && refusal(target, 'read') === null) {
    const select = {
      resource: target,
      value: value === '' ? null : value,
      label,
      hideLabel: true,
      size: 'xs',
      autoFocus,
      onChange: (id: string | null) => onChange(id ?? ''),
    } as const;
    if (target.parent === null) return <RecordSelect {...select} parentId={null} />;
    if (target.parent.resource === resource.parent?.resource)
      return <RecordSelect {...select} parentId={parentId} />;
    return <SelectBelowParents {...select} parent={target.parent.resource} />;
  }
  if (filter.kind === 'choice' || filter.kind === 'boolean') {
    const values = filter.kind === 'choice' ? (filter.values ?? []) : ['true', 'false'];
    const nameOf = (one: string) =>
      filter.kind === 'choice' ? names.value(one) : text(one === 'true' ? 'yes' : 'no');
    return (
      <NativeSelect
        size="xs"
        aria-label={label}
        autoFocus={autoFocus}
        value={value}
        data={values.map((one) => ({ value: one, label: nameOf(one) }))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return <TypedFilter {...props} />;
}

/** A filter whose value is typed. The list follows when typing pauses. */
function TypedFilter({ label, filter, value, autoFocus, onChange }: Props) {
  const isDay = filter.kind === 'since';
  const present = isDay ? value.slice(0, 10) : value;
  const [typed, setTyped] = useState(present);
  const [shown, setShown] = useState(present);
  // Another view, and "clear", change the value, too. What was typed settles on itself without the spaces around it.
  if (shown !== present) {
    setShown(present);
    if (typed.trim() !== present) setTyped(present);
  }
  const settle = useDebouncedCallback((next: string) => {
    onChange(isDay && next !== '' ? `${next}T00:00:00Z` : next);
  }, 300);
  return (
    <TextInput
      size="xs"
      aria-label={label}
      {...(isDay ? { type: 'date' } : { placeholder: filter.example })}
      autoFocus={autoFocus}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        settle(event.currentTarget.value.trim());
      }}
    />
  );
}

/** The resource whose records a filter names; undefined for other filters. */
function targetOf(resource: Resource, filter: Filter): Resource | undefined {
  const path = filter.kind === 'via' ? resource.sideTables?.[filter.table]?.values[0] : filter.field;
  const place = path === undefined ? null : findPlace(resource, path);
  return targetOfReference((place === null ? null : targetOfPlace(place)) ?? undefined);
}
