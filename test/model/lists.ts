/** The model's lists: which records a list contains, in which order. */
import type { Bound, Filter, Resource } from '@trellis/schema/resources/resource.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { isVisible } from './files.ts';
import type { User } from './organizations.ts';
import { rulesOf } from './rules.ts';
import { chosen, type Draw, e164Of, fold, notationsOf, searchTexts } from './samples.ts';
import { type Fields, type ModelRecord, recordsOf, type State } from './state.ts';

/** The parameters of a list request. */
export interface ListRequest {
  readonly sort: string | null;
  readonly filters: Readonly<Record<string, string>>;
  readonly search: string | null;
  readonly limit: number;
}

/** Draws a list request: a sort, filters by values that records have, a text, a page size. */
export function drawList(resource: Resource, records: readonly ModelRecord[], draw: Draw): ListRequest {
  const title = resource.titleField.split('.').at(-1) ?? '';
  const further = (resource.sortFields ?? []).map((field) => field.split('.').at(-1) ?? '');
  const orders = ['createdAt', 'updatedAt', title, ...further].flatMap((name) => [name, `-${name}`]);
  const sort = chosen([null, ...orders], draw);
  const names = Object.keys(resource.filters);
  const filters: Record<string, string> = {};
  for (let count = draw(3); count > 0; count -= 1) {
    const name = chosen(names, draw);
    const filter = resource.filters[name];
    const values = records
      .flatMap((record) => valuesOf(resource, name, record))
      .filter((value) => value !== null);
    if (filter === undefined) continue;
    filters[name] = String(
      values.length === 0 || draw(5) === 4 ? drawUnusedValue(filter) : chosen(values, draw),
    );
  }
  return { sort, filters, search: draw(3) === 2 ? chosen(searchTexts, draw) : null, limit: 1 + draw(4) };
}

/** The records that the list must contain for the user, in order. */
export function expectedList(
  state: State,
  user: User,
  resource: Resource,
  parentId: string | null,
  { sort, filters, search }: ListRequest,
): ModelRecord[] {
  const chosenOnes = recordsOf(state, resource.name, parentId).filter(
    (record) =>
      isVisible(user, record) &&
      Object.entries(filters).every(([name, value]) => isSelected(record, name, value)) &&
      (search === null || contains(record, search, state.country)),
  );
  const name = (sort ?? '-createdAt').replace('-', '');
  const sign = (sort ?? '-createdAt').startsWith('-') ? -1 : 1;
  const byKey = (left: ModelRecord, right: ModelRecord) =>
    sign * (compareTexts(keyOf(left, name), keyOf(right, name)) || compareTexts(left.id, right.id));
  return chosenOnes.sort(byKey);
}

/** A value of the filter's kind that records rarely have. */
function drawUnusedValue({ kind, example }: Filter): string {
  if (kind === 'since' || kind === 'bound') return new Date(Date.now() + 3_600_000).toISOString();
  return example;
}

function keyOf(record: ModelRecord, name: string): string {
  if (name === 'createdAt') return record.createdAt;
  if (name === 'updatedAt') return record.updatedAt;
  const further = record.resource.sortFields?.find((field) => field.endsWith(`.${name}`));
  // A record without the instant is older than all others.
  if (further !== undefined) return String(record.fields[further] ?? '');
  const { titleField, titleFallbacks = [] } = record.resource;
  const names = [titleField, ...titleFallbacks];
  return String(names.map((field) => record.fields[field]).find((value) => (value ?? null) !== null));
}

/** By code points, as the database compares (C.UTF-8). */
function compareTexts(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function isSelected(record: ModelRecord, name: string, value: string): boolean {
  const filter = record.resource.filters[name];
  const values = valuesOf(record.resource, name, record);
  if (filter?.kind === 'since') return values.some((own) => String(own) >= value);
  if (filter?.kind === 'bound')
    return values.some((own) => typeof own === 'string' && isWithin(filter.bound, own, value));
  const wanted = [value, e164Of(value, null)];
  return values.some((own) => own !== null && wanted.includes(String(own)));
}

/** Whether an instant lies on the side of the other that a bound says; both in UTC with milliseconds. */
function isWithin(bound: Bound | undefined, own: string, value: string): boolean {
  if (own === value) return bound === 'gte' || bound === 'lte';
  return own > value === (bound === 'gte' || bound === 'gt');
}

/** The values of a record that a filter compares with. */
function valuesOf(resource: Resource, name: string, record: ModelRecord): unknown[] {
  const filter = resource.filters[name];
  if (filter === undefined) throw new Error(`${resource.name} has no filter ${name}`);
  if (filter.kind === 'via') return [...rulesOf(resource).filtered(filter.table, record.fields)];
  if (filter.kind === 'since') return [record.updatedAt];
  const value = record.fields[filter.field] ?? null;
  return Array.isArray(value) ? value : [value];
}

/**
 * Whether a name, title, number or address contains the search text in any case, accents and notation, or the short texts, or the long
 * ones, have all of its words, the last one as a prefix.
 */
function contains(record: ModelRecord, search: string, country: string | null): boolean {
  const { resource, fields } = record;
  const wanted = [search, ...notationsOf(search, country)].map(fold);
  const { notations, words } = rulesOf(resource);
  const others = notations?.(fields) ?? [];
  const identifying = [...searchableTexts(resource, fields, 'identifying'), ...others].map(fold);
  const pieces = wanted.slice(0, notations === undefined ? 1 : undefined);
  const short = [
    ...identifying,
    ...(words?.(fields) ?? []),
    ...searchableTexts(resource, fields, 'prose').map(fold),
  ];
  const long = searchableTexts(resource, fields, 'long').map(fold);
  return (
    identifying.some((text) => pieces.some((piece) => text.includes(piece))) ||
    [short, long].some((texts) => hasWords(texts, fold(search)))
  );
}

/** The last word is a prefix, without the signs after it; with signs inside it begins no word. */
function hasWords(texts: readonly string[], search: string): boolean {
  const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const known = texts.flatMap(wordsOf);
  const [last = ''] = /\S+$/.exec(search) ?? [];
  const isWord = /[\p{L}\p{N}]/u.test(last);
  const prefix = last.replace(/[^\p{L}\p{N}]+$/u, '');
  const whole = wordsOf(isWord ? search.slice(0, -last.length) : search);
  return (
    (isWord || whole.length > 0) &&
    whole.every((word) => known.includes(word)) &&
    (!isWord || known.some((own) => own.startsWith(prefix)))
  );
}

/** The searchable texts of a kind. Long fields allow more than 2,000 characters. */
function searchableTexts(
  resource: Resource,
  fields: Fields,
  kind: 'identifying' | 'prose' | 'long',
): string[] {
  return flattenFields(resource).flatMap(([name, { searchable, searchableMember, schema, prose }]) => {
    const value = fields[name] ?? null;
    const longest = (schema as { maxLength?: number }).maxLength ?? 0;
    const own = longest > 2_000 ? 'long' : prose ? 'prose' : 'identifying';
    if (searchable === null || value === null || own !== kind) return [];
    if (!Array.isArray(value)) return [String(value)];
    return value.map((item) => String(searchableMember === null ? item : item[searchableMember]));
  });
}
