/**
 * Thousands of files for comparing searches with a search that is too simple to be wrong. They are generated from a
 * seed and written directly into the tables, because uploads would take minutes; a test compares them with files that
 * went through the API.
 */
import { createHash } from 'node:crypto';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import {
  encodeVectors,
  Lexemes,
  scopeOf,
  type Weight,
} from '@trellis/server/kernel/pipeline/search/analyzer/lexemes.ts';
import { searchParent } from '@trellis/server/kernel/pipeline/search/texts.ts';
import type pg from 'pg';
import { uuidAt } from './uuids.ts';

/** A planned file, and the input of the simple search. All texts are lower-case ASCII words. */
export interface PlannedFile {
  readonly uuid: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly visibility: 'PRIVATE' | 'RESTRICTED' | 'ORGANIZATION';
  readonly owner: string;
  readonly allowedUsers: readonly string[];
  readonly allowedRoles: readonly string[];
  /** Text by page; empty for PENDING_UPLOAD. */
  readonly pages: readonly string[];
  /** Whether it has numbered pages, as a PDF has. */
  readonly paged: boolean;
}

/** A user of the simple search. */
export interface Reader {
  readonly uuid: string;
  readonly role: string;
}

/** Whether a user may see a file, by the rules of the specification. */
export function maySee(file: PlannedFile, reader: Reader): boolean {
  if (file.visibility === 'ORGANIZATION' || file.owner === reader.uuid) return true;
  if (file.visibility === 'PRIVATE') return false;
  return file.allowedUsers.includes(reader.uuid) || file.allowedRoles.includes(reader.role);
}

/** The words of a file in order: name, description, text. */
export function wordsOf({ name, description, pages }: PlannedFile): string[] {
  return [name, description ?? '', ...pages].join(' ').split(/\s+/).filter(Boolean);
}

/** The conditions of a search; all must hold. */
export interface Question {
  readonly words?: readonly string[];
  readonly phrase?: readonly string[];
  readonly prefix?: string;
  readonly without?: readonly string[];
  /** At least one of these words, in addition to the rest. */
  readonly either?: readonly string[];
}

/** Writes a question in the syntax of the search. The last word would be a prefix if it were not in quotes. */
export function writeQuestion({ words = [], phrase, prefix, without = [], either }: Question): string {
  const parts = [
    ...words.map((word) => `"${word}"`),
    ...(phrase === undefined ? [] : [`"${phrase.join(' ')}"`]),
    ...(either === undefined ? [] : [either.map((word) => `"${word}"`).join(' or ')]),
    ...without.map((word) => `-${word}`),
    ...(prefix === undefined ? [] : [prefix]),
  ];
  return parts.join(' ');
}

/** Whether a file with these words matches the question. */
export function matches(all: readonly string[], question: Question): boolean {
  const { words = [], phrase, prefix, without = [], either } = question;
  const known = new Set(all);
  return (
    words.every((word) => known.has(word)) &&
    without.every((word) => !known.has(word)) &&
    (either === undefined || either.some((word) => known.has(word))) &&
    (prefix === undefined || all.some((word) => word.startsWith(prefix))) &&
    (phrase === undefined ||
      all.some((_, start) => phrase.every((word, index) => all[start + index] === word)))
  );
}

/** The words of texts, by frequency. */
export const vocabulary = {
  /** In every file that has text. */
  common: 'report',
  medium: ['granite', 'harbour', 'lantern', 'meadow', 'orchard', 'pepper', 'quarry', 'saddle'],
  rare: ['axolotl', 'bandicoot', 'cassowary', 'dugong', 'echidna', 'fennec', 'gharial', 'hoatzin'],
  /** Adjacent words in the middle of a page. */
  phrase: ['crimson', 'tide'],
  filler: Array.from(
    { length: 300 },
    (_, index) => `filler${String.fromCharCode(97 + (index % 26))}${index}`,
  ),
} as const;

/** Plans files of mixed visibility. */
export function planFiles(
  count: number,
  random: () => number,
  readers: readonly Reader[],
  startMs: number,
): PlannedFile[] {
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error('there is nothing to pick from');
    return found;
  };
  const chance = (likelihood: number) => random() < likelihood;
  const page = (first: boolean) => {
    const words = Array.from({ length: 6 + Math.floor(random() * 10) }, () => pick(vocabulary.filler));
    if (first) words.splice(2, 0, vocabulary.common);
    if (chance(0.15)) words.splice(3, 0, pick(vocabulary.medium));
    if (chance(0.01)) words.splice(4, 0, pick(vocabulary.rare));
    if (chance(0.03)) words.splice(2, 0, ...vocabulary.phrase);
    // The same words in another order, which is not the phrase.
    if (chance(0.03)) words.splice(2, 0, ...vocabulary.phrase.toReversed());
    return words.join(' ');
  };
  return Array.from({ length: count }, (_, index) => {
    const paged = chance(0.4);
    const pageCount = chance(0.1) ? 0 : paged ? 1 + Math.floor(random() * 3) : 1;
    const name = [pick(vocabulary.filler), ...(chance(0.1) ? [pick(vocabulary.medium)] : [])];
    if (chance(0.02)) name.push(pick(vocabulary.rare));
    // Several files share a creation time, so that only their ids order them.
    const createdMs = startMs + Math.floor(index / 3);
    return {
      uuid: uuidAt(createdMs),
      createdAt: new Date(createdMs).toISOString(),
      updatedAt: new Date(createdMs + Math.floor(random() * 1_000)).toISOString(),
      name: name.join(' '),
      description: chance(0.3) ? `${pick(vocabulary.filler)} ${pick(vocabulary.medium)} notes` : null,
      tags: chance(0.2) ? ['policy'] : [],
      visibility: pick(['PRIVATE', 'RESTRICTED', 'RESTRICTED', 'ORGANIZATION'] as const),
      owner: pick(readers).uuid,
      allowedUsers: chance(0.3) ? [pick(readers).uuid] : [],
      allowedRoles: chance(0.3) ? [pick(readers).role] : [],
      pages: Array.from({ length: pageCount }, (__, number) => page(number === 0)),
      paged,
    };
  });
}

/** The id as the API shows it. */
export function idOf({ uuid }: PlannedFile): string {
  return encodeId('kf', uuid);
}

const insert = `
WITH planned AS (
  SELECT * FROM jsonb_to_recordset($2) AS p (uuid uuid, "createdAt" timestamptz, "updatedAt" timestamptz, name text,
    description text, tags jsonb, visibility text, owner uuid, "allowedUsers" uuid[], "allowedRoles" text[],
    pages text[], paged boolean, sha256 text, media text, size integer)
), files AS (
  INSERT INTO trellis.knowledge_files (organization_id, id, version, created_at, updated_at, created_by, updated_by,
    name, description, tags, visibility, owner_user_id, allowed_user_ids, allowed_roles, media_type, size_bytes, sha256,
    page_count, content_version, status, extracted_characters)
  SELECT $1, uuid, CASE WHEN sha256 IS NULL THEN 1 ELSE 2 END, "createdAt", "updatedAt", owner,
    CASE WHEN sha256 IS NULL THEN owner END, name, description, tags::json, visibility, owner, "allowedUsers",
    "allowedRoles", media, size, sha256, CASE WHEN paged AND sha256 IS NOT NULL THEN cardinality(pages) END,
    CASE WHEN sha256 IS NULL THEN 0 ELSE 1 END, CASE WHEN sha256 IS NULL THEN 'PENDING_UPLOAD' ELSE 'READY' END,
    CASE WHEN sha256 IS NOT NULL THEN length(array_to_string(pages, '')) END
  FROM planned
  RETURNING id, readers
), labelled AS (
  INSERT INTO trellis.knowledge_file_tags (organization_id, tag, knowledge_file_id)
  SELECT $1, tag, uuid FROM planned, jsonb_array_elements_text(tags) AS tag
)
SELECT FROM planned`;

const insertEntries = `
WITH entries AS (
  SELECT f.id, f.created_at, f.readers, g.name, g.terms, g.content FROM trellis.knowledge_files f
  JOIN unnest($2::uuid[], $3::text[], $4::tsvector[], $5::tsvector[]) AS g (id, name, terms, content) ON g.id = f.id
  WHERE f.organization_id = $1
), recorded AS (
  INSERT INTO trellis.search_records
    (organization_id, type, record_id, edition, parent_id, created_at, working, published, readers, names, others, terms)
  SELECT $1, 'knowledge-file', id, 0, $6, created_at, true, true, readers, name, '', terms FROM entries
), listed AS (
  INSERT INTO trellis.search_readers (organization_id, type, record_id, edition, reader, parent_id, created_at)
  SELECT DISTINCT $1::uuid, 'knowledge-file', id, 0, reader, $6::uuid, created_at FROM entries, unnest(readers) AS reader
)
INSERT INTO trellis.search_bodies (organization_id, type, record_id, edition, created_at, terms)
SELECT $1, 'knowledge-file', id, 0, created_at, content FROM entries WHERE content <> ''`;

const insertPages = `
INSERT INTO trellis.knowledge_pages (organization_id, file_id, page, part, text, terms, beyond_entry)
SELECT $1, p.id, p.page, 1, p.text, p.terms, false
FROM unnest($2::uuid[], $3::integer[], $4::text[], $5::tsvector[]) AS p (id, page, text, terms)`;

/** Writes planned files into the tables as after upload and extraction, without storing bytes. */
export async function insertFiles(
  admin: pg.Client,
  organizationId: string,
  files: readonly PlannedFile[],
): Promise<void> {
  for (let start = 0; start < files.length; start += 1_000) {
    const rows = files.slice(start, start + 1_000).map((file) => {
      const text = file.pages.join('');
      const content = {
        sha256: createHash('sha256').update(text).digest('hex'),
        media: file.paged ? 'application/pdf' : 'text/plain',
        size: text.length,
      };
      return file.pages.length === 0 ? file : { ...file, ...content };
    });
    await admin.query(insert, [organizationId, JSON.stringify(rows)]);
    await insertSearched(admin, organizationId, files.slice(start, start + 1_000));
  }
}

async function insertSearched(
  admin: pg.Client,
  organizationId: string,
  files: readonly PlannedFile[],
): Promise<void> {
  const parent = searchParent(knowledgeFiles, null);
  const scope = scopeOf(organizationId, parent, knowledgeFiles.singular);
  const vector = (...texts: readonly (readonly [string, Weight])[]) => {
    const lexemes = new Lexemes(scope);
    for (const [text, weight] of texts) lexemes.addWords(text, weight);
    return lexemes;
  };
  const terms = files.map(({ name, description }) => {
    const lexemes = vector([name, 'A'], [description ?? '', 'B']);
    lexemes.addGrams(name);
    return lexemes.encode();
  });
  const contents = files.map(({ pages }) => vector([pages.join('\n'), 'D']).encode());
  const ids = files.map(({ uuid }) => uuid);
  const names = files.map(({ name }) => name);
  await admin.query(insertEntries, [
    organizationId,
    ids,
    names,
    encodeVectors(terms),
    encodeVectors(contents),
    parent,
  ]);
  const pages = files.flatMap(({ uuid, pages }) =>
    pages.map((text, index) => ({ uuid, page: index + 1, text })),
  );
  await admin.query(insertPages, [
    organizationId,
    pages.map(({ uuid }) => uuid),
    pages.map(({ page }) => page),
    pages.map(({ text }) => text),
    encodeVectors(pages.map(({ text }) => vector([text, 'D']).encode())),
  ]);
}
