/** Whether readers can load a picture: its address, making it public, and taking it back. */
import { requestOf } from '@trellis/client/api-client.ts';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { isOpenedWithPicture, publishPicture } from '../../records/publish-picture.ts';
import { useWrite } from '../../records/use-write.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { RefusableButton } from '../../ui/Refusable.tsx';
import styles from './Knowledge.module.css';
import { PictureStatements } from './PictureStatements.tsx';
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
  const write = useWrite<KnowledgeFile>({ changes: [recordKeys.all(resource)] });
  const isPublic = file.publicSince !== null;
  const isOpened = isOpenedWithPicture(file);
  const missing = refusal(resource, 'publish') ?? (isOpened ? refusal(resource, 'update') : null);
  const close = () => {
    write.reset();
    setIsConfirming(false);
  };
  const confirm = async () => {
    try {
      if (isPublic)
        await write.mutateAsync(requestOf('unpublishKnowledgeFilePicture', { path: { id: file.id } }));
      else await publishPicture(file, write.mutateAsync);
      setIsConfirming(false);
    } catch {
      // The dialog says why.
    }
  };
  return (
    <section className={styles.public} aria-label={featureText('publicPicture')}>
      <p className={styles.hint}>
        {file.alternativeText === null
          ? featureText('noAlternativeText')
          : featureText('alternativeText', { text: file.alternativeText })}
      </p>
      <p className={styles.hint}>{featureText(isPublic ? 'isPublic' : 'isNotPublic')}</p>
      {isPublic && <code className={styles.address}>{location.origin + picturePath}</code>}
      <div className={styles.buttons}>
        {isPublic && <CopyButton value={location.origin + picturePath} label={featureText('copyAddress')} />}
        <RefusableButton variant="default" refusal={missing} onClick={() => setIsConfirming(true)}>
          {featureText(isPublic ? 'takeBack' : 'makePublic')}
        </RefusableButton>
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={featureText(isPublic ? 'takeBackTitle' : 'makePublicTitle', { name: file.name })}
          about={[
            featureText(isPublic ? 'takeBackAbout' : 'makePublicAbout'),
            ...(isOpened ? [featureText('openedAbout')] : []),
          ].join(' ')}
          action={featureText(isPublic ? 'takeBack' : 'makePublic')}
          isDangerous={isPublic}
          isPending={write.isPending}
          confirm={() => void confirm()}
          close={close}
        >
          {!isPublic && <PictureStatements file={file} />}
          <FailureNotice error={write.failure} />
        </ConfirmDialog>
      )}
    </section>
  );
}
