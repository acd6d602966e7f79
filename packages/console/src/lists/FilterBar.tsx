/** The filters of a list: the conditions in use, in words and with fitting controls, and a choice of fields that adds one. */

import { Button, CloseButton, Combobox, NativeSelect, useCombobox } from '@mantine/core';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useState } from 'react';
import { FieldFilter } from '../fields/FieldFilter.tsx';
import { RangeFilter } from '../fields/RangeFilter.tsx';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { Icon } from '../ui/icons.tsx';
import shared from '../ui/shared.module.css';
import {
  type Condition,
  conditionsIn,
  filterNamesOf,
  firstFilters,
  operatorsOf,
  type Subject,
  subjectsOf,
} from './conditions.ts';
import styles from './FilterBar.module.css';
import { texts } from './filter-texts.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly filters: Readonly<Record<string, string>>;
  readonly change: (filters: Readonly<Record<string, string>>) => void;
}

export function FilterBar({ resource, parentId, filters, change }: Props) {
  // Conditions without a value restrict nothing, so the address, which is a link to the list, does not have them.
  const [added, setAdded] = useState<readonly Condition[]>([]);
  const subjects = subjectsOf(resource);
  const conditions = conditionsIn(subjects, filters);
  const isIn = (list: readonly Condition[], { subject, operator }: Condition) =>
    list.some((one) => one.subject.name === subject.name && one.operator === operator);
  const shown = subjects.flatMap((subject) =>
    operatorsOf(subject)
      .map((operator) => ({ subject, operator }))
      .filter((condition) => isIn(conditions, condition) || isIn(added, condition)),
  );
  const others = (condition: Condition) => added.filter((one) => !isIn([condition], one));
  const without = (condition: Condition) => {
    const names = filterNamesOf(condition);
    return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)));
  };
  const remove = (condition: Condition) => {
    setAdded(others(condition));
    if (isIn(conditions, condition)) change(without(condition));
  };
  const put = (condition: Condition, rest: Props['filters'], kept: readonly Condition[]) => {
    setAdded([...kept, condition]);
    const next = { ...rest, ...firstFilters(resource, condition) };
    if (JSON.stringify(next) !== JSON.stringify(filters)) change(next);
  };
  return (
    <>
      <div className={styles.filters}>
        {shown.map((condition) => (
          <Chip
            key={`${condition.subject.name} ${condition.operator}`}
            resource={resource}
            parentId={parentId}
            condition={condition}
            filters={filters}
            isNew={isIn(added, condition)}
            set={(values) => {
              if (!isIn(added, condition)) setAdded([...added, condition]);
              change({ ...filters, ...values });
            }}
            replace={(operator) =>
              put({ subject: condition.subject, operator }, without(condition), others(condition))
            }
            remove={() => remove(condition)}
          />
        ))}
      </div>
      <FieldChoice
        subjects={subjects.filter(
          (subject) => subject.isOffered && shown.every((one) => one.subject.name !== subject.name),
        )}
        choose={(subject) => {
          const [operator = 'is'] = operatorsOf(subject);
          put({ subject, operator }, filters, added);
        }}
      />
    </>
  );
}

interface ChipProps extends Omit<Props, 'change'> {
  readonly condition: Condition;
  /** Whether the person has just chosen it. */
  readonly isNew: boolean;
  readonly set: (values: Props['filters']) => void;
  readonly replace: (operator: Condition['operator']) => void;
  readonly remove: () => void;
}

function Chip({ resource, parentId, condition, filters, isNew, set, replace, remove }: ChipProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { subject, operator } = condition;
  const name = names.field(subject.name);
  const possible = operatorsOf(subject);
  const isSeveral = subject.is !== null && (filters[subject.is] ?? '').includes(',');
  const wordsOf = (one: Condition['operator']) => featureText(one === 'is' && isSeveral ? 'isOneOf' : one);
  const [given = ''] = filterNamesOf(condition);
  const filter = filtersOf(resource)[given];
  const hasText = operator === 'is' || operator === 'contains';
  return (
    <div role="group" aria-label={name} className={`${shared.frame} ${shared.group} ${styles.filter}`}>
      <span className={shared.dimmed}>{name}</span>
      {possible.length > 1 && (
        <NativeSelect
          size="xs"
          className={styles.operator ?? ''}
          aria-label={featureText('condition', { name })}
          // What needs no value has no other control.
          autoFocus={isNew && !hasText && operator !== 'between'}
          data={possible.map((one) => ({ value: one, label: wordsOf(one) }))}
          value={operator}
          onChange={({ currentTarget: { value } }) => {
            const next = possible.find((one) => one === value);
            if (next !== undefined) replace(next);
          }}
        />
      )}
      {hasText && filter !== undefined && (
        <FieldFilter
          resource={resource}
          parentId={parentId}
          label={name}
          filter={filter}
          value={filters[given] ?? ''}
          autoFocus={isNew}
          onChange={(value) => set({ [given]: value })}
        />
      )}
      {operator === 'between' && (
        <RangeFilter
          scale={subject.scale}
          bounds={subject.bounds}
          filters={filters}
          labels={{ from: featureText('from', { name }), to: featureText('to', { name }) }}
          autoFocus={isNew}
          onChange={set}
        />
      )}
      <CloseButton size="sm" aria-label={featureText('remove', { name })} onClick={remove} />
    </div>
  );
}

interface ChoiceProps {
  readonly subjects: readonly Subject[];
  readonly choose: (subject: Subject) => void;
}

/** The fields that a list can be filtered by, found by typing a part of their names. */
function FieldChoice({ subjects, choose }: ChoiceProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const [typed, setTyped] = useState('');
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped('');
    },
  });
  // Enter takes the first field that is found.
  useEffect(() => {
    if (typed !== '') combobox.selectFirstOption();
  }, [typed, combobox.selectFirstOption]);
  if (subjects.length === 0) return null;
  const wanted = typed.trim().toLowerCase();
  const found = subjects.filter(({ name }) => names.field(name).toLowerCase().includes(wanted));
  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={240}
      withinPortal={false}
      onOptionSubmit={(name) => {
        const subject = subjects.find((one) => one.name === name);
        combobox.closeDropdown();
        // The focus moves to the control of the condition.
        if (subject !== undefined) choose(subject);
      }}
    >
      <Combobox.Target withAriaAttributes={false}>
        <Button
          variant="default"
          size="xs"
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          leftSection={<Icon name="filter" size={14} />}
          onClick={() => combobox.toggleDropdown()}
        >
          {featureText('filter')}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          role="combobox"
          aria-expanded={combobox.dropdownOpened}
          aria-label={featureText('find')}
          placeholder={featureText('find')}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          onKeyDown={({ key }) => {
            if (key === 'Escape') combobox.focusTarget();
          }}
        />
        <Combobox.Options className={shared.scroll ?? ''} aria-label={featureText('filter')}>
          {found.map(({ name }) => (
            <Combobox.Option key={name} value={name}>
              {names.field(name)}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{featureText('none')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
