/**
 * Writes records so that they match their rows: finds or creates the record, then patches it until it matches. The steps
 * can be interrupted anywhere: the next run reads the progress from the record itself, not from a file of the importer.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord, Body } from './api.ts';
import { type Decision, findRemoved, type RemovedValue, type Wanted } from './changes.ts';
import type { Collection } from './collection.ts';
import type { WriteCheck } from './dry-run.ts';
import { ImportStopped, RowRejected } from './errors.ts';
import { type Existing, type KeptBecause, whyKept } from './existing.ts';
import {
  adoptsKey,
  type Found,
  findNamed,
  findRecord,
  foundBy,
  type RowIdentity,
  type SearchContext,
} from './find-record.ts';
import type { OmittedValue } from './omit.ts';

/** The wanted state of a record. */
export interface WantedRecord extends Wanted {
  readonly identity: RowIdentity;
  /** The slug of a new record, or that with the first number that is free; null where the body or the server says it. */
  readonly suggestedSlug: string | null;
  readonly repairs: readonly string[];
  /** What becomes of a record that exists. */
  readonly existing: Existing;
  /** When the row was last changed where it comes from, RFC 3339; null where it does not say so. */
  readonly changedAt: string | null;
}

/** The result of a row; in a dry run, of what would happen. */
export interface RowOutcome {
  readonly result: 'created' | 'updated' | 'unchanged';
  readonly repairs: readonly string[];
  /** The title of the record; null without one. */
  readonly record: string | null;
  /** What of the row was left out. */
  readonly omitted: readonly OmittedValue[];
  /** What the record had and the row removes. */
  readonly removed: readonly RemovedValue[];
  /** Null when a dry run would create it. */
  readonly recordId: string | null;
  /** Of the record; in a dry run, the one that it would have if it is free. Null without one. */
  readonly slug: string | null;
  /** What the record was found by; null for one that was or would be created. */
  readonly foundBy: string | null;
  /** Why the record stays as it is, although the row differs; null where it was changed or does not differ. */
  readonly kept: KeptBecause | null;
}

/** The numbers that are tried behind a slug that is taken; then the server makes one of the title. */
const mostNumberedSlugs = 20;

/** The result of a write. */
export type WriteOutcome = Omit<RowOutcome, 'omitted'>;

/** Maximum number of patches of a record. One or two are enough unless someone else writes it concurrently. */
const mostPatches = 5;

/** The options of a writer. */
interface WriterOptions {
  readonly collection: Collection;
  readonly decide: (record: Body, wanted: Wanted) => Decision;
  readonly check: WriteCheck;
  /** Whether what would be sent is only checked. */
  readonly dryRun: boolean;
}

/** Finds and writes the records of one collection. All methods throw RowRejected, ProblemError and ImportStopped. */
export interface Writer {
  /** The existing record of a row; null without one. */
  find(identity: RowIdentity, context: SearchContext): Promise<Found | null>;
  /** Whether a record stays as it is, although the row differs. @param found the result of `find` */
  keeps(found: Found | null, wanted: WantedRecord): boolean;
  /** Checks a write as far as that is possible without it. @param found the result of `find` */
  check(found: Found | null, wanted: WantedRecord): Promise<void>;
  /** Writes one record. @param found the result of `find` */
  write(found: Found | null, wanted: WantedRecord): Promise<WriteOutcome>;
}

/** Opens a collection for writing. @throws ImportStopped when it cannot be read */
export async function openWriter(options: WriterOptions): Promise<Writer> {
  const { collection, check, decide, dryRun } = options;
  const first = await collection.first({}).catch((error: unknown) => {
    // A refusal here would also happen for every row.
    throw error instanceof ProblemError ? new ImportStopped(error.message, { cause: error }) : error;
  });
  /** Whether no record has a unique value of the row: there is none at all, or it would have been found by it. */
  const isLookedFor = (found: Found | null, { identity }: WantedRecord) =>
    first === null || (found === null && identity.file === null);
  return {
    // In a collection that was empty at the start there is no record to look for.
    find: async (identity, context) => (first === null ? null : findRecord(collection, identity, context)),
    keeps: (found, wanted) =>
      found !== null &&
      whyKept(wanted.existing, wanted.changedAt, found.record) !== null &&
      decide(found.record, wanted).body !== null,
    async check(found, wanted) {
      const body = found === null ? wanted.body : decide(found.record, wanted).body;
      if (body !== null)
        await check.check(collection, found?.record ?? null, body, isLookedFor(found, wanted));
    },
    async write(found, wanted) {
      if (found !== null) return settle(options, found, wanted, 'unchanged');
      if (dryRun) {
        await check.check(collection, null, wanted.body, isLookedFor(found, wanted));
        return {
          result: 'created',
          repairs: wanted.repairs,
          removed: [],
          record: null,
          recordId: null,
          slug: wanted.suggestedSlug ?? slugOf(collection.resource, wanted.body),
          foundBy: null,
          kept: null,
        };
      }
      const created = await createRecord(collection, wanted);
      if (created.by === null) return settle(options, created, wanted, 'created');
      return settle(options, created, forExisting(wanted, created), 'unchanged');
    },
  };
}

/** A record that was written, and what it was found by if another run has created it; null for one that this run has created. */
interface Settled {
  readonly record: ApiRecord;
  readonly by: string | null;
}

async function createRecord(collection: Collection, wanted: WantedRecord, number = 1): Promise<Settled> {
  const { identity, suggestedSlug } = wanted;
  const externalId = keyOf(identity);
  const field =
    suggestedSlug === null || number > mostNumberedSlugs ? undefined : collection.resource.slug?.field;
  const slug = number === 1 ? suggestedSlug : `${suggestedSlug}-${number}`;
  const body = field === undefined ? wanted.body : withValue(wanted.body, field, slug);
  try {
    const { record, isNew } = await collection.create(externalId, body);
    return { record, by: isNew ? null : foundBy.row };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code, members } = error;
    if (code === 'conflict' && field !== undefined && members.field === field) {
      return createRecord(collection, wanted, number + 1);
    }
    // The parent of the collection existed at the start of the import.
    if (code === 'not_found') {
      throw new ImportStopped('What the records belong to was deleted during the import.');
    }
    if (code !== 'conflict') throw error;
    if (members.field === 'externalId') {
      return { record: await findOwner(collection, externalId, members.existingId), by: 'externalId' };
    }
    // Another run may have created it since this one has looked for it.
    const found = await findNamed(collection, identity);
    if (found === null) throw error;
    return found;
  }
}

/** A body with the value of a dotted field. */
function withValue(body: Body, name: string, value: unknown): Body {
  const [group = '', member] = name.split('.');
  return {
    ...body,
    [group]: member === undefined ? value : { ...(body[group] as Body | undefined), [member]: value },
  };
}

/** The wanted state of a record that another run has created, which keeps its externalId. */
function forExisting(wanted: WantedRecord, { record, by }: Settled): WantedRecord {
  const { externalId, ...rest } = wanted.body;
  const isAdopted = adoptsKey(wanted.identity, { record, by: by ?? '' });
  return { ...wanted, body: isAdopted ? { ...rest, externalId } : rest };
}

/** The externalId of a record that is created for a row. */
export function keyOf({ key, givenId, rowKey }: RowIdentity): string {
  return key ?? givenId ?? rowKey;
}

/** Finds the record that another run has created with the externalId in the meantime. */
async function findOwner(collection: Collection, externalId: string, id: unknown): Promise<ApiRecord> {
  const record = typeof id === 'string' ? await collection.read(id) : null;
  if (record !== null) return record;
  throw new RowRejected([
    `externalId: "${externalId}" belongs to ${String(id ?? 'a record you may not read')}, which is not in this collection.`,
  ]);
}

/** Patches the record until it matches its row. */
async function settle(
  { collection, decide, check, dryRun }: WriterOptions,
  { record: found, by }: Settled,
  wanted: WantedRecord,
  began: RowOutcome['result'],
): Promise<WriteOutcome> {
  let record = found;
  const title = valueAt(found, collection.resource.titleField);
  const named = {
    record: typeof title === 'string' ? title : null,
    recordId: found.id,
    foundBy: by,
    slug: slugOf(collection.resource, found),
  };
  let result = began;
  const removed: RemovedValue[] = [];
  for (let patches = 0; patches <= mostPatches; patches += 1) {
    const { body, repair } = decide(record, wanted);
    const repairs = repair === null ? wanted.repairs : [...wanted.repairs, repair];
    // What this row has written itself is its own, however late.
    const kept =
      body === null || result !== 'unchanged' ? null : whyKept(wanted.existing, wanted.changedAt, record);
    if (body === null || kept !== null) return { result, repairs, removed, kept, ...named };
    const lost = findRemoved(collection.resource, record, body, wanted.country);
    if (dryRun) {
      await check.check(collection, record, body);
      return { result: 'updated', repairs, removed: lost, kept: null, ...named };
    }
    const patched = await patchRecord(collection, record, keyOf(wanted.identity), body);
    if (patched !== null) {
      // The server finds no difference, and its comparison is decisive.
      if (patched.version === record.version) return { result, repairs, removed, kept: null, ...named };
      removed.push(...lost);
      if (result === 'unchanged') result = 'updated';
    }
    record = patched ?? (await refreshQueries(collection, record));
  }
  throw new RowRejected(['Somebody else keeps changing this record. Run the import again.']);
}

function slugOf({ slug }: Collection['resource'], record: Body): string | null {
  const value = valueAt(record, slug?.field ?? '');
  return typeof value === 'string' ? value : null;
}

/** Patches the record. Returns its new state; null when someone else changed it in the meantime. */
async function patchRecord(
  collection: Collection,
  record: ApiRecord,
  externalId: string,
  body: Body,
): Promise<ApiRecord | null> {
  try {
    return await collection.patch(record, externalId, body);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'version_mismatch') return null;
    throw error;
  }
}

async function refreshQueries(collection: Collection, { id }: ApiRecord): Promise<ApiRecord> {
  const current = await collection.read(id);
  if (current !== null) return current;
  throw new RowRejected(['The record was deleted during the import. Run it again.']);
}
