/** What is shown in place of a page that has failed, or whose code could not be loaded. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { FailurePage } from './FailurePage.tsx';

export function BrokenPage({ error }: ErrorComponentProps) {
  return <FailurePage error={error} retry={() => location.reload()} />;
}
