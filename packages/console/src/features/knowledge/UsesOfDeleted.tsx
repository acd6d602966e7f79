/** What shows files or refers to them, as said before they are deleted: what readers see apart from drafts. */
import '@mantine/core/styles/List.layer.css';
import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Use } from '@trellis/client/generated/types.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useMemo } from 'react';
import { resourceByName, resources } from '../../resources/declared.ts';
import { placeOfRequest } from '../../resources/places.ts';
import type { DeletionProps, InUse } from '../../resources/presentation.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { texts } from './texts.ts';

/** Files that are looked at, and uses of each group that are named. */
const mostFiles = 50;
const mostNamed = 10;

export function UsesOfDeleted({ records, noteInUse }: DeletionProps) {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const ids = records.slice(0, mostFiles).map(({ id }) => id);
  const usage = useQuery({
    queryKey: [...recordKeys.all(resourceByName(knowledgeFiles.name)), 'uses', ...ids],
    queryFn: async ({ signal }) => {
      const found = new Map<string, Use>();
      let isMore = false;
      for (const id of ids) {
        const { items, hasMore } = await api.read('getKnowledgeFileUsage', { path: { id }, signal });
        isMore ||= hasMore;
        // One of the files is a draft's only, and another one of the same record is shown to readers.
        for (const item of items) {
          const other = found.get(item.id);
          found.set(item.id, {
            ...item,
            published: other?.published === true || item.published,
            preventsDeletion: other?.preventsDeletion === true || item.preventsDeletion,
          });
        }
      }
      return { uses: [...found.values()], isMore };
    },
    staleTime: 0,
  });
  const inUse = useInUse(usage.data);
  useEffect(() => noteInUse?.(inUse), [inUse, noteInUse]);
  if (usage.isError) return <FailureNotice error={usage.error} />;
  if (usage.isPending) return <Text size="sm">{featureText('lookingForUses')}</Text>;
  // The dialog itself says then what prevents the deletion.
  if (inUse !== null && noteInUse !== undefined) return null;
  const { uses, isMore } = usage.data;
  const preventing = uses.filter((use) => use.preventsDeletion);
  const mentions = uses.filter((use) => !use.preventsDeletion);
  const published = mentions.filter((use) => use.published === true);
  const group = { files: ids.length, isMore };
  return (
    <>
      {preventing.length > 0 && (
        <Notice kind="failure">
          <Uses {...group} says="preventedBy" uses={preventing} />
          <Text size="sm">{featureText('coversStay')}</Text>
        </Notice>
      )}
      {published.length > 0 && (
        <Notice kind="failure">
          <Uses {...group} says="shownByPublished" uses={published} />
          <Text size="sm">{featureText('deletedGap')}</Text>
        </Notice>
      )}
      {published.length < mentions.length && (
        <Notice kind="hint" icon="file">
          <Uses {...group} says="usedByDrafts" uses={mentions.filter((use) => use.published === false)} />
        </Notice>
      )}
      {records.length > mostFiles && (
        <Text size="sm">{featureText('lookedAtFirst', { count: mostFiles })}</Text>
      )}
    </>
  );
}

/** That a file cannot be deleted, and what can be done; null if nothing is known to prevent it. */
function useInUse(
  usage: { readonly uses: readonly Use[]; readonly isMore: boolean } | undefined,
): InUse | null {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const message = featureText('isCover');
  const messageOfArticle = featureText('isCoverOfArticle');
  const isWholeSeen = resources.every((one) => !refersToFiles(one) || refusal(one, 'read') === null);
  return useMemo(() => {
    const preventing = usage?.uses.filter((use) => use.preventsDeletion) ?? [];
    if (usage === undefined || preventing.length === 0) return null;
    const kinds = Map.groupBy(preventing, ({ type }) => type);
    const usedBy = resources.flatMap(({ name, singular }) => {
      const count = kinds.get(singular)?.length ?? 0;
      return count === 0 ? [] : [{ resource: name, count }];
    });
    return {
      message: kinds.has(articles.singular) ? `${message} ${messageOfArticle}` : message,
      members: {
        uses: preventing.map(({ url, ...use }) => ({ ...use, path: new URL(url).pathname })),
        // What is offered for all of them needs to know all of them.
        usedBy: usage.isMore || !isWholeSeen ? [] : usedBy,
      },
    };
  }, [usage, message, messageOfArticle, isWholeSeen]);
}

function refersToFiles(resource: Resource): boolean {
  return flattenFields(resource).some(
    ([, { reference }]) => reference?.resource === knowledgeFiles.name && reference.blocksDeletion,
  );
}

interface UsesProps {
  readonly says: 'preventedBy' | 'shownByPublished' | 'usedByDrafts';
  readonly uses: readonly Use[];
  /** Number of files that are deleted. */
  readonly files: number;
  /** Whether there are more uses than were read. */
  readonly isMore: boolean;
}

/** How many records of a group use the files, and what the first of them are called. Nothing for an empty group. */
function Uses({ says, uses, files, isMore }: UsesProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  if (uses.length === 0) return null;
  const kind = uses.every(({ type }) => type === articles.singular) ? 'article' : 'record';
  return (
    <>
      <Text size="sm" fw={600}>
        {featureText(says, { count: uses.length, kind, files, more: String(isMore) })}
      </Text>
      <List size="sm">
        {uses.slice(0, mostNamed).map(({ url, title }) => {
          const place = placeOfRequest(new URL(url).pathname);
          const name = title.trim() === '' ? featureText('untitled') : title;
          return (
            <List.Item key={url}>
              {place === null ? name : `${name} (${names.singular(place.resource)})`}
            </List.Item>
          );
        })}
        {uses.length > mostNamed && <List.Item>{featureText('furtherUses')}</List.Item>}
      </List>
    </>
  );
}
