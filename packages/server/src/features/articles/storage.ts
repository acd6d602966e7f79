/**
 * The storage of articles: a row of `articles`, and a row of `article_versions` for each version. Records read the article
 * together with its working (newest) version, or with the published one.
 */

import { frozenStatuses } from '@trellis/schema/resources/article-transitions.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { type Parameter, type Statement, type Step, step } from '../../kernel/database/batch.ts';
import { encodeColumn } from '../../kernel/database/values.ts';
import { seeAllRecords } from '../../kernel/pipeline/see-all-records.ts';
import { createSideSteps } from '../../kernel/pipeline/side-tables.ts';
import { type Column, columnName, type Storage } from '../../kernel/pipeline/storage.ts';
import { removeTimerSteps, type TimerRule, timerSteps } from '../../kernel/pipeline/timers.ts';
import { allMentionsStep, forgetAllStep, mentionSteps } from './mentioned-files.ts';

/** The timers of articles: publication of the working version, and unpublishing of the published one. */
const timers: readonly TimerRule[] = [
  {
    kind: 'ARTICLE_PUBLISH',
    dueAt: ({ values }) =>
      values['versionData.status'] === 'SCHEDULED' ? String(values['versionData.scheduledFor']) : null,
  },
  {
    kind: 'ARTICLE_UNPUBLISH',
    dueAt(record) {
      const published = record.values.publishedVersionNumber;
      if (published === null) return null;
      // The record shows a newer draft, whose unpublishAt does not apply to the published version.
      if (published !== versionNumberOf(record)) return undefined;
      const unpublishAt = record.values['versionData.unpublishAt'];
      return typeof unpublishAt === 'string' ? unpublishAt : null;
    },
  },
];

/** Columns by field, where the name cannot be derived from the field's. */
const renamedColumns: Readonly<Record<string, string>> = {
  'versionData.versionNumber': 'number',
  publishedVersionNumber: 'published_version',
};

/** Fields of the working version that are stored in `articles` as well, for filters and sorting. */
const mirroredFields = ['versionData.title', 'versionData.status', 'versionData.locale'];

const columns: readonly Column[] = flattenFields(articles).map(([field, { kind, verbatim }]) => {
  const name = renamedColumns[field] ?? columnName(field);
  return {
    field,
    kind,
    name,
    sql: `${field.startsWith('versionData.') ? 'v' : 'r'}.${name}`,
    large: verbatim,
    mirrored: mirroredFields.includes(field),
  };
});

/** The columns of `article_versions` that hold `versionData`; also used to read old versions. */
export const versionColumns: readonly Column[] = columns.filter(({ field }) =>
  field.startsWith('versionData.'),
);
const articleColumns = columns.filter(({ field }) => !field.startsWith('versionData.'));
const bodyField = 'versionData.body';

const key = ['organization_id', 'site_id'];
const articleNames = [
  ...articleColumns.map(({ name }) => name),
  'working_version',
  ...mirroredFields.map((field) => columnName(field)),
];
const versionNames = versionColumns.map(({ name }) => name);
/** Columns of a version that a change may set; the large ones only where they change: see `versionSteps`. */
const settable = versionColumns.filter(({ name }) => name !== 'number');
const settableSmall = settable.filter(({ large }) => !large);

const insertArticle = insertStatement('insert_article', 'articles', [
  ...key,
  'id',
  'version',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  ...articleNames,
]);
const insertVersion = insertStatement('insert_article_version', 'article_versions', [
  ...key,
  'article_id',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  ...versionNames,
]);
const updateArticle = updateStatement(
  'update_article',
  'articles',
  [...key, 'id'],
  ['version', 'updated_at', 'updated_by', ...articleNames],
);
const updateVersion = updateVersionStatement('update_article_version', settable);
const updateSmallVersion = updateVersionStatement('update_article_version_without_body', settableSmall);
const setVersionStatus: Statement = {
  name: 'set_article_version_status',
  text: `UPDATE trellis.article_versions SET status = $5, updated_at = $6, updated_by = $7
    WHERE organization_id = $1 AND site_id = $2 AND article_id = $3 AND number = $4`,
};
const archiveDraft: Statement = {
  name: 'archive_article_draft',
  text: `UPDATE trellis.article_versions SET status = 'ARCHIVED', scheduled_for = NULL, unpublish_at = NULL
    WHERE organization_id = $1 AND site_id = $2 AND article_id = $3 AND number = $4`,
};
const setSeenAt: Statement = {
  name: 'set_article_version_seen',
  text: `UPDATE trellis.article_versions SET seen_at = $5
    WHERE organization_id = $1 AND site_id = $2 AND article_id = $3 AND number = $4`,
};
const deleteArticle: Statement = {
  name: 'delete_article',
  text: 'DELETE FROM trellis.articles WHERE organization_id = $1 AND site_id = $2 AND id = $3',
  isJoinable: true,
};
const deleteVersions: Statement = {
  name: 'delete_article_versions',
  text: 'DELETE FROM trellis.article_versions WHERE organization_id = $1 AND site_id = $2 AND article_id = $3',
  isJoinable: true,
};
/**
 * A file that a version shows may be gone, as nothing keeps it while the article is in the trash. One that is in the trash is in the way of
 * readers. The working version has the cover that the response says.
 */
const keptCover = `CASE WHEN w.number = $4 THEN $6::uuid
    WHEN EXISTS (SELECT FROM trellis.knowledge_files f WHERE f.organization_id = $1 AND f.id = v.cover_file_id)
      OR w.number = $5 AND EXISTS (SELECT FROM trellis.trash t
        WHERE t.organization_id = $1 AND t.resource = 'knowledge-files' AND t.id = v.cover_file_id AND t.purge_at > clock_timestamp()
          AND trellis.may_read(t.readers, (SELECT trellis.current_readers())))
    THEN v.cover_file_id END`;
const versionNamesRestored = [
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  'seen_at',
  ...versionNames,
];
const restoreVersions: Statement = {
  name: 'restore_article_versions',
  text: `INSERT INTO trellis.article_versions (${[...key, 'article_id', ...versionNamesRestored].join(', ')})
    SELECT $1, $2, $3, ${versionNamesRestored.map((name) => (name === 'cover_file_id' ? keptCover : `v.${name}`)).join(', ')}
    FROM trellis.trash_versions w
    CROSS JOIN LATERAL json_populate_record(NULL::trellis.article_versions, w.payload::json) v
    WHERE w.organization_id = $1 AND w.resource = '${articles.name}' AND w.record_id = $3`,
};
/** The published version beside a draft may have a time of its own at which it is unpublished. */
const restoreUnpublishing: Statement = {
  name: 'restore_article_unpublishing',
  text: `INSERT INTO trellis.timers (organization_id, kind, record_id, parent_id, due_at, available_at)
    SELECT v.organization_id, 'ARTICLE_UNPUBLISH', v.article_id, v.site_id, v.unpublish_at, v.unpublish_at
    FROM trellis.article_versions v
    WHERE v.organization_id = $1 AND v.site_id = $2 AND v.article_id = $3 AND v.status = 'PUBLISHED' AND v.unpublish_at IS NOT NULL
    ON CONFLICT (organization_id, kind, record_id) DO NOTHING`,
};
const sideSteps = createSideSteps(articles);

/** When an article last changed for readers. The expression must be that of the index. */
const seenAt = 'coalesce(v.seen_at, v.updated_at)';
/** Reads published versions first, in the order of their index, and then the article of each. */
const fromVersions = `(SELECT * FROM trellis.article_versions WHERE status = 'PUBLISHED') v JOIN LATERAL (
    SELECT * FROM trellis.articles WHERE organization_id = $1 AND site_id = v.site_id AND id = v.article_id
    OFFSET 0) r ON true`;

export const articleStorage: Storage = {
  columns,
  from: { working: joined('working_version'), published: joined('published_version') },
  fromForOwnColumns: 'trellis.articles r',
  fromForOne: { working: joinedForOne('working_version'), published: joinedForOne('published_version') },
  published: {
    expressions: {
      title: 'v.title',
      status: 'v.status',
      locale: 'v.locale',
      state: "'PUBLISHED'::text",
      schedule_error: 'NULL::text',
      updated_at: seenAt,
      updated_by: 'v.updated_by',
    },
    from: (sortField) =>
      ['versionData.title', 'updatedAt'].includes(sortField)
        ? { from: fromVersions, id: 'v.article_id' }
        : { from: joined('published_version'), id: 'r.id' },
  },
  versionNumbers: { working: 'working_version', published: 'published_version' },
  insert: ({ organizationId, after }) => [
    insertArticleStep(organizationId, after),
    ...insertVersionSteps(organizationId, after),
    ...sideSteps({ organizationId, record: after, before: null, after: after.values }),
  ],
  restore: ({ organizationId, before, after }) => {
    if (before === null) throw new Error('an article is restored as it was deleted');
    const published = after.values.publishedVersionNumber;
    const key = keyOf(organizationId, after);
    return [
      step(seeAllRecords),
      insertArticleStep(organizationId, after),
      step(restoreVersions, [
        ...key,
        String(versionNumberOf(after)),
        published === null ? null : String(published),
        after.values['versionData.coverFileId'] as string | null,
      ]),
      allMentionsStep(key),
      ...statusSteps(organizationId, before, after),
      ...versionSteps(organizationId, before, after),
      ...sideSteps({ organizationId, record: after, before: null, after: after.values }),
      // For readers it is new again.
      ...(published === null ? [] : [step(setSeenAt, [...key, String(published), after.updatedAt])]),
      ...timerSteps(timers, { organizationId, before: null, after }),
      step(restoreUnpublishing, key),
    ];
  },
  update: ({ organizationId, before, after }) => {
    if (before === null) throw new Error('an update needs the record before the change');
    return [
      ...statusSteps(organizationId, before, after),
      ...versionSteps(organizationId, before, after),
      step(updateArticle, [
        ...keyOf(organizationId, after),
        String(after.version),
        after.updatedAt,
        after.updatedBy,
        ...articleValues(after),
      ]),
      ...sideSteps({ organizationId, record: after, before: before.values, after: after.values }),
      ...seenSteps(organizationId, before, after),
      ...timerSteps(timers, { organizationId, before, after }),
    ];
  },
  remove: (organizationId, record) => [
    ...removeTimerSteps(timers, organizationId, record),
    step(deleteArticle, keyOf(organizationId, record)),
    step(deleteVersions, keyOf(organizationId, record)),
    forgetAllStep(keyOf(organizationId, record)),
    ...sideSteps({ organizationId, record, before: record.values, after: null }),
  ],
};

/** The number of the version that a record shows. */
function versionNumberOf(record: Pick<StoredRecord, 'values'>): number {
  return Number(record.values['versionData.versionNumber']);
}

/** Marks the version that is no longer published as SUPERSEDED or UNPUBLISHED. */
function statusSteps(organizationId: string, before: StoredRecord, after: StoredRecord): Step[] {
  const published = before.values.publishedVersionNumber;
  if (published === null || published === after.values.publishedVersionNumber) return [];
  // The working version's status is set by its own update.
  if (published === versionNumberOf(after)) return [];
  const status = after.values.publishedVersionNumber === null ? 'UNPUBLISHED' : 'SUPERSEDED';
  const version = [...keyOf(organizationId, after), String(published)];
  return [step(setVersionStatus, [...version, status, after.updatedAt, after.updatedBy])];
}

/** Stores when the article last changed for readers: its published version, or the fields that all versions share. */
function seenSteps(organizationId: string, before: StoredRecord, after: StoredRecord): Step[] {
  const published = after.values.publishedVersionNumber;
  if (published === null) return [];
  const isNew = published !== before.values.publishedVersionNumber;
  const isShared = articleColumns.some(
    ({ field }) => field.startsWith('articleData.') && !deepEqual(before.values[field], after.values[field]),
  );
  if (!isNew && !isShared) return [];
  return [step(setSeenAt, [...keyOf(organizationId, after), String(published), after.updatedAt])];
}

function versionSteps(organizationId: string, before: StoredRecord, after: StoredRecord): Step[] {
  if (versionNumberOf(after) !== versionNumberOf(before)) {
    // Who wrote the draft that is replaced, and when, stays as it was.
    const isFrozen = frozenStatuses.some((status) => status === before.values['versionData.status']);
    const replaced = [...keyOf(organizationId, before), String(versionNumberOf(before))];
    return [
      ...(isFrozen ? [] : [step(archiveDraft, replaced)]),
      ...insertVersionSteps(organizationId, after),
    ];
  }
  const changed = versionColumns.filter(({ field }) => before.values[field] !== after.values[field]);
  if (changed.length === 0) return [];
  // PostgreSQL would compress and store a body again even if it is unchanged.
  const hasLarge = changed.some(({ large }) => large);
  return [
    step(hasLarge ? updateVersion : updateSmallVersion, [
      ...keyOf(organizationId, after),
      String(versionNumberOf(after)),
      after.updatedAt,
      after.updatedBy,
      ...(hasLarge ? settable : settableSmall).map(({ field, kind }) =>
        encodeColumn(kind, after.values[field]),
      ),
    ]),
    ...mentionSteps(versionKeyOf(organizationId, after), before.values[bodyField], after.values[bodyField]),
  ];
}

function insertArticleStep(organizationId: string, record: StoredRecord): Step {
  return step(insertArticle, [
    ...keyOf(organizationId, record),
    String(record.version),
    record.createdAt,
    record.updatedAt,
    record.createdBy,
    record.updatedBy,
    ...articleValues(record),
  ]);
}

function insertVersionSteps(organizationId: string, record: StoredRecord): Step[] {
  return [
    step(insertVersion, [
      ...keyOf(organizationId, record),
      record.updatedAt,
      record.updatedAt,
      record.updatedBy,
      record.updatedBy,
      ...versionColumns.map(({ field, kind }) => encodeColumn(kind, record.values[field])),
    ]),
    ...mentionSteps(versionKeyOf(organizationId, record), null, record.values[bodyField]),
  ];
}

function keyOf(
  organizationId: string,
  record: Pick<StoredRecord, 'id' | 'parentId'>,
): [string, string, string] {
  return [organizationId, record.parentId ?? '', record.id];
}

function versionKeyOf(organizationId: string, record: StoredRecord): [string, string, string, string] {
  return [...keyOf(organizationId, record), String(versionNumberOf(record))];
}

function articleValues(record: StoredRecord): Parameter[] {
  return [
    ...articleColumns.map(({ field, kind }) => encodeColumn(kind, record.values[field])),
    String(versionNumberOf(record)),
    ...mirroredFields.map((field) => String(record.values[field])),
  ];
}

/**
 * Joins each article with one of its versions. OFFSET 0 forces one lookup for each article: before the first ANALYZE, the
 * planner would otherwise read all versions of a site for a page of 25.
 */
function joined(number: 'working_version' | 'published_version'): string {
  return `trellis.articles r JOIN LATERAL (SELECT * FROM trellis.article_versions
    WHERE organization_id = $1 AND site_id = r.site_id AND article_id = r.id AND number = r.${number}
    OFFSET 0) v ON true`;
}

/** Joins one article, found by its id, with one of its versions: a fifth cheaper than with a subquery. */
function joinedForOne(number: 'working_version' | 'published_version'): string {
  return `trellis.articles r JOIN trellis.article_versions v ON v.organization_id = r.organization_id
    AND v.site_id = r.site_id AND v.article_id = r.id AND v.number = r.${number}`;
}

function insertStatement(name: string, table: string, names: readonly string[]): Statement {
  const values = names.map((_, index) => `$${index + 1}`).join(', ');
  return {
    name,
    text: `INSERT INTO trellis.${table} (${names.join(', ')}) VALUES (${values})`,
    isJoinable: true,
  };
}

function updateStatement(
  name: string,
  table: string,
  keys: readonly string[],
  names: readonly string[],
): Statement {
  const set = names.map((column, index) => `${column} = $${keys.length + index + 1}`).join(', ');
  const where = keys.map((column, index) => `${column} = $${index + 1}`).join(' AND ');
  return { name, text: `UPDATE trellis.${table} SET ${set} WHERE ${where}`, isJoinable: true };
}

function updateVersionStatement(name: string, changed: readonly Column[]): Statement {
  const names = ['updated_at', 'updated_by', ...changed.map((column) => column.name)];
  return updateStatement(name, 'article_versions', [...key, 'article_id', 'number'], names);
}
