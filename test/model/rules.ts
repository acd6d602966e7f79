/**
 * Why: what the declarations of the resources cannot say, said once more and in another way, after the specification. A
 * resource that is not named here has no rules of its own.
 */
import { comparedEmail, e164Of, isbn10Of } from './samples.ts';
import type { Fields } from './state.ts';

/** Statuses of a resource, after the specification. */
export interface Statuses {
  readonly initial: readonly string[];
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** Events of a change to a status, where it is not `updated`. */
  readonly events?: Readonly<Record<string, string>>;
}

export interface Rules {
  readonly statuses?: Statuses;
  /** Members that follow from others. `country`: the organization's own. */
  readonly derive?: (fields: Fields, country: string | null) => Fields;
  /** Names of what must not be together; empty when all is well. */
  readonly faults?: (fields: Fields) => readonly unknown[];
  /** Values that no two records of the organization share: the field, and what is compared. */
  readonly uniques?: (fields: Fields) => readonly (readonly [field: string, key: string])[];
  /** Other notations in which a record is found by the `search` filter. */
  readonly notations?: (fields: Fields) => readonly string[];
  /** Values that a filter compares with, where it is no field of that name. */
  readonly filtered?: Readonly<Record<string, (fields: Fields) => readonly unknown[]>>;
  /** Field of a generated slug, and what it is generated from. */
  readonly slug?: { readonly field: string; readonly from: string };
  /** Levels that records of it may stand above each other by the field. */
  readonly tree?: { readonly field: string; readonly levels: number };
  /** Resources that lose their references to a deleted record, instead of keeping it. */
  readonly unlinks?: { readonly resource: string; readonly field: string; readonly member: string };
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

/** A partial date that ends before the other begins. */
function isBefore(left: unknown, right: unknown): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  const exact = Math.min(left.length, right.length);
  return left.slice(0, exact) < right.slice(0, exact);
}

function withNumbers(fields: Fields, country: string | null): Fields {
  const phones = items(fields.phones).map((phone) => ({
    ...phone,
    // A number that was kept stays what it was read as, wherever the organization is now.
    e164: phone.e164 ?? e164Of(String(phone.number), (phone.country ?? country) as string | null),
  }));
  return { ...fields, phones };
}

const unreadable = (fields: Fields) => items(fields.phones).filter(({ e164 }) => e164 === null);
const digits = (fields: Fields) => items(fields.phones).map(({ e164 }) => String(e164).slice(1));
const addressesOf = (fields: Fields) =>
  items(fields.emails).map(({ address }) => comparedEmail(String(address)));

/** The first and last name, or the main address, or the main number. */
function nameOf(fields: Fields): string {
  const names = [fields.firstName, fields.lastName].filter((name) => name !== null);
  if (names.length > 0) return names.join(' ');
  const main = (list: unknown) => items(list).find(({ isPrimary }) => isPrimary === true) ?? items(list)[0];
  return String(main(fields.emails)?.address ?? main(fields.phones)?.number ?? '');
}

const rules: Readonly<Record<string, Rules>> = {
  categories: { slug: { field: 'slug', from: 'name' }, tree: { field: 'parentId', levels: 8 } },
  tags: { slug: { field: 'slug', from: 'name' } },
  articles: {
    slug: { field: 'articleData.slug', from: 'versionData.title' },
    faults: (fields) => {
      const primary = fields['articleData.primaryCategoryId'];
      const chosen = texts(fields['articleData.categoryIds']);
      return typeof primary === 'string' && !chosen.includes(primary) ? ['primaryCategoryId'] : [];
    },
  },
  books: {
    statuses: {
      initial: ['DRAFT'],
      moves: { DRAFT: ['PUBLISHED'], PUBLISHED: ['UNPUBLISHED'], UNPUBLISHED: ['PUBLISHED', 'ARCHIVED'] },
      events: { PUBLISHED: 'published', UNPUBLISHED: 'unpublished' },
    },
    derive: (fields) => ({ ...fields, isbn10: isbn10Of(fields.isbn13) }),
    faults: (fields) => [
      ...(fields.tradeStatus === 'FORTHCOMING' && fields.publicationDate === null ? ['publicationDate'] : []),
      ...repeated(items(fields.prices).map(({ currency, territory }) => [currency, territory])),
    ],
  },
  magazines: {
    statuses: {
      initial: ['PLANNED', 'ACTIVE', 'SUSPENDED', 'CEASED'],
      moves: { PLANNED: ['ACTIVE'], ACTIVE: ['SUSPENDED'], SUSPENDED: ['ACTIVE', 'CEASED'] },
    },
    faults: ({ status, issnPrint, issnOnline, startDate, endDate }) => [
      ...(status === 'CEASED' && endDate === null ? ['endDate'] : []),
      ...(issnPrint !== null && issnPrint === issnOnline ? ['issnOnline'] : []),
      ...(isBefore(endDate, startDate) ? ['endDate'] : []),
    ],
    uniques: (fields) =>
      ['issnPrint', 'issnOnline'].flatMap((field): [string, string][] =>
        typeof fields[field] === 'string' ? [[field, fields[field]]] : [],
      ),
    filtered: { issn: ({ issnPrint, issnOnline }) => [issnPrint, issnOnline] },
  },
  issues: {
    statuses: {
      initial: ['PLANNED', 'IN_PRODUCTION'],
      moves: {
        PLANNED: ['IN_PRODUCTION'],
        IN_PRODUCTION: ['PUBLISHED'],
        PUBLISHED: ['ARCHIVED', 'IN_PRODUCTION'],
      },
    },
    faults: ({ title, number, coverDate, contents }) => [
      ...(title === null && number === null && coverDate === null ? ['title'] : []),
      ...repeated(items(contents).map(({ articleId }) => articleId)),
    ],
    filtered: { articleId: ({ contents }) => items(contents).map(({ articleId }) => articleId) },
  },
  'knowledge-files': { filtered: { tag: ({ tags }) => texts(tags) } },
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
    uniques: (fields) => addressesOf(fields).map((address) => ['emails', address]),
    notations: (fields) => [nameOf(fields), ...addressesOf(fields), ...digits(fields)],
    filtered: {
      companyId: ({ companies }) => items(companies).map(({ companyId }) => companyId),
      tag: ({ tags }) => texts(tags),
      email: addressesOf,
      phone: ({ phones }) => items(phones).map(({ e164 }) => e164),
    },
  },
  companies: {
    derive: withNumbers,
    faults: (fields) => [...unreadable(fields), ...tooManyPrimary(fields.phones)],
    uniques: ({ domains }) => texts(domains).map((domain) => ['domains', domain]),
    notations: (fields) => [...texts(fields.domains), ...digits(fields)],
    tree: { field: 'parentCompanyId', levels: 20 },
    unlinks: { resource: 'contacts', field: 'companies', member: 'companyId' },
    filtered: { tag: ({ tags }) => texts(tags), domain: ({ domains }) => texts(domains) },
  },
};

/** The rules of a resource, by its name. */
export function rulesOf(resource: string): Rules {
  return rules[resource] ?? {};
}
