/** The statements that store the extracted text of a file for searching. */

import { setImmediate as turn } from 'node:timers/promises';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { type Statement, type Step, step } from '../../kernel/database/batch.ts';
import { textArray } from '../../kernel/database/values.ts';
import { encodeVectors, Lexemes, scopeOf } from '../../kernel/pipeline/search/analyzer/lexemes.ts';
import {
  foldIndexed,
  foldLongText,
  searchParent,
  wordCharacters,
} from '../../kernel/pipeline/search/texts.ts';
import type { ExtractedText } from './extraction.ts';

/**
 * Characters of text in one row. A tsvector has positions up to 16,383, and 256 of one word (phrases beyond are not found),
 * and at most 1 MiB, which the folded form of a longer text can exceed.
 */
const partCharacters = 20_000;
/** Rows written by one statement. */
const partsPerStep = 100;

const insertPages: Statement = {
  name: 'insert_knowledge_pages',
  text: `INSERT INTO trellis.knowledge_pages (organization_id, file_id, page, part, text, terms, beyond_entry)
    SELECT $1, $2, p.* FROM unnest($3::integer[], $4::integer[], $5::text[], $6::tsvector[], $7::boolean[]) AS p`,
};
const setTerms: Statement = {
  name: 'set_content_terms',
  text: `INSERT INTO trellis.search_bodies (organization_id, type, record_id, edition, created_at, terms)
    SELECT s.organization_id, s.type, s.record_id, s.edition, s.created_at, $3::tsvector
    FROM trellis.search_records s
    WHERE s.organization_id = $1 AND s.type = 'knowledge-file' AND s.record_id = $2
    ON CONFLICT (organization_id, type, record_id, edition) DO UPDATE SET terms = excluded.terms`,
};

/** A text as it is stored for searching. */
export interface IndexedText {
  /** In rows; page and part count from 1. */
  readonly parts: readonly {
    readonly page: string;
    readonly part: string;
    readonly text: string;
    readonly terms: Buffer;
    /** Whether it is beyond the beginning that the file's own row has. */
    readonly beyond: string;
  }[];
  /** The beginning of the whole, folded. */
  readonly whole: string;
}

/** Finds the words of an extracted text, in several turns. */
export async function indexPages(
  organizationId: string,
  { pages }: Pick<ExtractedText, 'pages'>,
): Promise<IndexedText> {
  const scope = scopeOfFiles(organizationId);
  // Folded text can be longer, and is split at the same length.
  let end = 0;
  const parts: IndexedText['parts'][number][] = [];
  for (const [index, text] of pages.entries()) {
    const start = end;
    for (const [part, piece] of splitText(text).entries()) {
      const folded = foldIndexed(piece);
      end += Math.max(piece.length, folded.length);
      const beyond = end > wordCharacters ? 'true' : 'false';
      const lexemes = new Lexemes(scope);
      lexemes.addWords(folded, 'D');
      const terms = lexemes.encode();
      parts.push({ page: String(index + 1), part: String(part + 1), text: piece, terms, beyond });
      await turn();
    }
    end = Math.max(end, start + text.length) + 1;
  }
  return { parts, whole: await foldLongText(pages.join('\n').slice(0, wordCharacters)) };
}

function scopeOfFiles(organizationId: string): string {
  return scopeOf(organizationId, searchParent(knowledgeFiles, null), knowledgeFiles.singular);
}

/** The steps that store a text for searching. @param language whose stems it is found by; null for none */
export function textSteps(
  organizationId: string,
  fileId: string,
  { parts, whole }: IndexedText,
  language: string | null,
): Step[] {
  const steps: Step[] = [];
  for (let start = 0; start < parts.length; start += partsPerStep) {
    const batch = parts.slice(start, start + partsPerStep);
    steps.push(
      step(insertPages, [
        organizationId,
        fileId,
        textArray(batch.map(({ page }) => page)),
        textArray(batch.map(({ part }) => part)),
        textArray(batch.map(({ text }) => text)),
        encodeVectors(batch.map(({ terms }) => terms)),
        textArray(batch.map(({ beyond }) => beyond)),
      ]),
    );
  }
  const lexemes = new Lexemes(scopeOfFiles(organizationId));
  lexemes.addWords(whole, 'D');
  lexemes.addStems(language);
  return [...steps, step(setTerms, [organizationId, fileId, lexemes.encode()])];
}

/** Splits a text into pieces that fit into a row, between words where possible. */
function splitText(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > partCharacters) {
    const space = rest.lastIndexOf(' ', partCharacters);
    const cut = space > partCharacters / 2 ? space : partCharacters;
    // Never between the two halves of a surrogate pair.
    const end = /[\ud800-\udbff]/.test(rest.charAt(cut - 1)) ? cut - 1 : cut;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest.trim() === '' ? pieces : [...pieces, rest];
}
