/**
 * Why: an issue brings its articles out with it, all of them or none. The articles are locked before they are read, so
 * that what was approved a moment ago is what is published.
 */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { findRepeated } from '@trellis/schema/validation/faults.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '../../database/flight.ts';
import { uuidArray } from '../../database/values.ts';
import { claimedCondition } from '../../pipeline/locks.ts';
import type { FurtherChange, Model, RuleContext, Rules } from '../../pipeline/model.ts';
import { decodeRecord, type SideTable, selectList } from '../../pipeline/storage.ts';
import { isOutlived } from '../articles/rules.ts';

interface Entry {
  readonly articleId: string;
}

/** The articles of each issue: they must exist, stay, and are asked for. */
export const issueArticles: SideTable = {
  table: 'issue_articles',
  column: 'article_id',
  type: 'uuid',
  unique: null,
  entries: (values) =>
    contentsOf(values).map(({ articleId }, index) => ({
      value: articleId,
      pointer: `/contents/${index}/articleId`,
    })),
};

/** Rules of issues; `article` is the model of the articles they contain. */
export function createIssueRules(article: Model): Rules {
  const named = `SELECT s.article_id FROM trellis.issue_articles s
    WHERE s.organization_id = $1 AND s.magazine_id = $2 AND s.issue_id = $3`;
  const chosen = `r.organization_id = $1 AND r.id IN (${named} UNION ALL SELECT unnest($4::uuid[]))`;
  // In the order of their ids: two issues with common articles must not wait for each other in a circle.
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
    gather({ organizationId, parentId, id }, input) {
      if (id === null || input.values.status !== 'PUBLISHED') return [];
      const given = contentsOf(input.values).map(({ articleId }) => articleId);
      const values = [organizationId, parentId, id, uuidArray(given)];
      return [step(lockArticles, values), step(readArticles, values)];
    },
    update(before, _patch, merged, context) {
      if (before.values.status === 'PUBLISHED' || merged.status !== 'PUBLISHED')
        return { values: merged, events: ['updated'] };
      const rows = context.gathered.at(-1)?.rows ?? [];
      const found = new Map(
        rows.map((row): [string, StoredRecord] => {
          const record = decodeRecord(article.storage, row);
          return [record.id, record];
        }),
      );
      const also = publishContents(article, merged, found, context);
      return { values: merged, events: ['published'], also };
    },
    check: checkIssue,
  };
}

/** Publishes what is approved; anything that readers could not see afterwards refuses the whole. */
function publishContents(
  article: Model,
  values: Values,
  found: ReadonlyMap<string, StoredRecord>,
  context: RuleContext,
): FurtherChange[] {
  const faults: Fault[] = [];
  const changes = contentsOf(values).flatMap(({ articleId }, index): FurtherChange[] => {
    const record = found.get(articleId);
    const status = record?.values['versionData.status'];
    if (record === undefined || status === 'PUBLISHED') return [];
    if (status !== 'APPROVED') {
      faults.push({
        pointer: `/contents/${index}/articleId`,
        code: 'not_approved',
        detail: `The working version of ${encodeId(articles.idPrefix, articleId)} is ${String(status)}, not APPROVED.`,
      });
      return [];
    }
    if (isOutlived(record.values, context.instant)) {
      faults.push({
        pointer: `/contents/${index}/articleId`,
        code: 'not_in_future',
        detail: `The unpublishAt of ${encodeId(articles.idPrefix, articleId)} has passed.`,
      });
      return [];
    }
    const patch = { 'versionData.status': 'PUBLISHED' };
    const decision = article.rules.update?.(
      record,
      patch,
      { ...record.values, ...patch },
      { ...context, requirePublish: () => context.requirePublish(articles) },
    );
    if (decision === undefined) throw new Error('articles have rules for their updates');
    return [{ model: article, before: record, decision }];
  });
  if (faults.length > 0) {
    throw new Problem(
      'invalid_transition',
      'Nothing was published: every article of the issue must be APPROVED, with no unpublishAt that has passed, or already PUBLISHED.',
      { members: { from: 'IN_PRODUCTION', to: 'PUBLISHED', allowed: [] }, errors: faults },
    );
  }
  return changes;
}

function checkIssue(values: Values): Fault[] {
  const faults: Fault[] = [];
  if (values.title === null && values.number === null && values.coverDate === null) {
    const detail = 'At least one of title, number and coverDate is needed.';
    faults.push({ pointer: '/title', code: 'required', detail });
  }
  return [...faults, ...findRepeated(issueArticles.entries(values), () => 'This article is there already.')];
}

function contentsOf({ contents }: Values): readonly Entry[] {
  return (contents ?? []) as readonly Entry[];
}
