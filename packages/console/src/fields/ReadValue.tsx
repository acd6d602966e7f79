/** A whole value to read, by its schema: for whoever cannot change it. */
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { type ReactNode, Suspense } from 'react';
import { useIntl } from 'react-intl';
import { targetOfReference } from '../resources/declared.ts';
import { presentationOf } from '../resources/presentation.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import shared from '../ui/shared.module.css';
import { Person } from './Person.tsx';
import styles from './ReadValue.module.css';
import { RecordLink } from './RecordLink.tsx';
import { type ValueSchema, withoutNull } from './value-schema.ts';

/** Names with their values. */
export function ReadFields({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.fields}>{children}</dl>;
}

interface FieldProps extends ValueProps {
  readonly label: string;
}

/** A name with its value; nothing without a value. */
export function ReadField({ label, ...props }: FieldProps) {
  if (isEmpty(props.value)) return null;
  return (
    <ReadFact label={label}>
      <ReadValue {...props} />
    </ReadFact>
  );
}

/** A name with what is shown as its value. */
function ReadFact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.field}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ValueProps {
  readonly schema: ValueSchema;
  readonly value: unknown;
  /** Name of the resource whose ids the value is, or contains. */
  readonly target: string | undefined;
  /** The parent of the record, which records that it refers to may have to share. */
  readonly parentId: string | null;
}

/** A value, whole. */
export function ReadValue({ schema, value, target, parentId }: ValueProps) {
  const names = useNames();
  const text = useText();
  const { formatDate, formatDisplayName, formatNumber } = useIntl();
  if (Array.isArray(value)) {
    return (
      <ul className={`${shared.list} ${shared.tight}`}>
        {value.map((item, index) => (
          <li key={index}>
            <ReadValue schema={schema.items ?? {}} value={item} target={target} parentId={parentId} />
          </li>
        ))}
      </ul>
    );
  }
  if (isPlainObject(value)) return <Members schema={schema} value={value} parentId={parentId} />;
  const resource = targetOfReference(target ?? schema['x-reference']);
  if (resource?.name === 'members') return <Person id={String(value)} />;
  const picture = resource && schema['x-picture'] === true ? presentationOf(resource).picture : undefined;
  if (picture !== undefined)
    return (
      <Suspense>
        <picture.Shown id={String(value)} isInRow={false} />
      </Suspense>
    );
  if (resource !== undefined)
    return <RecordLink resource={resource} id={String(value)} besideParentId={parentId} />;
  if (typeof value === 'boolean') return <>{text(value ? 'yes' : 'no')}</>;
  // Years have no separator.
  if (typeof value === 'number') return <>{formatNumber(value, { useGrouping: value > 9_999 })}</>;
  if (schema.enum !== undefined) return <>{names.value(String(value))}</>;
  if (schema.format?.endsWith('date-time') === true)
    return <>{formatDate(String(value), { dateStyle: 'medium', timeStyle: 'short' })}</>;
  if (schema.format === 'country')
    return <>{formatDisplayName(String(value), { type: 'region' }) ?? String(value)}</>;
  return <>{String(value)}</>;
}

function Members({ schema, value, parentId }: Omit<ValueProps, 'target'>) {
  const names = useNames();
  return (
    <ReadFields>
      {Object.entries(schema.properties ?? {}).map(([name, given]) => {
        const { schema: member } = withoutNull(given);
        return (
          <ReadField
            key={name}
            label={names.field(name)}
            schema={member}
            value={valueAt(value, name)}
            target={member['x-reference']}
            parentId={parentId}
          />
        );
      })}
    </ReadFields>
  );
}

/** Whether there is nothing to read. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isPlainObject(value)) return Object.values(value).every(isEmpty);
  return value === null || value === undefined || value === '';
}
