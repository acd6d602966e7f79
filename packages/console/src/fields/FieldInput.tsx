/** The input of one value, by the schema of its declaration: a field, or a member of an object in a field. */
import { targetOfReference } from '../resources/declared.ts';
import { kindOf } from './kinds/index.ts';
import type { ValueProps } from './value-schema.ts';

export function FieldInput(props: ValueProps) {
  const target = targetOfReference(props.target);
  const { Input } = kindOf(props.schema, target);
  return (
    // Faults above the form lead to it.
    <div data-pointer={props.pointer} style={{ display: 'contents' }}>
      <Input {...props} target={target} Input={FieldInput} />
    </div>
  );
}
