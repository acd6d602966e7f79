/**
 * Why: search reads one table for all resources; its entries are written with the records, in the same transaction, so
 * that a search never shows what is not there. Texts are folded (case and accents) here, in one place for both sides.
 */
import { createHash } from 'node:crypto';
import { type Statement, type Step, step } from '../database/flight.ts';
import { textArray } from '../database/values.ts';
import { foldText } from '../lib/text.ts';
import type { Field, SearchWeight } from '../resources/fields.ts';
import { flattenFields, type Resource } from '../resources/resource.ts';
import type { Model, SearchForms } from './model.ts';
import { type StoredRecord, titleOf } from './values.ts';

/**
 * Characters of a text of one weight that are indexed as words: a tsvector holds at most 1 MiB, and this many words
 * stay below it whatever they are. The `search` filter sees the whole text.
 */
export const wordCharacters = 131_072;

const terms = `setweight(to_tsvector('simple', $8), 'A') || setweight(to_tsvector('simple', $9), 'B')
  || setweight(to_tsvector('simple', $10), 'D')`;

const insertEntry: Statement = {
  name: 'insert_search_entry',
  text: `INSERT INTO trellis.search_entries (organization_id, type, parent_id, record_id, created_at, title, folded_title,
      folded_text, title_terms, terms, readers)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $11, to_tsvector('simple', $7), ${terms}, $12)`,
};
const updateEntry: Statement = {
  name: 'update_search_entry',
  text: `UPDATE trellis.search_entries SET title = $6, folded_title = $7, folded_text = $11,
      title_terms = to_tsvector('simple', $7), terms = ${terms} || coalesce(content_terms, ''), readers = $12
    WHERE organization_id = $1 AND type = $2 AND parent_id = $3 AND record_id = $4 AND created_at = $5`,
};
const deleteEntry: Statement = {
  name: 'delete_search_entry',
  text: 'DELETE FROM trellis.search_entries WHERE organization_id = $1 AND type = $2 AND record_id = $3',
};

/** What search knows of a record. */
interface Entry {
  readonly title: string;
  /** Folded text by weight. */
  readonly byWeight: Readonly<Record<SearchWeight, string>>;
  /** Other notations, folded. */
  readonly forms: SearchForms;
  /** Who may find it: ids of users and names of roles; null: every member. */
  readonly readers: readonly string[] | null;
}

/** Steps that bring the entry in line with a change; none when nothing searchable changed. */
export function searchEntrySteps(
  model: Model,
  organizationId: string,
  before: StoredRecord | null,
  after: StoredRecord,
): Step[] {
  const { resource } = model;
  const entry = entryOf(model, after);
  if (before !== null && sameEntry(entryOf(model, before), entry)) return [];
  const { A, B, C, D } = entry.byWeight;
  const values = [
    organizationId,
    resource.singular,
    searchParent(resource, after.parentId),
    after.id,
    after.createdAt,
    entry.title,
    foldText(entry.title),
    A.slice(0, wordCharacters),
    `${B} ${C}`.slice(0, wordCharacters),
    `${entry.forms.words.join(' ')} ${D}`.slice(0, wordCharacters),
    [A, B, C, D, ...entry.forms.texts].filter((text) => text !== '').join('\n'),
    entry.readers === null ? null : textArray(entry.readers),
  ];
  return [step(before === null ? insertEntry : updateEntry, values)];
}

const ownPlaces = new Map<string, string>();

/**
 * Below what entries of a resource are found: the record's parent, or a place of the resource's own. md5 is what SQL can
 * make the same uuid with; nothing depends on its strength.
 */
export function searchParent({ singular }: Resource, parentId: string | null): string {
  if (parentId !== null) return parentId;
  const known = ownPlaces.get(singular);
  if (known !== undefined) return known;
  const made = createHash('md5')
    .update(singular)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  ownPlaces.set(singular, made);
  return made;
}

/** The step that removes an entry. */
export function removeSearchEntry(resource: Resource, organizationId: string, id: string): Step {
  return step(deleteEntry, [organizationId, resource.singular, id]);
}

/** Searchable texts of a record, in declared order, unfolded; for snippets. */
export function searchableTexts(resource: Resource, record: StoredRecord): { field: string; text: string }[] {
  return flattenFields(resource).flatMap(([name, field]) => {
    const text = textsOf(field, record.values[name]).join(', ');
    return text === '' ? [] : [{ field: name, text }];
  });
}

/** The texts that a value of a searchable field consists of. */
function textsOf(field: Field, value: unknown): string[] {
  if (field.searchable === null) return [];
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  const member = field.searchableMember;
  return value.map((item) => String(member === null ? item : item[member]));
}

const noForms: SearchForms = { words: [], texts: [] };

function entryOf({ resource, rules }: Model, record: StoredRecord): Entry {
  const byWeight = { A: '', B: '', C: '', D: '' };
  for (const [name, field] of flattenFields(resource)) {
    if (field.searchable === null) continue;
    for (const text of textsOf(field, record.values[name])) {
      const folded = foldText(text);
      byWeight[field.searchable] += byWeight[field.searchable] === '' ? folded : `\n${folded}`;
    }
  }
  const { words, texts } = rules.recordForms?.(record.values) ?? noForms;
  return {
    title: titleOf(resource, record.values),
    byWeight,
    forms: { words: words.map(foldText), texts: texts.map(foldText) },
    readers: rules.readers?.(record.values) ?? null,
  };
}

function sameEntry(left: Entry, right: Entry): boolean {
  const weights: readonly SearchWeight[] = ['A', 'B', 'C', 'D'];
  return (
    left.title === right.title &&
    weights.every((weight) => left.byWeight[weight] === right.byWeight[weight]) &&
    left.forms.words.join(' ') === right.forms.words.join(' ') &&
    left.forms.texts.join(' ') === right.forms.texts.join(' ') &&
    left.readers?.join(' ') === right.readers?.join(' ')
  );
}
