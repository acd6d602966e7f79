/** What of an article is saved without being asked to. It stands apart from the editor, because the queue of changes needs it on every page. */
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { Values } from '../../outbox/store/fields.ts';

/** Whether the version waits for its publication, which an edit would cancel: the server makes it a draft again. */
export function isScheduled(article: Values): boolean {
  return valueAt(article, 'versionData.status') === 'SCHEDULED';
}

/**
 * Whether a field is saved automatically. Fields that readers see immediately are not; nor is a version that waits for its publication, or an approved
 * one, because an edit of it would be approved, too.
 */
export function mayAutosave(field: string, article: Values): boolean {
  if (isScheduled(article)) return false;
  return field.startsWith('versionData.')
    ? valueAt(article, 'versionData.status') !== 'APPROVED'
    : (article.publishedVersionNumber ?? null) === null;
}
