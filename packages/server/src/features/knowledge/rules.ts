/**
 * Rules and storage of knowledge files. Row-level security decides who sees a file; these rules decide who may change
 * that. New content deletes the old text at once; the new text is extracted in the background.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { picturePathOf } from '@trellis/schema/resources/pictures.ts';
import {
  type FieldName,
  type PatchOf,
  type ValuesOf,
  withChanges,
} from '@trellis/schema/resources/stored-values.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { isPicture } from '@trellis/schema/values/pictures.ts';
import { type Statement, type Step, step } from '../../kernel/database/batch.ts';
import { sharedAdvisoryLock } from '../../kernel/pipeline/locks.ts';
import type { Decision, RuleContext, Rules } from '../../kernel/pipeline/model.ts';
import { Refusal } from '../../kernel/pipeline/refusal.ts';
import { seeAllRecords } from '../../kernel/pipeline/see-all-records.ts';
import { type Change, createTableStorage, type Storage } from '../../kernel/pipeline/storage.ts';
import { removeTimerSteps, type TimerRule, timerSteps } from '../../kernel/pipeline/timers.ts';

type FileValues = ValuesOf<typeof knowledgeFiles>;
export type FileRecord = StoredRecord<FileValues>;

/** The metadata of stored content. */
export interface StoredContent {
  readonly fileName: string | null;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

const forgetPages: Statement = {
  name: 'delete_knowledge_pages',
  text: 'DELETE FROM trellis.knowledge_pages WHERE organization_id = $1 AND file_id = $2',
};
const forgetTerms: Statement = {
  name: 'forget_content_terms',
  text: `DELETE FROM trellis.search_bodies WHERE organization_id = $1 AND type = 'knowledge-file' AND record_id = $2`,
};
const forgetRenditions: Statement = {
  name: 'delete_picture_renditions',
  text: 'DELETE FROM trellis.picture_renditions WHERE organization_id = $1 AND file_id = $2',
};
const addJob: Statement = {
  name: 'insert_extraction_job',
  text: `INSERT INTO trellis.extraction_jobs
      (organization_id, file_id, content_version, media_type, sha256, available_at, attempts)
    VALUES ($1, $2, $3, $4, $5, $6, 0)
    ON CONFLICT (organization_id, file_id) DO UPDATE
      SET content_version = excluded.content_version, media_type = excluded.media_type, sha256 = excluded.sha256,
        available_at = excluded.available_at, attempts = 0`,
};

const table = createTableStorage(knowledgeFiles);

const timers: readonly TimerRule[] = [
  {
    kind: 'FILE_EXPIRE',
    dueAt: ({ values: { expiresAt } }) => (typeof expiresAt === 'string' ? expiresAt : null),
  },
];

export const knowledgeFileStorage: Storage = {
  ...table,
  insert: (change) => [step(seeAllRecords), ...table.insert(change), ...additionalSteps(change)],
  update: (change) => [step(seeAllRecords), ...table.update(change), ...additionalSteps(change)],
  remove: (organizationId, record) => [
    ...removeTimerSteps(timers, organizationId, record),
    ...table.remove(organizationId, record),
  ],
};

function additionalSteps(change: Change): Step[] {
  return [...contentSteps(change), ...renditionSteps(change), ...timerSteps(timers, change)];
}

/** Forgets the renditions of a picture that has another content or focal point, or is not public any more. */
function renditionSteps({ organizationId, before, after }: Change): Step[] {
  if (before === null || before.values.sha256 === null) return [];
  const isKept =
    before.values.sha256 === after.values.sha256 &&
    (before.values.publicSince === null || after.values.publicSince !== null) &&
    deepEqual(before.values.focalPoint, after.values.focalPoint);
  return isKept ? [] : [step(forgetRenditions, [organizationId, after.id])];
}

/** The steps for new content or a repeated extraction. */
function contentSteps({ organizationId, before, after }: Change): Step[] {
  const { status, contentVersion, mediaType, sha256 } = after.values;
  const isNew = before?.values.contentVersion !== contentVersion;
  if (status !== 'PROCESSING' || (!isNew && before?.values.status === 'PROCESSING')) return [];
  const key = [organizationId, after.id];
  const forget = before === null ? [] : [step(forgetPages, key), step(forgetTerms, key)];
  const job = [...key, String(contentVersion), String(mediaType), String(sha256), after.updatedAt];
  return [...forget, step(addJob, job)];
}

/** Fields that decide who sees a file. */
const guarded: readonly FieldName<typeof knowledgeFiles>[] = [
  'visibility',
  'allowedUserIds',
  'allowedRoles',
  'ownerUserId',
];

export const knowledgeFileRules: Rules<typeof knowledgeFiles> = {
  create(values, context) {
    const ownerUserId = values.ownerUserId ?? context.actor.userId;
    return withChanges(values, { ownerUserId });
  },
  update(before, patch, merged, context) {
    // A PATCH can clear the lists, but not the owner.
    const values = withChanges(merged, {
      ownerUserId: merged.ownerUserId ?? before.values.ownerUserId,
    });
    const refused = guarded.some((field) => field in patch) ? checkOwner(before, context) : null;
    if (refused !== null) return refused;
    if (values.publicSince === null || values.visibility === 'ORGANIZATION')
      return { values, events: ['updated'] };
    return { values: withChanges(values, { publicSince: null }), events: ['updated', 'unpublished'] };
  },
  // The extracted text is not kept: it is extracted again. A picture is made public by a call of its own, and by nothing else.
  restore: (values) =>
    withChanges(values, {
      publicSince: null,
      ...(values.status === 'READY' || values.status === 'PROCESSING'
        ? { status: 'PROCESSING', ...unread }
        : {}),
    }),
  // Somebody has decided when it ends.
  keptUntil: ({ expiresAt }) => expiresAt,
  contentOf: ({ sha256 }) => sha256,
  changesSeen,
  readers: readersOf,
  seeAll: seeAllRecords,
  contentSearch: {
    statement: {
      name: 'search_files',
      text: `SELECT type, record_id, score, created_at, page, part FROM trellis.find_files(
        $1::text, $2::uuid, $3::text, $4::text[], $5::text, $6::text, $7::text, $8::boolean, $9::boolean,
        $10::integer, $11::real, $12::timestamptz, $13::uuid, $14::integer)`,
    },
    further: (id, query) => `SELECT FROM trellis.knowledge_pages p
      WHERE p.organization_id = $1 AND p.file_id = ${id} AND p.beyond_entry AND p.terms @@ ${query}`,
    pieces: {
      name: 'knowledge_file_pieces',
      text: `SELECT text FROM trellis.knowledge_pages WHERE organization_id = $1 AND file_id = $2 ORDER BY page, part`,
    },
    texts: {
      name: 'knowledge_page_texts',
      text: `SELECT p.file_id, p.page, p.text, f.page_count IS NOT NULL
        FROM unnest($2::uuid[], $3::integer[], $4::integer[]) AS w (file_id, page, part)
        JOIN trellis.knowledge_pages p
          ON p.organization_id = $1 AND p.file_id = w.file_id AND p.page = w.page AND p.part = w.part
        JOIN trellis.knowledge_files f ON f.organization_id = p.organization_id AND f.id = p.file_id`,
    },
  },
};

/**
 * Decides to replace the content of an existing file. A public picture is taken back: that somebody made one content public says nothing
 * of the next. Its former addresses lead to the new content once that is public.
 */
export function decideContent(
  organizationId: string,
  before: FileRecord,
  content: StoredContent,
): Decision<FileValues> {
  const wasPublic = before.values.publicSince !== null;
  return {
    values: withChanges(before.values, {
      ...contentValues(content, before.values.contentVersion + 1),
      picturePath: pathOf(organizationId, before.id, content),
      publicSince: null,
    }),
    events: wasPublic ? ['updated', 'unpublished'] : ['updated'],
    publishes: wasPublic ? [knowledgeFiles] : [],
  };
}

/** The path of the picture that a content is; null for other contents. */
export function pathOf(
  organizationId: string,
  fileId: string,
  { mediaType, sha256 }: Pick<FileValues, 'mediaType' | 'sha256'>,
): string | null {
  return isPicture(mediaType) && sha256 !== null ? picturePathOf(organizationId, fileId, sha256) : null;
}

/** What is not known of a content before it has been read. */
const unread = {
  pageCount: null,
  failureReason: null,
  extractedCharacters: null,
  width: null,
  height: null,
} as const satisfies PatchOf<typeof knowledgeFiles>;

/** The field values of a file with new content. */
export function contentValues(content: StoredContent, contentVersion: number) {
  return {
    ...content,
    contentVersion,
    status: 'PROCESSING',
    ...unread,
  } as const satisfies PatchOf<typeof knowledgeFiles>;
}

/** Decides to extract the text again; refuses with invalid_transition when there is no content. */
export function decideExtraction(before: FileRecord): Decision<FileValues> | Refusal {
  const { status } = before.values;
  if (status === 'PENDING_UPLOAD') {
    const problem = new Problem('invalid_transition', 'The file has no content yet.', {
      members: { from: status, to: 'PROCESSING', allowed: [] },
    });
    return new Refusal(problem);
  }
  // A public picture has been read, and has no text.
  if (before.values.publicSince !== null) return { values: before.values, events: [] };
  return { values: withChanges(before.values, { status: 'PROCESSING', ...unread }), events: ['updated'] };
}

/**
 * Decides to make a picture public.
 * @param instant of the change, RFC 3339
 */
export function decidePublication(before: FileRecord, instant: string): Decision<FileValues> | Refusal {
  const { values } = before;
  if (values.publicSince !== null) return { values, events: [] };
  const reason = whyNotPublic(values);
  if (reason !== null) {
    const members = { from: values.status, to: 'public', allowed: [] };
    return new Refusal(new Problem('invalid_transition', reason, { members }));
  }
  return { values: withChanges(values, { publicSince: instant }), events: ['published'] };
}

/** Decides to take a public picture back. */
export function decideTakingBack({ values }: FileRecord): Decision<FileValues> {
  if (values.publicSince === null) return { values, events: [] };
  return { values: withChanges(values, { publicSince: null }), events: ['unpublished'] };
}

/** Why a picture cannot be made public; null if it can. */
function whyNotPublic({ status, mediaType, width, picturePath, visibility }: FileValues): string | null {
  if (status === 'PENDING_UPLOAD') return 'The file has no content yet.';
  if (!isPicture(mediaType)) return 'Only pictures can be made public: JPEG, PNG, WebP, GIF, AVIF and TIFF.';
  if (status === 'PROCESSING') return 'The picture is still being read. Try again in a moment.';
  if (width === null || picturePath === null)
    return 'The picture could not be read, or was uploaded before pictures could be public. Have it read again by `extract`, or upload it as JPEG or PNG.';
  if (visibility !== 'ORGANIZATION')
    return 'The file is not visible to the whole organization. Set its `visibility` to ORGANIZATION first.';
  return null;
}

/** Whether a change affects a public picture: it disappears, now or at another time, or its renditions show another part. */
function changesSeen(before: FileValues, after: FileValues | null): boolean {
  if (before.publicSince === null) return false;
  if (after === null || after.publicSince === null) return true;
  return after.expiresAt !== before.expiresAt || !deepEqual(before.focalPoint, after.focalPoint);
}

function checkOwner(before: FileRecord, { actor }: RuleContext): Refusal | null {
  const { builtIn } = actor.role;
  if (before.values.ownerUserId === actor.userId || builtIn === 'OWNER' || builtIn === 'ADMIN') return null;
  const detail =
    'Only the owner of the file, or a member with the role OWNER or ADMIN, can change who sees it.';
  return new Refusal(new Problem('permission_denied', detail));
}

/** The users who see the file, computed as in the database; null for all members. */
function readersOf(values: FileValues): string[] | null {
  const owner = values.ownerUserId;
  switch (values.visibility) {
    case 'ORGANIZATION':
      return null;
    case 'RESTRICTED':
      return [owner, ...values.allowedUserIds, ...values.allowedRoles];
    default:
      return [owner];
  }
}

/**
 * The step that keeps the sweep from removing a content until the transaction ends.
 * @param sha256 hexadecimal
 */
export function lockContent(organizationId: string, sha256: string): Step {
  return sharedAdvisoryLock(organizationId, sha256);
}
