/** A small copy of a picture, loaded when it comes near the visible part of the page. */
import { useIntersection } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { useState } from 'react';
import { isProblem } from '../../../api/problem.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { Icon } from '../../../ui/icons.tsx';
import shared from '../../../ui/shared.module.css';
import { WithAddress } from '../FilePreview.tsx';
import styles from './Pictures.module.css';
import { texts } from './texts.ts';

/** How often a thumbnail is asked for again while the server has too many to make. */
const mostRetries = 10;

interface Props {
  readonly file: Pick<KnowledgeFile, 'id' | 'sha256'>;
  /** What it shows, where nothing beside it says so. */
  readonly alternativeText?: string;
}

export function Thumbnail({ file, alternativeText = '' }: Props) {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const { ref, entry } = useIntersection({ rootMargin: '300px' });
  const [isBroken, setIsBroken] = useState(false);
  const thumbnail = useQuery({
    // Changes of the record leave the picture as it is: its content is in the key.
    queryKey: ['v1', 'thumbnails', file.id, file.sha256],
    queryFn: async ({ signal }) => {
      const { body } = await api.use((client) =>
        client.call('getKnowledgeFileThumbnail', { path: { id: file.id }, signal }),
      );
      return await new Response(body).arrayBuffer();
    },
    enabled: entry?.isIntersecting === true,
    staleTime: Number.POSITIVE_INFINITY,
    // Many pictures that nobody has looked at yet are made one after the other.
    retry: (count, error) => isProblem(error, 'overloaded') && count < mostRetries,
  });
  const isFailed = thumbnail.isError || isBroken;
  return (
    <span ref={ref} className={`${shared.frame} ${styles.frame}`} data-failed={isFailed || undefined}>
      {isFailed && (
        <>
          <Icon name="warning" size={20} />
          <span>{featureText('notShown')}</span>
        </>
      )}
      {!isFailed && thumbnail.data !== undefined && (
        <WithAddress bytes={thumbnail.data} mediaType="image/webp">
          {(address) => (
            <img
              src={address}
              alt={alternativeText}
              className={styles.thumbnail}
              onError={() => setIsBroken(true)}
            />
          )}
        </WithAddress>
      )}
    </span>
  );
}
