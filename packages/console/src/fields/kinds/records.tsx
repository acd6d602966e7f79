/** References to several records, each shown and chosen by its title. */
import { MultipleSelect } from '../MultipleSelect.tsx';
import { ReferenceName } from '../ReferenceName.tsx';
import type { CellProps, InputProps, Kind } from './kind.ts';

function Cell({ value, target, parentId }: CellProps) {
  if (target === undefined || !Array.isArray(value) || value.length === 0) return null;
  const below = target.parent === null ? null : parentId;
  return (
    <>
      <ReferenceName resource={target} parentId={below} id={String(value[0])} />
      {value.length > 1 && ` +${value.length - 1}`}
    </>
  );
}

function Input({ target, ...props }: InputProps) {
  if (target === undefined) return null;
  return <MultipleSelect {...props} target={target} value={Array.isArray(props.value) ? props.value : []} />;
}

export const records: Kind = {
  matches: ({ type }, target) => type === 'array' && target !== undefined,
  Cell,
  Input,
};
