/**
 * The `import` section of a resource: what the importer cannot derive from the fields, as data. A resource without one is
 * imported by the names of its fields.
 */
import type { Field, FieldGroup } from './fields.ts';

/** Names under which files commonly have a field. Case, spaces, hyphens and underscores do not count. */
export interface ColumnNames {
  /** A field (`title`), a member of an object or list (`emails.address`), or an input that is no field (`fullName`). */
  readonly to: string;
  /** Best first: of several such columns the first one with a value counts. */
  readonly names: readonly string[];
  /** Members that the column gives its list item besides its value: an "editor" is a contributor with a role. */
  readonly constants?: Readonly<Record<string, string>>;
  /** Columns of a reader's own, in parentheses, that are used when no other has a value, with the repair to report. */
  readonly fallbacks?: Readonly<Record<string, string>>;
}

/** How texts become items of a list. */
export interface ListImport {
  /** Of a list of objects: the member that a plain text stands for. */
  readonly main?: string;
  /** Where a cell is split: between names of people; at commas and semicolons; at semicolons and line breaks; nowhere. */
  readonly split?: 'names' | 'items' | 'lines' | 'nowhere';
  /** Members of an item that does not give them. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Whether the first item alone identifies the record: a person with a second address is the same person. */
  readonly identifiedByFirst?: boolean;
}

/** An input of names that stand for other records; absent ones are created with that name. */
export interface NameLookup {
  /** The resource whose records are named. Looked up by slug if it has one, otherwise by title. */
  readonly resource: string;
  /** The field, or member of a list, that takes the ids. */
  readonly field: string;
}

/** An input from which other fields are computed. */
export interface ComputedInput {
  /** `isbn`: an ISBN-13 from a damaged one or from an ISBN-10; `full-name`: first and last name. */
  readonly rule: 'isbn' | 'full-name';
  readonly from: string;
  readonly to: readonly string[];
  readonly description: string;
}

/** How a post of a site generator is published: the resource has versions, and these are the names of its fields. */
export interface PostImport {
  /** Names of the inputs `date`, `expires`, `draft` and `published`. */
  readonly columns: readonly ColumnNames[];
  readonly status: string;
  readonly scheduledFor: string;
  readonly unpublishAt: string;
  readonly changeNote: string;
  readonly versionNumber: string;
  readonly publishedVersionNumber: string;
}

export interface ImportDeclaration {
  readonly columns?: readonly ColumnNames[];
  /**
   * Sets of fields that identify a record; the first one of which all are given counts. They are part of the externalIds
   * that imports derive: changing them makes other records of the same rows. By default the title field.
   */
  readonly identity?: readonly (readonly string[])[];
  /** Fields and members of lists whose values no two records share, besides `unique`, with the word for them. */
  readonly unique?: Readonly<Record<string, string>>;
  readonly lists?: Readonly<Record<string, ListImport>>;
  readonly lookups?: Readonly<Record<string, NameLookup>>;
  readonly computed?: readonly ComputedInput[];
  readonly posts?: PostImport;
  /** Filters by which people name a record, as in `--site blog`, besides id, externalId and title. */
  readonly knownBy?: readonly string[];
  /** Whether an export has the records without their content, so that other records of it cannot refer to them. */
  readonly withoutContent?: boolean;
}

/** What a declaration is checked against. */
interface Declared {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field | FieldGroup>>;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly import?: ImportDeclaration;
}

interface Schema {
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** What is wrong with the import section of a resource; undefined when nothing is. `names`: of all resources. */
export function findImportFault(resource: Declared, names: ReadonlySet<string>): string | undefined {
  return resource.import === undefined ? undefined : findFault(resource, resource.import, names);
}

function findFault(
  resource: Declared,
  declaration: ImportDeclaration,
  names: ReadonlySet<string>,
): string | undefined {
  const { columns = [], lists = {}, lookups = {}, computed = [], posts } = declaration;
  const known = new Set(namesOf(resource.fields));
  const inputs = new Set([...Object.keys(lookups), ...computed.map(({ from }) => from)]);
  const fields = [
    ...(declaration.identity?.flat() ?? []),
    ...Object.keys(declaration.unique ?? {}),
    ...Object.keys(lists),
    ...Object.entries(lists).flatMap(([list, { main }]) =>
      main === undefined || inputs.has(`${list}.${main}`) ? [] : [`${list}.${main}`],
    ),
    ...Object.values(lookups).map(({ field }) => field),
    ...computed.flatMap(({ to }) => to),
    ...(posts === undefined ? [] : Object.values(posts).filter((value) => typeof value === 'string')),
    ...columns.flatMap(({ to }) => (inputs.has(to) ? [] : [to])),
  ];
  const absent = fields.find((field) => !known.has(field));
  if (absent !== undefined) return `there is no field "${absent}"`;
  const unknown = Object.values(lookups).find(({ resource: name }) => !names.has(name));
  if (unknown !== undefined) return `there is no resource "${unknown.resource}"`;
  const filter = declaration.knownBy?.find((name) => !(name in resource.filters));
  if (filter !== undefined) return `there is no filter "${filter}"`;
  const aliases = columns.flatMap((column) => column.names);
  const repeated = aliases.find((alias, index) => aliases.indexOf(alias) < index);
  return repeated === undefined ? undefined : `two columns are called "${repeated}"`;
}

/** Dotted names of all fields, and of the members of their objects and list items. */
function namesOf(fields: Declared['fields'], prefix = ''): string[] {
  return Object.entries(fields).flatMap(([key, member]) => {
    const name = `${prefix}${key}`;
    if ('group' in member) return namesOf(member.fields, `${name}.`);
    const schema = member.schema as Schema;
    const members = Object.keys(schema.items?.properties ?? schema.properties ?? {});
    return [name, ...members.map((inner) => `${name}.${inner}`)];
  });
}

/** Columns for the language of a publication. */
export const languageColumns: ColumnNames = {
  to: 'language',
  names: ['language', 'language code', 'lang', 'locale'],
};

/** Columns for the website of a magazine or company. */
export const websiteColumns: ColumnNames = {
  to: 'websiteUrl',
  names: ['website url', 'website', 'url', 'homepage', 'web'],
};

/** Columns for phone numbers, addresses and labels, which contacts and companies have. */
export const reachColumns: readonly ColumnNames[] = [
  {
    to: 'phones.number',
    names: ['phone', 'phones', 'phone number', 'phone numbers', 'telephone', 'tel'],
  },
  {
    to: 'phones.number',
    names: ['mobile', 'mobile phone', 'cell', 'cell phone'],
    constants: { label: 'mobile' },
  },
  {
    to: 'phones.number',
    names: ['work phone', 'business phone', 'office phone'],
    constants: { label: 'work' },
  },
  { to: 'phones.number', names: ['home phone', 'private phone'], constants: { label: 'home' } },
  {
    to: 'addresses.street',
    names: ['street', 'address', 'street address', 'address 1', 'address line 1'],
  },
  { to: 'addresses.city', names: ['city', 'town'] },
  { to: 'addresses.region', names: ['region', 'state', 'province', 'county'] },
  { to: 'addresses.postalCode', names: ['postal code', 'zip', 'zip code', 'post code'] },
  { to: 'addresses.country', names: ['country', 'country code'] },
  { to: 'tags', names: ['tags', 'tag', 'labels', 'groups'] },
];

/** Lists that contacts and companies have. */
export const reachLists: Readonly<Record<string, ListImport>> = {
  phones: { main: 'number', split: 'lines', identifiedByFirst: true },
  addresses: { main: 'street', split: 'nowhere' },
};
