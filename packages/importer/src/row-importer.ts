/**
 * Imports one row: converts its cells to values, determines its externalId, compares it with earlier rows, resolves
 * references, and writes the record.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import type { Api } from './api.ts';
import { checkBody, nest } from './body.ts';
import { type ChangeOptions, decideChange, type Wanted } from './changes.ts';
import { Collections } from './collections.ts';
import { importOf } from './destinations.ts';
import { Duplicates } from './duplicates.ts';
import { PendingReference, RowRejected } from './errors.ts';
import type { Mapping } from './mapping.ts';
import { NameLookup, placeholderId } from './name-lookup.ts';
import type { Parents } from './parents.ts';
import { decidePost } from './posts.ts';
import { type PreparedRow, type PrepareOptions, prepareRow } from './prepare-row.ts';
import { References } from './references.ts';
import type { SourceRow } from './source.ts';
import { type RowOutcome, Writer } from './writer.ts';

interface RowOptions extends ChangeOptions, PrepareOptions {
  readonly dryRun: boolean;
}

/** Imports rows. */
export class RowImporter {
  private readonly api: Api;
  private readonly parents: Parents;
  private readonly options: RowOptions;
  private readonly lookup: NameLookup;
  private readonly references: References;
  private readonly duplicates = new Map<Resource, Duplicates>();
  private readonly writers = new Map<string, Promise<Writer>>();

  constructor(api: Api, parents: Parents, options: RowOptions) {
    this.api = api;
    this.parents = parents;
    this.options = options;
    this.lookup = new NameLookup(options.dryRun);
    this.references = new References(this.lookup, parents.idsByFormer);
  }

  /** Number of records created because rows name them, by resource. */
  get linked(): ReadonlyMap<string, number> {
    return this.lookup.created;
  }

  /** Imports one row. @throws RowRejected, PendingReference, ImportStopped */
  async import(resource: Resource, mapping: Mapping, row: SourceRow): Promise<RowOutcome> {
    const parent = await this.parents.find(resource, row);
    const prepared = prepareRow(resource, mapping, row, parent, this.options);
    const { built, externalId, isGiven, unique, status } = prepared;
    const content = canonicalizeJson([...built.values].map(([name, value]) => [name, value ?? null]));
    const duplicates = this.duplicates.get(resource) ?? new Duplicates();
    this.duplicates.set(resource, duplicates);
    const names = JSON.stringify([...built.names]);
    const registration = await duplicates.register(
      row.place,
      externalId,
      unique,
      `${status} ${names} ${content}`,
    );
    if (registration.kind === 'taken') {
      throw new RowRejected([describeConflict(registration, externalId, isGiven)], externalId, built.values);
    }
    if (registration.kind === 'repeated') {
      const repairs = [...built.repairs, 'repeated rows skipped'];
      return { result: 'unchanged', repairs, recordId: null };
    }
    let isAccepted = false;
    try {
      const outcome = await this.write(resource, prepared);
      isAccepted = true;
      return outcome;
    } catch (error) {
      if (error instanceof PendingReference) throw error;
      const isOfRow = error instanceof ProblemError || error instanceof RowRejected;
      throw isOfRow ? new RowRejected(error.reasons, externalId, built.values) : error;
    } finally {
      registration.settle(isAccepted);
    }
  }

  private async write(
    resource: Resource,
    { row, parent, built, externalId, status }: PreparedRow,
  ): Promise<RowOutcome> {
    const { values } = built;
    const isExported = row.exportedAs === resource.name;
    const collections = new Collections(this.api, parent.id);
    const writer = await this.openWriter(resource, collections);
    const leftOut = await this.references.resolve({ resource, collections, isExported }, built);
    const statusField = statusOf(resource);
    if (!this.options.isPosts && statusField !== null && status !== null) {
      if (statusField.transitions.initial.includes(status)) values.set(statusField.field, status);
    }
    values.set('externalId', externalId);
    const faults: string[] = [];
    const body = checkBody(resource, nest([...values]), faults);
    if (faults.length > 0) throw new RowRejected(faults, externalId);
    const former = row.fields.get('id');
    const formerId = isExported && typeof former === 'string' ? former : null;
    const repairs = [...built.repairs, ...leftOut];
    const outcome = await writer.write({ externalId, formerId, body, status, repairs });
    if (formerId !== null) {
      this.parents.idsByFormer.set(formerId, outcome.recordId ?? placeholderId(resource));
    }
    return outcome;
  }

  /** The writer of a collection, opened once. */
  private openWriter(resource: Resource, collections: Collections): Promise<Writer> {
    const path = collections.pathOf(resource);
    const { options } = this;
    const { posts } = importOf(resource);
    const decide = (record: Readonly<Record<string, unknown>>, wanted: Wanted) =>
      options.isPosts && posts !== undefined
        ? decidePost(posts, resource, record, wanted)
        : decideChange(resource, record, wanted, options);
    const known =
      this.writers.get(path) ?? Writer.open({ resource, collections, decide, dryRun: options.dryRun });
    this.writers.set(path, known);
    return known;
  }
}

function describeConflict(
  { what, place }: { readonly what: string | null; readonly place: string },
  externalId: string,
  isGiven: boolean,
): string {
  if (what !== null) return `${what} is also in ${place}, but must be unique.`;
  return isGiven
    ? `externalId: "${externalId}" is also in an earlier row.`
    : `Stands for the same record as ${place}, with other values. Remove one of the two, or name a column that distinguishes them as its key.`;
}
