/**
 * The form of a record, derived from its declaration: an input for each writable field. Users without the right to change the record see
 * the values as text.
 */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { pointerOf, valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../api/api.ts';
import type { Fault } from '../api/problem.ts';
import { DuplicateHints } from '../fields/DuplicateHints.tsx';
import { type Draft, faultsAt, withValue } from '../fields/draft.ts';
import { FieldInput } from '../fields/FieldInput.tsx';
import { ReadField, ReadFields } from '../fields/ReadValue.tsx';
import type { ValueSchema } from '../fields/value-schema.ts';
import { useNames } from '../text/names.ts';
import shared from '../ui/shared.module.css';
import { FormSection } from './FormSection.tsx';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** Null for a record that is not created yet. */
  readonly record: ApiRecord | null;
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  readonly faults: readonly Fault[];
  /** Whether values are displayed as text. */
  readonly isReadOnly: boolean;
  /** Whether the inputs are disabled temporarily. */
  readonly disabled: boolean;
}

export function RecordForm({ resource, ...props }: Props) {
  const { parentId, record, draft, disabled, isReadOnly } = props;
  const all = flattenFields(resource);
  const { sections } = resource;
  return (
    <div className={shared.fields}>
      <DuplicateHints
        resource={resource}
        parentId={parentId}
        record={record}
        draft={draft}
        disabled={disabled || isReadOnly}
      >
        {sections === undefined && <Fields {...props} fields={all} />}
        {sections?.map((section) => {
          const fields = all
            .filter(([name]) => section.fields.includes(name))
            .sort(([one], [other]) => section.fields.indexOf(one) - section.fields.indexOf(other));
          return (
            <FormSection key={section.title.en} {...props} section={section} fields={fields}>
              <Fields {...props} fields={fields} />
            </FormSection>
          );
        })}
      </DuplicateHints>
    </div>
  );
}

export type FieldsProps = Omit<Props, 'resource'> & {
  readonly fields: readonly (readonly [string, Field])[];
  /** Of the only field; absent: fields are called by their names. */
  readonly label?: string;
};

export function Fields(props: FieldsProps) {
  return props.isReadOnly ? <ReadOnlyFields {...props} /> : <Inputs {...props} />;
}

function ReadOnlyFields({ parentId, record, draft, fields }: FieldsProps) {
  const names = useNames();
  return (
    <ReadFields>
      {fields
        .filter(([, { readOnly }]) => !readOnly)
        .map(([name, field]) => (
          <ReadField
            key={name}
            schema={field.schema as ValueSchema}
            label={names.field(name)}
            value={Object.hasOwn(draft, name) ? draft[name] : valueAt(record, name)}
            target={field.reference?.resource}
            parentId={field.reference?.sameParent === false ? null : parentId}
          />
        ))}
    </ReadFields>
  );
}

function Inputs({ parentId, record, draft, setDraft, faults, disabled, fields, label }: FieldsProps) {
  const names = useNames();
  return (
    <>
      {fields
        .filter(([, { readOnly }]) => !readOnly)
        .map(([name, field]) => {
          const schema = field.schema as ValueSchema;
          const stored = record === null ? field.defaultValue : valueAt(record, name);
          const pointer = pointerOf(name);
          return (
            <FieldInput
              key={name}
              schema={schema}
              label={label ?? names.field(name)}
              {...describe(names.help(field))}
              value={Object.hasOwn(draft, name) ? draft[name] : stored}
              onChange={(value) => setDraft(withValue(draft, name, value, stored))}
              fault={faultsAt(faults, pointer)}
              faults={faults}
              pointer={pointer}
              target={field.reference?.resource}
              parentId={field.reference?.sameParent === false ? null : parentId}
              isNullable={field.nullable}
              emptyValue={field.nullable ? null : ''}
              allowed={allowedStatuses(field, record === null ? null : stored)}
              required={field.required}
              disabled={disabled}
            />
          );
        })}
    </>
  );
}

function describe(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}

/** The statuses that can follow the current one, and the current one itself; undefined for other fields. */
function allowedStatuses({ transitions }: Field, present: unknown): readonly string[] | undefined {
  if (transitions === null) return undefined;
  if (typeof present !== 'string') return transitions.initial;
  return [present, ...(transitions.allowed[present] ?? [])];
}
