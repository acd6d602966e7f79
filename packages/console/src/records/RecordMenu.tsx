/** The actions of a record other than editing. */
import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { resourceByName } from '../resources/declared.ts';
import { collectionPath } from '../resources/places.ts';
import { useFeatureText } from '../text/feature.ts';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import shared from '../ui/shared.module.css';
import { showToast } from '../ui/toasts/toasts.ts';
import { texts } from './texts.ts';

interface Props {
  readonly record: ApiRecord;
  /** The pending request of the form, or the one that reads the record, as a shell command. */
  readonly curl: string;
  readonly isDirty: boolean;
  readonly askToDelete: () => void;
  /** Entries before the common ones. */
  readonly items?: ReactNode;
}

export function RecordMenu({ record, curl, isDirty, askToDelete, items }: Props) {
  const text = useText();
  const featureText = useFeatureText(texts);
  const navigate = useNavigate();
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  const copyCurl = () => {
    copy(curl);
    showToast({
      kind: 'done',
      message: featureText('curlCopied'),
      action: {
        label: featureText('tokens'),
        run: () => void navigate({ to: collectionPath(resourceByName('clients'), null) }),
      },
    });
  };
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="default" px={9} aria-label={text('record.more')}>
          <Icon name={copied ? 'check' : 'more'} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {items}
        <Menu.Item leftSection={<Icon name="copy" />} onClick={() => copy(record.id)}>
          {text('record.copyId')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="copy" />} onClick={copyCurl}>
          {text(isDirty ? 'record.copyChange' : 'record.copyRead')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="trash" />} className={shared.danger ?? ''} onClick={askToDelete}>
          {text('record.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
