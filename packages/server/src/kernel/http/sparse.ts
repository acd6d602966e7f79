/** The parameter `fields`, which selects members of records. A selection always includes the id. */
import { Problem } from '@trellis/schema/problem.ts';
import { flattenFields, isGroup, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { unwrap } from '@trellis/schema/validation/faults.ts';
import { nearestName, quoteName } from '@trellis/schema/values/text.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import type { Model } from '../pipeline/model.ts';
import { type Choice, compileRecordWriter, type RecordWriter } from '../pipeline/read/record-text.ts';
import type { Width } from '../pipeline/storage.ts';

/** A selection of members; null stands for the whole record. */
export interface Selection {
  readonly members: Choice;
  /** The dotted names of the fields of which anything is selected: only these must be read. */
  readonly fields: ReadonlySet<string>;
  /** Whether any large text is wanted. */
  readonly width: Width;
}

const commonMembers = ['id', 'version', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'];

/** The names that `fields` accepts for a resource: members, and with dots the members of objects and list items. */
export function selectableNames(resource: Resource): string[] {
  const parent = resource.parent === null ? [] : [resource.parent.parameter];
  return [
    ...commonMembers,
    ...parent,
    ...Object.keys(resource.fields),
    ...flattenFields(resource).flatMap(([name, { schema }]) => [
      name,
      ...namesInside(name, schema as JsonSchema),
    ]),
  ];
}

function namesInside(name: string, schema: JsonSchema): string[] {
  const { properties = {}, items } = unwrap(schema) ?? {};
  const inner =
    items === undefined ? Object.entries(properties) : Object.entries(unwrap(items)?.properties ?? {});
  return inner.flatMap(([key, value]) => [`${name}.${key}`, ...namesInside(`${name}.${key}`, value)]);
}

/** Different values of `fields` that are remembered for each resource, and the length of the longest, in characters. */
const rememberedSelections = 200;
const longestRemembered = 500;
const selections = new WeakMap<Resource, BoundedMap<string, Selection>>();

/**
 * Reads the value of `fields`. Clients send the same few again and again: each is parsed once.
 * @throws Problem invalid_parameter
 */
export function readSelection(resource: Resource, value: string | undefined): Selection | null {
  if (value === undefined) return null;
  const remembered = selections.get(resource) ?? new BoundedMap<string, Selection>(rememberedSelections);
  selections.set(resource, remembered);
  const known = remembered.get(value);
  if (known !== undefined) return known;
  const selection = parseSelection(resource, value);
  // A client may send any number of long ones; they are not worth the memory.
  if (value.length <= longestRemembered) remembered.set(value, selection);
  return selection;
}

function parseSelection(resource: Resource, value: string): Selection {
  const known = new Set(selectableNames(resource));
  const names = value.split(',');
  for (const name of names) if (!known.has(name)) throw unknownField(name, [...known]);
  const members = choose(['id', ...names].map((name) => name.split('.')));
  const chosen = flattenFields(resource).filter(([name]) => isTouched(members, name.split('.')));
  const wantsLarge = chosen.some(([, { verbatim }]) => verbatim);
  return {
    members,
    fields: new Set(chosen.map(([name]) => name)),
    width: wantsLarge ? 'full' : 'narrow',
  };
}

const writers = new WeakMap<Selection | Resource, RecordWriter>();

/** What makes the JSON texts of a resource's records, with the selected members or all. */
export function writerOf({ resource, storage }: Model, selection: Selection | null): RecordWriter {
  const key = selection ?? resource;
  const known = writers.get(key);
  if (known !== undefined) return known;
  const made = compileRecordWriter(resource, storage, selection?.members ?? null);
  writers.set(key, made);
  return made;
}

function choose(paths: readonly (readonly string[])[]): Choice {
  const choice = new Map<string, Choice | null>();
  for (const name of new Set(paths.map(([first = '']) => first))) {
    const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    choice.set(name, inside.some((rest) => rest.length === 0) ? null : choose(inside));
  }
  return choice;
}

/** Whether a field, or anything inside it, is selected. */
function isTouched(choice: Choice, [first = '', ...rest]: readonly string[]): boolean {
  const inside = choice.get(first);
  if (inside === undefined || inside === null) return inside === null;
  return rest.length === 0 || isTouched(inside, rest);
}

function unknownField(name: string, known: readonly string[]): Problem {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
  const detail = `Unknown field ${quoteName(name)}.${hint}`;
  return new Problem('invalid_parameter', `fields: ${detail}`, {
    errors: [{ parameter: 'fields', code: 'invalid', detail }],
  });
}

/** An example value of `fields` for a resource. */
export function exampleSelection(resource: Resource): string {
  const group = Object.entries(resource.fields).find(([, member]) => isGroup(member));
  return group === undefined ? resource.titleField : `${resource.titleField},state`;
}
