/**
 * The model of a resource: its declaration, storage, compiled validators and rules. The models of the API are built at start and
 * passed on, never imported as a global.
 */

import type { RecordRules } from '@trellis/schema/resources/record-rules.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { rulesOf } from '@trellis/schema/resources/rules.ts';
import type { Declared, PatchOf, ValuesOf } from '@trellis/schema/resources/stored-values.ts';
import { createInputReader, type Input, type InputReader } from '@trellis/schema/validation/input.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import type { Statement } from '../database/batch.ts';
import type { Reads, ResultsOf } from '../database/reads.ts';
import type { DomainEvent } from '../events/append.ts';
import type { Actor } from '../identity/actor.ts';
import type { Publishable, Refusal } from './refusal.ts';
import { buildRecordStatements, type RecordStatements, type Storage, type Target } from './storage.ts';
import { buildTrashStatements, type TrashStatements } from './trash.ts';

/** The context in which a rule decides. */
export interface RuleContext<R extends Reads = Reads> {
  /** The caller, or `operator`. */
  readonly actor: Actor;
  /** The instant of the write, RFC 3339. */
  readonly instant: string;
  /** The record above a new one, e.g. the site of an article; null otherwise. */
  readonly parent: StoredRecord | null;
  /** The results of the rule's `reads`, under the same names. */
  readonly rows: ResultsOf<R>;
}

/** The context in which a record is restored from the trash. */
export interface RestoreContext<V extends object = Values> {
  /** Whether the caller may publish records of the resource. */
  readonly mayPublish: boolean;
  /** RFC 3339. */
  readonly instant: string;
  /** The values with those of the published version; null without a published version. */
  readonly published: V | null;
}

/** A decided change: the new values and the events. */
export interface Decision<V extends object = Values> {
  readonly values: V;
  /** Type suffixes of the events: `updated`, `published`, …; one event for each. */
  readonly events: readonly string[];
  /**
   * Resources whose records the change publishes, unpublishes or changes for readers, which needs the right to publish
   * them.
   */
  readonly publishes?: readonly Publishable[];
  /** Changes of other records in the same transaction. */
  readonly also?: readonly FurtherChange[];
}

/** A change of another record in the same transaction; the record was locked when it was read. */
export interface FurtherChange {
  readonly model: Model;
  readonly before: StoredRecord;
  readonly decision: Decision;
}

/** The searchable forms of a text with several notations, such as a phone number. */
export interface SearchForms {
  /** Additional words. Of a record: further words to find it by. Of a query: prefixes, any of which matches. */
  readonly words: readonly string[];
  /** Additional texts for the `search` filter. Of a record: those that it contains. Of a query: any of them matches. */
  readonly texts: readonly string[];
}

/** The visible versions of a record: the working version, and the published one if there is one. */
export interface Editions {
  readonly working: number;
  readonly published: number | null;
}

/** A search that includes the text of a record's content. */
export interface ContentSearch {
  /**
   * Statement with the parameters (scope, parent, those of the question, candidates, score, created_at, id, limit), which returns rows of
   * (type, record_id, score, created_at, page, part).
   */
  readonly statement: Statement;
  /** Statement with the parameters (organization, id), which returns the content's text in pieces, in order. */
  readonly pieces: Statement;
  /**
   * Statement with the organization and arrays of ids, pages and parts, which returns rows of (id, page, text, whether
   * pages count).
   */
  readonly texts: Statement;
  /**
   * A query for the parts of a content that are beyond the words of the record's own entry, for a list. The organization is parameter 1.
   * @param id expression of the record's id
   * @param query expression of a tsquery
   */
  further(id: string, query: string): string;
}

/**
 * The named slots in which the resource with the declaration `D` differs from the shared path, besides its `RecordRules`. All functions
 * are pure. `R`: names of the reads in the first batch of a create or update; `Q`: of a delete.
 */
export interface Rules<D extends Declared = Declared, R extends Reads = Reads, Q extends Reads = Reads> {
  /** The reads in the first batch of a create or update, e.g. ancestors. */
  reads?(target: Omit<Target, 'id'> & { id: string | null }, input: Input<PatchOf<D>>): R;
  /** Completes a new record. Defaults are already set, a generated slug is not. */
  create?(values: ValuesOf<D>, context: RuleContext<R>): ValuesOf<D> | Refusal;
  /** Decides the result of a patch. `merged` has the patch applied. */
  update?(
    before: StoredRecord<ValuesOf<D>>,
    patch: PatchOf<D>,
    merged: ValuesOf<D>,
    context: RuleContext<R>,
  ): Decision<ValuesOf<D>> | Refusal;
  /**
   * Whether a change (`after` is null for a deletion) affects what readers see and needs the right to publish. If
   * absent, this follows from the record's status.
   */
  changesSeen?(before: ValuesOf<D>, after: ValuesOf<D> | null): boolean;
  /** Reads and locks in the first batch of a delete. */
  removalReads?(target: Target): Q;
  /** Changes of other records that a delete causes, or why the record cannot be deleted. */
  remove?(before: StoredRecord<ValuesOf<D>>, context: RuleContext<Q>): FurtherChange[] | Refusal;
  /**
   * The values of a record restored from the trash. They must not show readers anything new, nor contain schedules whose time has passed.
   */
  restore?(values: ValuesOf<D>, context: RestoreContext<ValuesOf<D>>): ValuesOf<D>;
  /** When a deleted record has to go at the latest, RFC 3339; null: when its time in the trash is over. */
  keptUntil?(values: ValuesOf<D>): string | null;
  /** The SHA-256 of a stored content that has to be kept as long as the record is in the trash; hexadecimal. */
  contentOf?(values: ValuesOf<D>): string | null;
  /** Events of other records that are deleted with a record. */
  removalEvents?(before: StoredRecord<ValuesOf<D>>, context: RuleContext<Q>): DomainEvent[];
  /** Who may find the record: ids of users and names of roles; null is every member. */
  readers?(values: ValuesOf<D>): readonly string[] | null;
  /** A statement after which the transaction sees every record of the organization, whatever `readers` says. */
  readonly seeAll?: Statement;
  /** Finds records by their content too, with the place of the best match. */
  readonly contentSearch?: ContentSearch;
  /** The visible versions of a record, for resources with versions. */
  editions?(values: ValuesOf<D>): Editions;
  /** Other notations by which a record is found. */
  recordForms?(values: ValuesOf<D>): SearchForms;
  /** Other notations of a query. `country`: of the organization, ISO 3166-1. */
  queryForms?(query: string, country: string | null): SearchForms;
}

export interface Model {
  readonly resource: Resource;
  /** Whether the database role that writes records cannot write search entries, and leaves them to the indexer. */
  readonly isIndexedLater?: boolean;
  readonly storage: Storage;
  readonly statements: RecordStatements;
  /** Null if deleted records are not kept. */
  readonly trash: TrashStatements | null;
  readonly input: InputReader;
  readonly rules: Rules;
  readonly recordRules: RecordRules;
}

/**
 * Builds a model.
 * @throws Error for a mistake in a declaration, at start
 */
export function createModel<D extends Resource>(
  resource: D,
  storage: Storage,
  rules: Rules<NoInfer<D>>,
): Model {
  return {
    resource,
    storage,
    statements: buildRecordStatements(resource, storage),
    trash: buildTrashStatements(resource, storage),
    input: createInputReader(resource),
    rules,
    recordRules: rulesOf(resource),
  };
}

/** All models by resource name. */
export type Models = ReadonlyMap<string, Model>;

/**
 * The model of a resource.
 * @throws Error for an unknown name, which is a bug
 */
export function modelOf(models: Models, name: string): Model {
  const model = models.get(name);
  if (model === undefined) throw new Error(`no model is named ${name}`);
  return model;
}
