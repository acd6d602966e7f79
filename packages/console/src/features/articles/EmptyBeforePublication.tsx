/** Which articles have no text, in the question whether to publish them from a list. */

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { articles } from '@trellis/schema/resources/articles.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useIntl } from 'react-intl';
import type { PublicationProps } from '../../resources/presentation.ts';
import { readRecord, recordKeys } from '../../resources/queries.ts';
import { titleOf } from '../../resources/values.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { texts } from './texts.ts';

/** Articles that are looked at, and that are named. */
const mostArticles = 50;
const mostNamed = 10;

export function EmptyBeforePublication({ parentId, records }: PublicationProps) {
  const featureText = useFeatureText(texts);
  const { formatList } = useIntl();
  const { api } = useWorkspace();
  const ids = records.slice(0, mostArticles).map(({ id }) => id);
  const empty = useQuery({
    queryKey: [...recordKeys.all(articles), 'without text', ...ids],
    queryFn: async ({ signal }) => {
      const fields = `${articles.titleField},versionData.wordCount`;
      const found = await Promise.all(
        ids.map((id) => readRecord(api, articles, parentId, id, signal, fields)),
      );
      return found.filter((article) => valueAt(article, 'versionData.wordCount') === 0);
    },
    staleTime: 0,
    gcTime: 0,
  });
  const named = (empty.data ?? []).map((article) => titleOf(articles, article));
  return (
    <>
      <FailureNotice error={empty.error} />
      {named.length > 0 && (
        <Notice kind="failure">
          {featureText('someEmpty', {
            count: named.length,
            names: formatList([
              ...named.slice(0, mostNamed),
              ...(named.length > mostNamed ? [featureText('further')] : []),
            ]),
          })}
        </Notice>
      )}
      {records.length > mostArticles && (
        <Text size="sm">{featureText('lookedAtFirst', { count: mostArticles })}</Text>
      )}
    </>
  );
}
