/** One value of a record in a list, in as few words as possible. */

import { flattenFields, memberSchemas, type Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../api/api.ts';
import { targetOfReference } from '../resources/declared.ts';
import { instants, valueAt } from '../resources/values.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Moment } from '../ui/Moment.tsx';
import { ReferenceName } from './ReferenceName.tsx';
import { Status } from './Status.tsx';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly column: string;
  readonly record: ApiRecord;
}

export function Cell({ resource, parentId, column, record }: Props) {
  const text = useText();
  const names = useNames();
  const { formatNumber } = useIntl();
  const value = valueAt(record, column);
  if (value === null || value === undefined || value === '') return null;
  const field = flattenFields(resource).find(([name]) => name === column)?.[1];
  if (instants.some((name) => name === column) || field?.kind === 'instant')
    return <Moment value={String(value)} />;
  if (field === undefined) return <>{String(value)}</>;
  if (field.kind === 'boolean') return <>{text(value === true ? 'yes' : 'no')}</>;
  if (typeof value === 'number')
    return <>{formatNumber(value, { useGrouping: field.kind !== 'integer' || value > 9_999 })}</>;
  const target = targetOfReference(field.reference?.resource);
  const below = field.reference?.sameParent ? parentId : null;
  if (target !== undefined && typeof value === 'string')
    return <ReferenceName resource={target} parentId={below} id={value} />;
  const { enum: values } = field.schema as { enum?: readonly string[] };
  if (values !== undefined && typeof value === 'string') {
    if (column === 'state' || column.endsWith('tatus')) return <Status value={value} />;
    return <>{names.value(value)}</>;
  }
  if (Array.isArray(value)) {
    const first = memberOf(value[0], Object.keys(memberSchemas(field)));
    return <>{value.length > 1 ? `${first} +${value.length - 1}` : first}</>;
  }
  return <>{String(isPlainObject(value) ? memberOf(value, Object.keys(value)) : value)}</>;
}

/** A text that stands for a value: itself, or the first text of an object. */
function memberOf(value: unknown, members: readonly string[]): string {
  if (!isPlainObject(value)) return value === undefined ? '' : String(value);
  const texts = members.map((member) => value[member]).filter((member) => typeof member === 'string');
  return texts[0] ?? '';
}
