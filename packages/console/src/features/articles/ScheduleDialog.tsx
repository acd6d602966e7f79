/** When an article is to be published, on the clock of its site; what that is on one's own is said beside it. */

import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { pointerOf, valueAt } from '@trellis/schema/values/paths.ts';
import { ownZone, toInstant, toWallTime } from '@trellis/schema/values/zones.ts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../../api/api.ts';
import type { Fault } from '../../api/problem.ts';
import { faultsAt } from '../../fields/draft.ts';
import { useDraftCheck } from '../../records/use-draft-check.ts';
import { titleOf } from '../../resources/values.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { translateFaults } from '../../ui/problem-text.ts';
import shared from '../../ui/shared.module.css';
import type { Illustrated } from './pictures-in-text.ts';
import { useSite } from './SearchPreview.tsx';
import { texts } from './texts.ts';
import { useHiddenPictures } from './use-hidden-pictures.tsx';

interface Props {
  readonly resource: Resource;
  readonly record: ApiRecord;
  readonly parentId: string | null;
  /** Its text and cover, whose pictures are to be public by then. */
  readonly shown: Illustrated;
  readonly isWaiting: boolean;
  readonly close: () => void;
  readonly schedule: (scheduledFor: string, unpublishAt: string | null) => void;
}

export function ScheduleDialog({ resource, record, parentId, shown, isWaiting, close, schedule }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const { formatDate } = useIntl();
  const site = useSite(parentId);
  const zone = typeof site?.timezone === 'string' ? site.timezone : 'UTC';
  const pictures = useHiddenPictures(shown, true);
  const [typed, setTyped] = useState<string | null>(null);
  const [typedEnd, setTypedEnd] = useState<string | null>(null);
  const stored = (name: string) => {
    const value = valueAt(record, name);
    return typeof value === 'string' ? toWallTime(new Date(value), zone) : null;
  };
  const from = typed ?? stored('versionData.scheduledFor') ?? tomorrowMorning(zone);
  const until = typedEnd ?? stored('versionData.unpublishAt') ?? '';
  const instant = toInstant(from, zone);
  const hasPassed = instant !== null && instant.getTime() <= Date.now();
  const end = until === '' ? null : toInstant(until, zone);
  const mine = ownZone();
  const names = useNames();
  const findFaults = useDraftCheck();
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const submit = async () => {
    if (instant === null) return;
    const times = { scheduledFor: instant.toISOString(), unpublishAt: end?.toISOString() ?? null };
    const found = findFaults(resource, record, {
      'versionData.status': 'SCHEDULED',
      'versionData.scheduledFor': times.scheduledFor,
      'versionData.unpublishAt': times.unpublishAt,
    });
    setFaults(translateFaults(found, names));
    if (found.length === 0 && (await pictures.makePublic())) schedule(times.scheduledFor, times.unpublishAt);
  };
  return (
    <Dialog onClose={close} title={featureText('scheduleTitle', { title: titleOf(resource, record) })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack gap="md">
          <TextInput
            type="datetime-local"
            label={featureText('publishOn')}
            description={featureText('inZone', { zone })}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={from}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={hasPassed ? featureText('timePassed') : undefined}
            data-autofocus
            required
            withAsterisk={false}
          />
          <p className={shared.about} role="status">
            {instant === null
              ? ''
              : mine === zone
                ? featureText('sameZone')
                : featureText('inOwnZone', {
                    zone: mine,
                    date: formatDate(instant, { dateStyle: 'full', timeStyle: 'short', timeZone: mine }),
                  })}
          </p>
          <TextInput
            type="datetime-local"
            label={featureText('unpublishOn')}
            value={until}
            onChange={(event) => setTypedEnd(event.currentTarget.value)}
            error={faultsAt(faults, pointerOf('versionData.unpublishAt')) ?? undefined}
          />
          {shown.body.trim() === '' && <Notice kind="failure">{featureText('publishEmpty')}</Notice>}
          {pictures.notice}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={close}>
              {text('cancel')}
            </Button>
            <Button
              type="submit"
              loading={isWaiting || pictures.isPending}
              disabled={instant === null || hasPassed || site === undefined}
            >
              {featureText('schedule')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Nine o'clock of the next day there. */
function tomorrowMorning(zone: string): string {
  return `${toWallTime(new Date(Date.now() + 86_400_000), zone).slice(0, 10)}T09:00`;
}
