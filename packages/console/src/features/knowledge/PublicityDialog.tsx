/** Asks before a picture is made public, after what it says besides what it shows, and does it. */
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
  const isOpened = isOpenedWithPicture(file);
  const confirm = async () => {
    try {
      await publishPicture(file, write.mutateAsync);
      close();
    } catch {
      // The dialog says why.
    }
  };
  return (
    <ConfirmDialog
      title={featureText('makePublicTitle', { name: file.name })}
      about={[featureText('makePublicAbout'), ...(isOpened ? [featureText('openedAbout')] : [])].join(' ')}
      action={featureText('makePublic')}
      isPending={write.isPending}
      confirm={() => void confirm()}
      close={close}
    >
      <PictureStatements file={file} />
      <FailureNotice error={write.failure} />
    </ConfirmDialog>
  );
}
