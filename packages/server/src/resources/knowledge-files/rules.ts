/**
 * Rules and storage of knowledge files. Row-level security decides who sees a file; these rules decide who may change
 * that. New content deletes the old text at once; the new text is extracted in the background.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import {
  type FieldName,
  type PatchOf,
  type ValuesOf,
  withChanges,
} from '@trellis/schema/resources/stored-values.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../../database/batch.ts';
import { sharedAdvisoryLock } from '../../pipeline/locks.ts';
import type { Decision, RuleContext, Rules } from '../../pipeline/model.ts';
import { Refusal } from '../../pipeline/refusal.ts';
import { type Change, createTableStorage, type Storage } from '../../pipeline/storage.ts';
import { seeAllRecords } from '../see-all-records.ts';
import { removeTimerSteps, type TimerRule, timerSteps } from '../timers.ts';

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
  return [...contentSteps(change), ...timerSteps(timers, change)];
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
    return refused ?? { values, events: ['updated'] };
  },
  // The extracted text is not kept: it is extracted again.
  restore: (values, { instant }) =>
    withChanges(values, {
      ...(values.status === 'READY' || values.status === 'PROCESSING' ? extracting : {}),
      ...(values.expiresAt !== null && values.expiresAt <= instant ? { expiresAt: null } : {}),
    }),
  contentOf: ({ sha256 }) => sha256,
  readers: readersOf,
  seeAll: seeAllRecords,
  contentSearch: {
    statement: {
      name: 'search_files',
      text: `SELECT type, record_id, score, created_at, page, part
        FROM trellis.find_files($1, $2, $3, $4, $5, $6::real, $7::timestamptz, $8::uuid, $9)`,
    },
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

/** Decides to replace the content of an existing file. */
export function decideContent(before: FileRecord, content: StoredContent): Decision<FileValues> {
  return {
    values: withChanges(before.values, contentValues(content, before.values.contentVersion + 1)),
    events: ['updated'],
  };
}

/** The field values of a file whose text is being extracted. */
const extracting = {
  status: 'PROCESSING',
  pageCount: null,
  failureReason: null,
  extractedCharacters: null,
} as const satisfies PatchOf<typeof knowledgeFiles>;

/** The field values of a file with new content. */
export function contentValues(content: StoredContent, contentVersion: number) {
  return {
    ...content,
    contentVersion,
    ...extracting,
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
  const values = withChanges(before.values, extracting);
  return { values, events: ['updated'] };
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
