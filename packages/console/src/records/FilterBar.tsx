/** The filters of a list: those in use, each with a control that fits its kind, and a menu that adds one. */
import { Button, CloseButton, Menu, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type Filter, findPlace, type Resource, targetOfPlace } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { targetOfReference } from './declared.ts';
import styles from './FilterBar.module.css';
import { RecordSelect } from './RecordSelect.tsx';

interface Props {
  readonly resource: Resource;
  readonly filters: Readonly<Record<string, string>>;
  readonly change: (filters: Readonly<Record<string, string>>) => void;
}

export function FilterBar({ resource, filters, change }: Props) {
  const text = useText();
  const names = useNames();
  const set = (name: string, value: string) => change({ ...filters, [name]: value });
  const remove = (name: string) =>
    change(Object.fromEntries(Object.entries(filters).filter(([other]) => other !== name)));
  const unused = Object.keys(resource.filters).filter((name) => filters[name] === undefined);
  return (
    <>
      {Object.entries(filters).map(([name, value]) => {
        const filter: Filter | undefined = resource.filters[name];
        if (filter === undefined) return null;
        return (
          <div key={name} role="group" aria-label={names.field(name)} className={styles.filter}>
            <span className={styles.name}>{names.field(name)}</span>
            <FilterControl
              resource={resource}
              label={names.field(name)}
              filter={filter}
              value={value}
              onChange={(next) => set(name, next)}
            />
            <CloseButton
              size="sm"
              aria-label={text('list.removeFilter', { name: names.field(name) })}
              onClick={() => remove(name)}
            />
          </div>
        );
      })}
      {unused.length > 0 && (
        <Menu position="bottom-start" width={200}>
          <Menu.Target>
            <Button variant="default" size="xs" leftSection={<Icon name="filter" size={14} />}>
              {text('list.filter')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={styles.menu ?? ''}>
            {unused.map((name) => (
              <Menu.Item key={name} onClick={() => set(name, firstValue(resource.filters[name]))}>
                {names.field(name)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

/** Lists of choices have no empty entry. */
function firstValue(filter: Filter | undefined): string {
  if (filter?.kind === 'choice') return filter.values?.[0] ?? '';
  return filter?.kind === 'boolean' ? 'true' : '';
}

interface ControlProps {
  readonly resource: Resource;
  readonly label: string;
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterControl({ resource, label, filter, value, onChange }: ControlProps) {
  const text = useText();
  const names = useNames();
  const target = targetOf(resource, filter);
  if (target !== null) {
    return (
      <RecordSelect
        resource={target}
        parentId={null}
        value={value === '' ? null : value}
        label={label}
        hideLabel
        size="xs"
        onChange={(id) => onChange(id ?? '')}
      />
    );
  }
  if (filter.kind === 'choice' || filter.kind === 'boolean') {
    const values = filter.kind === 'choice' ? (filter.values ?? []) : ['true', 'false'];
    const nameOf = (one: string) =>
      filter.kind === 'choice' ? names.value(one) : text(one === 'true' ? 'yes' : 'no');
    return (
      <NativeSelect
        size="xs"
        aria-label={label}
        value={value}
        data={values.map((one) => ({ value: one, label: nameOf(one) }))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (filter.kind === 'since') {
    return (
      <TextInput
        size="xs"
        type="date"
        aria-label={label}
        value={value.slice(0, 10)}
        onChange={(event) => {
          const day = event.currentTarget.value;
          onChange(day === '' ? '' : `${day}T00:00:00Z`);
        }}
      />
    );
  }
  return <TextFilter label={label} example={filter.example} value={value} onChange={onChange} />;
}

type TextFilterProps = Pick<ControlProps, 'label' | 'value' | 'onChange'> & { readonly example: string };

function TextFilter({ label, example, value, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const settle = useDebouncedCallback(onChange, 300);
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={example}
      autoFocus={value === ''}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        settle(event.currentTarget.value.trim());
      }}
    />
  );
}

/** The resource whose records a filter names; null for other filters, and for records below a parent. */
function targetOf(resource: Resource, filter: Filter): Resource | null {
  const path = filter.kind === 'via' ? resource.sideTables?.[filter.table]?.values[0] : filter.field;
  const place = path === undefined ? null : findPlace(resource, path);
  const name = place === null ? null : targetOfPlace(place);
  const target = targetOfReference(name ?? undefined);
  return target?.parent === null ? target : null;
}
