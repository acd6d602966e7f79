/**
 * Why: the places a column can go to follow from the declaration of a resource: its fields, the members of its objects
 * and lists, and the few that an import resolves itself.
 */
import { nearestName } from '../../../lib/text.ts';
import type { JsonSchema } from '../../../pipeline/body-schemas.ts';
import { unwrap } from '../../../pipeline/faults.ts';
import type { Field } from '../../../resources/fields.ts';
import { flattenFields, type Resource } from '../../../resources/resource.ts';
import { UsageError } from '../../command-line.ts';
import { listMembers, particularsOf } from './particulars.ts';

/** A place that a column can go to. */
export interface Target {
  /** `title`, `versionData.title`, `emails.address`, or a name of the import's own such as `isbn10`. */
  readonly name: string;
  /** Dotted name of the field; of the import's own targets their name. */
  readonly field: string;
  /** The member of an object or list; null for the whole field. */
  readonly member: string | null;
  /** null for the import's own. */
  readonly declared: Field | null;
}

/** Where a column goes. */
export interface Destination {
  readonly target: Target;
  /** Columns of one group are members of one list item: the cells `street` and `city` are one address. */
  readonly group: string;
  /** What the column says besides its value. */
  readonly constants: Readonly<Record<string, string>>;
  /** Of several columns with one destination the lowest counts that has a value. */
  readonly rank: number;
}

/** Targets that are no fields: what they are made into is decided in build-row.ts. */
const ownTargets: Readonly<Record<string, readonly string[]>> = {
  books: ['isbn10'],
  contacts: ['fullName', 'companies.name'],
  articles: ['tags', 'categories'],
};

/** Every target of a resource, whole fields before their members. */
export function listTargets(resource: Resource): Target[] {
  const fields = flattenFields(resource).filter(([, field]) => !field.readOnly);
  const members = fields.flatMap(([name, field]): Target[] =>
    Object.keys(membersOf(field)).map((member) => ({
      name: `${name}.${member}`,
      field: name,
      member,
      declared: field,
    })),
  );
  const own = (ownTargets[resource.name] ?? []).map((name): Target => {
    const [field = name, member = null] = name.includes('.') ? name.split('.') : [name, null];
    const declared = member === null ? null : (fields.find(([known]) => known === field)?.[1] ?? null);
    return { name, field, member, declared };
  });
  return [
    ...fields.map(([name, declared]): Target => ({ name, field: name, member: null, declared })),
    ...members,
    ...own,
  ];
}

/** Writable members of an object, or of the items of a list. */
export function membersOf(field: Field): Readonly<Record<string, JsonSchema>> {
  const schema = field.schema as JsonSchema;
  const properties = schema.items?.properties ?? schema.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]): [string, JsonSchema][] =>
      member.readOnly === true ? [] : [[name, unwrap(member) ?? member]],
    ),
  );
}

/** Whether the field is a list of objects. */
export function isListOfObjects(field: Field): boolean {
  return (field.schema as JsonSchema).items?.properties !== undefined;
}

/** What a list of objects is called by its particulars: the last part of its name. */
export function particularList(fieldName: string) {
  return listMembers[fieldName.slice(fieldName.lastIndexOf('.') + 1)];
}

/** Finds destinations of columns: what `--map` says first, then the names of the fields, then what the trade calls them. */
export class Destinations {
  private readonly targets: readonly Target[];
  private readonly known = new Map<string, Destination | null>();
  private readonly synonyms = new Map<string, Destination>();

  /** @param rules from column to target; null leaves the column out. @throws UsageError when a target is none */
  constructor(resource: Resource, rules: ReadonlyMap<string, string | null>) {
    this.targets = listTargets(resource);
    for (const target of this.targets) {
      const byName = { target, group: '', constants: {}, rank: 50 };
      this.synonyms.set(simplify(target.name), byName);
      // The fields of a group such as `versionData` are known by their last name too.
      const last = simplify(target.field.slice(target.field.lastIndexOf('.') + 1));
      if (target.member === null && !this.synonyms.has(last)) this.synonyms.set(last, byName);
    }
    for (const { to, names, constants = {} } of particularsOf(resource).synonyms) {
      const target = this.targets.find(({ name }) => name === to);
      if (target === undefined) throw new Error(`no target is called ${to}`);
      const group = Object.values(constants).join(' ');
      for (const [rank, name] of names.entries()) this.synonyms.set(name, { target, group, constants, rank });
    }
    for (const [column, to] of rules) this.known.set(column, to === null ? null : this.readRule(column, to));
  }

  /** Whether a field or a member of one has that name. */
  find(column: string): Destination | null {
    const known = this.known.get(column);
    if (known !== undefined) return known;
    return this.findByName(column);
  }

  private findByName(column: string): Destination | null {
    const simplified = simplify(column);
    const direct = this.synonyms.get(simplified);
    if (direct !== undefined) return direct;
    // "E-mail 2 address" and "Phone 1" are further items of a list.
    const [, before = '', number = '', after = ''] = /^(\D+)(\d{1,2})(\D*)$/.exec(simplified) ?? [];
    const numbered = this.synonyms.get(before + after);
    if (number === '' || numbered === undefined || numbered.target.declared === null) return null;
    if (!isListOfObjects(numbered.target.declared)) return null;
    return { ...numbered, group: `${numbered.group} ${Number(number)}` };
  }

  private readRule(column: string, to: string): Destination {
    const [, list = '', number, member = ''] = /^(.+)\.(\d{1,2})\.(\w+)$/.exec(to) ?? [];
    const name = number === undefined ? to : `${list}.${member}`;
    const byEnd = this.targets.filter((target) => target.name.endsWith(`.${name}`));
    const target =
      this.targets.find((candidate) => candidate.name === name) ??
      (byEnd.length === 1 ? byEnd[0] : undefined);
    if (target === undefined) throw unknownTarget(name, this.targets);
    // Two columns mapped to emails.address are two addresses.
    const isMain = target.member !== null && particularList(target.field)?.main === target.member;
    const group = number === undefined ? (isMain ? `column ${column}` : '') : ` ${Number(number)}`;
    const inferred = this.findByName(column);
    const constants = inferred?.target === target ? inferred.constants : {};
    return { target, group, constants, rank: 0 };
  }
}

function unknownTarget(name: string, targets: readonly Target[]): UsageError {
  const names = targets.map((target) => target.name);
  const nearest = nearestName(name, names);
  return new UsageError(
    `--map: there is no field "${name}". ${nearest === null ? `There are: ${names.join(', ')}.` : `Did you mean "${nearest}"?`}`,
  );
}

/** `First_Name`, `first name` and `firstName` are one name. */
function simplify(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\(s\)/g, 's')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
