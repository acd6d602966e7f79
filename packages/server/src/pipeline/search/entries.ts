/**
 * The search entries of a record, written in the record's transaction: its words, the texts of which any part is found, and who may
 * find it. A version of an article that somebody sees is an edition, with entries of its own; other records have one.
 */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Parameter, type Statement, type Step, step } from '../../database/batch.ts';
import { textArray } from '../../database/values.ts';
import type { Editions, Model } from '../model.ts';
import { foldedLongText, languageOf, longTextOf, partsOf, searchParent, shortTextsOf } from './texts.ts';

const recordColumns =
  'organization_id, type, record_id, edition, parent_id, created_at, working, published, readers, listed_readers, terms';
const textColumns = 'organization_id, type, record_id, edition, part, parent_id, created_at, folded';
const bodyColumns =
  'organization_id, type, record_id, edition, parent_id, created_at, source, short_terms, terms';

// The parts of the statements below, which a distributed database executes one by one. A row that is there stays as it is.
const insertRecord: Statement = {
  name: 'insert_search_record',
  text: `INSERT INTO trellis.search_records (${recordColumns})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, trellis.search_terms($10, $11, $12, $13)) ON CONFLICT DO NOTHING`,
};
const insertTexts: Statement = {
  name: 'insert_search_texts',
  text: `INSERT INTO trellis.search_texts (${textColumns})
    SELECT $1, $2, $3, $4, part, $5, $6, folded FROM unnest($7::smallint[], $8::text[]) AS t (part, folded) ON CONFLICT DO NOTHING`,
};
const insertText: Statement = {
  name: 'insert_search_text',
  text: `INSERT INTO trellis.search_texts (${textColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
};
const insertBody: Statement = {
  name: 'insert_search_body',
  text: `INSERT INTO trellis.search_bodies (${bodyColumns})
    SELECT $1, $2, $3, $4, $5, $6, $7::integer, '', trellis.search_terms($8, '', '', $9) WHERE $9 <> '' ON CONFLICT DO NOTHING`,
};
const updateRecord: Statement = {
  name: 'update_search_record',
  text: `UPDATE trellis.search_records
    SET working = $5, published = $6, readers = $7, listed_readers = $7, terms = trellis.search_terms($8, $9, $10, $11)
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4`,
};
const updateText: Statement = {
  name: 'update_search_text',
  text: `UPDATE trellis.search_texts SET folded = $6
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4 AND part = $5`,
};
const updateBody: Statement = {
  name: 'update_search_body',
  text: `UPDATE trellis.search_bodies SET source = $5::integer, short_terms = '', terms = trellis.search_terms($6, '', '', $7)
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4`,
};
const dropReaders: Statement = {
  name: 'drop_readers',
  text: `DELETE FROM trellis.search_readers
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4 AND NOT reader = ANY ($5::text[])`,
};
const insertReaders: Statement = {
  name: 'insert_readers',
  text: `INSERT INTO trellis.search_readers (organization_id, type, record_id, edition, parent_id, created_at, reader)
    SELECT DISTINCT $1::uuid, $2, $3::uuid, $4::integer, $5::uuid, $6::timestamptz, reader FROM unnest($7::text[]) AS reader
    ON CONFLICT (organization_id, type, record_id, edition, reader) DO NOTHING`,
};

/** Of a new edition. No row of it can exist, so plain inserts do. */
const insertEntries: Statement = {
  name: 'insert_search_entries',
  text: `WITH record AS (
      INSERT INTO trellis.search_records
        (${recordColumns})
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, trellis.search_terms($10, $11, $12, $13))
    ), texts AS (
      INSERT INTO trellis.search_texts (${textColumns})
      SELECT $1, $2, $3, $4, part, $5, $6, folded FROM unnest($14::smallint[], $15::text[]) AS t (part, folded)
    )
    INSERT INTO trellis.search_bodies (${bodyColumns})
    SELECT $1, $2, $3, $4, $5, $6, $16::integer, '', trellis.search_terms($10, '', '', $17) WHERE $17 <> ''`,
  distributed: [
    { statement: insertRecord, parameters: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] },
    { statement: insertTexts, parameters: [1, 2, 3, 4, 5, 6, 14, 15] },
    { statement: insertBody, parameters: [1, 2, 3, 4, 5, 6, 16, 10, 17] },
  ],
};
/**
 * ON CONFLICT DO UPDATE would apply the policies of row-level security three times, each of which reads who the caller is. Nobody
 * else writes the row: the record is locked. The same is true of texts and bodies.
 */
const putRecord: Statement = {
  name: 'put_search_record',
  text: `WITH changed AS (
      UPDATE trellis.search_records
      SET working = $7, published = $8, readers = $9, listed_readers = $9, terms = trellis.search_terms($10, $11, $12, $13)
      WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4
      RETURNING edition
    )
    INSERT INTO trellis.search_records
      (${recordColumns})
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, trellis.search_terms($10, $11, $12, $13)
    WHERE NOT EXISTS (SELECT FROM changed)`,
  distributed: [
    { statement: updateRecord, parameters: [1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13] },
    { statement: insertRecord, parameters: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] },
  ],
};
const showRecord: Statement = {
  name: 'show_search_record',
  text: `UPDATE trellis.search_records SET working = $5, published = $6, readers = $7, listed_readers = $7
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4`,
};
/** Who may find a restricted record, a row for each. With `search_records.listed_readers` set in the same transaction. */
const listReaders: Statement = {
  name: 'list_readers',
  text: `WITH gone AS (
      DELETE FROM trellis.search_readers
      WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4 AND NOT reader = ANY ($7::text[])
    )
    ${insertReaders.text}`,
  distributed: [
    { statement: dropReaders, parameters: [1, 2, 3, 4, 7] },
    { statement: insertReaders, parameters: [1, 2, 3, 4, 5, 6, 7] },
  ],
};
const dropEditions: Statement = {
  name: 'drop_search_editions',
  text: `DELETE FROM trellis.search_records
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND NOT edition = ANY ($4::integer[])`,
};
const putText: Statement = {
  name: 'put_search_text',
  text: `WITH changed AS (
      UPDATE trellis.search_texts SET folded = $8
      WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4 AND part = $5
      RETURNING part
    )
    INSERT INTO trellis.search_texts (${textColumns})
    SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE NOT EXISTS (SELECT FROM changed)`,
  distributed: [
    { statement: updateText, parameters: [1, 2, 3, 4, 5, 8] },
    { statement: insertText, parameters: [1, 2, 3, 4, 5, 6, 7, 8] },
  ],
};
const dropText: Statement = {
  name: 'drop_search_text',
  text: `DELETE FROM trellis.search_texts
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4 AND part = $5`,
};
const putBody: Statement = {
  name: 'put_search_body',
  text: `WITH changed AS (
      UPDATE trellis.search_bodies SET source = $7::integer, short_terms = '', terms = trellis.search_terms($8, '', '', $9)
      WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4
      RETURNING edition
    )
    INSERT INTO trellis.search_bodies (${bodyColumns})
    SELECT $1, $2, $3, $4, $5, $6, $7::integer, '', trellis.search_terms($8, '', '', $9) WHERE NOT EXISTS (SELECT FROM changed)`,
  distributed: [
    { statement: updateBody, parameters: [1, 2, 3, 4, 7, 8, 9] },
    { statement: insertBody, parameters: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
  ],
};
const dropBody: Statement = {
  name: 'drop_search_body',
  text: `DELETE FROM trellis.search_bodies WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4`,
};
const deleteRecord: Statement = {
  name: 'delete_search_record',
  text: 'DELETE FROM trellis.search_records WHERE organization_id = $1 AND type = $2 AND record_id = $3',
};

const onlyOne: Editions = { working: 0, published: 0 };

/** The editions of a record that somebody sees. */
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
  if (gone) steps.push(dropOtherEditions(model, organizationId, after));
  const { published, working } = editions;
  const readersChanged = readersOf(model, before) !== readersOf(model, after);
  if (published !== null && published !== working && (old.working === published || readersChanged))
    steps.push(...shownSteps(model, organizationId, after, published));
  return steps;
}

/** The steps for a new record. */
function newEntrySteps(model: Model, organizationId: string, record: StoredRecord): Step[] {
  const { resource } = model;
  const { working } = editionsOf(model, record);
  const texts = shortTextsOf(model, record.values);
  const parts = partsOf(texts).filter(({ folded }) => folded !== '');
  return [
    step(insertEntries, [
      ...placeOf(model, organizationId, record, working),
      ...visibilityOf(model, record, working),
      languageOf(resource, record.values),
      ...texts.words,
      `{${parts.map(({ part }) => part).join(',')}}`,
      textArray(parts.map(({ folded }) => folded)),
      String(record.version),
      foldedLongText(resource, record.values),
    ]),
    ...readersSteps(model, organizationId, record, working),
  ];
}

/**
 * The steps for a record that is restored: those of a new one, and of the published edition beside a newer draft.
 * @param published the record with the texts of its published version; null without one
 */
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
  const texts = shortTextsOf(model, after.values);
  const old = shortTextsOf(model, before.values);
  const isOtherLanguage = languageOf(resource, before.values) !== languageOf(resource, after.values);
  const isWorded = isOtherLanguage || old.words.some((words, index) => words !== texts.words[index]);
  const [shown, wasShown] = [after, before].map((record) => visibilityOf(model, record, working));
  const steps: Step[] = [];
  if (isWorded) steps.push(recordStep(model, organizationId, after, working));
  if (isWorded || shown?.some((value, index) => value !== wasShown?.[index])) {
    if (!isWorded) steps.push(showStep(model, organizationId, after, working));
    steps.push(...readersSteps(model, organizationId, after, working));
  }
  const wasFolded = partsOf(old);
  for (const [index, text] of partsOf(texts).entries()) {
    if (text.folded !== wasFolded[index]?.folded)
      steps.push(textStep(model, organizationId, after, working, text));
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
    ...partsOf(shortTextsOf(model, record.values)).map((text) =>
      textStep(model, organizationId, record, edition, text),
    ),
    ...bodySteps(model, organizationId, record, edition, content),
  ];
}

function recordStep(model: Model, organizationId: string, record: StoredRecord, edition: number): Step {
  return step(putRecord, [
    ...placeOf(model, organizationId, record, edition),
    ...visibilityOf(model, record, edition),
    languageOf(model.resource, record.values),
    ...shortTextsOf(model, record.values).words,
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

function textStep(
  model: Model,
  organizationId: string,
  record: StoredRecord,
  edition: number,
  { part, folded }: { readonly part: string; readonly folded: string },
): Step {
  const key = [...keyOf(model, organizationId, record, edition), part];
  if (folded === '') return step(dropText, key);
  return step(putText, [...key, searchParent(model.resource, record.parentId), record.createdAt, folded]);
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
  if (folded === '') return [step(dropBody, keyOf(model, organizationId, record, edition))];
  const place = placeOf(model, organizationId, record, edition);
  return [step(putBody, [...place, String(record.version), languageOf(resource, record.values), folded])];
}

/** The step that deletes the editions of a record that are no longer visible. */
export function dropOtherEditions(model: Model, organizationId: string, record: StoredRecord): Step {
  const { working, published } = editionsOf(model, record);
  const shown = [working, ...(published === null ? [] : [published])];
  return step(dropEditions, [organizationId, model.resource.singular, record.id, `{${shown.join(',')}}`]);
}

/** The step that deletes all search entries of a record. */
export function removeSearchEntry(
  resource: Pick<Resource, 'singular'>,
  organizationId: string,
  id: string,
): Step {
  return step(deleteRecord, [organizationId, resource.singular, id]);
}

/** The step that deletes the search entries of a record that was not found. One that was restored from the trash meanwhile keeps them. */
export function removeOrphanedEntry({ resource, trash }: Model, organizationId: string, id: string): Step {
  if (trash === null) return removeSearchEntry(resource, organizationId, id);
  const { singular, table } = resource;
  const text = `${deleteRecord.text}
    AND NOT EXISTS (SELECT FROM trellis.${table} r WHERE r.organization_id = $1 AND r.id = $3)`;
  return step({ name: `delete_orphan_of_${table}`, text }, [organizationId, singular, id]);
}

function keyOf({ resource }: Model, organizationId: string, { id }: StoredRecord, edition: number): string[] {
  return [organizationId, resource.singular, id, String(edition)];
}

/** The key, the parent and the time of creation, which all rows of an edition have. */
function placeOf(model: Model, organizationId: string, record: StoredRecord, edition: number): string[] {
  const parent = searchParent(model.resource, record.parentId);
  return [...keyOf(model, organizationId, record, edition), parent, record.createdAt];
}

/** Whether the edition is found in the working and in the published perspective, and by whom. */
function visibilityOf(model: Model, record: StoredRecord, edition: number): Parameter[] {
  const { working, published } = editionsOf(model, record);
  return [String(edition === working), String(edition === published), readersOf(model, record)];
}

function readersOf({ rules }: Model, record: StoredRecord): string | null {
  const readers = rules.readers?.(record.values) ?? null;
  return readers === null ? null : textArray(readers);
}
