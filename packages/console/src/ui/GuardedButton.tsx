/** A button that says why it cannot be used, instead of being hidden. It stays reachable by keyboard, so that the reason is read. */
import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core';
import { type MouseEvent, type ReactNode, useId } from 'react';
import { LazyTooltip } from './LazyTooltip.tsx';

interface Props extends ButtonProps {
  /** Null: it may be used. */
  readonly refusal: string | null;
  readonly onClick: (event: MouseEvent) => void;
  readonly children: ReactNode;
}

export function GuardedButton({ refusal, onClick, children, ...rest }: Props) {
  const id = useId();
  if (refusal === null) {
    return (
      <Button {...rest} onClick={onClick}>
        {children}
      </Button>
    );
  }
  return (
    <>
      <LazyTooltip
        label={refusal}
        events={{ hover: true, focus: true, touch: true }}
        multiline
        maw={300}
        withinPortal={false}
      >
        <Button
          {...rest}
          variant="default"
          data-disabled
          aria-disabled
          aria-describedby={id}
          onClick={(event) => event.preventDefault()}
        >
          {children}
        </Button>
      </LazyTooltip>
      <VisuallyHidden id={id}>{refusal}</VisuallyHidden>
    </>
  );
}
