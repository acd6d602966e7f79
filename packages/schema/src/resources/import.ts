/**
 * The `import` section of a declaration: the data that the importer cannot derive from the fields. A resource without this
 * section is imported by the names of its fields.
 */
import type { Field, FieldGroup } from './fields.ts';

/**
 * Names that columns of a field commonly have in files, in English and German, besides the names of the field itself. Case, spaces,
 * hyphens and underscores are ignored.
 */
export interface ColumnNames {
  /** A field (`title`), a member of an object or list (`emails.address`), or an input that is not a field (`fullName`). */
  readonly to: string;
  /** Best name first: of several matching columns, the first one with a value is used. */
  readonly names: readonly string[];
  /** Further members of the list item that the column produces: an "editor" is a contributor with a role. */
  readonly constants?: Readonly<Record<string, string>>;
  /**
   * Columns that a file reader adds, named in parentheses. They are used when no other column has a value. With the repair
   * to report.
   */
  readonly fallbacks?: Readonly<Record<string, string>>;
}

/** How text is converted to items of a list. */
export interface ListImport {
  /** Of a list of objects: the member that plain text is stored in. */
  readonly main?: string;
  /**
   * Where a cell is split: `names` between names of people, `items` at commas and semicolons, `lines` at semicolons and
   * line breaks.
   */
  readonly split?: 'names' | 'items' | 'lines' | 'nowhere';
  /** Default values of the members of an item. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Whether the first item alone identifies the record: a person with a second address is the same person. */
  readonly identifiedByFirst?: boolean;
}

/** An input with names of other records. Records that do not exist are created with that name. */
interface NameLookup {
  /** The resource of the named records. They are looked up by slug if the resource has one, otherwise by title. */
  readonly resource: string;
  /** The field, or member of a list, that the ids are stored in. */
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

/** How posts of site generators are published; for resources with versions. The members name fields of the resource. */
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
   * Sets of fields that identify a record; the first set whose fields are all given is used. The default is the title
   * field. Imports derive externalIds from them: after a change, importing the same rows again creates new records.
   */
  readonly identity?: readonly (readonly string[])[];
  /** Fields and members of lists with unique values, besides those in `unique`, with the noun for messages. */
  readonly unique?: Readonly<Record<string, string>>;
  readonly lists?: Readonly<Record<string, ListImport>>;
  readonly lookups?: Readonly<Record<string, NameLookup>>;
  readonly computed?: readonly ComputedInput[];
  readonly posts?: PostImport;
  /** Filters by which a record can be named, as in `--site blog`, besides id, externalId and title. */
  readonly knownBy?: readonly string[];
  /** Whether exports contain the records without their content. Other exported records then cannot refer to them. */
  readonly withoutContent?: boolean;
}

/** The parts of a resource that its import section is checked against. */
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
  names: ['language', 'language code', 'lang', 'locale', 'sprache'],
};

/** Columns for the website of a magazine or company. */
export const websiteColumns: ColumnNames = {
  to: 'websiteUrl',
  names: ['website url', 'website', 'url', 'homepage', 'web', 'webseite', 'internet'],
};

/** Columns for phone numbers, addresses and labels, which contacts and companies have. */
export const reachColumns: readonly ColumnNames[] = [
  {
    to: 'phones.number',
    names: [
      'phone',
      'phones',
      'phone number',
      'phone numbers',
      'telephone',
      'tel',
      'telefon',
      'telefonnummer',
      'rufnummer',
      'festnetz',
    ],
  },
  {
    to: 'phones.number',
    names: [
      'mobile',
      'mobile phone',
      'cell',
      'cell phone',
      'mobil',
      'mobiltelefon',
      'mobilnummer',
      'handy',
      'handynummer',
    ],
    constants: { label: 'mobile' },
  },
  {
    to: 'phones.number',
    names: [
      'work phone',
      'business phone',
      'office phone',
      'telefon geschäftlich',
      'telefon dienstlich',
      'telefon büro',
      'durchwahl',
    ],
    constants: { label: 'work' },
  },
  {
    to: 'phones.number',
    names: ['home phone', 'private phone', 'telefon privat'],
    constants: { label: 'home' },
  },
  {
    to: 'addresses.street',
    names: [
      'street',
      'address',
      'street address',
      'address 1',
      'address line 1',
      'straße',
      'strasse',
      'straße und hausnummer',
      'strasse und hausnummer',
      'straße nr',
      'strasse nr',
      'adresse',
      'anschrift',
    ],
  },
  { to: 'addresses.city', names: ['city', 'town', 'ort', 'stadt', 'wohnort'] },
  { to: 'addresses.region', names: ['region', 'state', 'province', 'county', 'bundesland', 'kanton'] },
  {
    to: 'addresses.postalCode',
    names: ['postal code', 'zip', 'zip code', 'post code', 'plz', 'postleitzahl'],
  },
  { to: 'addresses.country', names: ['country', 'country code', 'land', 'staat'] },
  {
    to: 'tags',
    names: ['tags', 'tag', 'labels', 'groups', 'schlagwort', 'schlagworte', 'gruppe', 'gruppen'],
  },
];

/** Lists that contacts and companies have. */
export const reachLists: Readonly<Record<string, ListImport>> = {
  phones: { main: 'number', split: 'lines', identifiedByFirst: true },
  addresses: { main: 'street', split: 'nowhere' },
};
