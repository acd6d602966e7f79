/** The filters of a list: those in use, each with a control that fits its kind, and a menu that adds one. */
import { Button, CloseButton, Menu } from '@mantine/core';
import type { Filter, Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { FieldFilter } from '../fields/FieldFilter.tsx';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './FilterBar.module.css';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly filters: Readonly<Record<string, string>>;
  readonly change: (filters: Readonly<Record<string, string>>) => void;
}

export function FilterBar({ resource, parentId, filters, change }: Props) {
  const text = useText();
  const names = useNames();
  // Filters without a value restrict nothing, so the address, which is a link to the list, does not have them.
  const [added, setAdded] = useState<readonly string[]>([]);
  // After choosing a filter, the focus moves to its control; after closing the menu, to its button.
  const [hasChosen, setHasChosen] = useState(false);
  const set = (name: string, value: string) => change({ ...without(filters, name), [name]: value });
  const remove = (name: string) => {
    setAdded(added.filter((other) => other !== name));
    if (filters[name] !== undefined) change(without(filters, name));
  };
  const add = (name: string) => {
    setAdded([...added, name]);
    setHasChosen(true);
    const first = firstValue(resource.filters[name]);
    if (first !== '') set(name, first);
  };
  const declared = Object.entries<Filter>(resource.filters);
  const isShown = ([name]: readonly [string, Filter]) => filters[name] !== undefined || added.includes(name);
  // Of a range, days are offered from which it begins and before which it ends; addresses may have the other sides.
  const isOffered = ({ kind, bound = '' }: Filter & { readonly bound?: string }) =>
    kind !== 'bound' || ['gte', 'lt'].includes(bound);
  const unused = declared.filter((entry) => !isShown(entry) && isOffered(entry[1]));
  return (
    <>
      <div className={styles.filters}>
        {declared.filter(isShown).map(([name, filter]) => (
          <div key={name} role="group" aria-label={names.field(name)} className={styles.filter}>
            <span className={styles.name}>{names.field(name)}</span>
            <FieldFilter
              resource={resource}
              parentId={parentId}
              label={names.field(name)}
              filter={filter}
              value={filters[name] ?? ''}
              autoFocus={added.includes(name)}
              onChange={(value) => {
                if (!added.includes(name)) setAdded([...added, name]);
                set(name, value);
              }}
            />
            <CloseButton
              size="sm"
              aria-label={text('list.removeFilter', { name: names.field(name) })}
              onClick={() => remove(name)}
            />
          </div>
        ))}
      </div>
      {unused.length > 0 && (
        <Menu position="bottom-start" width={200} returnFocus={!hasChosen} onOpen={() => setHasChosen(false)}>
          <Menu.Target>
            <Button variant="default" size="xs" leftSection={<Icon name="filter" size={14} />}>
              {text('list.filter')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={styles.menu ?? ''}>
            {unused.map(([name]) => (
              <Menu.Item key={name} onClick={() => add(name)}>
                {names.field(name)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

function without(filters: Props['filters'], name: string): Props['filters'] {
  return Object.fromEntries(Object.entries(filters).filter(([other]) => other !== name));
}

/** Lists of choices have no empty entry. */
function firstValue(filter: Filter | undefined): string {
  if (filter?.kind === 'choice') return filter.values?.[0] ?? '';
  return filter?.kind === 'boolean' || filter?.kind === 'present' ? 'true' : '';
}
