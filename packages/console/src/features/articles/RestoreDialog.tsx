/** Asks before an old version takes the place of a draft, and says where the draft is found afterwards. */

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { frozenStatuses } from '@trellis/schema/resources/article-transitions.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../../api/api.ts';
import { usePersonName } from '../../fields/Person.tsx';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Moment } from '../../ui/Moment.tsx';
import shared from '../../ui/shared.module.css';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { statusOfArticle } from './moves.ts';
import { texts } from './texts.ts';

interface Props {
  /** Of the version that is to be restored. */
  readonly number: number;
  readonly record: ApiRecord;
  readonly cancel: () => void;
  readonly restore: () => void;
}

export function RestoreDialog({ number, record, cancel, restore }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  useReturnFocus();
  const by = usePersonName(typeof record.updatedBy === 'string' ? record.updatedBy : null);
  const title = featureText('restoreTitle', { number });
  const status = statusOfArticle(record);
  const newest = Number(valueAt(record, 'versionData.versionNumber'));
  // Pending edits of a version that readers see become the next one.
  const draft = frozenStatuses.includes(status) ? newest + 1 : newest;
  return (
    // Without a header of its own: the list of versions below has one already.
    <Modal.Root opened onClose={cancel} centered>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Body>
          <Stack gap="lg">
            <h2 className={shared.heading}>{title}</h2>
            <Text size="md">{featureText('restoreReplaces', { number, draft })}</Text>
            <Text size="md" c="dimmed">
              {featureText('restoreLast', { by })} <Moment value={String(record.updatedAt)} />
              {status !== 'DRAFT' && ` · ${names.value(status)}`}
            </Text>
            <Group justify="flex-end" gap={8}>
              <Button variant="default" onClick={cancel}>
                {text('cancel')}
              </Button>
              <Button data-autofocus onClick={restore}>
                {featureText('restore', { number })}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
