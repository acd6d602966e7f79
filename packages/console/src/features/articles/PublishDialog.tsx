/** The question before an article is published. */
import { useFeatureText } from '../../text/feature.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import type { Illustrated } from './pictures-in-text.ts';
import { texts } from './texts.ts';
import { useHiddenPictures } from './use-hidden-pictures.tsx';

interface Props {
  readonly title: string;
  /** What readers will see. */
  readonly shown: Illustrated;
  readonly isWaiting: boolean;
  readonly publish: () => void;
  readonly close: () => void;
}

export function PublishDialog({ title, shown, isWaiting, publish, close }: Props) {
  const featureText = useFeatureText(texts);
  const pictures = useHiddenPictures(shown, false);
  const confirm = async () => {
    if (await pictures.makePublic()) publish();
  };
  return (
    <ConfirmDialog
      title={featureText('publishTitle', { title })}
      about={featureText('publishAbout')}
      action={featureText('move.PUBLISHED')}
      isPending={isWaiting || pictures.isPending}
      confirm={() => void confirm()}
      close={close}
    >
      {shown.body.trim() === '' && <Notice kind="failure">{featureText('publishEmpty')}</Notice>}
      {pictures.notice}
    </ConfirmDialog>
  );
}
