/**
 * The filters of lists, and the fields that lists are sorted by. A declaration names the filters by equality; whether a field has a value,
 * texts that contain another one and ranges follow from the kinds of its fields, so that no list lacks them for one of them.
 */
import type { Field } from './fields.ts';
import { type Fielded, flattenFields } from './flatten-fields.ts';
import { limits } from './limits.ts';

/** How a filter of a range compares: at or after, after, at or before, before. */
export type Bound = 'gte' | 'gt' | 'lte' | 'lt';

/**
 * A filter of a list over a field of the record, by equality; `exists` means whether it has a value, `contains` that it has the text in any
 * case and accents, and `bound` that it lies on one side of the value given.
 */
interface FieldFilter {
  readonly description: string;
  readonly kind: 'choice' | 'boolean' | 'exists' | 'integer' | 'text' | 'contains' | 'reference' | 'bound';
  /** The field that is compared: `name`, or `group.name`. */
  readonly field: string;
  readonly values?: readonly string[];
  readonly format?: string;
  /** Bounds of an integer. */
  readonly min?: number;
  readonly max?: number;
  /** Of a choice: whether an index begins with the organization, the parent and the field, so that records with a value are counted in it. */
  readonly isIndexed?: boolean;
  /** Of a bound. */
  readonly bound?: Bound;
  readonly example: string;
}

/** An equality filter over a side table of the resource. */
interface ViaFilter {
  readonly description: string;
  readonly kind: 'via';
  /** Name of the side table. */
  readonly table: string;
  readonly format?: string;
  readonly example: string;
}

export type Filter = FieldFilter | ViaFilter;

/** What a field is compared as in a range and in an order. `date`: a date known to the year, the month or the day. */
type Scale = 'instant' | 'integer' | 'date' | 'text';

/** Instants of every record. */
const commonInstants = ['createdAt', 'updatedAt'];

/** Whether a field is one of the instants that every record has. */
export function isCommonInstant(name: string): boolean {
  return commonInstants.includes(name);
}

/** How a field is compared; null if it has no order that somebody would want. */
export function scaleOf(resource: Fielded, name: string): Scale | null {
  if (isCommonInstant(name)) return 'instant';
  const field = flattenFields(resource).find(([one]) => one === name)?.[1];
  return field === undefined ? null : scaleOfField(name, field);
}

/** The parts of a field's schema that decide which filters it has. */
interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
}

function scaleOfField(name: string, { kind, schema }: Field): Scale | null {
  const { format, minimum = 0 }: FieldSchema = schema;
  if (kind === 'instant') return 'instant';
  if (format === 'partial-date') return 'date';
  // What was never given is less than every number: the order has no place for numbers below zero.
  if (kind === 'integer') return minimum < 0 || /version(Number)?$/i.test(name) ? null : 'integer';
  return kind === 'text' && format === 'name' ? 'text' : null;
}

/** A field that lists can be sorted by. */
export interface OrderedField {
  /** Dotted name. */
  readonly field: string;
  /** Name of the ascending order. */
  readonly name: string;
  readonly scale: Scale;
}

/** The part of a declaration that filters and orders follow from. */
interface Titled extends Fielded {
  readonly titleField: string;
  readonly filters: Readonly<Record<string, Filter>>;
  readonly versions?: { readonly group: string };
}

/**
 * What lists can be sorted by besides the title, whether or not there is an index: the instants, dates, numbers and names that
 * have filters. The fields of versions are left out: each page would read a version of every record.
 */
export function orderedFields(resource: Titled): readonly OrderedField[] {
  const own = flattenFields(resource).filter(([name]) => !name.startsWith(`${resource.versions?.group}.`));
  const names = [...commonInstants, ...own.map(([name]) => name)];
  return names.flatMap((field) => {
    const scale = scaleOf(resource, field);
    const name = lastPart(field);
    const isCompared = [`${name}[gte]`, `${name}[contains]`].some((one) => one in filtersOf(resource));
    return scale === null || field === resource.titleField || !(isCompared || isCommonInstant(field))
      ? []
      : [{ field, name, scale }];
  });
}

/** Complete filters, which are looked up by each request for a list. */
const completed = new WeakMap<Titled, Readonly<Record<string, Filter>>>();

/**
 * All filters of a resource by name: those that it declares, and those that follow from its fields. What belongs to the organization itself,
 * such as members and tokens, has those that it declares.
 */
export function filtersOf(resource: Titled): Readonly<Record<string, Filter>> {
  if (!('externalId' in resource.fields)) return resource.filters;
  const known = completed.get(resource);
  if (known !== undefined) return known;
  const made = { ...resource.filters, ...deriveFilters(resource) };
  completed.set(resource, made);
  return made;
}

/** The filters that the fields have by their kinds, by name. Filters that the declaration has over the same field stay as they are. */
function deriveFilters(definition: Titled): Readonly<Record<string, Filter>> {
  const compared = new Set(
    Object.values(definition.filters).flatMap((filter) => ('field' in filter ? [filter.field] : [])),
  );
  const filters = flattenFields(definition).flatMap(([name, field]): [string, Filter][] => [
    ...(compared.has(name) || lastPart(name) in definition.filters ? [] : equalityFilter(name, field)),
    ...(mayBeEmpty(field) ? [existsFilter(name, field)] : []),
    ...(isShortText(field) || name === definition.titleField ? [containsFilter(name)] : []),
    ...rangeFilters(name, scaleOfField(name, field), field.nullable),
  ]);
  return Object.fromEntries([
    ...filters,
    ...commonInstants.flatMap((name) => rangeFilters(name, 'instant', false)),
  ]);
}

/** The filter by equality that a closed choice, a flag, a language or a reference has. */
function equalityFilter(field: string, declared: Field): [string, Filter][] {
  const compared = comparisonOf(declared);
  if (compared === null || declared.readOnly || declared.verbatim) return [];
  const name = lastPart(field);
  const { examples = [] }: FieldSchema = declared.schema;
  const example = String(examples[0]);
  return [[name, { ...compared, field, description: `Only records with this \`${name}\`.`, example }]];
}

function comparisonOf({
  kind,
  schema,
  reference,
}: Field): Pick<FieldFilter, 'kind' | 'values' | 'format'> | null {
  const { enum: values, format }: FieldSchema = schema;
  if (values !== undefined) return { kind: 'choice', values };
  if (kind === 'boolean') return { kind };
  if (format === 'locale') return { kind: 'text', format };
  return kind === 'uuid' && reference !== null ? { kind: 'reference' } : null;
}

/** Whether records may lack the value: it may be null, or is a list. What the server itself says in words is left out. */
function mayBeEmpty({ kind, nullable, readOnly, schema }: Field): boolean {
  const { type }: FieldSchema = schema;
  return (nullable || type === 'array') && !(readOnly && kind === 'text');
}

function existsFilter(field: string, { schema }: Field): [string, Filter] {
  const name = lastPart(field);
  const { type }: FieldSchema = schema;
  const value = type === 'array' ? 'an item' : 'a value';
  return [
    `${name}[exists]`,
    {
      kind: 'exists',
      field,
      description: `Only records that have ${value} in \`${name}\`, or only those that have none.`,
      example: 'true',
    },
  ];
}

/** Formats of texts in which a part says something. */
const partFormats: readonly (string | undefined)[] = [undefined, 'name', 'slug', 'http-url', 'https-url'];

function isShortText({ kind, readOnly, schema }: Field): boolean {
  const { format, enum: values, maxLength = 0 }: FieldSchema = schema;
  const isText = kind === 'text' && values === undefined && partFormats.includes(format);
  return isText && !readOnly && maxLength <= limits.shortText;
}

function containsFilter(field: string): [string, Filter] {
  const name = lastPart(field);
  return [
    `${name}[contains]`,
    {
      kind: 'contains',
      field,
      description: `Only records whose \`${name}\` contains this text. Case and accents are ignored.`,
      example: 'release',
    },
  ];
}

const bounds: readonly Bound[] = ['gte', 'gt', 'lte', 'lt'];

/** How a bound is said of instants and dates, and of numbers. */
const boundWords: Readonly<Record<Bound, readonly [time: string, number: string]>> = {
  gte: ['this or later', 'at least this'],
  gt: ['later than this', 'greater than this'],
  lte: ['this or earlier', 'at most this'],
  lt: ['earlier than this', 'less than this'],
};
const boundExamples = { instant: '2026-01-01T00:00:00Z', date: '2026-05', integer: '100' };

function rangeFilters(field: string, scale: Scale | null, isOptional: boolean): [string, Filter][] {
  if (scale === null || scale === 'text') return [];
  const name = lastPart(field);
  const partial =
    scale === 'date'
      ? ' A record counts with the first day of its year or month, and the value with its first day (`gte`, `lt`) or its last (`gt`, `lte`).'
      : '';
  return bounds.map((bound) => {
    const without = isOptional ? ' Records without the value are not found.' : '';
    return [
      `${name}[${bound}]`,
      {
        kind: 'bound',
        bound,
        field,
        description: `Only records whose \`${name}\` is ${boundWords[bound][scale === 'integer' ? 1 : 0]}.${without}${partial}`,
        example: boundExamples[scale],
      },
    ];
  });
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
