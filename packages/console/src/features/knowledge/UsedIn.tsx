/** The records that refer to a file, as links. */
import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { useState } from 'react';
import { resourceByName } from '../../resources/declared.ts';
import { placeOfRequest, recordPathOf } from '../../resources/places.ts';
import { presentationOf } from '../../resources/presentation.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Icon } from '../../ui/icons.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { texts } from './texts.ts';

/** Records that are named before all are asked for. */
const shownFirst = 6;

export function UsedIn({ file }: { readonly file: KnowledgeFile }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { api } = useWorkspace();
  const [isWhole, setIsWhole] = useState(false);
  const usage = useQuery({
    queryKey: [...recordKeys.all(resourceByName(knowledgeFiles.name)), 'usage', file.id],
    queryFn: ({ signal }) => api.read('getKnowledgeFileUsage', { path: { id: file.id }, signal }),
    // Texts change while somebody looks at other pages.
    staleTime: 0,
  });
  const items = usage.data?.items ?? [];
  const shown = isWhole ? items : items.slice(0, shownFirst);
  return (
    <section className={shared.stack} aria-label={featureText('usedIn')}>
      <h2 className={shared.subtitle}>{featureText('usedIn')}</h2>
      <FailureNotice error={usage.error} />
      {usage.isSuccess && items.length === 0 && <p className={shared.about}>{featureText('unused')}</p>}
      {items.length > 0 && (
        <Box component="ul" className={`${shared.list} ${shared.tight}`} fz={13}>
          {shown.map(({ id, url, title }) => {
            const place = placeOfRequest(new URL(url).pathname);
            if (place === null) return null;
            const { resource, parentId } = place;
            return (
              <li key={id} className={shared.group}>
                <Icon name={presentationOf(resource).icon ?? 'list'} size={14} />
                <Link to={recordPathOf(resource, parentId, id) as string} className={shared.link}>
                  {title.trim() === '' ? featureText('untitled') : title}
                </Link>
                <span className={shared.about}>{names.singular(resource)}</span>
              </li>
            );
          })}
        </Box>
      )}
      {shown.length < items.length && (
        <Button variant="default" size="xs" onClick={() => setIsWhole(true)}>
          {featureText('allUses', { count: items.length })}
        </Button>
      )}
      {isWhole && usage.data?.hasMore === true && (
        <p className={shared.about}>{featureText('moreUses', { count: items.length })}</p>
      )}
    </section>
  );
}
