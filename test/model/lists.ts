/** The model's lists: which records a list contains, in which order. */
import { filtersOf, orderedFields, scaleOf } from '@trellis/schema/resources/filters.ts';
import { takesSeveral } from '@trellis/schema/resources/places.ts';
import { type Bound, type Filter, flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { compareAlphabetically } from '@trellis/schema/values/text.ts';
import { isVisible } from './files.ts';
import type { User } from './organizations.ts';
import { rulesOf } from './rules.ts';
import { chosen, type Draw, e164Of, fold, notationsOf, searchTexts } from './samples.ts';
import { type Fields, type ModelRecord, recordsOf, type State } from './state.ts';

/** The parameters of a list request. */
export interface ListRequest {
  readonly sort: string | null;
  /** The values of each filter, all of which are given. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly search: string | null;
  readonly limit: number;
}

/** Draws a list request: a sort, filters by values that records have, a text, a page size. */
export function drawList(resource: Resource, records: readonly ModelRecord[], draw: Draw): ListRequest {
  const title = resource.titleField.split('.').at(-1) ?? '';
  const orders = [title, ...orderedFields(resource).map(({ name }) => name)].flatMap((name) => [
    name,
    `-${name}`,
  ]);
  const sort = chosen([null, ...orders], draw);
  const names = Object.keys(filtersOf(resource));
  const filters: Record<string, readonly string[]> = {};
  for (let count = draw(3); count > 0; count -= 1) {
    const name = chosen(names, draw);
    const filter = filtersOf(resource)[name];
    const values = records
      .flatMap((record) => valuesOf(resource, name, record))
      .filter((value) => value !== null);
    if (filter === undefined) continue;
    const drawOne = () =>
      values.length === 0 || draw(5) === 4
        ? drawUnusedValue(resource, filter)
        : drawValue(filter, chosen(values, draw), draw);
    const count = takesSeveral(resource, filter) ? 1 + draw(3) : 1;
    filters[name] = Array.from({ length: count }, drawOne);
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
      Object.entries(filters).every(([name, given]) => isSelected(record, name, given)) &&
      (search === null || contains(record, search, state.country)),
  );
  const name = (sort ?? '-createdAt').replace('-', '');
  const sign = (sort ?? '-createdAt').startsWith('-') ? -1 : 1;
  const compareKeys = isForPeople(resource, name) ? compareAlphabetically : compareTexts;
  const byKey = (left: ModelRecord, right: ModelRecord) =>
    sign * (compareKeys(keyOf(left, name), keyOf(right, name)) || compareTexts(left.id, right.id));
  return chosenOnes.sort(byKey);
}

/** A value of the filter's kind that records rarely have. */
function drawUnusedValue(resource: Resource, filter: Filter): string {
  return filter.kind === 'bound' && scaleOf(resource, filter.field) === 'instant'
    ? new Date(Date.now() + 3_600_000).toISOString()
    : filter.example;
}

/** What a request gives for the value of a record: of a text, a part of it. */
function drawValue({ kind }: Filter, value: unknown, draw: Draw): string {
  if (kind === 'exists') return String(draw(2) === 1);
  if (kind !== 'contains') return String(value);
  // Of the words that the samples have, folded forms are known.
  const words = String(value)
    .split(' ')
    .filter((word) => word !== '' && word.length <= 100);
  return words.length === 0 ? 'x' : chosen(words, draw);
}

function keyOf(record: ModelRecord, name: string): string {
  if (name === 'createdAt') return record.createdAt;
  if (name === 'updatedAt') return record.updatedAt;
  const further = orderedFields(record.resource).find((ordered) => ordered.name === name);
  if (further !== undefined) {
    const value = record.fields[further.field] ?? null;
    // A record without the value is before all others.
    return further.scale === 'integer' && value !== null
      ? String(value).padStart(16, '0')
      : String(value ?? '');
  }
  const { titleField, titleFallbacks = [] } = record.resource;
  const names = [titleField, ...titleFallbacks];
  return String(names.map((field) => record.fields[field]).find((value) => (value ?? null) !== null));
}

/** Whether the list is in alphabetical order: by title, or by another name. */
function isForPeople(resource: Resource, name: string): boolean {
  const further = orderedFields(resource).find((ordered) => ordered.name === name);
  return further === undefined || further.scale === 'text';
}

/** By code points, as the database compares ids, instants and dates (C.UTF-8). */
function compareTexts(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function isSelected(record: ModelRecord, name: string, given: readonly string[]): boolean {
  const [value = ''] = given;
  const filter = filtersOf(record.resource)[name];
  const values = valuesOf(record.resource, name, record);
  switch (filter?.kind) {
    case 'bound': {
      const scale = scaleOf(record.resource, filter.field);
      return values.some(
        (own) => own !== null && isWithin(filter.bound, ...comparable(scale, filter.bound, own, value)),
      );
    }
    case 'exists':
      return values.some((own) => own !== null && own !== '') === (value === 'true');
    case 'contains':
      return (
        fold(value) !== '' && values.some((own) => own !== null && fold(String(own)).includes(fold(value)))
      );
    default:
      break;
  }
  const wanted = given.flatMap((one) => [one, e164Of(one, null)]);
  return values.some((own) => own !== null && wanted.includes(String(own)));
}

/** The value of a record and that of a range as texts in their order: instants are in UTC with milliseconds. */
function comparable(
  scale: ReturnType<typeof scaleOf>,
  bound: Bound | undefined,
  own: unknown,
  value: string,
): [own: string, value: string] {
  if (scale === 'integer') return [String(own).padStart(16, '0'), value.padStart(16, '0')];
  if (scale !== 'date') return [String(own), value];
  // A month or a year counts by its first day; at the end of a range by its last.
  const isEnd = bound === 'gt' || bound === 'lte';
  return [firstDay(String(own)), isEnd ? lastDay(value) : firstDay(value)];
}

function firstDay(date: string): string {
  return date.length === 4 ? `${date}-01-01` : date.length === 7 ? `${date}-01` : date;
}

function lastDay(date: string): string {
  return date.length === 4 ? `${date}-12-31` : date.length === 7 ? `${date}-31` : date;
}

/** Whether a value lies on the side of the other that a bound says. */
function isWithin(bound: Bound | undefined, own: string, value: string): boolean {
  if (own === value) return bound === 'gte' || bound === 'lte';
  return own > value === (bound === 'gte' || bound === 'gt');
}

/** The values of a record that a filter compares with. */
function valuesOf(resource: Resource, name: string, record: ModelRecord): unknown[] {
  const filter = filtersOf(resource)[name];
  if (filter === undefined) throw new Error(`${resource.name} has no filter ${name}`);
  if (filter.kind === 'via') return [...rulesOf(resource).filtered(filter.table, record.fields)];
  if (filter.field === 'createdAt' || filter.field === 'updatedAt') return [record[filter.field]];
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
