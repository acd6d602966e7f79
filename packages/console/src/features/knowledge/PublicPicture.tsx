/** Whether readers can load a picture: its address, making it public, and taking it back. */
import { Group } from '@mantine/core';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { ActionButton } from '../../records/actions/ActionButton.tsx';
import { isOpenedWithPicture } from '../../records/publish-picture.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import details from '../../ui/details.module.css';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import shared from '../../ui/shared.module.css';
import { PublicityDialog } from './PublicityDialog.tsx';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly file: KnowledgeFile;
  readonly picturePath: string;
}

export function PublicPicture({ resource, file, picturePath }: Props) {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const [isConfirming, setIsConfirming] = useState(false);
  const isPublic = file.publicSince !== null;
  const isOpened = isOpenedWithPicture(file);
  const missing = refusal(resource, 'publish') ?? (isOpened ? refusal(resource, 'update') : null);
  return (
    <section className={shared.stack} aria-label={featureText('publicPicture')}>
      <p className={shared.about}>
        {file.alternativeText === null
          ? featureText('noAlternativeText')
          : featureText('alternativeText', { text: file.alternativeText })}
      </p>
      <p className={shared.about}>{featureText(isPublic ? 'isPublic' : 'isNotPublic')}</p>
      {isPublic && <code className={`${shared.box} ${details.code}`}>{location.origin + picturePath}</code>}
      <Group gap={8}>
        {isPublic && <CopyButton value={location.origin + picturePath} label={featureText('copyAddress')} />}
        <ActionButton
          action="unpublishKnowledgeFilePicture"
          resource={resource}
          parentId={null}
          record={file}
        />
        {!isPublic && (
          <GuardedButton variant="default" refusal={missing} onClick={() => setIsConfirming(true)}>
            {featureText('makePublic')}
          </GuardedButton>
        )}
      </Group>
      {isConfirming && (
        <PublicityDialog resource={resource} file={file} close={() => setIsConfirming(false)} />
      )}
    </section>
  );
}
