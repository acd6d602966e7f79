/**
 * Writes records so that they match their rows: finds or creates the record, then patches it until it matches. The steps
 * can be interrupted anywhere: the next run reads the progress from the record itself, not from a file of the importer.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import type { ApiRecord, Body } from './api.ts';
import type { Decision, Wanted } from './changes.ts';
import type { Collection, Created } from './collection.ts';
import type { WriteCheck } from './dry-run.ts';
import { ImportStopped, RowRejected } from './errors.ts';

/** The wanted state of a record. */
interface WantedRecord extends Wanted {
  readonly externalId: string;
  /** Its id in the exported organization, which it still has when that is the same one; null for other rows. */
  readonly formerId: string | null;
  readonly repairs: readonly string[];
}

/** The result of a row; in a dry run, of what would happen. */
export interface RowOutcome {
  readonly result: 'created' | 'updated' | 'unchanged';
  readonly repairs: readonly string[];
  /** Null when a dry run would create it. */
  readonly recordId: string | null;
}

/** Maximum number of patches of a record. One or two are enough unless someone else writes it concurrently. */
const mostPatches = 5;

/** The options of a writer. */
interface WriterOptions {
  readonly collection: Collection;
  readonly decide: (record: Body, wanted: Wanted) => Decision;
  /** Checks what would be sent, in a dry run; null where it is sent. */
  readonly check: WriteCheck | null;
}

/** Writes one record. @throws RowRejected, ProblemError, ImportStopped */
export type WriteRecord = (wanted: WantedRecord) => Promise<RowOutcome>;

/** Opens a collection for writing. @throws ImportStopped when it cannot be read */
export async function openWriter(options: WriterOptions): Promise<WriteRecord> {
  const { collection, check } = options;
  const first = await collection.first({}).catch((error: unknown) => {
    // A refusal here would also happen for every row.
    throw error instanceof ProblemError ? new ImportStopped(error.message, { cause: error }) : error;
  });
  return async (wanted) => {
    // In a collection that was empty at the start there is no record to look for.
    const found = first === null ? null : await findRecord(collection, wanted);
    if (found !== null) return settle(options, found, wanted, 'unchanged');
    if (check !== null) {
      await check.check(collection, null, wanted.body, first === null);
      return { result: 'created', repairs: wanted.repairs, recordId: null };
    }
    const { record, isNew } = await createRecord(collection, wanted);
    return settle(options, record, wanted, isNew ? 'created' : 'unchanged');
  };
}

/** Finds the existing record of a row, if there is one. */
async function findRecord(
  collection: Collection,
  { externalId, formerId }: WantedRecord,
): Promise<ApiRecord | null> {
  const found = await collection.first({ externalId });
  return found !== null || formerId === null ? found : collection.read(formerId);
}

async function createRecord(collection: Collection, { externalId, body }: WantedRecord): Promise<Created> {
  try {
    return await collection.create(externalId, body);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code, members } = error;
    // The parent of the collection existed at the start of the import.
    if (code === 'not_found') {
      throw new ImportStopped('What the records belong to was deleted during the import.');
    }
    if (code !== 'conflict' || members.field !== 'externalId') throw error;
    return { record: await findOwner(collection, externalId, members.existingId), isNew: false };
  }
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
  { collection, decide, check }: WriterOptions,
  found: ApiRecord,
  wanted: WantedRecord,
  began: RowOutcome['result'],
): Promise<RowOutcome> {
  let record = found;
  let result = began;
  for (let patches = 0; patches <= mostPatches; patches += 1) {
    const { body, repair } = decide(record, wanted);
    const repairs = repair === null ? wanted.repairs : [...wanted.repairs, repair];
    if (body === null) return { result, repairs, recordId: record.id };
    if (check !== null) {
      await check.check(collection, record, body);
      return { result: 'updated', repairs, recordId: record.id };
    }
    const patched = await patchRecord(collection, record, wanted.externalId, body);
    // The server finds no difference, and its comparison is decisive.
    if (patched.version === record.version) return { result, repairs, recordId: record.id };
    if (result === 'unchanged') result = 'updated';
    record = patched;
  }
  throw new RowRejected(['Somebody else keeps changing this record. Run the import again.']);
}

/** Patches the record. Returns its new state, also when someone else changed it in the meantime. */
async function patchRecord(
  collection: Collection,
  record: ApiRecord,
  externalId: string,
  body: Body,
): Promise<ApiRecord> {
  try {
    return await collection.patch(record, externalId, body);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'version_mismatch') throw error;
    const current = await collection.read(record.id);
    if (current !== null) return current;
    throw new RowRejected(['The record was deleted during the import. Run it again.']);
  }
}
