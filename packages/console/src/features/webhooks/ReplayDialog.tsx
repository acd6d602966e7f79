/** Sends the logged events of a span of time to an endpoint again. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { requestOf } from '@trellis/client/api-client.ts';
import type { WebhookReplay } from '@trellis/client/generated/types.ts';
import { useState } from 'react';
import { useWrite } from '../../records/use-write.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { texts } from './texts.ts';
import styles from './Webhooks.module.css';

interface Props {
  readonly endpointId: string;
  readonly changes: readonly QueryKey[];
  readonly close: () => void;
}

const dayMs = 86_400_000;

/** An instant in the form of `datetime-local`, in the time zone of the browser. */
function toLocal(instant: number): string {
  const date = new Date(instant);
  return new Date(instant - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function ReplayDialog({ endpointId, changes, close }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const [from, setFrom] = useState(() => toLocal(Date.now() - dayMs));
  const [to, setTo] = useState('');
  const replay = useWrite<WebhookReplay>({ changes });
  return (
    <Dialog onClose={close} title={featureText('replay')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const body = {
            from: new Date(from).toISOString(),
            ...(to === '' ? {} : { to: new Date(to).toISOString() }),
          };
          replay.mutate(requestOf('replayWebhookEvents', { path: { id: endpointId }, body }));
        }}
      >
        <Stack gap="md">
          <Text size="md">{featureText('replayAbout')}</Text>
          <FailureNotice error={replay.failure} />
          {replay.data !== undefined && (
            <Notice kind="success">{featureText('replayed', { count: replay.data.events })}</Notice>
          )}
          <TextInput
            type="datetime-local"
            label={featureText('replayFrom')}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label={featureText('replayTo')}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <div className={styles.end}>
            <Button variant="default" onClick={close}>
              {text(replay.isSuccess ? 'close' : 'cancel')}
            </Button>
            <Button type="submit" loading={replay.isPending} disabled={from === ''}>
              {featureText('replayStart')}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}
