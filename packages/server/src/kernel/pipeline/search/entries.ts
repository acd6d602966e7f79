/**
 * The search entries of a record, written in the record's transaction: its search terms, and who may find it. Each visible version of an
 * article is an edition with entries of its own; other records have one edition.
 */

import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { type Parameter, type Statement, type Step, step } from '../../database/batch.ts';
import { textArray } from '../../database/values.ts';
import { indexJobsStep } from '../../identity/index-jobs.ts';
import type { Editions, Model } from '../model.ts';
import { Lexemes, mostShortBytes, scopeOf } from './analyzer/lexemes.ts';
import { foldedLongText, languageOf, longTextOf, searchParent, shortTextsOf } from './texts.ts';

const recordColumns =
  'organization_id, type, record_id, edition, parent_id, created_at, working, published, readers, names, others, terms';
const bodyColumns = 'organization_id, type, record_id, edition, created_at, terms';

/** Of a new edition. No row of it can exist, so plain inserts do. */
const insertRecord: Statement = {
  name: 'insert_search_record',
  text: `INSERT INTO trellis.search_records (${recordColumns})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
};
/** The same of a record with long texts. */
const insertEntries: Statement = {
  name: 'insert_search_entries',
  text: `WITH record AS (${insertRecord.text})
    INSERT INTO trellis.search_bodies (${bodyColumns}) VALUES ($1, $2, $3, $4, $6, $13)`,
};
/**
 * ON CONFLICT DO UPDATE would evaluate the policies of row-level security three times, each of which determines the caller. The record is
 * locked, so no other transaction writes the row. The same applies to bodies.
 */
const putRecord: Statement = {
  name: 'put_search_record',
  text: `WITH changed AS (
      UPDATE trellis.search_records SET working = $7, published = $8, readers = $9, names = $10, others = $11, terms = $12
      WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4
      RETURNING edition
    )
    INSERT INTO trellis.search_records (${recordColumns})
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 WHERE NOT EXISTS (SELECT FROM changed)`,
};
const showRecord: Statement = {
  name: 'show_search_record',
  text: `UPDATE trellis.search_records SET working = $5, published = $6, readers = $7
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4`,
};
/** Who may find a restricted record, a row for each of `search_records.readers`. */
const listReaders: Statement = {
  name: 'list_readers',
  text: `WITH gone AS (
      DELETE FROM trellis.search_readers
      WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4 AND NOT reader = ANY ($7::text[])
    )
    INSERT INTO trellis.search_readers (organization_id, type, record_id, edition, parent_id, created_at, reader)
    SELECT DISTINCT $1::uuid, $2, $3::uuid, $4::integer, $5::uuid, $6::timestamptz, reader FROM unnest($7::text[]) AS reader
    ON CONFLICT (organization_id, type, record_id, edition, reader) DO NOTHING`,
};
const putBody: Statement = {
  name: 'put_search_body',
  text: `WITH changed AS (
      UPDATE trellis.search_bodies SET terms = $6
      WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4
      RETURNING edition
    )
    INSERT INTO trellis.search_bodies (${bodyColumns})
    SELECT $1, $2, $3, $4, $5, $6 WHERE NOT EXISTS (SELECT FROM changed)`,
};
const dropBody: Statement = {
  name: 'drop_search_body',
  text: `DELETE FROM trellis.search_bodies WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4`,
};

/** Statements that delete rows of a record in all tables of search. The row that says who sees the others goes last. */
function deletions(name: string, condition: string): readonly Statement[] {
  return ['search_readers', 'search_bodies', 'search_records'].map((table) => ({
    name: `${name}_of_${table}`,
    text: `DELETE FROM trellis.${table} WHERE ${condition}`,
  }));
}
const ofRecord = 'organization_id = $1 AND type = $2 AND record_id = $3';
const dropEditions = deletions('drop_editions', `${ofRecord} AND NOT edition = ANY ($4::integer[])`);
const deleteRecord = deletions('delete_record', ofRecord);

const onlyOne: Editions = { working: 0, published: 0 };

/** The visible editions of a record. */
export function editionsOf({ rules }: Model, { values }: StoredRecord): Editions {
  return rules.editions?.(values) ?? onlyOne;
}

/** The steps that update the search entries for a change; none if the change does not affect them. */
export function searchEntrySteps(
  model: Model,
  organizationId: string,
  before: StoredRecord | null,
  after: StoredRecord,
): Step[] {
  if (before === null) return newEntrySteps(model, organizationId, after);
  const editions = editionsOf(model, after);
  const old = editionsOf(model, before);
  const steps =
    old.working === editions.working
      ? changedEntrySteps(model, organizationId, before, after)
      : wholeEntrySteps(model, organizationId, after, editions.working);
  const known = [old.working, old.published];
  const shown = [editions.working, editions.published];
  const gone = known.some((edition) => edition !== null && !shown.includes(edition));
  if (gone) steps.push(...dropOtherEditions(model, organizationId, after));
  const { published, working } = editions;
  const readersChanged = readersOf(model, before) !== readersOf(model, after);
  if (published !== null && published !== working && (old.working === published || readersChanged))
    steps.push(...shownSteps(model, organizationId, after, published));
  // The texts of the published version are not at hand.
  if (published !== null && published !== working && isSharedTextChanged(model, before, after))
    steps.push(indexJobsStep(organizationId, model.resource.singular, [after.id], after.parentId));
  return steps;
}

/** Whether a text changes that all versions have in common, such as the slug. */
function isSharedTextChanged({ resource }: Model, before: StoredRecord, after: StoredRecord): boolean {
  const ofVersions = `${resource.versions?.group}.`;
  return flattenFields(resource).some(
    ([name, { searchable }]) =>
      searchable !== null &&
      !name.startsWith(ofVersions) &&
      !deepEqual(before.values[name], after.values[name]),
  );
}

/** The steps for a new record. */
function newEntrySteps(model: Model, organizationId: string, record: StoredRecord): Step[] {
  const { working } = editionsOf(model, record);
  const place = placeOf(model, organizationId, record, working);
  const entry = [
    ...place,
    ...visibilityOf(model, record, working),
    ...shortEntryOf(model, organizationId, record),
  ];
  const long = foldedLongText(model.resource, record.values);
  return [
    long === ''
      ? step(insertRecord, entry)
      : step(insertEntries, [...entry, longTermsOf(model, organizationId, record, long)]),
    ...readersSteps(model, organizationId, record, working),
  ];
}

/** Names, other short texts, and what these are found by. */
function shortEntryOf(model: Model, organizationId: string, record: StoredRecord): Parameter[] {
  const { names, others, words } = shortTextsOf(model, record.values);
  const lexemes = new Lexemes(scopeIn(model, organizationId, record.parentId), mostShortBytes);
  const [a, b, d] = words;
  lexemes.addWords(a, 'A');
  lexemes.addWords(b, 'B');
  lexemes.addWords(d, 'D');
  lexemes.addStems(languageOf(model.resource, record.values));
  for (const line of `${names}\n${others}`.split('\n')) lexemes.addGrams(line);
  return [names, others, lexemes.encode()];
}

/** The search terms of a folded long text. */
function longTermsOf(model: Model, organizationId: string, record: StoredRecord, folded: string): Buffer {
  const lexemes = new Lexemes(scopeIn(model, organizationId, record.parentId));
  lexemes.addWords(folded, 'D');
  lexemes.addStems(languageOf(model.resource, record.values));
  return lexemes.encode();
}

function scopeIn({ resource }: Model, organizationId: string, parentId: string | null): string {
  return scopeOf(organizationId, searchParent(resource, parentId), resource.singular);
}

/** The steps for a restored record: those of a new one, and of the published edition beside a newer draft. */
export function restoredEntrySteps(
  model: Model,
  organizationId: string,
  record: StoredRecord,
  published: StoredRecord | null,
): Step[] {
  const editions = editionsOf(model, record);
  const steps = newEntrySteps(model, organizationId, record);
  if (published === null || editions.published === null || editions.published === editions.working)
    return steps;
  return [
    ...steps,
    ...wholeEntrySteps(model, organizationId, published, editions.published),
    ...shownSteps(model, organizationId, record, editions.published),
  ];
}

/** The steps for an edition that is the working one before and after a change. */
function changedEntrySteps(
  model: Model,
  organizationId: string,
  before: StoredRecord,
  after: StoredRecord,
): Step[] {
  const { resource } = model;
  const { working } = editionsOf(model, after);
  const [texts, old] = [after, before].map(({ values }) => JSON.stringify(shortTextsOf(model, values)));
  const isOtherLanguage = languageOf(resource, before.values) !== languageOf(resource, after.values);
  const isWorded = isOtherLanguage || texts !== old;
  const [shown, wasShown] = [after, before].map((record) => visibilityOf(model, record, working));
  const steps: Step[] = [];
  if (isWorded) steps.push(recordStep(model, organizationId, after, working));
  if (isWorded || shown?.some((value, index) => value !== wasShown?.[index])) {
    if (!isWorded) steps.push(showStep(model, organizationId, after, working));
    steps.push(...readersSteps(model, organizationId, after, working));
  }
  if (isOtherLanguage || longTextOf(resource, before.values) !== longTextOf(resource, after.values))
    steps.push(...bodySteps(model, organizationId, after, working));
  return steps;
}

/**
 * The steps that write all entries of one edition, whether or not they exist.
 * @param content the folded text of a content that is no field of the record
 */
export function wholeEntrySteps(
  model: Model,
  organizationId: string,
  record: StoredRecord,
  edition: number,
  content?: string,
): Step[] {
  return [
    recordStep(model, organizationId, record, edition),
    ...readersSteps(model, organizationId, record, edition),
    ...bodySteps(model, organizationId, record, edition, content),
  ];
}

function recordStep(model: Model, organizationId: string, record: StoredRecord, edition: number): Step {
  return step(putRecord, [
    ...placeOf(model, organizationId, record, edition),
    ...visibilityOf(model, record, edition),
    ...shortEntryOf(model, organizationId, record),
  ]);
}

function showStep(model: Model, organizationId: string, record: StoredRecord, edition: number): Step {
  const key = keyOf(model, organizationId, record, edition);
  return step(showRecord, [...key, ...visibilityOf(model, record, edition)]);
}

/** The steps that set who finds an edition, and in which perspectives. */
function shownSteps(model: Model, organizationId: string, record: StoredRecord, edition: number): Step[] {
  return [
    showStep(model, organizationId, record, edition),
    ...readersSteps(model, organizationId, record, edition),
  ];
}

/** The steps that list an edition by its readers. They follow each write of its row, which says that it is listed. */
function readersSteps(model: Model, organizationId: string, record: StoredRecord, edition: number): Step[] {
  if (model.rules.readers === undefined) return [];
  const place = placeOf(model, organizationId, record, edition);
  return [step(listReaders, [...place, readersOf(model, record) ?? '{}'])];
}

/** The steps for the long texts. The text of a content that is no field is written by its extraction. */
function bodySteps(
  model: Model,
  organizationId: string,
  record: StoredRecord,
  edition: number,
  content?: string,
): Step[] {
  const { resource, rules } = model;
  if (rules.contentSearch !== undefined && content === undefined) return [];
  const folded = content ?? foldedLongText(resource, record.values);
  const key = keyOf(model, organizationId, record, edition);
  if (folded === '') return [step(dropBody, key)];
  return [step(putBody, [...key, record.createdAt, longTermsOf(model, organizationId, record, folded)])];
}

/** The steps that delete the editions of a record that are no longer visible. */
export function dropOtherEditions(model: Model, organizationId: string, record: StoredRecord): Step[] {
  const { working, published } = editionsOf(model, record);
  const shown = [working, ...(published === null ? [] : [published])];
  const values = [organizationId, model.resource.singular, record.id, `{${shown.join(',')}}`];
  return dropEditions.map((statement) => step(statement, values));
}

/** The steps that delete all search entries of a record. */
export function removeSearchEntries(
  { singular }: Pick<Resource, 'singular'>,
  organizationId: string,
  id: string,
): Step[] {
  return deleteRecord.map((statement) => step(statement, [organizationId, singular, id]));
}

/** The steps that delete the search entries of a missing record, unless it was restored from the trash in the meantime. */
export function removeOrphanedEntries(
  { resource, trash }: Model,
  organizationId: string,
  id: string,
): Step[] {
  if (trash === null) return removeSearchEntries(resource, organizationId, id);
  const { singular, table } = resource;
  const isGone = `NOT EXISTS (SELECT FROM trellis.${table} r WHERE r.organization_id = $1 AND r.id = $3)`;
  return deletions(`delete_orphan_of_${table}`, `${ofRecord} AND ${isGone}`).map((statement) =>
    step(statement, [organizationId, singular, id]),
  );
}

function keyOf({ resource }: Model, organizationId: string, { id }: StoredRecord, edition: number): string[] {
  return [organizationId, resource.singular, id, String(edition)];
}

/** The key, the parent and the time of creation, which all rows of an edition have. */
function placeOf(model: Model, organizationId: string, record: StoredRecord, edition: number): string[] {
  const parent = searchParent(model.resource, record.parentId);
  return [...keyOf(model, organizationId, record, edition), parent, record.createdAt];
}

/** Whether an edition is found in the working and in the published perspective, and by which users. */
function visibilityOf(model: Model, record: StoredRecord, edition: number): Parameter[] {
  const { working, published } = editionsOf(model, record);
  return [String(edition === working), String(edition === published), readersOf(model, record)];
}

function readersOf({ rules }: Model, record: StoredRecord): string | null {
  const readers = rules.readers?.(record.values) ?? null;
  return readers === null ? null : textArray(readers);
}
