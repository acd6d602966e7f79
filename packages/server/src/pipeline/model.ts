/**
 * The model of a resource: its declaration, its storage, its compiled validators and its few rules, ready for the pipeline.
 * Models are made at start and passed on, never imported as a global.
 */

import type { Fault } from '@trellis/schema/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { createInputReader, type Input, type InputReader } from '@trellis/schema/validation/input.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import type { Statement } from '../database/batch.ts';
import type { Reads, ResultsOf } from '../database/reads.ts';
import type { Actor } from '../identity/actor.ts';
import { buildRecordStatements, type RecordStatements, type Storage, type Target } from './storage.ts';
import type { Publishable, Refusal } from './write/plan.ts';

/** What a rule may know when it decides. */
export interface RuleContext<R extends Reads = Reads> {
  readonly actor: Actor;
  /** The instant of the write, RFC 3339. */
  readonly instant: string;
  /** The record above a new one, e.g. the site of an article; null otherwise. */
  readonly parent: StoredRecord | null;
  /** The results of what the rules asked for, under the same names. */
  readonly rows: ResultsOf<R>;
}

/** A new state of a record and what it is called when it happens. */
export interface Decision {
  readonly values: Values;
  /** Type suffix of the event: `updated`, `published`, …; one event for each. */
  readonly events: readonly string[];
  /** Kinds of record that the change publishes, unpublishes or changes for readers: it takes the right to publish them. */
  readonly publishes?: readonly Publishable[];
  /** Changes of other records that happen with this one, or none of them does. */
  readonly also?: readonly FurtherChange[];
}

/** A change of another record in the same transaction; the record was locked when it was read. */
export interface FurtherChange {
  readonly model: Model;
  readonly before: StoredRecord;
  readonly decision: Decision;
}

/** What a text looks like when it is taken for something with many notations, such as a phone number. */
export interface SearchForms {
  /** Further words: of a record, those it is found by; of a query, beginnings of words, any of which will do. */
  readonly words: readonly string[];
  /** Further texts for the `search` filter: of a record, those it contains; of a query, any of which will do. */
  readonly texts: readonly string[];
}

/** Which versions of a record are seen: the working one, and the published one if there is one. */
export interface Editions {
  readonly working: number;
  readonly published: number | null;
}

/** A search that knows the text of a record's content. */
export interface ContentSearch {
  /**
   * Takes (parent, words, prefix, stems, candidates, score, created_at, id, limit); gives rows of (type, record_id, score,
   * created_at, page, part).
   */
  readonly statement: Statement;
  /** Records ranked at most. */
  readonly candidates: number;
  /** Takes the organization and an id; gives the content's whole text in rows of pieces, in order. */
  readonly pieces: Statement;
  /** Takes the organization, then arrays of ids, pages and parts; gives rows of (id, page, text, whether pages count). */
  readonly texts: Statement;
}

/**
 * The few named places where a resource differs from the shared path; all pure. `R`: what the rules read in the first batch of
 * a create or update, by name; `D`: of a delete.
 */
export interface Rules<R extends Reads = Reads, D extends Reads = Reads> {
  /** What is read in the first batch of a create or update, e.g. ancestors. */
  reads?(target: Omit<Target, 'id'> & { id: string | null }, input: Input): R;
  /** Completes a new record (defaults are in, a slug is not). */
  create?(values: Values, context: RuleContext<R>): Values | Refusal;
  /** Members that follow from others; after every change, before `check`. */
  derive?(values: Values, context: RuleContext<R>): Values;
  /** Decides what a patch makes of a record. `merged` has the patch applied. */
  update?(before: StoredRecord, patch: Values, merged: Values, context: RuleContext<R>): Decision | Refusal;
  /**
   * Whether a change (`after` is null for a deletion) concerns what readers see, and so takes the right to publish. Absent:
   * that follows from the record's status.
   */
  readonly changesSeen?: (before: Values, after: Values | null) => boolean;
  /** Rules across fields; pointers into the body. */
  check?(values: Values, context: RuleContext<R>): Fault[];
  /** What is read, and locked, in the first batch of a delete. */
  removalReads?(target: Target): D;
  /** Changes of other records that a delete brings with it, or why there is to be none. */
  remove?(before: StoredRecord, context: RuleContext<D>): FurtherChange[] | Refusal;
  /** Who may find the record: ids of users and names of roles; null: every member. */
  readonly readers?: (values: Values) => readonly string[] | null;
  /** From this statement on a transaction sees every record of the organization, whatever `readers` says. */
  readonly seeAll?: Statement;
  /** Finds records by their content as well, with the place that shows why. */
  readonly contentSearch?: ContentSearch;
  /** The versions of a record that are seen, where it has versions. */
  readonly editions?: (values: Values) => Editions;
  /** Other notations by which a record is found. */
  readonly recordForms?: (values: Values) => SearchForms;
  /** Other notations of what somebody searches for. `country`: the organization's own, ISO 3166-1. */
  readonly queryForms?: (query: string, country: string | null) => SearchForms;
}

export interface Model {
  readonly resource: Resource;
  readonly storage: Storage;
  readonly statements: RecordStatements;
  readonly input: InputReader;
  readonly rules: Rules;
}

/** Makes a model; a mistake in a declaration throws here, at start. */
export function createModel(resource: Resource, storage: Storage, rules: Rules): Model {
  return {
    resource,
    storage,
    statements: buildRecordStatements(resource, storage),
    input: createInputReader(resource),
    rules,
  };
}

/** All models by resource name. */
export type Models = ReadonlyMap<string, Model>;

/** The model of that name; a wrong name is a mistake of ours. */
export function modelOf(models: Models, name: string): Model {
  const model = models.get(name);
  if (model === undefined) throw new Error(`no model is named ${name}`);
  return model;
}
