/** What goes live with issues, in the question whether to publish them: their articles, counted, and those that are in the way or have no text. */
import { valueAt } from '@trellis/schema/values/paths.ts';
import '@mantine/core/styles/List.layer.css';
import { List, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { issues } from '@trellis/schema/resources/issues.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { useEffect } from 'react';
import type { ApiRecord } from '../../api/api.ts';
import { readBelowParents } from '../../fields/parent-search.ts';
import { resourceByName } from '../../resources/declared.ts';
import type { PublicationProps } from '../../resources/presentation.ts';
import { readRecord, recordKeys } from '../../resources/queries.ts';
import { titleOf } from '../../resources/values.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { texts } from './texts.ts';

/** Issues and articles that are read, and articles of each kind that are named. */
const mostIssues = 20;
const mostArticles = 100;
const mostNamed = 10;

const read = ['versionData.title', 'versionData.status', 'versionData.wordCount'].join(',');

export function ContentsBeforePublication({ parentId, records, refuse }: PublicationProps) {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const articles = resourceByName('articles');
  const mayRead = useRefusal()(articles, 'read') === null;
  const contents = useQuery({
    queryKey: [...recordKeys.all(articles), 'before publication', records],
    queryFn: async ({ signal }) => {
      const named = await Promise.all(
        records.slice(0, mostIssues).map(async (issue) => {
          const { contents } =
            issue.contents === undefined
              ? await readRecord(api, issues, parentId, issue.id, signal, 'contents')
              : issue;
          return Array.isArray(contents) ? contents : [];
        }),
      );
      const idsOfIssues = named.map((entries) => entries.flatMap(articleIdOf));
      const ids = new Set(idsOfIssues.flat());
      if (!mayRead) return { count: ids.size, idsOfIssues, found: [], isMore: false };
      const found = await readBelowParents(
        { api, queries, parent: resourceByName('sites'), resource: articles, signal },
        [...ids].slice(0, mostArticles),
        read,
      );
      return {
        count: ids.size,
        idsOfIssues,
        found,
        isMore: ids.size > mostArticles || records.length > mostIssues,
      };
    },
    staleTime: 0,
    gcTime: 0,
  });
  const known = (contents.data?.found ?? []).filter((article) => article !== null);
  const inTheWay = known.filter((article) => !['APPROVED', 'PUBLISHED'].includes(statusOf(article)));
  // Of several issues, those without such an article are published.
  const isRefused =
    inTheWay.length > 0 &&
    records.length <= mostIssues &&
    contents.data?.idsOfIssues.every((ids) => inTheWay.some((article) => ids.includes(article.id))) === true;
  const reason = isRefused ? featureText('refused', { count: inTheWay.length }) : null;
  useEffect(() => {
    refuse(reason);
    return () => refuse(null);
  }, [reason, refuse]);
  if (contents.isError) return <FailureNotice error={contents.error} />;
  if (contents.isPending) return <Text size="sm">{featureText('countingArticles')}</Text>;
  const { count, found, isMore } = contents.data;
  const goLive = known.filter((article) => statusOf(article) === 'APPROVED');
  const empty = known.filter(
    (article) => !inTheWay.includes(article) && valueAt(article, 'versionData.wordCount') === 0,
  );
  const missing = found.length - known.length;
  return (
    <>
      <Text size="sm" role="status">
        {featureText('holds', { count, issues: records.length })}
      </Text>
      {/* One that is in the way keeps all articles of its issue back. */}
      {goLive.length > 0 && (inTheWay.length === 0 || records.length > 1) && (
        <Articles says="goLive" articles={goLive} />
      )}
      {inTheWay.length > 0 && (
        <Notice kind="failure">
          <Articles says="inTheWay" articles={inTheWay} hasStatus />
        </Notice>
      )}
      {empty.length > 0 && (
        <Notice kind="failure">
          <Articles says="withoutText" articles={empty} />
        </Notice>
      )}
      {missing > 0 && <Notice kind="failure">{featureText('notFound', { count: missing })}</Notice>}
      {isMore && <Text size="sm">{featureText('lookedAtFirst', { count: found.length })}</Text>}
    </>
  );
}

interface ArticlesProps {
  readonly says: 'goLive' | 'inTheWay' | 'withoutText';
  readonly articles: readonly ApiRecord[];
  readonly hasStatus?: boolean;
}

/** How many articles, and what the first of them are called. */
function Articles({ says, articles, hasStatus = false }: ArticlesProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const nameOf = (article: ApiRecord) => {
    const title = titleOf(resourceByName('articles'), article);
    return hasStatus ? `${title} (${names.value(statusOf(article))})` : title;
  };
  return (
    <>
      <Text size="sm" fw={600}>
        {featureText(says, { count: articles.length })}
      </Text>
      <List size="sm">
        {articles.slice(0, mostNamed).map((article) => (
          <List.Item key={article.id}>{nameOf(article)}</List.Item>
        ))}
        {articles.length > mostNamed && <List.Item>{featureText('further')}</List.Item>}
      </List>
    </>
  );
}

function statusOf(article: ApiRecord): string {
  return String(valueAt(article, 'versionData.status'));
}

function articleIdOf(entry: unknown): readonly string[] {
  return isPlainObject(entry) && typeof entry.articleId === 'string' ? [entry.articleId] : [];
}
