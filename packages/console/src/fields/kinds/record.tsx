/** A reference to a record, shown and chosen by its title. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { resourceByName } from '../../resources/declared.ts';
import { MultipleSelect } from '../MultipleSelect.tsx';
import { RecordSelect } from '../RecordSelect.tsx';
import { ReferenceName } from '../ReferenceName.tsx';
import { SelectBelowParents } from '../SelectBelowParents.tsx';
import { valuesOf } from '../SeveralFilter.tsx';
import type { CellProps, FilterProps, InputProps, Kind } from './kind.ts';

function Cell({ value, field, target, parentId }: CellProps) {
  if (target === undefined) return null;
  const below = field.reference?.sameParent ? parentId : null;
  return <ReferenceName resource={target} parentId={below} id={String(value)} />;
}

function Input(props: InputProps) {
  const { target, label, description, fault, value, onChange, required = false, disabled = false } = props;
  if (target === undefined) return null;
  const select = {
    resource: target,
    label,
    ...(description === undefined ? {} : { description }),
    error: fault ?? undefined,
    required,
    disabled,
    clearable: props.isNullable,
    isLinked: true,
    value: typeof value === 'string' ? value : null,
    onChange: (id: string | null) => onChange(id ?? (props.emptyValue === undefined ? undefined : null)),
  };
  if (target.parent === null) return <RecordSelect {...select} parentId={null} />;
  const parent = resourceByName(target.parent.resource);
  // The form's record and the referenced one may have different parents.
  if (props.parentId?.startsWith(`${parent.idPrefix}_`) !== true)
    return <SelectBelowParents {...select} parent={parent.name} />;
  return <RecordSelect {...select} parentId={props.parentId} />;
}

export const record: Kind = { matches: (_, target) => target !== undefined, Cell, Input };

/** Several records that a filter names. */
export function RecordFilter({
  target,
  resource,
  parentId,
  value,
  label,
  autoFocus,
  onChange,
}: FilterProps & { readonly target: Resource }) {
  const shared = { label, hideLabel: true, size: 'xs', autoFocus } as const;
  // Records below another parent are chosen below theirs, one at a time.
  if (target.parent !== null && target.parent.resource !== resource.parent?.resource)
    return (
      <SelectBelowParents
        {...shared}
        resource={target}
        parent={target.parent.resource}
        value={value === '' ? null : value}
        onChange={(id) => onChange(id ?? '')}
      />
    );
  return (
    <MultipleSelect
      {...shared}
      target={target}
      parentId={parentId}
      fault={null}
      value={valuesOf(value)}
      onChange={(ids) => onChange(Array.isArray(ids) ? ids.join() : '')}
    />
  );
}
