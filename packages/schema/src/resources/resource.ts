/**
 * The declaration of a resource. A resource is data: routes, validation, SQL, permissions, events, import and the OpenAPI
 * document are derived from this one declaration, so that a new resource cannot forget any of them.
 */
import { type Field, type FieldGroup, type Moves, nullable, text, type ValueOf } from './fields.ts';
import type { Grants } from './grants.ts';
import type { ImportDeclaration } from './import.ts';
import { limits } from './limits.ts';

export { type Action, actions } from './grants.ts';

/** Parts of the product that an organization can switch on and off. */
export const modules = ['cms', 'publishing', 'knowledge', 'crm', 'visitors', 'sandbox'] as const;
export type Module = (typeof modules)[number];

/** The resource that contains this one, and how its id appears in paths and columns. */
export interface Parent {
  readonly resource: string;
  /** Name of the path parameter, e.g. `siteId`. */
  readonly parameter: string;
  /** Name of the column, e.g. `site_id`. */
  readonly column: string;
}

/** An equality filter of a list over a field of the record; `since` means "at or after". */
export interface FieldFilter {
  readonly description: string;
  readonly kind: 'choice' | 'boolean' | 'integer' | 'text' | 'reference' | 'since';
  /** The field it compares: `name`, or `group.name`. */
  readonly field: string;
  readonly values?: readonly string[];
  readonly format?: string;
  /** Bounds of an integer. */
  readonly min?: number;
  readonly max?: number;
  readonly example: string;
}

/** An equality filter over a side table of the resource. */
export interface ViaFilter {
  readonly description: string;
  readonly kind: 'via';
  /** Name of the side table. */
  readonly table: string;
  readonly format?: string;
  readonly example: string;
}

export type Filter = FieldFilter | ViaFilter;

/**
 * A table with a row for each of some values of a record: values that must be unique, must exist, or are asked for by a
 * filter. Its columns are the organization, the record's parent (if any), the record (`contact_id`) and the value.
 */
export interface SideTableDeclaration {
  /** Column of the value: a uuid where the values are ids, otherwise a text in the form by which it is compared. */
  readonly column: string;
  /** Where the values stand: fields, lists, and members of the objects in lists (`emails.address`). */
  readonly values: readonly string[];
  /** The constraint that makes the values unique; absent when they need not be. */
  readonly unique?: string;
  /** What deleting a record does to the rows with its id: it is refused while there are any, or the rule `remove` ends them. */
  readonly onDelete?: 'refuse' | 'remove';
}

/** That a record has versions, one of which may be published. */
export interface Versions {
  /** Table with a row for each version, besides the resource's own. */
  readonly table: string;
  /** The group of fields that belongs to a version; its columns stand in that table. */
  readonly group: string;
  /** Field with the status of a version, and its transitions. */
  readonly status: { readonly field: string; readonly moves: Moves };
}

/** The operations that every resource has. */
export const sharedOperations = ['list', 'create', 'read', 'update', 'delete', 'search'] as const;
export type SharedOperation = (typeof sharedOperations)[number];

export interface ResourceDefinition {
  /** Plural, kebab-case: `articles`. */
  readonly name: string;
  /** Singular, kebab-case: the event type prefix, `article`. */
  readonly singular: string;
  /** As in operation ids: `Article` / `Articles`. */
  readonly title: { readonly singular: string; readonly plural: string };
  readonly description: string;
  /** The part of the product that it belongs to; null: to all of it. */
  readonly module: Module | null;
  readonly idPrefix: string;
  /** Collection route below /v1, parameters in braces. */
  readonly path: string;
  /** The resource whose `:read` and `:write` scopes open this one; with a colon, the one scope that opens all of it. */
  readonly scope: string;
  /** Meaning of the scope `{scope}:publish`, as a sentence, where publishing has a scope of its own. */
  readonly publishScope?: string;
  readonly grants: Grants;
  /** Types of events beyond `created`, `updated` and `deleted`, by their last part, with their meaning as sentences. */
  readonly events?: Readonly<Record<string, string>>;
  /** What records are called in sentences, plural: `CRM contacts`. By default the name with spaces. */
  readonly label?: string;
  readonly parent: Parent | null;
  readonly table: string;
  readonly fields: Readonly<Record<string, Field | FieldGroup>>;
  /** Members that only a create takes, and that are not kept as fields. */
  readonly createOnly?: Readonly<Record<string, Field>>;
  /** Tables of values beside the resource's own table, by name. */
  readonly sideTables?: Readonly<Record<string, SideTableDeclaration>>;
  /** Whether and how records have versions; absent: they have none. */
  readonly versions?: Versions;
  /** The field that gets a short name for addresses when a create gives none, and the field it is made from. */
  readonly slug?: { readonly field: string; readonly from: string };
  /**
   * Operations with code of their own, by name: shared ones that are replaced, and further ones. The code is registered in
   * `packages/server/src/node/api/operations.ts`.
   */
  readonly ownOperations?: readonly string[];
  /** Fields in the example bodies of POST and PATCH, for resources whose required fields do not show enough. */
  readonly exampleFields?: readonly string[];
  /** Field that `sort` offers beside the instants, and that search shows as the title. */
  readonly titleField: string;
  /** Fields that stand for the title of a record whose title field is null; one of them is not. */
  readonly titleFallbacks?: readonly string[];
  /** Field with the language (BCP 47) of the texts, by which words are stemmed. */
  readonly languageField?: string;
  /** Fields whose value no two records of the organization (or parent) share, with the constraint that says so. */
  readonly unique: Readonly<Record<string, string>>;
  /** Fields that no two records below the same parent share all of, by the constraint that says so. */
  readonly uniqueTogether?: Readonly<Record<string, readonly string[]>>;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Resources that this resource's search returns; itself first. */
  readonly searchSources: readonly string[];
  /** Whether search pages with a cursor. */
  readonly searchCursor: boolean;
  /** What some changes need besides the scope of the operation: sentences for its description. */
  readonly furtherRights?: string;
  /** What some deletions need besides the scope of the operation: sentences for its description. */
  readonly removalRights?: string;
  /** What the deletion of a record does to others, for the description of the operation. */
  readonly removal?: string;
  /** False for what belongs to this installation: it is left out of exports, and not imported. */
  readonly portable?: boolean;
  /** What the importer cannot derive from the fields. */
  readonly import?: ImportDeclaration;
}

export interface Resource extends ResourceDefinition {
  readonly fields: Readonly<Record<string, Field | FieldGroup>>;
}

const externalId = nullable(
  text({
    max: limits.externalId,
    description:
      'Your own key for this record, unique per organization and type: the key of imports and syncs.',
    example: 'wp-1042',
  }),
);

const externalIdFilter = {
  kind: 'text',
  field: 'externalId',
  description: 'The record with this key of yours.',
  example: 'wp-1042',
} as const;

/** Completes a declaration with what all resources have in common. */
export function defineResource<const D extends ResourceDefinition>(definition: D) {
  const fields = { ...definition.fields, externalId } as D['fields'] & { externalId: typeof externalId };
  return {
    ...definition,
    fields,
    unique: { ...definition.unique, externalId: `${definition.table}_external_id` },
    filters: { ...definition.filters, externalId: externalIdFilter },
  };
}

/** The scope that opens a resource for reading, writing or publishing. */
export function scopeOf({ scope }: Pick<Resource, 'scope'>, right: 'read' | 'write' | 'publish'): string {
  return scope.includes(':') ? scope : `${scope}:${right}`;
}

/** What records of a resource are called in sentences, plural. */
export function labelOf({ name, label }: Pick<ResourceDefinition, 'name' | 'label'>): string {
  return label ?? name.replaceAll('-', ' ');
}

/** A noun with its indefinite article: `an article`, `a book`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** A number of records in a sentence: `1 book`, `3 knowledge files`. */
export function countOf(resource: Pick<ResourceDefinition, 'singular' | 'name'>, count: number): string {
  return `${count} ${(count === 1 ? resource.singular : resource.name).replaceAll('-', ' ')}`;
}

/** The scope that publishing takes: one of its own where drafts and what readers see are apart, otherwise that of writing. */
export function publishScopeOf(resource: Pick<Resource, 'scope' | 'publishScope'>): string {
  return scopeOf(resource, resource.publishScope === undefined ? 'write' : 'publish');
}

/** Members that every record has and no body may contain. Instants are RFC 3339 UTC with milliseconds. */
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

/** Tells a group of fields from a single field. */
export function isGroup(member: Field | FieldGroup): member is FieldGroup {
  return 'group' in member;
}

/** Every single field with its dotted name, groups flattened, in declared order. */
export function flattenFields(resource: Pick<Resource, 'fields'>): [string, Field][] {
  return Object.entries(resource.fields).flatMap(([name, member]): [string, Field][] =>
    isGroup(member)
      ? Object.entries(member.fields).map(([inner, field]) => [`${name}.${inner}`, field])
      : [[name, member]],
  );
}

/** A field, or a member of the objects in its list, as side tables and imports name it. */
export interface Place {
  /** Dotted name of the field. */
  readonly name: string;
  readonly field: Field;
  /** Member of an object, or of each object in a list; null for the field itself. */
  readonly member: string | null;
}

/** What a dotted path names: `title`, `versionData.title`, `emails.address`; null when there is no such place. */
export function findPlace(resource: Pick<Resource, 'fields'>, path: string): Place | null {
  for (const [name, field] of flattenFields(resource)) {
    if (name === path) return { name, field, member: null };
    const member = path.startsWith(`${name}.`) ? path.slice(name.length + 1) : '';
    if (memberSchemas(field)[member] !== undefined) return { name, field, member };
  }
  return null;
}

/** A schema of a member, as far as declarations are read by it. */
interface MemberSchema {
  readonly format?: string;
  readonly 'x-reference'?: string;
}

/** Schemas of the members of an object, or of the objects in a list, by name. */
export function memberSchemas({ schema }: Field): Readonly<Record<string, MemberSchema>> {
  const { items, properties } = schema as {
    items?: { properties?: Record<string, MemberSchema> };
    properties?: Record<string, MemberSchema>;
  };
  return items?.properties ?? properties ?? {};
}

/** The resource whose ids stand in a place; null for other values. */
export function targetOfPlace({ field, member }: Place): string | null {
  if (member === null) return field.reference?.resource ?? null;
  return memberSchemas(field)[member]?.['x-reference'] ?? null;
}

/** The field with the status of a record (or of its version), and its transitions; null when it has none. */
export function statusOf(resource: Resource): { readonly field: string; readonly moves: Moves } | null {
  if (resource.versions !== undefined) return resource.versions.status;
  for (const [field, { moves }] of flattenFields(resource)) if (moves !== null) return { field, moves };
  return null;
}
