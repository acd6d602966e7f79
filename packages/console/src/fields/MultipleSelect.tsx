/** Chooses several records: those that are chosen, and a search that adds one. */
import { ActionIcon, Stack } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import shared from '../ui/shared.module.css';
import styles from './MultipleSelect.module.css';
import { RecordSelect } from './RecordSelect.tsx';
import { useRecordName } from './ReferenceName.tsx';
import type { ValueProps } from './value-schema.ts';

type Used = 'label' | 'description' | 'onChange' | 'fault' | 'parentId' | 'disabled';
interface Props extends Pick<ValueProps, Used> {
  readonly target: Resource;
  readonly value: readonly unknown[];
  readonly hideLabel?: boolean;
  readonly size?: 'xs' | 'sm';
  readonly autoFocus?: boolean;
}

export function MultipleSelect({
  target,
  label,
  description,
  value,
  onChange,
  fault,
  parentId,
  disabled,
  ...rest
}: Props) {
  const [round, setRound] = useState(0);
  const ids = value.map(String);
  const below = target.parent === null ? null : parentId;
  return (
    <Stack gap={6}>
      <RecordSelect
        // Reset each time, for the next choice.
        key={round}
        {...rest}
        resource={target}
        parentId={below}
        label={label}
        value={null}
        error={fault ?? undefined}
        {...(description === undefined ? {} : { description })}
        disabled={disabled ?? false}
        onChange={(id) => {
          if (id !== null && !ids.includes(id)) onChange([...ids, id]);
          setRound(round + 1);
        }}
      />
      {ids.length > 0 && (
        <ul className={shared.tags} aria-label={label}>
          {ids.map((id) => (
            <Chosen
              key={id}
              resource={target}
              parentId={below}
              id={id}
              remove={() => onChange(ids.filter((other) => other !== id))}
            />
          ))}
        </ul>
      )}
    </Stack>
  );
}

interface ChosenProps {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly id: string;
  readonly remove: () => void;
}

function Chosen({ resource, parentId, id, remove }: ChosenProps) {
  const text = useText();
  const title = useRecordName(resource, parentId, id);
  return (
    <li className={styles.item}>
      {title}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={text('form.removeName', { name: title })}
        onClick={remove}
      >
        <Icon name="close" size={13} />
      </ActionIcon>
    </li>
  );
}
