/** Why: `fields=a,b.c` lets a list of titles be a list of titles. A sparse record always has its id. */
import { Problem } from '../lib/problem.ts';
import { nearestName } from '../lib/text.ts';
import type { Width } from '../pipeline/storage.ts';
import { flattenFields, isGroup, type Resource } from '../resources/resource.ts';

/** A selection of members; null stands for the whole record. */
export interface Selection {
  /** Member name to null (all of it) or the chosen names inside it. */
  readonly members: ReadonlyMap<string, ReadonlySet<string> | null>;
  /** Whether any large text is wanted. */
  readonly width: Width;
}

const commonMembers = ['id', 'version', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'];

/** Names that `fields` accepts for a resource. */
export function selectableNames(resource: Resource): string[] {
  const parent = resource.parent === null ? [] : [resource.parent.parameter];
  return [
    ...commonMembers,
    ...parent,
    ...Object.keys(resource.fields),
    ...flattenFields(resource).map(([name]) => name),
  ];
}

/**
 * Parses the value of `fields`.
 * @throws Problem invalid_parameter
 */
export function readSelection(resource: Resource, value: string | undefined): Selection | null {
  if (value === undefined) return null;
  const known = selectableNames(resource);
  const members = new Map<string, Set<string> | null>([['id', null]]);
  for (const name of value.split(',')) {
    if (!known.includes(name)) throw unknownField(name, known);
    const [member = '', inner] = name.split('.');
    if (inner === undefined) members.set(member, null);
    else if (members.get(member) !== null) members.set(member, (members.get(member) ?? new Set()).add(inner));
  }
  const wantsLarge = flattenFields(resource).some(
    ([name, { verbatim }]) => verbatim && isSelected(members, name),
  );
  return { members, width: wantsLarge ? 'full' : 'narrow' };
}

/** The selected members of a rendered record. */
export function pick(record: Record<string, unknown>, selection: Selection | null): Record<string, unknown> {
  if (selection === null) return record;
  const picked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const inner = selection.members.get(name);
    if (inner === null) picked[name] = value;
    else if (inner !== undefined) {
      picked[name] = Object.fromEntries(Object.entries(value as object).filter(([key]) => inner.has(key)));
    }
  }
  return picked;
}

function isSelected(members: ReadonlyMap<string, ReadonlySet<string> | null>, name: string): boolean {
  const [member = '', inner] = name.split('.');
  const chosen = members.get(member);
  return chosen === null || (chosen !== undefined && inner !== undefined && chosen.has(inner));
}

function unknownField(name: string, known: readonly string[]): Problem {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
  const detail = `Unknown field "${name}".${hint}`;
  return new Problem('invalid_parameter', `fields: ${detail}`, {
    errors: [{ parameter: 'fields', code: 'invalid', detail }],
  });
}

/** Whether the resource has groups, so that the description of `fields` can give a fitting example. */
export function exampleSelection(resource: Resource): string {
  const group = Object.entries(resource.fields).find(([, member]) => isGroup(member));
  return group === undefined ? resource.titleField : `${resource.titleField},state`;
}
