/** What a person may say about each field of a list, and the filters of the API that say it. */
import { filtersOf, scaleOf } from '@trellis/schema/resources/filters.ts';
import type { Bound, Filter, Resource } from '@trellis/schema/resources/resource.ts';

/** In the order in which they are offered. The first that a field has is proposed. */
const operators = ['is', 'contains', 'between', 'empty', 'filled'] as const;
export type Operator = (typeof operators)[number];

/** A field, or what a filter of its own reads. */
export interface Subject {
  /** Names it, as `names.field` understands it: the filter by equality where there is one. */
  readonly name: string;
  /** Names of filters. */
  readonly is: string | null;
  readonly contains: string | null;
  readonly exists: string | null;
  readonly bounds: Readonly<Partial<Record<Bound, string>>>;
  /** How the sides of a range are given; null without a range. */
  readonly scale: ReturnType<typeof scaleOf>;
  /** Whether the menu has it. Addresses may have others. */
  readonly isOffered: boolean;
}

/** Something that is said about a subject. */
export interface Condition {
  readonly subject: Subject;
  readonly operator: Operator;
}

/** What the filters of a resource are about, in their order. */
export function subjectsOf(resource: Resource): readonly Subject[] {
  const subjects = new Map<string, Subject>();
  for (const [name, filter] of Object.entries<Filter>(filtersOf(resource))) {
    const key = keyOf(resource, name, filter);
    const known = subjects.get(key) ?? { ...nothing, name: name.replace(/\[.*/, '') };
    subjects.set(key, withFilter(resource, known, name, filter));
  }
  return [...subjects.values()];
}

const nothing = { is: null, contains: null, exists: null, bounds: {}, scale: null, isOffered: true };

/** The field of a filter. Filters with a name of their own, which no field has, are about themselves. */
function keyOf(resource: Resource, name: string, filter: Filter): string {
  if (filter.kind === 'via') {
    const [path = name, ...others] = resource.sideTables?.[filter.table]?.values ?? [];
    return others.length === 0 ? (path.split('.')[0] ?? name) : name;
  }
  const isNamed = ['exists', 'bound'].includes(filter.kind) && !name.endsWith(']');
  return isNamed ? name : filter.field;
}

function withFilter(resource: Resource, subject: Subject, name: string, filter: Filter): Subject {
  if (filter.kind === 'bound') {
    const bounds = { ...subject.bounds, [filter.bound ?? 'gte']: name };
    // A bound with a name of its own, "changed since", is one side of a range. Where that is a filter too, it is offered.
    const isOffered = name.endsWith(']') || !(`${filter.field}[gte]` in filtersOf(resource));
    return { ...subject, bounds, scale: scaleOf(resource, filter.field), isOffered };
  }
  if (filter.kind === 'contains') return { ...subject, contains: name };
  return filter.kind === 'exists' && name.endsWith(']')
    ? { ...subject, exists: name }
    : { ...subject, is: name };
}

/** What can be said about a subject. */
export function operatorsOf({ is, contains, exists, bounds }: Subject): readonly Operator[] {
  return operators.filter((operator) => {
    if (operator === 'is') return is !== null;
    if (operator === 'contains') return contains !== null;
    return operator === 'between' ? Object.keys(bounds).length > 0 : exists !== null;
  });
}

/** The names of the filters that say a condition. */
export function filterNamesOf({ subject, operator }: Condition): readonly string[] {
  const { is, contains, exists, bounds } = subject;
  if (operator === 'between') return Object.values(bounds);
  const name = operator === 'is' ? is : operator === 'contains' ? contains : exists;
  return name === null ? [] : [name];
}

/** The conditions that the filters of an address say. */
export function conditionsIn(
  subjects: readonly Subject[],
  filters: Readonly<Record<string, string>>,
): readonly Condition[] {
  return subjects.flatMap((subject) =>
    operatorsOf(subject)
      .filter((operator) => {
        const given = filterNamesOf({ subject, operator }).filter((name) => filters[name] !== undefined);
        const [name = ''] = given;
        if (operator === 'filled') return given.length > 0 && filters[name] !== 'false';
        return operator === 'empty' ? filters[name] === 'false' : given.length > 0;
      })
      .map((operator) => ({ subject, operator })),
  );
}

/** The filters that a condition begins with: what is empty needs no further word. */
export function firstFilters(
  resource: Resource,
  { subject, operator }: Condition,
): Readonly<Record<string, string>> {
  const { is, exists } = subject;
  if (exists !== null && (operator === 'empty' || operator === 'filled'))
    return { [exists]: String(operator === 'filled') };
  const kind = is === null ? undefined : filtersOf(resource)[is]?.kind;
  return operator === 'is' && is !== null && (kind === 'boolean' || kind === 'exists')
    ? { [is]: 'true' }
    : {};
}
