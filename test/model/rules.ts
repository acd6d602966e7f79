/**
 * The model's rules of the resources: those of the declarations, and those that declarations cannot express, written from
 * the specification in another way than the server's. A resource that is not listed has no rules beyond its declaration.
 */
import type { Transitions } from '@trellis/schema/resources/fields.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { findPlace, memberSchemas, targetOfPlace } from '@trellis/schema/resources/places.ts';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { comparedEmail, e164Of, isbn10Of } from './samples.ts';
import type { Fields } from './state.ts';

/** Rules that the declaration cannot express. */
interface OwnRules {
  /** Sets the members that are derived from others. `country`: the organization's. */
  readonly derive?: (fields: Fields, country: string | null) => Fields;
  /** Finds contradictions between fields; empty for none. */
  readonly faults?: (fields: Fields) => readonly unknown[];
  /** Other notations by which the `search` filter finds a record. */
  readonly notations?: (fields: Fields) => readonly string[];
  /** Words by which the `search` filter finds a record, besides those of its texts and notations. */
  readonly words?: (fields: Fields) => readonly string[];
  /** The field that refers to the parent in a tree, and the maximum number of levels. */
  readonly tree?: { readonly field: string; readonly levels: number };
}

export interface Rules extends OwnRules {
  /** The field with the status, and its transitions; null for none. */
  readonly status: { readonly field: string; readonly transitions: Transitions } | null;
  /** The unique values of a record: the field, and the compared value. */
  uniques(fields: Fields): readonly (readonly [field: string, key: string])[];
  /** The values that a filter over a side table compares with. */
  filtered(table: string, fields: Fields): readonly unknown[];
  /** The field of a generated slug, and the field it is generated from. */
  readonly slug: { readonly field: string; readonly from: string } | undefined;
  /** Resources whose references to a deleted record are removed, instead of preventing the deletion. */
  readonly unlinks:
    | { readonly resource: string; readonly field: string; readonly member: string }
    | undefined;
}

type Items = readonly Readonly<Record<string, unknown>>[];
const items = (value: unknown) => value as Items;
const texts = (value: unknown) => value as readonly string[];

function repeated(values: readonly unknown[]): unknown[] {
  const keys = values.map((value) => JSON.stringify(value));
  return keys.filter((key, index) => keys.indexOf(key) < index);
}

function tooManyPrimary(list: unknown): unknown[] {
  return items(list)
    .filter(({ isPrimary }) => isPrimary === true)
    .slice(1);
}

/** Whether a partial date ends before another one begins. */
function isBefore(left: unknown, right: unknown): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  const exact = Math.min(left.length, right.length);
  return left.slice(0, exact) < right.slice(0, exact);
}

function withNumbers(fields: Fields, country: string | null): Fields {
  const phones = items(fields.phones).map((phone) => ({
    ...phone,
    // A stored number keeps its international form when the organization's country changes.
    e164: phone.e164 ?? e164Of(String(phone.number), (phone.country ?? country) as string | null),
  }));
  return { ...fields, phones };
}

const unreadable = (fields: Fields) => items(fields.phones).filter(({ e164 }) => e164 === null);
const digits = (fields: Fields) => items(fields.phones).map(({ e164 }) => String(e164 ?? '').slice(1));
/** Any three or more digits at the end of a number are a word, so that any of its digits begin one. */
const endsOfNumbers = (fields: Fields) =>
  digits(fields).flatMap((number) => [...number.slice(2)].map((_, start) => number.slice(start)));
const addressesOf = (fields: Fields) =>
  items(fields.emails).map(({ address }) => comparedEmail(String(address)));

/** The derived name: first and last name, or the main address, or the main number. */
function nameOf(fields: Fields): string {
  const names = [fields.firstName, fields.lastName].filter((name) => name !== null);
  if (names.length > 0) return names.join(' ');
  const main = (list: unknown) => items(list).find(({ isPrimary }) => isPrimary === true) ?? items(list)[0];
  return String(main(fields.emails)?.address ?? main(fields.phones)?.number ?? '');
}

const ownRules: Readonly<Record<string, OwnRules>> = {
  categories: { tree: { field: 'parentId', levels: 8 } },
  articles: {
    faults: (fields) => {
      const primary = fields['articleData.primaryCategoryId'];
      const chosen = texts(fields['articleData.categoryIds']);
      return typeof primary === 'string' && !chosen.includes(primary) ? ['primaryCategoryId'] : [];
    },
  },
  books: {
    derive: (fields) => ({ ...fields, isbn10: isbn10Of(fields.isbn13) }),
    faults: (fields) => [
      ...(fields.tradeStatus === 'FORTHCOMING' && fields.publicationDate === null ? ['publicationDate'] : []),
      ...repeated(items(fields.prices).map(({ currency, territory }) => [currency, territory])),
    ],
  },
  magazines: {
    faults: ({ status, issnPrint, issnOnline, startDate, endDate }) => [
      ...(status === 'CEASED' && endDate === null ? ['endDate'] : []),
      ...(issnPrint !== null && issnPrint === issnOnline ? ['issnOnline'] : []),
      ...(isBefore(endDate, startDate) ? ['endDate'] : []),
    ],
  },
  issues: {
    faults: ({ title, number, coverDate, contents }) => [
      ...(title === null && number === null && coverDate === null ? ['title'] : []),
      ...repeated(items(contents).map(({ articleId }) => articleId)),
    ],
  },
  contacts: {
    derive: (fields, country) => {
      const complete = withNumbers(fields, country);
      return { ...complete, displayName: nameOf(complete) };
    },
    faults: (fields) => [
      ...(fields.displayName === '' ? ['firstName'] : []),
      ...unreadable(fields),
      ...['emails', 'phones', 'companies'].flatMap((list) => tooManyPrimary(fields[list])),
      ...repeated(addressesOf(fields)),
      ...repeated(items(fields.companies).map(({ companyId }) => companyId)),
    ],
    notations: (fields) => [nameOf(fields), ...addressesOf(fields), ...digits(fields)],
    words: endsOfNumbers,
  },
  companies: {
    derive: withNumbers,
    faults: (fields) => [...unreadable(fields), ...tooManyPrimary(fields.phones)],
    notations: (fields) => [...texts(fields.domains), ...digits(fields)],
    words: endsOfNumbers,
    tree: { field: 'parentCompanyId', levels: 20 },
  },
};

/** The rules of a resource. */
export function rulesOf(resource: Resource): Rules {
  const { name, slug, sideTables = {} } = resource;
  return {
    ...ownRules[name],
    status: statusOf(resource),
    uniques: (fields) =>
      Object.values(sideTables).flatMap(({ unique, values }) =>
        unique === undefined ? [] : values.flatMap((path) => sideValues(resource, path, fields)),
      ),
    filtered: (table, fields) =>
      (sideTables[table]?.values ?? []).flatMap((path) =>
        sideValues(resource, path, fields).map(([, value]) => value),
      ),
    slug,
    unlinks: unlinksOf(resource),
  };
}

/** The values in one place of a record, each with the name of its field, as a side table compares them. */
function sideValues(resource: Resource, path: string, fields: Fields): [field: string, value: string][] {
  const place = findPlace(resource, path);
  if (place === null) throw new Error(`${resource.name} has no field ${path}`);
  const { name, field, member } = place;
  const value = fields[name] ?? null;
  const given = Array.isArray(value) ? value : [value];
  const values = member === null ? given : given.map((item) => item[member] ?? null);
  const isEmail = member !== null && memberSchemas(field)[member]?.format === 'email-address';
  return values.flatMap((each): [string, string][] =>
    each === null ? [] : [[name, isEmail ? comparedEmail(String(each)) : String(each)]],
  );
}

/** The lists of other resources from which a deleted record of this one is removed. */
function unlinksOf({ name }: Resource): Rules['unlinks'] {
  for (const resource of resources) {
    for (const { onDelete, values } of Object.values(resource.sideTables ?? {})) {
      const place = onDelete === 'remove' ? findPlace(resource, values[0] ?? '') : null;
      if (place !== null && place.member !== null && targetOfPlace(place) === name)
        return { resource: resource.name, field: place.name, member: place.member };
    }
  }
  return undefined;
}
