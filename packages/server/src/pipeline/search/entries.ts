/**
 * The search entries of a record, written in the record's transaction: its words and short texts, who may find it, and an
 * index job if a long text has changed.
 */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../../database/batch.ts';
import { textArray } from '../../database/values.ts';
import type { Editions, Model } from '../model.ts';
import {
  hasLongFields,
  languageOf,
  longTextOf,
  type ShortTexts,
  searchParent,
  shortTextsOf,
} from './texts.ts';

/** Of a new record. */
const insertRecord: Statement = {
  name: 'insert_search_record',
  text: `INSERT INTO trellis.search_records
      (organization_id, type, record_id, edition, parent_id, created_at, working, published, readers, listed_readers, terms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, trellis.search_terms($10, $11, $12, $13))`,
};
/**
 * ON CONFLICT DO UPDATE would apply the policies of row-level security three times, each of which reads who the caller is. Nobody
 * else writes the row: the record is locked.
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
      (organization_id, type, record_id, edition, parent_id, created_at, working, published, readers, listed_readers, terms)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, trellis.search_terms($10, $11, $12, $13)
    WHERE NOT EXISTS (SELECT FROM changed)`,
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
    INSERT INTO trellis.search_readers (organization_id, type, record_id, edition, parent_id, created_at, reader)
    SELECT DISTINCT $1::uuid, $2, $3::uuid, $4::integer, $5::uuid, $6::timestamptz, reader FROM unnest($7::text[]) AS reader
    ON CONFLICT (organization_id, type, record_id, edition, reader) DO NOTHING`,
};
const dropEditions: Statement = {
  name: 'drop_search_editions',
  text: `DELETE FROM trellis.search_records
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND NOT edition = ANY ($4::integer[])`,
};
/** Texts of a new record. */
const insertTexts: Statement = {
  name: 'insert_search_texts',
  text: `INSERT INTO trellis.search_texts (organization_id, type, record_id, edition, part, parent_id, created_at, folded)
    SELECT $1, $2, $3, $4, part, $5, $6, folded FROM unnest($7::smallint[], $8::text[]) AS t (part, folded)`,
};
/** Not by ON CONFLICT DO UPDATE either, whose policies would read the record three times. */
const putText: Statement = {
  name: 'put_search_text',
  text: `WITH changed AS (
      UPDATE trellis.search_texts SET folded = $8
      WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4 AND part = $5
      RETURNING part
    )
    INSERT INTO trellis.search_texts (organization_id, type, record_id, edition, part, parent_id, created_at, folded)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE NOT EXISTS (SELECT FROM changed)`,
};
const dropText: Statement = {
  name: 'drop_search_text',
  text: `DELETE FROM trellis.search_texts
    WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4 AND part = $5`,
};
/** Delay of the job in ms, so that a record that is saved several times in a row is indexed once. */
const putJob: Statement = {
  name: 'put_index_job',
  text: `INSERT INTO trellis.search_marks AS m
      (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
    VALUES ($1, $2, $3, $4, 1, $5::integer[], false, clock_timestamp() + $6::integer * interval '1 millisecond', 0)
    ON CONFLICT (organization_id, type, record_id) DO UPDATE SET number = m.number + 1, attempts = 0,
      available_at = least(m.available_at, excluded.available_at), editions = ARRAY(SELECT unnest(m.editions) UNION SELECT unnest($5::integer[]))`,
};
const deleteRecord: Statement = {
  name: 'delete_search_record',
  text: 'DELETE FROM trellis.search_records WHERE organization_id = $1 AND type = $2 AND record_id = $3',
};

/**
 * How long the indexer waits, in ms: for a text that nothing else finds, and for the words of short texts beside an unchanged
 * long one, where searches look at the waiting records one by one until then.
 */
const delayMs = { ofTexts: 100, ofWordsBeside: 10_000 } as const;

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
  const editions = editionsOf(model, after);
  if (before === null) return newEntrySteps(model, organizationId, after);
  const old = editionsOf(model, before);
  const steps: Step[] = [];
  // A new edition has no former state to compare with.
  const same = old.working === editions.working ? before : null;
  steps.push(...workingSteps(model, organizationId, same, after));
  const known = [old.working, old.published];
  const shown = [editions.working, editions.published];
  const gone = known.some((edition) => edition !== null && !shown.includes(edition));
  const key = [organizationId, model.resource.singular, after.id];
  if (gone) steps.push(step(dropEditions, [...key, listOf(editions)]));
  const { published, working } = editions;
  const readersChanged = readersOf(model, before) !== readersOf(model, after);
  if (published !== null && published !== working && (old.working === published || readersChanged))
    steps.push(
      step(showRecord, [...key, String(published), 'false', 'true', readersOf(model, after)]),
      ...readersSteps(model, organizationId, after, published),
    );
  return steps;
}

/** The steps for a new record. No row of it can exist, so plain inserts do. */
function newEntrySteps(model: Model, organizationId: string, record: StoredRecord): Step[] {
  const { resource, rules } = model;
  const { working, published } = editionsOf(model, record);
  const { names, others, words } = shortTextsOf(model, record.values);
  const parent = searchParent(resource, record.parentId);
  const key = [organizationId, resource.singular, record.id];
  const flags = ['true', String(published === working), readersOf(model, record)];
  const language = languageOf(resource, record.values);
  const steps = [
    step(insertRecord, [...key, String(working), parent, record.createdAt, ...flags, language, ...words]),
    ...readersSteps(model, organizationId, record, working),
  ];
  const parts = [names, others].flatMap((text, index) => (text === '' ? [] : [{ part: index + 1, text }]));
  if (parts.length > 0) {
    const numbers = `{${parts.map(({ part }) => part).join(',')}}`;
    const texts = textArray(parts.map(({ text }) => text));
    steps.push(step(insertTexts, [...key, String(working), parent, record.createdAt, numbers, texts]));
  }
  // The words of a content are indexed by its extraction.
  const isMarked =
    rules.contentSearch === undefined &&
    hasLongFields(resource) &&
    longTextOf(resource, record.values) !== '';
  if (isMarked) steps.push(step(putJob, [...key, parent, `{${working}}`, String(delayMs.ofTexts)]));
  return steps;
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
  const { resource } = model;
  const edition = editions.published;
  const key = [organizationId, resource.singular, record.id];
  const job = [...key, searchParent(resource, record.parentId), `{${edition}}`, String(delayMs.ofTexts)];
  return [
    ...steps,
    ...wholeEntrySteps(model, organizationId, published, edition),
    step(showRecord, [...key, String(edition), 'false', 'true', readersOf(model, record)]),
    ...(longTextOf(resource, published.values) === '' ? [] : [step(putJob, job)]),
  ];
}

/** The steps for the working edition. `before`: the same edition before the change; null if it is new. */
function workingSteps(
  model: Model,
  organizationId: string,
  before: StoredRecord | null,
  after: StoredRecord,
): Step[] {
  const editions = editionsOf(model, after);
  const { resource } = model;
  const texts = shortTextsOf(model, after.values);
  const old = before === null ? null : shortTextsOf(model, before.values);
  const language = languageOf(resource, after.values);
  const short = shortTextSteps(model, organizationId, old, texts, after, editions.working);
  const worded =
    old === null ||
    before === null ||
    old.words.some((words, index) => words !== texts.words[index]) ||
    languageOf(resource, before.values) !== language;
  const readers = readersOf(model, after);
  const key = [organizationId, resource.singular, after.id, String(editions.working)];
  const isPublished = editions.published === editions.working;
  const steps: Step[] = [];
  if (worded || short.length > 0) {
    const parent = searchParent(resource, after.parentId);
    const flags = ['true', String(isPublished), readers];
    steps.push(
      step(putRecord, [...key, parent, after.createdAt, ...flags, language, ...texts.words]),
      ...short,
    );
  } else if (
    readersOf(model, before) !== readers ||
    (editionsOf(model, before).published === editions.working) !== isPublished
  ) {
    steps.push(step(showRecord, [...key, 'true', String(isPublished), readers]));
  }
  if (steps.length > 0) steps.push(...readersSteps(model, organizationId, after, editions.working));
  steps.push(...indexJobSteps(model, organizationId, before, after, worded));
  return steps;
}

/** The steps that list an edition by its readers. They follow each write of its row, which says that it is listed. */
function readersSteps(model: Model, organizationId: string, record: StoredRecord, edition: number): Step[] {
  const { resource, rules } = model;
  if (rules.readers === undefined) return [];
  const key = [organizationId, resource.singular, record.id, String(edition)];
  const place = [searchParent(resource, record.parentId), record.createdAt];
  return [step(listReaders, [...key, ...place, readersOf(model, record) ?? '{}'])];
}

/** The steps for the parts of the short texts that have changed. */
function shortTextSteps(
  { resource }: Model,
  organizationId: string,
  old: ShortTexts | null,
  texts: ShortTexts,
  after: StoredRecord,
  edition: number,
): Step[] {
  const parts = [
    ['1', old?.names ?? '', texts.names],
    ['2', old?.others ?? '', texts.others],
  ] as const;
  return parts.flatMap(([part, was, is]) => {
    if (was === is) return [];
    const key = [organizationId, resource.singular, after.id, String(edition), part];
    if (is === '') return [step(dropText, key)];
    return [step(putText, [...key, searchParent(resource, after.parentId), after.createdAt, is])];
  });
}

/** The steps that write all entries of one edition, whether or not they exist. */
export function wholeEntrySteps(
  model: Model,
  organizationId: string,
  record: StoredRecord,
  edition: number,
): Step[] {
  const { resource } = model;
  const { working, published } = editionsOf(model, record);
  const texts = shortTextsOf(model, record.values);
  const parent = searchParent(resource, record.parentId);
  const key = [organizationId, resource.singular, record.id, String(edition)];
  const flags = [String(edition === working), String(edition === published), readersOf(model, record)];
  const language = languageOf(resource, record.values);
  const parts = [texts.names, texts.others].map((text, index) => {
    const part = [...key, String(index + 1)];
    return text === '' ? step(dropText, part) : step(putText, [...part, parent, record.createdAt, text]);
  });
  return [
    step(putRecord, [...key, parent, record.createdAt, ...flags, language, ...texts.words]),
    ...readersSteps(model, organizationId, record, edition),
    ...parts,
  ];
}

/** The step that deletes the editions of a record that are no longer visible. */
export function dropOtherEditions(model: Model, organizationId: string, record: StoredRecord): Step {
  const key = [organizationId, model.resource.singular, record.id];
  return step(dropEditions, [...key, listOf(editionsOf(model, record))]);
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

/**
 * The step that writes an index job, if the indexer has something to do.
 * @param worded whether words of short texts, or the language, have changed
 */
function indexJobSteps(
  model: Model,
  organizationId: string,
  before: StoredRecord | null,
  after: StoredRecord,
  worded: boolean,
): Step[] {
  const { resource, rules } = model;
  const { working } = editionsOf(model, after);
  const jobFor = (editions: readonly number[]) => {
    const parent = searchParent(resource, after.parentId);
    const delay = editions.length === 0 ? delayMs.ofWordsBeside : delayMs.ofTexts;
    const key = [organizationId, resource.singular, after.id, parent];
    return [step(putJob, [...key, `{${editions.join(',')}}`, String(delay)])];
  };
  // The words of a file's content are indexed by the extractor; the indexer only updates those of its name.
  if (rules.contentSearch !== undefined) return before !== null && worded ? jobFor([working]) : [];
  if (!hasLongFields(resource)) return [];
  const text = longTextOf(resource, after.values);
  if (before === null) return text === '' ? [] : jobFor([working]);
  if (text !== longTextOf(resource, before.values)) return jobFor([working]);
  if (!worded || text === '') return [];
  // Stems depend on the language. If it is unchanged, only the words of the short texts beside the body are replaced.
  return languageOf(resource, before.values) === languageOf(resource, after.values)
    ? jobFor([])
    : jobFor([working]);
}

function readersOf({ rules }: Model, record: StoredRecord): string | null {
  const readers = rules.readers?.(record.values) ?? null;
  return readers === null ? null : textArray(readers);
}

function listOf({ working, published }: Editions): string {
  return `{${[working, ...(published === null ? [] : [published])].join(',')}}`;
}
