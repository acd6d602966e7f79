/** The question before an article is published. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useFeatureText } from '../../text/feature.ts';
import { useText } from '../../text/text.ts';
import styles from './ArticleEditor.module.css';
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
  const text = useText();
  const pictures = useHiddenPictures(body, false);
  const confirm = async () => {
    if (await pictures.makePublic()) publish();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={featureText('publishTitle', { title })}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <Stack gap="lg">
        <Text size="md">
          {featureText('publishAbout')} {body.trim() === '' && featureText('publishEmpty')}
        </Text>
        {pictures.notice}
        <div className={styles.buttons}>
          <Button variant="default" onClick={close}>
            {text('cancel')}
          </Button>
          <Button data-autofocus loading={isWaiting || pictures.isPending} onClick={() => void confirm()}>
            {featureText('move.PUBLISHED')}
          </Button>
        </div>
      </Stack>
    </Modal>
  );
}
