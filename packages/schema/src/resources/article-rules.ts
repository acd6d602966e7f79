/** Rules of articles: the main category is one of the categories, and a version is unpublished after it is published. */

import type { Fault } from '../problem.ts';
import type { articles } from './articles.ts';
import type { RecordRules } from './record-rules.ts';
import type { ValuesOf } from './stored-values.ts';

type ArticleValues = ValuesOf<typeof articles>;

export const articleRules: RecordRules<typeof articles> = {
  check: (values) => [...checkPrimaryCategory(values), ...checkTimes(values)],
};

function checkPrimaryCategory(values: ArticleValues): Fault[] {
  const primary = values['articleData.primaryCategoryId'];
  if (primary === null || values['articleData.categoryIds'].includes(primary)) return [];
  const detail = 'Must be one of categoryIds.';
  return [{ pointer: '/articleData/primaryCategoryId', code: 'not_in_list', detail }];
}

function checkTimes(values: ArticleValues): Fault[] {
  const { 'versionData.scheduledFor': from, 'versionData.unpublishAt': until } = values;
  const isScheduled = values['versionData.status'] === 'SCHEDULED';
  if (!isScheduled || from === null || until === null || until > from) return [];
  const detail = 'Must be later than scheduledFor.';
  return [{ pointer: '/versionData/unpublishAt', code: 'not_after_start', detail }];
}
