/** An object, and a list of objects; an object is represented by its first text. */
import { memberSchemas } from '@trellis/schema/resources/places.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { ListEditor, ObjectEditor } from '../ListEditor.tsx';
import type { CellProps, InputProps, Kind } from './kind.ts';

function ListCell({ value, field }: CellProps) {
  if (!Array.isArray(value) || value.length === 0) return null;
  const first = firstText(value[0], Object.keys(memberSchemas(field)));
  return <>{value.length > 1 ? `${first} +${value.length - 1}` : first}</>;
}

function ObjectCell({ value }: CellProps) {
  return <>{isPlainObject(value) && firstText(value, Object.keys(value))}</>;
}

function firstText(value: unknown, members: readonly string[]): string {
  const texts = isPlainObject(value) ? members.map((member) => value[member]) : [];
  return texts.find((text) => typeof text === 'string') ?? '';
}

function ListInput(props: InputProps) {
  const { items = {} } = props.schema;
  return <ListEditor {...props} value={Array.isArray(props.value) ? props.value : []} item={items} />;
}

function ObjectInput(props: InputProps) {
  return <ObjectEditor {...props} value={isPlainObject(props.value) ? props.value : {}} />;
}

export const objects: Kind = {
  matches: ({ type, items }) => type === 'array' && items?.type === 'object',
  Cell: ListCell,
  Input: ListInput,
};

export const object: Kind = {
  matches: ({ type, properties }) => type === 'object' && properties !== undefined,
  Cell: ObjectCell,
  Input: ObjectInput,
};
