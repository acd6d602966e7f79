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
  /** Tells apart the list items of columns whose members do not: the street and the city of the office are one address. */
  readonly item?: string;
  /** The value continues that of the other columns, behind this text: a second line of a street. */
  readonly joinedBy?: string;
  /** Names of columns beside which these ones mean something else. */
  readonly unless?: readonly string[];
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
   * Where a cell is split: `names` between names of people, `records` between names of records such as companies, `items` at commas,
   * semicolons and bars, `lines` at semicolons and line breaks.
   */
  readonly split?: 'names' | 'records' | 'items' | 'lines' | 'nowhere';
  /** Default values of the members of an item. */
  readonly defaults?: Readonly<Record<string, string>>;
  /**
   * Of a list of objects: the members that tell which item of a record that exists an item of a row stands for; by default `main`, without
   * that all. Those that the item of the row does not have are not compared.
   */
  readonly identifiedBy?: readonly string[];
  /** The derived member that has the form in which `main` is compared, and the format of texts in that form. */
  readonly comparedBy?: { readonly member: string; readonly format: string };
  /**
   * Whether no member identifies an item: one of a row stands for the item that has most in common with it, or else for the first one.
   */
  readonly isRecognizedByLikeness?: boolean;
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
  /**
   * `isbn`: an ISBN-13 from a damaged one or from an ISBN-10; `full-name`: first and last name; `permission`: a no sets a flag such as
   * `doNotContact`.
   */
  readonly rule: 'isbn' | 'full-name' | 'permission';
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
  /** When readers saw the record for the first time. */
  readonly firstPublishedAt: string;
  readonly versionNumber: string;
  readonly publishedVersionNumber: string;
  /** The text, in which pictures beside the post are referred to. */
  readonly body: string;
  readonly bodyFormat: string;
  /** Refers to the file of a picture. */
  readonly cover: string;
}

export interface ImportDeclaration {
  readonly columns?: readonly ColumnNames[];
  /**
   * Sets of fields that identify a record, best first: one that agrees with a row in all fields of a set is the record of
   * the row. The default is the title field.
   */
  readonly identity?: readonly (readonly string[])[];
  /**
   * Sets of fields in which different records may agree, such as the names of people: a record that agrees with a row only in
   * these may be its record or not.
   */
  readonly namesakes?: readonly (readonly string[])[];
  /** Fields and members of lists with unique values, besides those in `unique`, with the noun for messages. */
  readonly unique?: Readonly<Record<string, string>>;
  readonly lists?: Readonly<Record<string, ListImport>>;
  readonly lookups?: Readonly<Record<string, NameLookup>>;
  readonly computed?: readonly ComputedInput[];
  readonly posts?: PostImport;
  /** Names of values in other systems, in any case, besides the German names. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** The flag of people who do not want to be contacted: any of its columns sets it, and columns that look like one are not left out unasked. */
  readonly optOut?: string;
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
    ...(declaration.namesakes?.flat() ?? []),
    ...Object.keys(declaration.unique ?? {}),
    ...Object.keys(lists),
    ...Object.entries(lists).flatMap(([list, { main }]) =>
      main === undefined || inputs.has(`${list}.${main}`) ? [] : [`${list}.${main}`],
    ),
    ...Object.entries(lists).flatMap(([list, { identifiedBy = [], comparedBy }]) =>
      [...identifiedBy, ...(comparedBy === undefined ? [] : [comparedBy.member])].map(
        (name) => `${list}.${name}`,
      ),
    ),
    ...Object.values(lookups).map(({ field }) => field),
    ...computed.flatMap(({ to }) => to),
    ...(posts === undefined ? [] : Object.values(posts).filter((value) => typeof value === 'string')),
    ...(declaration.optOut === undefined ? [] : [declaration.optOut]),
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
  names: [
    'website url',
    'website',
    'url',
    'journal url',
    'title url',
    'homepage',
    'web',
    'web page',
    'webseite',
    'internet',
    'website value',
  ],
};

/** Lists that contacts and companies have. */
export const reachLists: Readonly<Record<string, ListImport>> = {
  phones: {
    main: 'number',
    split: 'lines',
    comparedBy: { member: 'e164', format: 'phone' },
    identifiedByFirst: true,
  },
  addresses: { main: 'street', split: 'nowhere', isRecognizedByLikeness: true },
};
