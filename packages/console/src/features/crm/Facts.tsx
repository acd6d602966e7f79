/** Facts about a contact or a company, each with its name. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ReactNode } from 'react';
import type { ApiRecord } from '../../api/api.ts';
import type { LiveChange } from '../../live/live-feed.ts';
import { EditableFields } from '../../records/edit/EditableFields.tsx';
import details from '../../ui/details.module.css';

interface Props {
  readonly resource: Resource;
  readonly record: ApiRecord;
  /** The last change by somebody else. */
  readonly last: LiveChange | null;
  /** `Fact` each. */
  readonly children: ReactNode;
}

/** What is changed often, where it is read; then further facts. */
export function Facts({ last, ...props }: Props) {
  return (
    <EditableFields
      {...props}
      isDeleted={last?.type.endsWith('.deleted') === true}
      className={details.facts}
    />
  );
}

interface FactProps {
  readonly name: string;
  /** Null: nothing is shown. */
  readonly children: ReactNode;
}

export function Fact({ name, children }: FactProps) {
  if (children === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
