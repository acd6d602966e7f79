/**
 * Writes the JSON text of a record directly from a row of its columns. The result equals that of `renderRecord` byte
 * for byte, but no objects are created and unselected members are skipped, which is most of the work for a page of
 * records.
 */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { isGroup, type Resource } from '@trellis/schema/resources/resource.ts';
import { innerReferences, prefixOf, renderValue, userPrefix } from '@trellis/schema/validation/values.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Row } from '../../database/batch.ts';
import { decodeColumn, parseTextArray, parseTimestamp } from '../../database/values.ts';
import { type Column, firstColumn, place, type Storage } from '../storage.ts';

/** The selected members of a record or object, each with its own selection; null: everything. */
export type Choice = ReadonlyMap<string, Choice | null>;

/** Writes the JSON text of a record from a row of `selectList`. */
export type RecordWriter = (row: Row) => string;

type Write = (row: Row) => string;

/**
 * Compiles the writer of a resource.
 * @param choice the selected members; null: all of them
 */
export function compileRecordWriter(
  resource: Resource,
  { columns }: Pick<Storage, 'columns'>,
  choice: Choice | null,
): RecordWriter {
  const indexes = new Map(columns.map(({ field }, index) => [field, firstColumn + index]));
  const kinds = new Map(columns.map((column) => [column.field, column]));
  const isWanted = (name: string, within: Choice | null) => within === null || within.has(name);
  const insideOf = (name: string, within: Choice | null) => within?.get(name) ?? null;
  const writeOf = (stored: string, field: Field, inside: Choice | null): Write =>
    writeField(kinds.get(stored), indexes.get(stored) ?? -1, field, inside);

  const members: (readonly [name: string, write: Write])[] = [];
  const add = (name: string, write: Write) => {
    if (isWanted(name, choice)) members.push([name, write]);
  };
  add('id', writeId(place.id, resource.idPrefix));
  if (resource.parent !== null)
    add(resource.parent.parameter, writeId(place.parent, prefixOf(resource.parent.resource)));
  for (const [name, member] of Object.entries(resource.fields)) {
    const inside = insideOf(name, choice);
    if (!isGroup(member)) {
      add(name, writeOf(name, member, inside));
      continue;
    }
    const inner = Object.entries(member.fields)
      .filter(([key]) => isWanted(key, inside))
      .map(([key, field]) => [key, writeOf(`${name}.${key}`, field, insideOf(key, inside))] as const);
    add(name, writeObject(inner));
  }
  add('version', (row) => row[place.version] ?? 'null');
  add('createdAt', writeInstant(place.createdAt));
  add('updatedAt', writeInstant(place.updatedAt));
  add('createdBy', writeId(place.createdBy, userPrefix));
  add('updatedBy', writeId(place.updatedBy, userPrefix));
  return writeObject(members);
}

function writeObject(members: readonly (readonly [name: string, write: Write])[]): Write {
  const parts = members.map(([name, write], index) => ({
    before: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    write,
  }));
  return (row) => {
    let text = '';
    for (const { before, write } of parts) text += before + write(row);
    return text === '' ? '{}' : `${text}}`;
  };
}

function writeId(index: number, prefix: string): Write {
  return (row) => {
    const id = row[index] ?? null;
    return id === null ? 'null' : `"${encodeId(prefix, id)}"`;
  };
}

function writeInstant(index: number): Write {
  return (row) => {
    const text = row[index] ?? null;
    return text === null ? 'null' : `"${parseTimestamp(text)}"`;
  };
}

/** @param inside the selected members of an object, or of each object in a list */
function writeField(column: Column | undefined, index: number, field: Field, inside: Choice | null): Write {
  if (column === undefined) return () => 'null';
  const { kind } = column;
  const plain = field.reference === null && innerReferences(field).length === 0 && inside === null;
  if (kind === 'uuid' && field.reference !== null) return writeId(index, prefixOf(field.reference.resource));
  if (kind === 'uuids' && field.reference !== null) {
    const prefix = prefixOf(field.reference.resource);
    return orNull(index, (text) =>
      text === '{}'
        ? '[]'
        : `[${parseTextArray(text)
            .map((id) => `"${encodeId(prefix, id)}"`)
            .join(',')}]`,
    );
  }
  if (plain && kind === 'text') return orNull(index, JSON.stringify);
  if (plain && kind === 'integer') return orNull(index, (text) => text);
  if (plain && kind === 'boolean') return orNull(index, (text) => (text === 't' ? 'true' : 'false'));
  if (plain && kind === 'instant') return writeInstant(index);
  if (plain && kind === 'texts')
    return orNull(index, (text) => (text === '{}' ? '[]' : JSON.stringify(parseTextArray(text))));
  const render = renderValue(field);
  return orNull(index, (text) => {
    const value = decodeColumn(kind, text);
    const rendered = render === null || value === null ? value : render(value);
    return JSON.stringify(inside === null ? rendered : pickInside(rendered, inside));
  });
}

function orNull(index: number, write: (text: string) => string): Write {
  return (row) => {
    const text = row[index] ?? null;
    return text === null ? 'null' : write(text);
  };
}

/** The selected members of an object, or of each item of a list; other values unchanged. */
function pickInside(value: unknown, choice: Choice): unknown {
  if (Array.isArray(value)) return value.map((item) => pickInside(item, choice));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inside = choice.get(name);
      if (inside === undefined) return [];
      return [[name, inside === null ? member : pickInside(member, inside)]];
    }),
  );
}
