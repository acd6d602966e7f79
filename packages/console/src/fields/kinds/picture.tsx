/** A reference to a picture, shown as a small copy of it and chosen by looking. */
import { Suspense } from 'react';
import { presentationOf } from '../../resources/presentation.ts';
import { Loading } from '../../ui/Loading.tsx';
import type { CellProps, InputProps, Kind } from './kind.ts';

function Cell({ value, target }: CellProps) {
  const picture = target && presentationOf(target).picture;
  if (picture === undefined) return null;
  return (
    <Suspense>
      <picture.Shown id={String(value)} isInRow />
    </Suspense>
  );
}

function Input({ target, value, onChange, ...props }: InputProps) {
  const picture = target && presentationOf(target).picture;
  if (picture === undefined) return null;
  return (
    <Suspense fallback={<Loading />}>
      <picture.Input
        label={props.label}
        description={props.description}
        fault={props.fault}
        isRemovable={props.isNullable}
        disabled={props.disabled ?? false}
        value={typeof value === 'string' ? value : null}
        onChange={onChange}
      />
    </Suspense>
  );
}

export const picture: Kind = {
  matches: (schema, target) =>
    schema['x-picture'] === true && target !== undefined && presentationOf(target).picture !== undefined,
  Cell,
  Input,
};
