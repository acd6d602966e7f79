/** The versions of an article: listing, reading, comparing and restoring them. Restoring never publishes. */

import { Problem } from '@trellis/schema/problem.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { referenceFault } from '@trellis/schema/validation/input.ts';
import { renderRecord, type Values } from '@trellis/schema/validation/values.ts';
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { pointerOf } from '@trellis/schema/values/paths.ts';
import { type Row, type Statement, type Step, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { ResultsOf } from '../../kernel/database/reads.ts';
import { decodeColumn, parseTimestamp } from '../../kernel/database/values.ts';
import { diffLines, type Hunk } from '../../kernel/lib/diff.ts';
import { runInTurns } from '../../kernel/lib/turns.ts';
import type { Position } from '../../kernel/pipeline/cursor.ts';
import type { Decision, Model } from '../../kernel/pipeline/model.ts';
import { bytesOfRow, isCut, pageBytesFor, withinBudget } from '../../kernel/pipeline/page-budget.ts';
import { Refusal } from '../../kernel/pipeline/refusal.ts';
import type { Target } from '../../kernel/pipeline/storage.ts';
import { type ArticleRecord, type ArticleValues, restoreVersion, type VersionValues } from './rules.ts';
import { versionColumns } from './storage.ts';

/** One version of an article as it is stored. */
export interface StoredVersion {
  readonly number: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
  readonly values: VersionValues;
}

const commonCount = 5;
const select = `SELECT v.number, v.created_at, v.updated_at, v.created_by, v.updated_by,
    ${versionColumns.map(({ sql }) => sql).join(', ')} FROM trellis.article_versions v
  WHERE v.organization_id = $1 AND v.site_id = $2 AND v.article_id = $3`;
const readOne: Statement = { name: 'read_article_version', text: `${select} AND v.number = $4` };
const pageWidth = commonCount + versionColumns.length;
const readPage: Statement = {
  name: 'list_article_versions',
  text: withinBudget(
    `${select.replace(' FROM', `, ${bytesOfRow(versionColumns, 'full')} FROM`)}
      AND v.number < $4 ORDER BY v.number DESC LIMIT $5`,
    pageWidth,
    'c0 DESC',
    '$6',
  ),
};
const articleExists: Statement = {
  name: 'article_exists',
  text: 'SELECT FROM trellis.articles WHERE organization_id = $1 AND site_id = $2 AND id = $3',
};

/** Reads one page of versions, newest first. @throws Problem not_found when there is no such article */
export async function listVersions(
  database: Database,
  target: Target,
  after: Position | null,
  limit: number,
): Promise<{ versions: StoredVersion[]; positions: Position[]; next: Position | null }> {
  const key = keyOf(target);
  const pageBytes = pageBytesFor(database, target.organizationId);
  const [exists, found] = await database.query(target, [
    step(articleExists, key),
    step(readPage, [...key, after?.[0] ?? '2147483647', String(limit + 1), String(pageBytes)]),
  ]);
  if (exists?.rows[0] === undefined) throw new Problem('not_found');
  const rows = found?.rows ?? [];
  const versions = rows.slice(0, limit).map(decodeVersion);
  const positions = versions.map(({ number }): Position => [String(number)]);
  const more = rows.length > limit || isCut(rows, pageWidth);
  return { versions, positions, next: more ? (positions.at(-1) ?? null) : null };
}

/** The step that reads one version; `decodeVersion` reads its row. */
function versionStep(target: Target, number: string): Step {
  return step(readOne, [...keyOf(target), number]);
}

/** The fields of a version's content that refer to other records, with the tables of those records. */
const references = flattenFields(articles).flatMap(([field, { reference, readOnly }]) =>
  field.startsWith('versionData.') && reference !== null && !readOnly
    ? [{ field, table: resourceByName(reference.resource).table }]
    : [],
);

// Runs under the caller's row-level security: hidden records are not found.
const findReferences: Statement = {
  name: 'find_article_version_references',
  text: `SELECT ${references.map(({ field, table }) => visibleReference(field, table)).join(', ')}
    FROM trellis.article_versions v
    WHERE v.organization_id = $1 AND v.site_id = $2 AND v.article_id = $3 AND v.number = $4`,
};

function visibleReference(field: string, table: string): string {
  const column = versionColumns.find((candidate) => candidate.field === field)?.sql;
  return `(SELECT f.id FROM trellis.${table} f WHERE f.organization_id = $1 AND f.id = ${column})`;
}

/** The reads for restoring a version. */
export function restoreReads(target: Target, number: string) {
  return {
    version: versionStep(target, number),
    references: step(findReferences, [...keyOf(target), number]),
  };
}

/** Reads one version. @throws Problem not_found */
export async function readVersion(
  database: Database,
  target: Target,
  number: string,
): Promise<StoredVersion> {
  const [found] = await database.query(target, [versionStep(target, number)]);
  const row = found?.rows[0];
  if (row === undefined) throw new Problem('not_found');
  return decodeVersion(row);
}

/**
 * Decides to make a draft with an old version's content. Its references are checked as those of a body are, except those
 * that the working version has already. Refuses with not_found or reference_not_found.
 */
export function decideRestore(
  before: ArticleRecord,
  { version, references: found }: ResultsOf<ReturnType<typeof restoreReads>>,
): Decision<ArticleValues> | Refusal {
  const row = version.rows[0];
  if (row === undefined) return new Refusal(new Problem('not_found'));
  const { values } = decodeVersion(row);
  const old: Values = values;
  const current: Values = before.values;
  const faults = references.flatMap(({ field }, index) => {
    const wanted = old[field];
    if (wanted === null || wanted === current[field] || found.rows[0]?.[index] === wanted) return [];
    return [referenceFault(pointerOf(field))];
  });
  if (faults.length > 0)
    return new Refusal(new Problem('reference_not_found', undefined, { errors: faults }));
  return restoreVersion(before, values);
}

/** Renders one version as the API returns it. */
export function renderVersion(
  model: Model,
  articleId: string,
  version: StoredVersion,
): Record<string, unknown> {
  const { createdAt, updatedAt, createdBy, updatedBy, values, number } = version;
  const record = {
    id: articleId,
    parentId: null,
    version: number,
    createdAt,
    updatedAt,
    createdBy,
    updatedBy,
    values,
  };
  const rendered = renderRecord(model.resource, record);
  return {
    articleId: rendered.id,
    versionNumber: number,
    versionData: rendered.versionData,
    createdAt,
    updatedAt,
    createdBy: rendered.createdBy,
    updatedBy: rendered.updatedBy,
  };
}

/** The difference between two versions. */
export interface VersionDifference {
  readonly from: number;
  readonly to: number;
  /** Every field that differs, except the body. */
  readonly fields: readonly { field: string; before: unknown; after: unknown }[];
  /** Line hunks of the body; empty when the bodies are equal. */
  readonly body: readonly Hunk[];
}

/** Compares two versions field by field, the body by lines. @param turn waits for the next turn of the event loop */
export async function compareVersions(
  model: Model,
  articleId: string,
  from: StoredVersion,
  to: StoredVersion,
  turn: () => Promise<void> | undefined,
): Promise<VersionDifference> {
  const before = renderVersion(model, articleId, from).versionData as Record<string, unknown>;
  const after = renderVersion(model, articleId, to).versionData as Record<string, unknown>;
  const fields = Object.keys(after)
    .filter(
      (field) => field !== 'body' && field !== 'versionNumber' && !deepEqual(before[field], after[field]),
    )
    .map((field) => ({
      field: `versionData.${field}`,
      before: before[field] ?? null,
      after: after[field] ?? null,
    }));
  return {
    from: from.number,
    to: to.number,
    fields,
    body:
      before.body === after.body
        ? []
        : await runInTurns(diffLines(String(before.body ?? ''), String(after.body ?? '')), turn),
  };
}

function decodeVersion(row: Row): StoredVersion {
  const values: Values = {};
  versionColumns.forEach((column, index) => {
    values[column.field] = decodeColumn(column.kind, row[commonCount + index] ?? null);
  });
  return {
    number: Number(row[0]),
    createdAt: parseTimestamp(row[1] ?? ''),
    updatedAt: parseTimestamp(row[2] ?? ''),
    createdBy: row[3] ?? null,
    updatedBy: row[4] ?? null,
    values: values as VersionValues,
  };
}

function keyOf(target: Target): [string, string, string] {
  return [target.organizationId, target.parentId ?? '', target.id];
}
