/**
 * Why: a source has names of its own choosing, the API has fields. A target is a place a value can go to: a field of
 * the resource, or something that an import resolves itself, such as the names of tags.
 */
import type { JsonSchema } from '../../pipeline/body-schemas.ts';
import type { Field } from '../../resources/fields.ts';
import { flattenFields, type Resource } from '../../resources/resource.ts';
import { type Converted, convertValue } from './convert.ts';

/** A place that a value of the source can go to. */
export interface Target {
  /** Dotted name of the API's field, or a name of the import's own. */
  readonly name: string;
  /** For people: what it takes. */
  readonly description: string;
  /** Brings a value into the form that the target takes. */
  convert(value: unknown): Converted;
}

/** Names of the source that mean a target without being called like it, best first. */
export interface Alias {
  readonly to: string;
  readonly from: readonly string[];
  /** Where the value is taken from when no name gives one; the row is then told to be mended. */
  readonly fallbacks?: readonly { readonly from: string; readonly mended: string }[];
}

/** What a resource adds to what holds for all. */
export interface ResourceImport<Row extends ImportRow = ImportRow> {
  readonly resource: Resource;
  readonly targets: readonly Target[];
  readonly aliases: readonly Alias[];
  /** Makes a row of the values by target. @throws RowRejected */
  buildRow(place: string, externalId: string, values: ReadonlyMap<string, unknown>, now: number): Row;
  /** What a record lacks to be what the row says. */
  decide(record: Readonly<Record<string, unknown>>, row: Row): Decision;
}

/** A record to be. */
export interface ImportRow {
  readonly place: string;
  readonly externalId: string;
  /** Id under which a record was exported: in the same organization it still has it. */
  readonly formerId?: string;
  /** Body of the create, without what `links` will fill in. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Records of the same parent by name, to be found or made. */
  readonly links: readonly Link[];
  /** What was put otherwise than it stood. */
  readonly mendings: readonly string[];
}

export interface Link {
  /** Dotted name of the field that takes the ids. */
  readonly field: string;
  readonly resource: Resource;
  readonly names: readonly string[];
}

/** What is to be done with a record that exists. */
export type Decision =
  | { readonly kind: 'settled'; readonly mending?: string }
  | { readonly kind: 'patch'; readonly body: Readonly<Record<string, unknown>>; readonly mending?: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** A row cannot become a record; each reason is a sentence that names the field. */
export class RowRejected extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons.join(' '));
    this.name = 'RowRejected';
    this.reasons = reasons;
  }
}

/** Every target of a resource: the import's own, then the API's writable fields. */
export function listTargets({ resource, targets }: Pick<ResourceImport, 'resource' | 'targets'>): Target[] {
  const own = new Set(targets.map(({ name }) => name));
  const fields = flattenFields(resource).filter(([name, field]) => !field.readOnly && !own.has(name));
  return [...targets, ...fields.map(([name, field]) => fieldTarget(name, field))];
}

/** The target that is a field of the API. */
export function fieldTarget(name: string, field: Field): Target {
  return {
    name,
    description: String((field.schema as JsonSchema).description ?? ''),
    convert: (value) => convertValue(field, value),
  };
}
