/**
 * Imports one row: converts its cells to values, determines its externalId, compares it with earlier rows, resolves
 * references, and writes the record.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import type { Api } from './api.ts';
import { checkBody, nest } from './body.ts';
import { type ChangeOptions, decideChange } from './changes.ts';
import { Collection } from './collection.ts';
import { importOf } from './destinations.ts';
import { WriteCheck } from './dry-run.ts';
import { Duplicates } from './duplicates.ts';
import { PendingReference, RowRejected } from './errors.ts';
import type { Mapping } from './mapping.ts';
import { NameLookup } from './name-lookup.ts';
import type { Parents } from './parents.ts';
import { decidePost } from './posts.ts';
import { type PreparedRow, type PrepareOptions, prepareRow } from './prepare-row.ts';
import { resolveReferences } from './references.ts';
import type { SourceRow } from './source.ts';
import { openWriter, type RowOutcome, type WriteRecord } from './writer.ts';

interface RowOptions extends ChangeOptions, PrepareOptions {
  readonly dryRun: boolean;
}

/** Imports rows. */
export class RowImporter {
  private readonly api: Api;
  private readonly parents: Parents;
  private readonly options: RowOptions;
  private readonly lookup: NameLookup;
  /** Null where writes are sent. */
  private readonly check: WriteCheck | null;
  private readonly duplicates = new Map<Resource, Duplicates>();
  /** By path of their collection. */
  private readonly writers = new Map<string, Promise<WriteRecord>>();

  constructor(api: Api, parents: Parents, options: RowOptions) {
    this.api = api;
    this.parents = parents;
    this.options = options;
    this.lookup = new NameLookup(options.dryRun);
    this.check = options.dryRun ? new WriteCheck(api) : null;
  }

  /** Number of records created because rows name them, by resource. */
  get linked(): ReadonlyMap<string, number> {
    return this.lookup.created;
  }

  /** Imports one row. @throws RowRejected, PendingReference, ImportStopped */
  async import(resource: Resource, mapping: Mapping, row: SourceRow): Promise<RowOutcome> {
    const parent = await this.parents.find(resource, row);
    const prepared = prepareRow(resource, mapping, row, parent, this.options);
    const { values, names, repairs } = prepared.built;
    const { externalId, isGiven, unique, status } = prepared;
    const content = canonicalizeJson([...values].map(([name, value]) => [name, value ?? null]));
    const compared = `${status} ${JSON.stringify([...names])} ${content}`;
    const duplicates = this.duplicates.get(resource) ?? new Duplicates();
    this.duplicates.set(resource, duplicates);
    const registration = await duplicates.register(row.place, externalId, unique, compared);
    if (registration.kind === 'taken') {
      throw new RowRejected([describeConflict(registration, externalId, isGiven)], externalId, values);
    }
    if (registration.kind === 'repeated') {
      return { result: 'unchanged', repairs: [...repairs, 'repeated rows skipped'], recordId: null };
    }
    try {
      const outcome = await this.write(new Collection(this.api, resource, parent.id), prepared);
      registration.settle(true);
      return outcome;
    } catch (error) {
      registration.settle(false);
      if (error instanceof PendingReference) throw error;
      const isOfRow = error instanceof ProblemError || error instanceof RowRejected;
      throw isOfRow ? new RowRejected(error.reasons, externalId, values) : error;
    }
  }

  private async write(collection: Collection, prepared: PreparedRow): Promise<RowOutcome> {
    const { built, externalId, formerId, isExported, status } = prepared;
    const { resource } = collection;
    const { values, repairs } = built;
    const { lookup } = this;
    const { idsByFormer } = this.parents;
    const writeRecord = await this.openWriter(collection);
    await resolveReferences({ collection, isExported, lookup, idsByFormer, repairs }, built);
    const declared = statusOf(resource);
    if (!this.options.isPosts && status !== null && declared?.transitions.initial.includes(status)) {
      values.set(declared.field, status);
    }
    values.set('externalId', externalId);
    const faults: string[] = [];
    const body = checkBody(resource, nest(values), faults);
    if (faults.length > 0) throw new RowRejected(faults, externalId);
    const outcome = await writeRecord({ externalId, formerId, body, status, repairs });
    if (formerId !== null) idsByFormer.set(formerId, outcome.recordId ?? this.lookup.placeholderId(resource));
    return outcome;
  }

  /** The writer of a collection, opened once. */
  private openWriter(collection: Collection): Promise<WriteRecord> {
    const { options } = this;
    const { resource, path } = collection;
    const { posts } = importOf(resource);
    const known =
      this.writers.get(path) ??
      openWriter({
        collection,
        decide: (record, wanted) =>
          options.isPosts && posts !== undefined
            ? decidePost(posts, resource, record, wanted)
            : decideChange(resource, record, wanted, options),
        check: this.check,
      });
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
