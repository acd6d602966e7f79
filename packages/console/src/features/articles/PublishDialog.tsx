/** The question before an article is published. */
import { useFeatureText } from '../../text/feature.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { texts } from './texts.ts';
import { useHiddenPictures } from './use-hidden-pictures.tsx';

interface Props {
  readonly title: string;
  readonly body: string;
  readonly isWaiting: boolean;
  readonly publish: () => void;
  readonly close: () => void;
}

export function PublishDialog({ title, body, isWaiting, publish, close }: Props) {
  const featureText = useFeatureText(texts);
  const pictures = useHiddenPictures(body, false);
  const confirm = async () => {
    if (await pictures.makePublic()) publish();
  };
  const about = [featureText('publishAbout'), ...(body.trim() === '' ? [featureText('publishEmpty')] : [])];
  return (
    <ConfirmDialog
      title={featureText('publishTitle', { title })}
      about={about.join(' ')}
      action={featureText('move.PUBLISHED')}
      isPending={isWaiting || pictures.isPending}
      confirm={() => void confirm()}
      close={close}
    >
      {pictures.notice}
    </ConfirmDialog>
  );
}
