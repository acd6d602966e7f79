/**
 * The declaration of a resource, and functions that read it. Routes, validation, SQL, permissions, events, import and the
 * OpenAPI document are all derived from the declaration.
 */
import type { ProblemCode } from '../problem.ts';
import type { ActionDeclaration, Secret } from './actions.ts';
import {
  type Field,
  type FieldGroup,
  givenOnce,
  nullable,
  type Transitions,
  text,
  type ValueOf,
} from './fields.ts';
import type { Filter } from './filters.ts';
import { flattenFields } from './flatten-fields.ts';
import type { GermanNames } from './german.ts';
import type { Grants } from './grants.ts';
import type { ImportDeclaration } from './import.ts';
import { limits } from './limits.ts';
import type { FieldName } from './stored-values.ts';

export type { Bound, Filter } from './filters.ts';
export { flattenFields, isGroup, type NamedField } from './flatten-fields.ts';
export { type Action, actions } from './grants.ts';

/** Parts of the product that an organization can switch on and off. */
export const modules = ['cms', 'publishing', 'knowledge', 'crm', 'visitors', 'sandbox'] as const;
export type Module = (typeof modules)[number];

/** The resource that contains this one, and the path parameter and column with its id. */
interface Parent {
  readonly resource: string;
  /** Name of the path parameter, e.g. `siteId`. */
  readonly parameter: string;
  /** Name of the column, e.g. `site_id`. */
  readonly column: string;
}

/**
 * A table with one row for each value of certain fields of a record: values that must be unique, must refer to existing
 * records, or are used by a filter. Its columns are the organization, the parent of the record (if any), the record
 * (`contact_id`) and the value.
 */
export interface SideTableDeclaration {
  /** Column of the value: a uuid for ids, otherwise text in the form in which it is compared. */
  readonly column: string;
  /** Where the values are: fields, lists, and members of the objects in lists (`emails.address`). */
  readonly values: readonly string[];
  /** The constraint that makes the values unique; absent if they need not be unique. */
  readonly unique?: string;
  /** What happens when a record whose id is a value is deleted: the deletion is refused, or the rows are removed. */
  readonly onDelete?: 'refuse' | 'remove';
}

/** The versions of a resource's records, of which one may be published. */
interface Versions {
  /** Table with one row for each version, besides the table of the resource. */
  readonly table: string;
  /** The group of fields that belong to a version; their columns are in that table. */
  readonly group: string;
  /** Field with the status of a version, and its transitions. */
  readonly status: { readonly field: string; readonly transitions: Transitions };
}

/** Fields that stand together in forms, below a heading. */
export interface Section<Name extends string = string> {
  readonly title: { readonly en: string; readonly de: string };
  /** Dotted names, in the order of the form. */
  readonly fields: readonly Name[];
  /** Whether the section is folded while its fields have no values. */
  readonly isRare?: boolean;
}

/** The operations that every resource has. */
export const sharedOperations = ['list', 'create', 'read', 'update', 'delete', 'search'] as const;
export type SharedOperation = (typeof sharedOperations)[number];

export interface Resource {
  /** Plural, kebab-case: `articles`. */
  readonly name: string;
  /** Singular, kebab-case: the event type prefix, `article`. */
  readonly singular: string;
  /** As in operation ids: `Article` and `Articles`. */
  readonly title: { readonly singular: string; readonly plural: string };
  /** What the console calls the resource, its fields and values in German; absent: as in English. */
  readonly german?: GermanNames;
  readonly description: string;
  /** The module that the resource belongs to; null if it is always available. */
  readonly module: Module | null;
  readonly idPrefix: string;
  /** Collection route below /v1, parameters in braces. */
  readonly path: string;
  /** The resource whose `:read` and `:write` scopes apply to this one; with a colon, the single scope for everything. */
  readonly scope: string;
  /** The last part of the scope for changes, where it is not `write`: `manage` makes `members:read` and `members:manage`. */
  readonly changeRight?: 'write' | 'manage';
  /** The shared operations that the resource has; absent: all six. Further ones are own operations. */
  readonly operations?: readonly SharedOperation[];
  /** Description of the scope `{scope}:publish`, as a sentence; absent if publishing needs no separate scope. */
  readonly publishScope?: string;
  readonly grants: Grants;
  /** Event types besides the shared ones (`created`, `updated`, `deleted`, `restored`, `purged`), by their last part, with their meaning as sentences. */
  readonly events?: Readonly<Record<string, string>>;
  /** The plural noun for records in sentences: `CRM contacts`. By default the name with spaces. */
  readonly label?: string;
  readonly parent: Parent | null;
  /** Whether there is one record, the organization itself: the path is its own, without an id. */
  readonly single?: boolean;
  readonly table: string;
  readonly fields: Readonly<Record<string, Field | FieldGroup>>;
  /** The sections of the form, with each writable field in one of them; absent for short forms. */
  readonly sections?: readonly Section[];
  /** Members of the body of a create that are not stored as fields. */
  readonly createOnly?: Readonly<Record<string, Field>>;
  /** Side tables by name. */
  readonly sideTables?: Readonly<Record<string, SideTableDeclaration>>;
  /** The versions of records; absent if they have none. */
  readonly versions?: Versions;
  /** The field whose slug is generated when a create gives none. */
  readonly slug?: {
    readonly field: string;
    /** The field that it is generated from. */
    readonly from: string;
    /** The field with the language of that text, which decides how its letters are written; absent if it has none. */
    readonly language?: string;
    /** The field of the parent with the language of texts that have none. */
    readonly parentLanguage?: string;
  };
  /**
   * Names of the operations with their own code: replaced shared operations, and further ones. The code is registered in
   * the feature's `feature.ts`.
   */
  readonly ownOperations?: readonly string[];
  /** Actions on one record, by the ids of their operations. */
  readonly actions?: Readonly<Record<string, ActionDeclaration>>;
  /** Fields in the example bodies of POST and PATCH; by default the required, naming and unique fields. */
  readonly exampleFields?: readonly string[];
  /** The field that lists can be sorted by besides the instants, and that search results show as the title. */
  readonly titleField: string;
  /** Instants whose order an index serves: of the fields that lists can be sorted by besides the title (`orderedFields`). */
  readonly sortFields?: readonly string[];
  /** Fields that replace the title when the title field is null; at least one of them is not null. */
  readonly titleFallbacks?: readonly string[];
  /** The field with the language (BCP 47) of the texts, which decides how words are stemmed. */
  readonly languageField?: string;
  /** Unique fields (in the organization, or below the parent) with the name of their constraint. */
  readonly unique: Readonly<Record<string, string>>;
  /** Filters by unique values by which an upsert finds its record, besides `externalId`. */
  readonly matching?: readonly string[];
  /** Combinations of fields that are unique below the parent, by the name of their constraint. */
  readonly uniqueTogether?: Readonly<Record<string, readonly string[]>>;
  /** Filters by equality, and those with names of their own. What each field has by its kind is added by `filtersOf`. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** Resources that the search of this resource returns, itself first. */
  readonly searchSources: readonly string[];
  /** Whether search results have a cursor. */
  readonly searchCursor: boolean;
  /** Error codes of shared operations besides those that the operation has anyway. */
  readonly refusals?: Readonly<Partial<Record<SharedOperation, readonly ProblemCode[]>>>;
  /** Whether a person with a session needs a recent sign-in to change records: they give others access. */
  readonly givesAccess?: boolean;
  /** False for records whose fields also change without a new version, such as names of accounts and times of last use. */
  readonly history?: boolean;
  /** Rights that certain updates require besides the scope of the operation: sentences for its description. */
  readonly furtherRights?: string;
  /** Rights that certain deletions require besides the scope of the operation: sentences for its description. */
  readonly removalRights?: string;
  /** What is special about new records: sentences for the description of the operation. */
  readonly creation?: string;
  /** What is made with a record and shown once, in the response of its creation and of actions that replace it. */
  readonly secret?: Secret;
  /** What a deletion does to other records: sentences for the description of the operation. */
  readonly removal?: string;
  /** False for records that belong to this installation: they are neither exported nor imported. */
  readonly portable?: boolean;
  /** Data that the importer cannot derive from the fields. */
  readonly import?: ImportDeclaration;
}

const externalId = nullable(
  text({
    max: limits.externalId,
    searchable: 'D',
    format: 'external-id',
    description:
      'Your key for this record, unique per organization and type; used by imports and synchronizations.',
    example: 'wp-1042',
  }),
);

const externalIdFilter = {
  kind: 'text',
  field: 'externalId',
  format: 'external-id',
  description:
    'The records with these keys, on one page unless `limit` says otherwise. Give the parameter once for each: a comma is part of a key.',
  example: 'wp-1042',
} as const;

const importId = givenOnce(
  nullable(
    text({
      max: limits.importId,
      description:
        'What the import that created this record is called; the same for all its records, and null for other records. Given by imports when they create a record; it never changes.',
      example: 'contacts.csv-1f0c2ab9',
    }),
  ),
);

const importIdFilter = {
  kind: 'text',
  field: 'importId',
  description: 'Records that this import has created.',
  example: 'contacts.csv-1f0c2ab9',
} as const;

/** A declaration whose sections name only fields that it has. */
type Sectioned<D extends Resource> = D & {
  readonly sections?: readonly Section<FieldName<D> | 'externalId'>[];
};

/** Completes a declaration with the fields and filters that all resources have. */
export function defineResource<const D extends Resource>(definition: Sectioned<D>) {
  const fields = { ...definition.fields, externalId, importId } as D['fields'] & {
    externalId: typeof externalId;
    importId: typeof importId;
  };
  return {
    ...definition,
    fields,
    unique: { ...definition.unique, externalId: `${definition.table}_external_id` },
    matching: ['externalId', ...(definition.matching ?? [])],
    filters: { ...definition.filters, externalId: externalIdFilter, importId: importIdFilter },
  };
}

/**
 * Completes the declaration of something that belongs to the organization itself: its members, roles, clients and tokens. These
 * are always available, whatever modules are switched on, and belong to this installation: they are neither exported nor
 * imported, and have no `externalId`. Changing them needs a recent sign-in.
 */
export function defineOrganizationResource<
  const D extends Omit<Resource, 'module' | 'parent' | 'portable' | 'givesAccess'>,
>(definition: D) {
  return { ...definition, module: null, parent: null, portable: false, givesAccess: true } as const;
}

/** The tables with the records of a resource. */
export function tablesOf({ table, versions, sideTables = {} }: Resource): string[] {
  return [table, ...(versions === undefined ? [] : [versions.table]), ...Object.keys(sideTables)];
}

/** Whether the resource has a shared operation. */
export function hasOperation(
  { operations = sharedOperations }: Pick<Resource, 'operations'>,
  operation: SharedOperation,
): boolean {
  return operations.includes(operation);
}

/** By which values an upsert may find a record: names of filters; none for resources without shared creates and updates. */
export function matchingOf(
  resource: Pick<Resource, 'operations' | 'ownOperations' | 'matching'>,
): readonly string[] {
  const { ownOperations = [], matching = [] } = resource;
  const isShared = (['create', 'update'] as const).every(
    (operation) => hasOperation(resource, operation) && !ownOperations.includes(operation),
  );
  return isShared ? matching : [];
}

/**
 * Whether deleted records are kept in the trash for a while. What belongs to this installation, such as members and tokens, is
 * not: what is taken away must not come back by itself.
 */
export function goesToTrash(resource: Pick<Resource, 'operations' | 'portable'>): boolean {
  return hasOperation(resource, 'delete') && resource.portable !== false;
}

/** Whether the changes of records are stored with the values that they have replaced. */
export function hasHistory({ history, ...resource }: Pick<Resource, 'history' | 'operations'>): boolean {
  return history !== false && hasOperation(resource, 'update');
}

/** The scope that reading, writing or publishing records of a resource requires. */
export function scopeOf(
  { scope, changeRight = 'write' }: Pick<Resource, 'scope' | 'changeRight'>,
  right: 'read' | 'write' | 'publish',
): string {
  return scope.includes(':') ? scope : `${scope}:${right === 'write' ? changeRight : right}`;
}

/** The scope that publishing requires: a separate one if the resource declares it, otherwise that of writing. */
export function publishScopeOf(resource: Pick<Resource, 'scope' | 'changeRight' | 'publishScope'>): string {
  return scopeOf(resource, resource.publishScope === undefined ? 'write' : 'publish');
}

/** Members that every record has and no body may contain. Instants are RFC 3339 in UTC with milliseconds. */
export interface CommonMembers {
  id: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  createdBy: string | null;
  updatedBy: string | null;
}

type MembersOf<F> = {
  -readonly [K in keyof F]: F[K] extends { readonly group: true; readonly fields: infer G }
    ? { -readonly [J in keyof G]: ValueOf<G[J]> }
    : ValueOf<F[K]>;
};

/** The type of a returned record. */
export type RecordOf<R extends { readonly fields: object }> = CommonMembers & MembersOf<R['fields']>;

/** The field with the status of a record (or of its version), and its transitions; null if there is none. */
export function statusOf(
  resource: Resource,
): { readonly field: string; readonly transitions: Transitions } | null {
  if (resource.versions !== undefined) return resource.versions.status;
  for (const [field, { transitions }] of flattenFields(resource))
    if (transitions !== null) return { field, transitions };
  return null;
}
