/** The button of one action, on pages that offer it beside what it is about. Nothing where it is not offered. */
import type { ButtonProps } from '@mantine/core';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { type ActedOn, useActions } from './use-actions.tsx';

interface Props extends ActedOn, Pick<ButtonProps, 'size' | 'variant'> {
  readonly action: string;
}

export function ActionButton({ action, size = 'sm', variant = 'default', ...actedOn }: Props) {
  const { offered, dialog } = useActions(actedOn);
  const found = offered.find(({ name }) => name === action);
  if (found === undefined) return dialog;
  return (
    <>
      <GuardedButton
        size={size}
        variant={variant}
        refusal={found.refusal}
        loading={found.isPending}
        onClick={found.ask}
      >
        {found.label}
      </GuardedButton>
      {dialog}
    </>
  );
}
