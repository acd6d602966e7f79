/** Pictures to look at, each with its name and what it shows: as links to their pages, or to choose one. */
import { Box, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import type { ReactNode } from 'react';
import { useFeatureText } from '../../../text/feature.ts';
import { useNames } from '../../../text/names.ts';
import { useText } from '../../../text/text.ts';
import details from '../../../ui/details.module.css';
import { Empty } from '../../../ui/Empty.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { MoreButton } from '../../../ui/MoreButton.tsx';
import { describeError } from '../../../ui/problem-text.ts';
import { RetryButton } from '../../../ui/RetryButton.tsx';
import shared from '../../../ui/shared.module.css';
import { useSize } from '../../../ui/use-size.ts';
import styles from './Pictures.module.css';
import { Thumbnail } from './Thumbnail.tsx';
import { texts } from './texts.ts';
import { usePictures } from './use-pictures.ts';

interface Props {
  /** Words that the pictures have; '' for all. */
  readonly search: string;
  /** What to do where there are no pictures at all. */
  readonly first?: ReactNode;
  /** Chooses a picture; without it, a picture leads to its page. */
  readonly choose?: (file: KnowledgeFile) => void;
}

export function PictureGrid({ search, first, choose }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const list = usePictures(search);
  const files = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (list.isPending) return <Loading />;
  if (files.length === 0 && list.isError)
    return (
      <Empty icon="warning" title={text('failure.title')} about={describeError(list.error, text, names)}>
        <RetryButton error={list.error} retry={() => void list.refetch()} />
      </Empty>
    );
  if (files.length === 0 && search !== '')
    return <Empty icon="search" title={featureText('noMatch')} about={featureText('noMatchAbout')} />;
  if (files.length === 0)
    return (
      <Empty icon="image" title={featureText('none')} about={featureText('noneAbout')}>
        {first}
      </Empty>
    );
  return (
    <>
      <ul
        className={`${shared.cards} ${styles.grid}`}
        aria-label={text('pictures.title')}
        aria-busy={list.isPlaceholderData}
      >
        {files.map((file) => (
          <li key={file.id}>
            {choose === undefined ? (
              <Link to={`/knowledge-files/${file.id}` as string} className={styles.card}>
                <Card file={file} />
              </Link>
            ) : (
              <UnstyledButton className={styles.card ?? ''} onClick={() => choose(file)}>
                <Card file={file} />
              </UnstyledButton>
            )}
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <div className={shared.more}>
          <MoreButton list={list} label={featureText('more')} />
        </div>
      )}
    </>
  );
}

function Card({ file }: { readonly file: KnowledgeFile }) {
  const featureText = useFeatureText(texts);
  const size = useSize();
  const { name, alternativeText, publicSince, width, height, sizeBytes } = file;
  return (
    <>
      <Thumbnail file={file} />
      <Box component="span" className={`${shared.cut} ${shared.label}`} mt={6}>
        {name}
      </Box>
      <span className={shared.small}>
        {[
          ...(width === null || height === null ? [] : [`${width} × ${height}`]),
          ...(sizeBytes === null ? [] : [size(sizeBytes)]),
        ].join(' · ')}
      </span>
      <span
        className={`${shared.small} ${details.clamp}`}
        data-missing={alternativeText === null || undefined}
      >
        {alternativeText ?? featureText('noAlternativeText')}
      </span>
      {publicSince !== null && (
        <span className={`${shared.badge} ${styles.public}`}>{featureText('public')}</span>
      )}
    </>
  );
}
