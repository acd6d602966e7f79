/** The cells of a row with their destinations: which of them fill whole fields, and which are members of objects and list items. */

import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ColumnMapping } from './columns.ts';
import { isListOfObjects } from './destinations.ts';
import type { MappedColumn } from './item-groups.ts';

/** Cells that form one list item, or several when the main cell holds several. */
export interface ItemCells {
  readonly constants: Readonly<Record<string, string>>;
  /** By member. */
  readonly cells: ReadonlyMap<string, unknown>;
}

/** A value with its destination. */
export interface Cell extends MappedColumn {
  /** The value as the file has it. */
  readonly written: unknown;
  /** What it stands for; undefined for nothing. */
  readonly value: unknown;
}

/** The cells of a row by what they fill. */
export interface GatheredCells {
  /** By name of the destination: whole fields and inputs. */
  readonly values: ReadonlyMap<string, unknown>;
  /** By field, in the order of the columns: cells of objects and of list items. */
  readonly members: ReadonlyMap<string, readonly ItemCells[]>;
  readonly repairs: readonly string[];
}

/** Separates the cells of whole fields from those of objects and list items. */
export function gather(cells: readonly Cell[]): GatheredCells {
  const isForField = ({ mapping, value }: Cell) => fillsField(mapping, value);
  const members = Map.groupBy(
    cells.filter((cell) => !isForField(cell)),
    ({ mapping }) => mapping.destination.field,
  );
  return {
    values: new Map(cells.filter(isForField).map(({ mapping, value }) => [mapping.destination.field, value])),
    members: new Map([...members].map(([field, parts]) => [field, gatherItems(parts)])),
    repairs: cells.flatMap(({ mapping: { repair } }) => (repair === null ? [] : [repair])),
  };
}

function gatherItems(cells: readonly Cell[]): ItemCells[] {
  const groups = Map.groupBy(cells, ({ mapping }) => groupOf(mapping));
  return [...groups.values()].map((group) => ({
    constants: Object.assign({}, ...group.map(({ mapping }) => mapping.constants)),
    cells: new Map(group.map(({ mapping, value }) => [mapping.destination.member ?? '', value])),
  }));
}

/** Whether a value is given. Null counts where it clears the field. */
export function isGiven({ destination }: ColumnMapping, value: unknown): boolean {
  if (value === null) return destination.isClearable;
  return value !== undefined && (value !== '' || destination.declared?.verbatim === true);
}

/** Identifies what only one column of a row can fill. */
export function slotOf(mapping: ColumnMapping, value: unknown): string {
  const { field, member } = mapping.destination;
  return fillsField(mapping, value) ? field : JSON.stringify([field, groupOf(mapping), member]);
}

/** Whether a value is that of a field, and not of a member of an object or list item. */
function fillsField({ destination }: ColumnMapping, value: unknown): boolean {
  if (destination.member === null) return true;
  const { declared } = destination;
  return isWhole(value) || (declared !== null && !isListOfObjects(declared) && isJsonObject(value));
}

/** The columns of an object are one group; those of a list one for each item. */
function groupOf({ destination: { declared }, group }: ColumnMapping): string {
  return declared !== null && isListOfObjects(declared) ? (group ?? '') : '';
}

/** Whether a text is an object as JSON, as in exports. */
function isJsonObject(value: unknown): boolean {
  return typeof value === 'string' && /^\s*\{\s*"/.test(value);
}

/** Whether a value is a whole list or object although its column has the name of its main member, such as `phones`. */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*\[\s*[{\]]/.test(value);
  return (
    value === null ||
    isPlainObject(value) ||
    (Array.isArray(value) && (value.length === 0 || value.some((item) => isPlainObject(item))))
  );
}
