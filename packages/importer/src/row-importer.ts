/**
 * Imports one row: converts its cells to values, determines its externalId, compares it with earlier rows, resolves
 * references, and writes the record.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { innerReferences } from '@trellis/schema/validation/values.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { normalizeText } from '@trellis/schema/values/text.ts';
import type { Api } from './api.ts';
import { checkBody, nest } from './body.ts';
import { type BuiltRecord, buildRecord } from './build-record.ts';
import { type ChangeOptions, decideChange, type Wanted } from './changes.ts';
import { Collections } from './collections.ts';
import { importOf } from './destinations.ts';
import { Duplicates } from './duplicates.ts';
import { PendingReference, RowRejected } from './errors.ts';
import { deriveRowKey, uniqueValues } from './identity.ts';
import { deriveExternalId } from './keys.ts';
import type { Mapping } from './mapping.ts';
import { NameLookup, placeholderId } from './name-lookup.ts';
import type { Parent, Parents } from './parents.ts';
import { decidePost, readPost } from './posts.ts';
import { References } from './references.ts';
import type { SourceRow } from './source.ts';
import { type RowOutcome, Writer } from './writer.ts';

interface RowOptions extends ChangeOptions {
  readonly dryRun: boolean;
  /** Whether rows are posts of a site generator. */
  readonly isPosts: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A row with everything that can be determined without the server. */
interface PreparedRow {
  readonly row: SourceRow;
  readonly parent: Parent;
  readonly built: BuiltRecord;
  /** The target status; null when the row has none. */
  readonly status: string | null;
  readonly externalId: string;
  /** Whether the row contains the externalId. */
  readonly isGiven: boolean;
  readonly unique: readonly string[];
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
    const prepared = this.prepare(resource, mapping, row, parent);
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
      throw new RowRejected([describeConflict(registration, externalId, isGiven)], externalId);
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
      throw isOfRow ? new RowRejected(error.reasons, externalId) : error;
    } finally {
      registration.settle(isAccepted);
    }
  }

  /** Determines what is possible without the server. @throws RowRejected */
  private prepare(resource: Resource, mapping: Mapping, row: SourceRow, parent: Parent): PreparedRow {
    const { isPosts, now } = this.options;
    const isExported = row.exportedAs === resource.name;
    const mapped = mapping.map(row, isExported);
    const built = buildRecord(resource, mapped, isPosts);
    const { values, faults } = built;
    const { posts } = importOf(resource);
    const status =
      isPosts && posts !== undefined
        ? readPost(posts, mapped.values, built, now)
        : takeStatus(resource, values, faults);
    const given = values.get('externalId') ?? (isExported ? row.fields.get('id') : undefined);
    const isGiven = typeof given === 'string' && given.trim() !== '';
    const ownKey = isGiven ? normalizeText(given) : deriveFromSource(row, parent);
    const referring = referringFields(resource);
    const body = checkBody(resource, nest([...values].filter(([name]) => !referring.has(name))), faults);
    if (faults.length > 0) throw new RowRejected(faults, ownKey);
    const externalId = ownKey ?? deriveRowKey(resource, parent.id, body);
    if (externalId === null) {
      throw new RowRejected([
        'Nothing in the row identifies its record. Name a column that does with --key.',
      ]);
    }
    return {
      row,
      parent,
      built,
      status,
      externalId,
      isGiven,
      unique: uniqueValues(resource, parent.id, body),
    };
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

/** The externalId of a row that has a key in its source, such as a path. */
function deriveFromSource({ key }: SourceRow, parent: Parent): string | null {
  return key === null ? null : deriveExternalId(parent.name, key);
}

function describeConflict(
  { what, place }: { readonly what: string | null; readonly place: string },
  externalId: string,
  isGiven: boolean,
): string {
  if (what !== null) return `${what} is also in ${place}, but must be unique.`;
  return isGiven
    ? `externalId: "${externalId}" is also in an earlier row.`
    : `Stands for the same record as ${place}, with other values. Remove one of the two, or name a column that distinguishes them with --key.`;
}

/** Takes the status from the values of a row. An unknown status is a fault. */
function takeStatus(resource: Resource, values: Map<string, unknown>, faults: string[]): string | null {
  const declared = statusOf(resource);
  if (declared === null) return null;
  const status = values.get(declared.field);
  if (typeof status !== 'string') return null;
  if (!(status in declared.transitions.allowed)) {
    const known = Object.keys(declared.transitions.allowed).join(', ');
    faults.push(`${declared.field}: "${status}" is not one of ${known}.`);
  }
  values.delete(declared.field);
  return status;
}

/** Fields that contain ids: they are checked after they were resolved. */
function referringFields(resource: Resource): Set<string> {
  return new Set(
    flattenFields(resource).flatMap(([name, field]) =>
      field.reference !== null || innerReferences(field).length > 0 ? [name] : [],
    ),
  );
}
