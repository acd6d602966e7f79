/** What shows files or refers to them, as said before they are deleted. */
import '@mantine/core/styles/List.layer.css';
import { List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { resourceByName } from '../../resources/declared.ts';
import { placeOfRequest } from '../../resources/places.ts';
import type { DeletionProps } from '../../resources/presentation.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { texts } from './texts.ts';

/** Files that are looked at, and uses that are named. */
const mostFiles = 50;
const mostNamed = 10;

export function UsesOfDeleted({ records }: DeletionProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { api } = useWorkspace();
  const ids = records.slice(0, mostFiles).map(({ id }) => id);
  const usage = useQuery({
    queryKey: [...recordKeys.all(resourceByName(knowledgeFiles.name)), 'uses', ...ids],
    queryFn: async ({ signal }) => {
      const found = new Map<string, { readonly title: string; readonly url: string }>();
      for (const id of ids) {
        const { items } = await api.read('getKnowledgeFileUsage', { path: { id }, signal });
        for (const item of items) found.set(item.id, item);
        // There are enough to name.
        if (found.size > mostNamed) break;
      }
      return [...found.values()];
    },
    staleTime: 0,
  });
  const uses = usage.data ?? [];
  if (usage.isError) return <FailureNotice error={usage.error} />;
  if (usage.isPending) return <Text size="sm">{featureText('lookingForUses')}</Text>;
  return (
    <>
      {uses.length > 0 && (
        <Notice kind="failure" title={featureText('deletedUses')}>
          <Stack gap="xs">
            <List size="sm">
              {uses.slice(0, mostNamed).map(({ url, title }) => {
                const place = placeOfRequest(new URL(url).pathname);
                const kind = place === null ? '' : ` (${names.singular(place.resource)})`;
                return (
                  <List.Item key={url}>
                    {(title.trim() === '' ? featureText('untitled') : title) + kind}
                  </List.Item>
                );
              })}
              {uses.length > mostNamed && <List.Item>{featureText('furtherUses')}</List.Item>}
            </List>
            <Text size="sm">{featureText('deletedGap')}</Text>
          </Stack>
        </Notice>
      )}
      {records.length > mostFiles && uses.length <= mostNamed && (
        <Text size="sm">{featureText('lookedAtFirst', { count: mostFiles })}</Text>
      )}
    </>
  );
}
