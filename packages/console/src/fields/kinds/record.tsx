/** A reference to a record, shown and chosen by its title. */

import { type Filter, findPlace, type Resource, targetOfPlace } from '@trellis/schema/resources/resource.ts';
import { resourceByName, targetOfReference } from '../../resources/declared.ts';
import { RecordSelect } from '../RecordSelect.tsx';
import { ReferenceName } from '../ReferenceName.tsx';
import { SelectBelowParents } from '../SelectBelowParents.tsx';
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

/** The resource whose records a filter names; undefined for other filters. */
export function targetOfFilter(resource: Resource, filter: Filter): Resource | undefined {
  const path = filter.kind === 'via' ? resource.sideTables?.[filter.table]?.values[0] : filter.field;
  const place = path === undefined ? null : findPlace(resource, path);
  return targetOfReference((place === null ? null : targetOfPlace(place)) ?? undefined);
}

export function RecordFilter({ target, ...props }: FilterProps & { readonly target: Resource }) {
  const { resource, parentId, value, label, autoFocus, onChange } = props;
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
