/** The question before an article is published. */
import { useFeatureText } from '../../text/feature.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
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
  const about = [
    featureText('publishAbout'),
    ...(shown.body.trim() === '' ? [featureText('publishEmpty')] : []),
  ];
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
