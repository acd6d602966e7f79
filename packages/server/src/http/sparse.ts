/** The parameter `fields`, which selects members of records. A selection always includes the id. */
import { Problem } from '@trellis/schema/problem.ts';
import { flattenFields, isGroup, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { unwrap } from '@trellis/schema/validation/faults.ts';
import { nearestName, quoteName } from '@trellis/schema/values/text.ts';
import type { Width } from '../pipeline/storage.ts';

/** The selected members of a record or object, by name, each with its own selected members; null for all of them. */
type Choice = ReadonlyMap<string, Choice | null>;

/** A selection of members; null stands for the whole record. */
export interface Selection {
  readonly members: Choice;
  /** Whether large texts are selected. */
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

/**
 * Parses the value of `fields`.
 * @throws Problem invalid_parameter
 */
export function readSelection(resource: Resource, value: string | undefined): Selection | null {
  if (value === undefined) return null;
  const known = selectableNames(resource);
  const names = value.split(',');
  for (const name of names) if (!known.includes(name)) throw unknownField(name, known);
  const members = choose(['id', ...names].map((name) => name.split('.')));
  const wantsLarge = flattenFields(resource).some(
    ([name, { verbatim }]) => verbatim && isSelected(members, name.split('.')),
  );
  return { members, width: wantsLarge ? 'full' : 'narrow' };
}

function choose(paths: readonly (readonly string[])[]): Choice {
  const choice = new Map<string, Choice | null>();
  for (const name of new Set(paths.map(([first = '']) => first))) {
    const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    choice.set(name, inside.some((rest) => rest.length === 0) ? null : choose(inside));
  }
  return choice;
}

/** The selected members of a rendered record. */
export function pick(record: Record<string, unknown>, selection: Selection | null): Record<string, unknown> {
  return selection === null ? record : pickMembers(record, selection.members);
}

function pickMembers(object: object, choice: Choice): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const inside = choice.get(name);
      if (inside === undefined) return [];
      return [[name, inside === null ? value : pickInside(value, inside)]];
    }),
  );
}

/** Picks the members of an object or of each item of a list; null stays null. */
function pickInside(value: unknown, choice: Choice): unknown {
  if (Array.isArray(value)) return value.map((item) => pickInside(item, choice));
  return typeof value === 'object' && value !== null ? pickMembers(value, choice) : value;
}

function isSelected(choice: Choice, [first = '', ...rest]: readonly string[]): boolean {
  const inside = choice.get(first);
  if (inside === undefined || inside === null) return inside === null;
  return rest.length > 0 && isSelected(inside, rest);
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
