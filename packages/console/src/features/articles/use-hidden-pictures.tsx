/** The pictures of an article that readers could not load, named before it is published, with the offer to make them public. */
import '@mantine/core/styles/List.layer.css';
import { Checkbox, List, Stack, Text } from '@mantine/core';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { type ReactNode, useState } from 'react';
import { isOpenedWithPicture, publishPicture } from '../../records/publish-picture.ts';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { type Illustrated, useShownPictures } from './pictures-in-text.ts';
import { texts } from './texts.ts';

interface HiddenPictures {
  /** What a dialog says about them. */
  readonly notice: ReactNode;
  /** Whether it is not known yet, or they are being made public. */
  readonly isPending: boolean;
  /** Makes them public, if that is wanted. @returns false if that failed, which the notice says */
  readonly makePublic: () => Promise<boolean>;
}

/** @param isLater whether the article is published later than the pictures */
export function useHiddenPictures(article: Illustrated, isLater: boolean): HiddenPictures {
  const featureText = useFeatureText(texts);
  const resource = resourceByName(knowledgeFiles.name);
  const refusalOf = useRefusal();
  const publishRefusal = refusalOf(resource, 'publish');
  // Nothing becomes public because somebody confirms a question without reading it.
  const [isChosen, setIsChosen] = useState(false);
  const pictures = useShownPictures(article, publishRefusal === null && isChosen);
  const write = useWrite<KnowledgeFile>({ changes: [recordKeys.all(resource)] });
  const { hidden, missing } = pictures.data ?? { hidden: [], missing: [] };
  const opened = hidden.filter(isOpenedWithPicture);
  const refusal = publishRefusal ?? (opened.length > 0 ? refusalOf(resource, 'update') : null);
  const makesPublic = hidden.length > 0 && refusal === null && isChosen;
  const isBeingRead = makesPublic && hidden.some(({ status }) => status === 'PROCESSING');
  return {
    notice: (
      <>
        {hidden.length > 0 && (
          <Stack gap="xs">
            <Text size="sm">{featureText('hiddenPictures', { count: hidden.length })}</Text>
            <List size="sm">
              {hidden.map(({ id, name }) => (
                <List.Item key={id}>{name}</List.Item>
              ))}
            </List>
            <Checkbox
              label={featureText(isLater ? 'makePicturesPublicNow' : 'makePicturesPublic')}
              description={
                refusal ??
                [
                  featureText('makePicturesPublicAbout', { count: hidden.length }),
                  ...(opened.length > 0
                    ? [featureText('picturesOpened', { names: opened.map(({ name }) => name).join(', ') })]
                    : []),
                ].join(' ')
              }
              checked={makesPublic}
              disabled={refusal !== null}
              onChange={(event) => setIsChosen(event.currentTarget.checked)}
            />
            <Text size="sm" role="status">
              {isBeingRead && featureText('picturesBeingRead')}
            </Text>
          </Stack>
        )}
        {missing.length > 0 && (
          <Notice kind="failure">
            {featureText('missingPictures', { count: missing.length })} {featureText('missingGap')}
          </Notice>
        )}
        <FailureNotice error={pictures.error ?? write.failure} />
      </>
    ),
    isPending: pictures.isLoading || write.isPending || isBeingRead,
    makePublic: async () => {
      try {
        for (const file of makesPublic ? hidden : []) await publishPicture(file, write.mutateAsync);
        return true;
      } catch {
        return false;
      }
    },
  };
}
