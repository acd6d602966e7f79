/**
 * What the list of a record becomes when a row has items for it: an item changes the members that it has in the item of the record that it
 * stands for, or else is added. Nothing is removed unless the list is replaced.
 */
import type { Field } from '@trellis/schema/resources/fields.ts';
import type { ListImport } from '@trellis/schema/resources/import.ts';
import { type JsonSchema, withoutDerived } from '@trellis/schema/validation/body-schemas.ts';
import { completeObject } from '@trellis/schema/validation/defaults.ts';
import { unwrap } from '@trellis/schema/validation/faults.ts';
import { comparisonKey } from '@trellis/schema/validation/formats.ts';
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { foldText, normalizeText } from '@trellis/schema/values/text.ts';
import type { Body } from './api.ts';
import { isListOfObjects } from './destinations.ts';

/**
 * How the items of a row change a list. `add`: items of the record stay; `replace`: those that the row does not have are removed;
 * `whole`: the row has the whole list, with all members of its items.
 */
export type ListMode = 'add' | 'replace' | 'whole';

/** A list field and how its items are recognized. */
export interface ListField {
  readonly field: Field;
  readonly declared: ListImport | undefined;
  /** Of the organization, ISO 3166-1; null without one. */
  readonly country: string | null;
}

/** An item that a record had, or a member of one. */
export interface RemovedItem {
  /** Null: the whole item. */
  readonly member: string | null;
  readonly value: unknown;
}

/**
 * Merges the items of a row into a list.
 * @param before the list of the record, as the API returned it
 * @param given the items of the row, in stored form, with the members that the row has
 */
export function mergeList(
  list: ListField,
  before: readonly unknown[],
  given: readonly unknown[],
  mode: ListMode,
): readonly unknown[] {
  const items = (list.field.schema as JsonSchema).items ?? {};
  const partners = findPartners(list, before, given);
  const made = given.map((item, index) => {
    if (!isPlainObject(item)) return item;
    const partner = partners[index] ?? -1;
    if (mode === 'whole' || partner < 0) {
      return completeObject(items, { ...list.declared?.defaults, ...item });
    }
    const old = toItem(before[partner]);
    return { ...toItem(withoutDerived(items, old)), ...changesOf(list, old, item) };
  });
  if (mode !== 'add') return withOnePrimary(made, made, given);
  const merged = before.map((item, index) => {
    const at = partners.indexOf(index);
    return at < 0 ? withoutDerived(items, item) : made[at];
  });
  const added = made.filter((_, index) => (partners[index] ?? -1) < 0);
  return withOnePrimary([...merged, ...added], made, given);
}

/** What a list loses. @param before as the API returned it @param after as it is sent to the API */
export function findRemovedItems(
  list: ListField,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly RemovedItem[] {
  const items = (list.field.schema as JsonSchema).items ?? {};
  const partners = findPartners(list, before, after);
  return before.flatMap((item, index): RemovedItem[] => {
    const partner = partners.indexOf(index);
    const old = withoutDerived(items, item);
    return partner < 0
      ? [{ member: null, value: old }]
      : [...lostMembers(toItem(old), toItem(after[partner]))];
  });
}

/** The text of an item or member that was removed, for people. */
export function describeItem(value: unknown): string {
  if (Array.isArray(value)) return value.map(describeItem).join('; ');
  if (!isPlainObject(value)) return String(value);
  const members = Object.values(value).filter((member) => typeof member === 'string' && member !== '');
  return members.join(', ');
}

function toItem(item: unknown): Body {
  return isPlainObject(item) ? item : {};
}

/** For each item of a row the index of the item of the record that it stands for; -1 for a new one. */
function findPartners(
  list: ListField,
  before: readonly unknown[],
  given: readonly unknown[],
): readonly number[] {
  return isListOfObjects(list.field)
    ? pairItems(list, before.map(toItem), given.map(toItem))
    : given.map((item) => before.indexOf(item));
}

function pairItems(list: ListField, before: readonly Body[], given: readonly Body[]): readonly number[] {
  const partners = given.map(() => -1);
  const isFree = (index: number) => !partners.includes(index);
  // The items that say most about themselves choose first.
  const order = [...given.keys()].sort((left, right) => sizeOf(given[right]) - sizeOf(given[left]));
  const pair = (find: (item: Body) => number) => {
    for (const index of order) if (partners[index] === -1) partners[index] = find(given[index] ?? {});
  };
  if (list.declared?.isRecognizedByLikeness === true) {
    pair((item) => findMostAlike(before, item, isFree));
    // The first one is the main one; a further item of the row is another one.
    const first = partners.indexOf(-1);
    if (first >= 0 && before.length > 0 && isFree(0)) partners[first] = 0;
    return partners;
  }
  for (const form of [exactForm, foldedForm]) {
    pair((item) => findSame(list, form, before, item, isFree));
  }
  return partners;
}

function sizeOf(item: Body | undefined): number {
  return Object.values(item ?? {}).filter((value) => value !== null).length;
}

/** The free item that an item of a row stands for; -1 without one. */
function findSame(
  list: ListField,
  form: typeof exactForm,
  before: readonly Body[],
  item: Body,
  isFree: (index: number) => boolean,
): number {
  const {
    main,
    identifiedBy = main === undefined ? Object.keys(item) : [main],
    defaults = {},
  } = list.declared ?? {};
  const isGiven = (name: string) => item[name] !== undefined;
  const same = before.flatMap((other, index) =>
    isFree(index) &&
    identifiedBy.filter(isGiven).every((name) => form(list, name, other) === form(list, name, item))
      ? [index]
      : [],
  );
  // What the row does not say is as in a new item: a price without a country is the one for all countries.
  const isUsual = (index: number) =>
    identifiedBy.every(
      (name) =>
        isGiven(name) || (before[index]?.[name] ?? defaults[name] ?? null) === (defaults[name] ?? null),
    );
  // Whoever is named is there already, in whatever role.
  const isNamed = main !== undefined && identifiedBy.includes(main);
  return same.find(isUsual) ?? (isNamed ? same[0] : undefined) ?? -1;
}

/** The form in which a member is compared. */
function exactForm({ field, declared, country }: ListField, name: string, item: Body): unknown {
  const value = item[name] ?? null;
  if (typeof value !== 'string') return JSON.stringify(value);
  const { items } = field.schema as JsonSchema;
  if (declared?.comparedBy !== undefined && name === declared.main) {
    const derived = item[declared.comparedBy.member];
    if (typeof derived === 'string') return derived;
    const itemCountry = typeof item.country === 'string' ? item.country : country;
    return comparisonKey(declared.comparedBy.format, value, itemCountry) ?? value;
  }
  const member = items?.properties?.[name];
  const format = (unwrap(member ?? {}) ?? member)?.format;
  return format === undefined ? normalizeText(value) : (comparisonKey(format, value, null) ?? value);
}

/** That form, ignoring letter case and accents. */
function foldedForm(list: ListField, name: string, item: Body): unknown {
  const form = exactForm(list, name, item);
  return typeof form === 'string' ? foldText(form) : form;
}

/** The free item with the most members in common; -1 without any. */
function findMostAlike(before: readonly Body[], item: Body, isFree: (index: number) => boolean): number {
  const counts = before.map((other, index) =>
    isFree(index) ? Object.keys(item).filter((name) => isAlike(other[name], item[name])).length : 0,
  );
  const most = Math.max(0, ...counts);
  return most === 0 ? -1 : counts.indexOf(most);
}

function isAlike(left: unknown, right: unknown): boolean {
  return typeof left === 'string' && typeof right === 'string' && foldText(left) === foldText(right);
}

/** What a row changes in the item that its item stands for. Texts that only differ in their notation stay. */
function changesOf(list: ListField, before: Body, item: Body): Body {
  const { main, comparedBy } = list.declared ?? {};
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => {
      if (deepEqual(before[name] ?? null, value ?? null)) return false;
      const { items } = list.field.schema as JsonSchema;
      const hasForm =
        (comparedBy !== undefined && name === main) || items?.properties?.[name]?.format !== undefined;
      return !hasForm || exactForm(list, name, before) !== exactForm(list, name, item);
    }),
  );
}

/** Members that had a text and have none. */
function lostMembers(before: Body, after: Body): readonly RemovedItem[] {
  return Object.entries(before).flatMap(([member, value]) =>
    typeof value === 'string' && (after[member] ?? null) === null ? [{ member, value }] : [],
  );
}

/** At most one item is primary: the one that the row makes primary. @param made the items of the row, after the merge */
function withOnePrimary(
  items: readonly unknown[],
  made: readonly unknown[],
  given: readonly unknown[],
): readonly unknown[] {
  const chosen = made.filter((_, index) => toItem(given[index]).isPrimary === true);
  if (chosen.length === 0) return items;
  return items.map((item) =>
    isPlainObject(item) && item.isPrimary === true && !chosen.includes(item)
      ? { ...item, isPrimary: false }
      : item,
  );
}
