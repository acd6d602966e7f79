/** Chooses a record that may be below any parent, such as an article of any site: the parent first, then the record. */
import { type ComponentProps, useState } from 'react';
import { resourceByName } from '../resources/declared.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { describeError } from '../ui/problem-text.ts';
import { useLikelyParent, useOnlyParent, useParentOf } from './parent-search.ts';
import { RecordSelect } from './RecordSelect.tsx';
import styles from './SelectBelowParents.module.css';

interface Props extends Omit<ComponentProps<typeof RecordSelect>, 'parentId'> {
  /** The resource that the records are below, such as sites. */
  readonly parent: string;
}

export function SelectBelowParents({ parent: parentName, ...props }: Props) {
  const names = useNames();
  const text = useText();
  const { resource, value, onChange, disabled = false } = props;
  const parent = resourceByName(parentName);
  const { parentId: found, isSearching, error, note } = useParentOf(parent, resource, value);
  const likely = useLikelyParent(parent);
  const [chosen, setChosen] = useState(likely);
  const only = useOnlyParent(parent, value === null && chosen === null);
  const parentId = value === null ? (chosen ?? only) : found;
  const placeholder = isSearching ? { placeholder: text('loading') } : {};
  return (
    <div className={styles.both} data-wide>
      <RecordSelect
        {...placeholder}
        resource={parent}
        parentId={null}
        label={names.singular(parent)}
        {...(props.hideLabel === undefined ? {} : { hideLabel: props.hideLabel })}
        {...(props.size === undefined ? {} : { size: props.size })}
        autoFocus={props.autoFocus === true && parentId === null}
        value={parentId}
        error={error === null ? undefined : describeError(error, text, names)}
        disabled={disabled || isSearching}
        onChange={(id) => {
          setChosen(id);
          if (value !== null && id !== parentId) onChange(null);
        }}
      />
      {/* Another parent has other records, and the input was meant for the previous one. */}
      <RecordSelect
        {...props}
        {...placeholder}
        key={parentId}
        parentId={parentId}
        value={isSearching ? null : value}
        disabled={disabled || parentId === null}
        onChange={(id) => {
          if (id === null) setChosen(parentId);
          else if (parentId !== null) note(id, parentId);
          onChange(id);
        }}
      />
    </div>
  );
}
