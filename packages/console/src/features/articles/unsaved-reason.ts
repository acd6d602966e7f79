/** Why something that was typed must be saved, or decided about, before the article is published or one of its versions restored. */
import type { texts } from './texts.ts';
import type { ArticleEditing } from './use-article.ts';

/** The sentence; null when everything is saved, or will be before. */
export function unsavedReason(article: ArticleEditing): keyof typeof texts | null {
  if (article.ownFaults.length > 0) return 'correctFirst';
  if (article.isApprovedTextHeld) return 'saveFirst';
  if (article.isHeldBySchedule) return 'saveScheduledFirst';
  return article.isConflictUnstored ? 'decideFirst' : null;
}
