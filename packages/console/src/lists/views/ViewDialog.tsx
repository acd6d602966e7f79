/** Asks for the name and visibility of a new or existing view. */

import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { faultsAt } from '../../fields/draft.ts';
import { usePendingChanges } from '../../outbox/edit/use-changes.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import type { View } from '../view.ts';
import { contentsOf, type SavedView, savedViews } from './saved-view.ts';
import { texts } from './texts.ts';
import { useViewWrite } from './use-view-write.ts';

interface Props {
  readonly resource: Resource;
  /** The current state of the list, which a new view saves. */
  readonly view: View;
  /** Null: a new one. */
  readonly saved: SavedView | null;
  readonly close: () => void;
  readonly done: (saved: SavedView) => void;
}

export function ViewDialog({ resource, view, saved, close, done }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const refusal = useRefusal();
  const { obstacle } = usePendingChanges();
  const write = useViewWrite();
  const [name, setName] = useState(saved?.name ?? '');
  const [shared, setShared] = useState(saved?.shared ?? false);
  const [isTried, setIsTried] = useState(false);
  const mayShare = refusal(savedViews, 'publish') === null;
  const isTaken = isProblem(write.error, 'conflict');
  const faults = faultsOf(write.error, names);
  const nameFault = isTaken
    ? featureText('nameTaken')
    : isTried && name.trim() === ''
      ? featureText('nameMissing')
      : faultsAt(faults, '/name');
  const submit = () => {
    setIsTried(true);
    if (name.trim() === '') return;
    const described = { name, shared };
    const body =
      saved === null ? { ...described, resource: resource.name, ...contentsOf(resource, view) } : described;
    write.mutate(
      { view: saved, body },
      {
        onSuccess: (written) => {
          if (written === null) close();
          else done(written);
        },
      },
    );
  };
  return (
    <Dialog onClose={close} title={featureText(saved === null ? 'newTitle' : 'editTitle')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          {nameFault === null && <FailureNotice error={write.error} />}
          {write.isPending && obstacle !== null && (
            <Notice kind="hint" icon="clock">
              {featureText('kept')}
            </Notice>
          )}
          <TextInput
            label={featureText('name')}
            placeholder={featureText('namePlaceholder')}
            autoComplete="off"
            maxLength={200}
            data-autofocus
            value={name}
            error={nameFault}
            readOnly={write.isPending}
            onChange={(event) => {
              setName(event.currentTarget.value);
              write.reset();
            }}
          />
          <Checkbox
            label={featureText('share')}
            description={featureText(mayShare ? 'shareAbout' : 'sharingRefused')}
            checked={shared}
            disabled={!mayShare || write.isPending}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={close}>
              {text('cancel')}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {featureText('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
