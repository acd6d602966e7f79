/**
 * Imports one row: converts its cells to values, determines its externalId, compares it with earlier rows, resolves
 * references, and writes the record.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { checkRecord } from '@trellis/schema/validation/check-record.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { Api, Body } from './api.ts';
import { checkBody, describeFault, nest } from './body.ts';
import { withItemDefaults } from './build-record.ts';
import { type ChangeOptions, decideChange, wantedLists } from './changes.ts';
import { Collection } from './collection.ts';
import { importOf } from './destinations.ts';
import { WriteCheck } from './dry-run.ts';
import { Duplicates } from './duplicates.ts';
import { PendingReference, RowRejected } from './errors.ts';
import { type Existing, whyRepeated } from './existing.ts';
import { adoptsKey, type Found, foundBy } from './find-record.ts';
import type { Mapping } from './mapping.ts';
import { Members } from './members.ts';
import { type Named, NameLookup } from './name-lookup.ts';
import { leaveOut } from './omit.ts';
import type { Parents } from './parents.ts';
import type { FilledPost, Pictures } from './pictures.ts';
import { decidePost } from './posts.ts';
import { mostAttempts, type PreparedRow, type PrepareOptions, prepareRow } from './prepare-row.ts';
import { type Referrer, resolveReferences } from './references.ts';
import { nameRecord } from './rejection.ts';
import { type EarlierRow, RepeatedRows } from './repeated-rows.ts';
import type { SourceRow } from './source.ts';
import { findUnknownValues } from './unknown-values.ts';
import {
  keyOf,
  openWriter,
  type RowOutcome,
  type WantedRecord,
  type WriteOutcome,
  type Writer,
} from './writer.ts';

interface RowOptions extends ChangeOptions, PrepareOptions {
  readonly dryRun: boolean;
  /** The beginning of the importId of all imports of the source. */
  readonly lineage: string;
  /** Of the records that are created. */
  readonly importId: string;
  /** Those beside posts; null where there are none. */
  readonly pictures: Pictures | null;
}

interface HowToWrite {
  /** Whether the row comes from another organization, whose ids it has. */
  readonly isForeign: boolean;
  readonly existing: Existing;
}

/** Imports rows. */
export class RowImporter {
  private readonly api: Api;
  private readonly parents: Parents;
  private readonly options: RowOptions;
  private readonly lookup: NameLookup;
  private readonly members: Members;
  private readonly check: WriteCheck;
  private country: Promise<string | null> | null = null;
  private readonly duplicates = new Map<Resource, Duplicates>();
  private readonly repeated: RepeatedRows;
  /** By path of their collection. */
  private readonly writers = new Map<string, Promise<Writer>>();

  constructor(api: Api, parents: Parents, options: RowOptions) {
    this.api = api;
    this.parents = parents;
    this.options = options;
    this.lookup = new NameLookup(options);
    this.members = new Members(api);
    this.check = new WriteCheck(() => this.readCountry());
    this.repeated = new RepeatedRows(options.isPosts ? 'reject' : options.duplicates);
  }

  /** Number of records created because rows name them, by resource. */
  get linked(): ReadonlyMap<string, number> {
    return this.lookup.created;
  }

  /**
   * Imports one row.
   * @param isLast whether the row has waited until all others were imported
   * @throws RowRejected, PendingReference, ImportStopped
   */
  async import(resource: Resource, mapping: Mapping, row: SourceRow, isLast: boolean): Promise<RowOutcome> {
    const parent = await this.parents.find(resource, row);
    const prepared = prepareRow(resource, mapping, row, parent, this.options);
    const { values, names, repairs } = prepared.built;
    const { identity, own, unique, status } = prepared;
    const externalId = keyOf(identity);
    const content = canonicalizeJson([...values].map(([name, value]) => [name, value ?? null]));
    const compared = `${status} ${JSON.stringify([...names])} ${content}`;
    const registration = await this.duplicatesOf(resource).register(row.place, own, unique, compared);
    if (registration.kind === 'taken') {
      const { what, place } = registration;
      throw new RowRejected([`${what} is also in ${place}, but must be unique.`], externalId, values);
    }
    if (registration.kind === 'repeated')
      return unchanged({ repairs: [...repairs, 'repeated rows skipped'], omitted: prepared.omitted });
    try {
      const collection = new Collection(this.api, resource, parent.id, parent.language);
      const outcome =
        registration.kind === 'first'
          ? await this.write(collection, mapping, row, prepared, isLast)
          : await this.writeAgain(collection, mapping, row, prepared, {
              place: registration.place,
              key: identity.key,
            });
      if (registration.kind === 'first') registration.settle(true);
      return outcome;
    } catch (error) {
      if (registration.kind === 'first') registration.settle(false);
      if (error instanceof PendingReference) throw error;
      const isOfRow = error instanceof ProblemError || error instanceof RowRejected;
      throw isOfRow ? new RowRejected(error.reasons, externalId, values) : error;
    }
  }

  /** The unknown values of a row that was rejected. @throws ImportStopped */
  findUnknownValues(resource: Resource, mapping: Mapping, row: SourceRow, reasons: readonly string[]) {
    return findUnknownValues(resource, mapping, row, reasons, this.members);
  }

  private async write(
    collection: Collection,
    mapping: Mapping,
    row: SourceRow,
    prepared: PreparedRow,
    isLast: boolean,
  ): Promise<RowOutcome> {
    const { identity } = prepared;
    const { resource } = collection;
    const writer = await this.openWriter(collection);
    const duplicates = this.duplicatesOf(resource);
    const found = await writer.find(identity, {
      lineage: this.options.lineage,
      isLast,
      isClaimed: (id) => duplicates.isClaimed(row.place, id),
    });
    const claimed = found === null ? null : duplicates.claim(row.place, found.record.id);
    if (claimed !== null)
      return this.writeAgain(collection, mapping, row, prepared, { place: claimed, key: null });
    const writing = this.tryToWrite(collection, mapping, row, prepared, found);
    this.repeated.note(resource.name, row.place, writing, prepared.changedAt);
    const outcome = await writing;
    if (outcome.recordId !== null) duplicates.claim(row.place, outcome.recordId);
    return outcome;
  }

  /** Imports a row that stands for the record of an earlier one, with other values. @throws RowRejected as `import` */
  private writeAgain(
    collection: Collection,
    mapping: Mapping,
    row: SourceRow,
    prepared: PreparedRow,
    first: EarlierRow,
  ): Promise<RowOutcome> {
    const { built, changedAt, omitted } = prepared;
    const { resource } = collection;
    return this.repeated.follow(resource.name, first, async (choice, earlier) => {
      const kept = whyRepeated(choice, changedAt, earlier.changedAt);
      if (kept !== null) {
        const record = nameRecord(resource, mapping, row, built.values);
        return { result: unchanged({ repairs: built.repairs, omitted, record, kept }), written: earlier };
      }
      const record = earlier.recordId === null ? null : await collection.read(earlier.recordId);
      const found = record === null ? null : { record, by: foundBy.earlierRow };
      const outcome = await this.tryToWrite(collection, mapping, row, prepared, found, 'merge');
      // A dry run has not created the record that it would find.
      const isOfDryRun = this.options.dryRun && found === null;
      return {
        result: isOfDryRun ? { ...outcome, result: 'updated', foundBy: foundBy.earlierRow } : outcome,
        written: { ...earlier, changedAt },
      };
    });
  }

  /** Writes the record of a row, without the invalid values that may be left out. */
  private async tryToWrite(
    collection: Collection,
    mapping: Mapping,
    row: SourceRow,
    prepared: PreparedRow,
    found: Found | null,
    existing: Existing = this.options.isPosts ? 'merge' : this.options.existing,
  ): Promise<RowOutcome> {
    const { built, identity } = prepared;
    const { resource } = collection;
    const isForeign = identity.givenId !== null && found?.by !== 'id';
    const omitted = [...prepared.omitted];
    for (let attempts = 1; ; attempts += 1) {
      const progress = { isSent: false };
      try {
        const outcome = await this.writeFound(
          collection,
          found,
          { isForeign, existing },
          row,
          prepared,
          progress,
        );
        const removed = outcome.removed.map((lost) => ({
          ...lost,
          value: this.lookup.withNames(lost.value),
        }));
        const record = outcome.record ?? nameRecord(resource, mapping, row, built.values);
        return { ...outcome, record, removed, omitted };
      } catch (error) {
        const reasons = attempts < mostAttempts ? findInvalid(error, found, progress) : null;
        const left = reasons === null ? null : leaveOut(resource, mapping, row, built, reasons);
        if (left === null) throw error;
        omitted.push(...left);
      }
    }
  }

  /** Writes the record of a row, after everything was checked that can be. @param progress whether a write was sent */
  private async writeFound(
    collection: Collection,
    found: Found | null,
    how: HowToWrite,
    row: SourceRow,
    prepared: PreparedRow,
    progress: { isSent: boolean },
  ): Promise<WriteOutcome> {
    const { built, identity } = prepared;
    const { givenId } = identity;
    const { resource } = collection;
    const { lookup } = this;
    const { idsByFormer } = this.parents;
    const writer = await this.openWriter(collection);
    let missing = 0;
    const filled: { post: FilledPost | null } = { post: null };
    const fill = (mayWrite: boolean) => async (values: Map<string, unknown>) => {
      const post = { row, values, status: prepared.status, record: found?.record ?? null };
      filled.post = (await this.options.pictures?.fill(post, mayWrite)) ?? null;
    };
    const peek = async (target: Collection, name: Named) => {
      const id = await lookup.peek(target, name);
      if (id === null) missing += 1;
      return id ?? lookup.placeholderId(target.resource);
    };
    let wanted = await this.complete(collection, found, how, prepared, peek, fill(false));
    const isIncomplete = missing > 0 || filled.post?.isPending === true;
    if (isIncomplete && !writer.keeps(found, wanted)) {
      // Nothing is created for a row that is rejected, as far as that is known before.
      await writer.check(found, wanted);
      const find = (target: Collection, name: Named) => lookup.find(target, name);
      wanted = await this.complete(collection, found, how, prepared, find, fill(true));
    }
    progress.isSent = true;
    const outcome = await writer.write(found, wanted);
    if (filled.post !== null) this.options.pictures?.note(filled.post);
    await lookup.note(collection, built.values.get('slug'), outcome.recordId);
    if (givenId !== null) idsByFormer.set(givenId, outcome.recordId ?? lookup.placeholderId(resource));
    return outcome;
  }

  /** Completes a row with the ids of the records that it names, and checks it. @throws RowRejected, PendingReference, ImportStopped */
  private async complete(
    collection: Collection,
    found: Found | null,
    { isForeign, existing }: HowToWrite,
    { built, identity, status, suggestedSlug, changedAt }: PreparedRow,
    find: Referrer['find'],
    fill: (values: Map<string, unknown>) => Promise<void>,
  ): Promise<WantedRecord> {
    const { resource } = collection;
    // A copy, as ids of records that do not exist yet stand in the first one.
    const values = new Map(built.values);
    const { idsByFormer } = this.parents;
    const repairs = [...built.repairs];
    const findBySlug = (target: Collection, slug: string) => this.lookup.findBySlug(target, slug);
    const peek = (target: Collection, name: Named) => this.lookup.peek(target, name);
    const { members } = this;
    const referrer = { collection, isForeign, find, peek, members, findBySlug, idsByFormer, repairs };
    await resolveReferences(referrer, { ...built, values });
    await fill(values);
    const declared = statusOf(resource);
    if (!this.options.isPosts && status !== null && declared?.transitions.initial.includes(status)) {
      values.set(declared.field, status);
    }
    if (found === null || adoptsKey(identity, found)) values.set('externalId', keyOf(identity));
    else values.delete('externalId');
    if (found === null) values.set('importId', this.options.importId);
    const faults: string[] = [];
    const missing: string[] = [];
    const body = checkBody(resource, nest(withItemDefaults(resource, values)), faults, missing);
    if (found === null) faults.push(...missing);
    const country = await this.readCountry();
    if (faults.length === 0) faults.push(...checkRules(resource, body, found, country));
    if (faults.length > 0) throw new RowRejected(faults, keyOf(identity));
    return {
      identity,
      body,
      lists: wantedLists(body, { values, modes: built.modes }),
      country,
      status,
      suggestedSlug,
      repairs,
      existing,
      changedAt,
    };
  }

  /** The country of the organization, read once. */
  private readCountry(): Promise<string | null> {
    this.country ??= this.api.readCountry();
    return this.country;
  }

  private duplicatesOf(resource: Resource): Duplicates {
    const duplicates = this.duplicates.get(resource) ?? new Duplicates();
    this.duplicates.set(resource, duplicates);
    return duplicates;
  }

  /** The writer of a collection, opened once. */
  private openWriter(collection: Collection): Promise<Writer> {
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
        dryRun: options.dryRun,
      });
    this.writers.set(path, known);
    return known;
  }
}

const invalidCodes: readonly string[] = ['validation_failed', 'reference_not_found'];

/**
 * The reasons of a rejection that may be about invalid values of the row; null for any other error. Those of a list that was merged with
 * that of a record are about the items of both.
 */
function findInvalid(
  error: unknown,
  found: Found | null,
  { isSent }: { readonly isSent: boolean },
): readonly string[] | null {
  if (error instanceof PendingReference) return null;
  if (error instanceof RowRejected) return isSent ? null : error.reasons;
  if (!(error instanceof ProblemError) || !invalidCodes.includes(error.code)) return null;
  const isOfItem = error.faults.some(({ pointer = '' }) => /\/\d+(\/|$)/.test(pointer));
  return found !== null && isOfItem ? null : error.reasons;
}

/** What the rules of the resource find in the values of a row, together with those of its record. */
function checkRules(
  resource: Resource,
  body: Body,
  found: Found | null,
  country: string | null,
): readonly string[] {
  const read = (name: string) =>
    valueAt(body, name) ?? (found === null ? undefined : valueAt(found.record, name));
  const faults = checkRecord(resource, read, country);
  // What is missing may be in the lists of the record.
  return faults.filter(({ code }) => found === null || code !== 'required').map(describeFault);
}

/** The outcome of a row that changes nothing, and whose record was not looked for. */
function unchanged(more: Pick<RowOutcome, 'repairs' | 'omitted'> & Partial<RowOutcome>): RowOutcome {
  const nothing = { removed: [], record: null, recordId: null, slug: null, foundBy: null, kept: null };
  return { result: 'unchanged', ...nothing, ...more };
}
