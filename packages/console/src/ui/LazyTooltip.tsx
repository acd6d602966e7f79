/** A tooltip that is loaded when it is first shown, because its positioning code is large and few pages need it at first. */
import type { TooltipProps } from '@mantine/core';
import { lazy, Suspense } from 'react';

const Tooltip = lazy(() => import('./tooltip.ts').then(({ Tooltip: component }) => ({ default: component })));

export function LazyTooltip(props: TooltipProps) {
  return (
    <Suspense fallback={props.children}>
      <Tooltip {...props} />
    </Suspense>
  );
}
