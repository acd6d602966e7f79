/** Asks before a picture is made public or taken back, and does it. */
import { requestOf } from '@trellis/client/api-client.ts';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isOpenedWithPicture, publishPicture } from '../../records/publish-picture.ts';
import { useWrite } from '../../records/use-write.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useFeatureText } from '../../text/feature.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { PictureStatements } from './PictureStatements.tsx';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly file: KnowledgeFile;
  readonly close: () => void;
}

export function PublicityDialog({ resource, file, close }: Props) {
  const featureText = useFeatureText(texts);
  const write = useWrite<KnowledgeFile>({ changes: [recordKeys.all(resource)] });
  const isPublic = file.publicSince !== null;
  const isOpened = isOpenedWithPicture(file);
  const confirm = async () => {
    try {
      if (isPublic)
        await write.mutateAsync(requestOf('unpublishKnowledgeFilePicture', { path: { id: file.id } }));
      else await publishPicture(file, write.mutateAsync);
      close();
    } catch {
      // The dialog says why.
    }
  };
  return (
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
  );
}
