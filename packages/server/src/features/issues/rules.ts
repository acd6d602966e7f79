/**
 * Rules of issues that need the database. Publishing an issue publishes its articles, all of them or none. The articles are locked before they are
 * read, so that exactly the approved text is published.
 */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import type { issues } from '@trellis/schema/resources/issues.ts';
import { type ValuesOf, withChanges } from '@trellis/schema/resources/stored-values.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type Statement, type Step, step } from '../../kernel/database/batch.ts';
import { uuidArray } from '../../kernel/database/values.ts';
import { claimedCondition } from '../../kernel/pipeline/locks.ts';
import type { Decision, FurtherChange, Model, Rules } from '../../kernel/pipeline/model.ts';
import { type Publishable, Refusal } from '../../kernel/pipeline/refusal.ts';
import { decodeRecord, selectList } from '../../kernel/pipeline/storage.ts';
import { stampOf } from '../../kernel/pipeline/write/plans.ts';
import type { Stamp } from '../../kernel/pipeline/write/steps/change.ts';
import { decideArticleChange, isOutlived } from '../articles/rules.ts';

type IssueValues = ValuesOf<typeof issues>;
type ArticleRecord = StoredRecord<ValuesOf<typeof articles>>;

/** The reads for publishing an issue. */
type IssueReads = {
  /** The articles of the issue, which are locked first. */
  readonly articles?: readonly Step[];
};

/** Rules of issues; `article` is the model of the articles they contain. */
export function createIssueRules(article: Model): Rules<typeof issues, IssueReads> {
  const named = `SELECT s.article_id FROM trellis.issue_articles s
    WHERE s.organization_id = $1 AND s.magazine_id = $2 AND s.issue_id = $3`;
  const chosen = `r.organization_id = $1 AND r.id IN (${named} UNION ALL SELECT unnest($4::uuid[]))`;
  // Locked in the order of their ids, so that two issues with common articles cannot deadlock.
  const lockArticles: Statement = {
    name: 'lock_issue_articles',
    text: `SELECT FROM trellis.articles r WHERE ${chosen} AND ${claimedCondition} ORDER BY r.id FOR NO KEY UPDATE`,
  };
  const readArticles: Statement = {
    name: 'read_issue_articles',
    text: `SELECT ${selectList(articles, article.storage, 'full')} FROM ${article.storage.from.working}
      WHERE ${chosen}`,
  };
  return {
    reads({ organizationId, parentId, id }, input) {
      if (id === null || input.values.status !== 'PUBLISHED') return {};
      const given = (input.values.contents ?? []).map(({ articleId }) => articleId);
      const values = [organizationId, parentId, id, uuidArray(given)];
      return { articles: [step(lockArticles, values), step(readArticles, values)] };
    },
    update(before, _patch, merged, { rows, ...context }) {
      if (before.values.status === 'PUBLISHED' || merged.status !== 'PUBLISHED')
        return { values: merged, events: ['updated'] };
      const found = new Map(
        (rows.articles?.rows ?? []).map((row): [string, ArticleRecord] => {
          const record = decodeRecord<ArticleRecord['values']>(article.storage, row);
          return [record.id, record];
        }),
      );
      return publishContents(article, merged, found, stampOf(context));
    },
  };
}

/** Publishes an issue with its APPROVED articles; refuses when an article would not be visible to readers afterwards. */
function publishContents(
  article: Model,
  values: IssueValues,
  found: ReadonlyMap<string, ArticleRecord>,
  stamp: Stamp,
): Decision<IssueValues> | Refusal {
  const contents = values.contents.map(({ articleId }, index) => {
    const record = found.get(articleId);
    return record === undefined ? {} : publishEntry(article, record, `/contents/${index}/articleId`, stamp);
  });
  const also = contents.flatMap(({ change }) => change ?? []);
  const faults = contents.flatMap(({ fault }) => fault ?? []);
  const publishes = also.flatMap(({ decision }): readonly Publishable[] => decision.publishes ?? []);
  if (faults.length === 0) return { values, events: ['published'], publishes, also };
  return new Refusal(
    new Problem(
      'invalid_transition',
      'Nothing was published: every article of the issue must be APPROVED, with no unpublishAt that has passed, or already PUBLISHED.',
      { members: { from: 'IN_PRODUCTION', to: 'PUBLISHED', allowed: [] }, errors: faults },
    ),
    publishes,
  );
}

/** Publishes one article. Neither a change nor a fault for an article that is published already. */
function publishEntry(
  article: Model,
  record: ArticleRecord,
  pointer: string,
  stamp: Stamp,
): { change?: FurtherChange; fault?: Fault } {
  const id = encodeId(articles.idPrefix, record.id);
  const status = record.values['versionData.status'];
  if (status === 'PUBLISHED') return {};
  if (status !== 'APPROVED') {
    const detail = `The working version of ${id} is ${status}, not APPROVED.`;
    return { fault: { pointer, code: 'not_approved', detail } };
  }
  if (isOutlived(record.values, stamp.instant)) {
    return { fault: { pointer, code: 'not_in_future', detail: `The unpublishAt of ${id} has passed.` } };
  }
  const patch = { 'versionData.status': 'PUBLISHED' } as const;
  const decision = decideArticleChange(record, patch, withChanges(record.values, patch), stamp);
  // An APPROVED version whose unpublishAt has not passed can always be published.
  if (decision instanceof Refusal) throw decision.problem;
  return { change: { model: article, before: record, decision } };
}
