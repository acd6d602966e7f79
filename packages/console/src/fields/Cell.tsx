/** One value of a record in a list, in as few words as possible. */

import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../api/api.ts';
import { targetOfReference } from '../resources/declared.ts';
import { instants } from '../resources/values.ts';
import { Moment } from '../ui/Moment.tsx';
import { kindOf } from './kinds/index.ts';
import { withoutNull } from './value-schema.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly column: string;
  readonly record: ApiRecord;
}

export function Cell({ resource, parentId, column, record }: Props) {
  const value = valueAt(record, column);
  if (value === null || value === undefined || value === '') return null;
  const field = flattenFields(resource).find(([name]) => name === column)?.[1];
  if (instants.some((name) => name === column)) return <Moment value={String(value)} />;
  if (field === undefined) return <>{String(value)}</>;
  const target = targetOfReference(field.reference?.resource);
  const kind = kindOf(withoutNull(field.schema).schema, target);
  return <kind.Cell value={value} field={field} target={target} parentId={parentId} />;
}
