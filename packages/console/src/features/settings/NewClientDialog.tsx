/** Makes a client: a program, a command line, or the pages of a website. */

import { Button, NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Client } from '@trellis/client/generated/types.ts';
import { useState } from 'react';
import { faultsAt } from '../../fields/draft.ts';
import { RecordSelect } from '../../fields/RecordSelect.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import { accessKeys } from './access.ts';
import styles from './SettingsPage.module.css';
import { texts } from './texts.ts';

/** People sign in at the one client of the kind CONSOLE that there is. */
type ClientKind = Exclude<Client['kind'], 'CONSOLE'>;

const allKinds: readonly ClientKind[] = ['SERVER', 'CLI', 'BROWSER'];

interface Props {
  /** What the button that opens the dialog says. */
  readonly title?: string;
  /** Why a client is made now. */
  readonly about?: string;
  readonly close: () => void;
  /** Called in the place of `close` when there is one. */
  readonly created?: () => void;
  /** The kinds that are offered, the chosen one first. */
  readonly kinds?: readonly ClientKind[];
}

export function NewClientDialog({ title, about, close, created = close, kinds = allKinds }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const [name, setName] = useState('');
  const [kind, setKind] = useState(kinds[0] ?? 'SERVER');
  const [siteId, setSiteId] = useState<string | null>(null);
  const [origins, setOrigins] = useState<string[]>([]);
  const create = useWrite<Client>({
    written: { resource: resourceByName('clients') },
    changes: accessKeys,
    done: created,
  });
  const faults = faultsOf(create.failure, names);
  const isBrowser = kind === 'BROWSER';
  return (
    <Dialog onClose={close} title={title ?? featureText('newClient')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const body = { name, kind, ...(isBrowser ? { siteId, origins } : {}) };
          create.mutate(requestOf('createClient', { body }));
        }}
      >
        <Stack gap="md">
          {about !== undefined && <Notice kind="hint">{about}</Notice>}
          {faults.length === 0 && <FailureNotice error={create.failure} />}
          <TextInput
            label={featureText('clientName')}
            data-autofocus
            value={name}
            error={faultsAt(faults, '/name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {kinds.length > 1 && (
            <NativeSelect
              label={featureText('clientKind')}
              data={kinds.map((value) => ({ value, label: names.value(value) }))}
              value={kind}
              error={faultsAt(faults, '/kind')}
              onChange={({ currentTarget: { value } }) => setKind(kinds.find((one) => one === value) ?? kind)}
            />
          )}
          {isBrowser && (
            <>
              <RecordSelect
                resource={resourceByName('sites')}
                parentId={null}
                label={featureText('browserSite')}
                value={siteId}
                error={faultsAt(faults, '/siteId') ?? undefined}
                onChange={setSiteId}
              />
              <TagsInput
                label={featureText('browserOrigins')}
                description={featureText('browserOriginsAbout')}
                value={origins}
                error={faults.find(({ pointer }) => pointer?.startsWith('/origins'))?.detail}
                onChange={setOrigins}
                acceptValueOnBlur
                inputWrapperOrder={['label', 'input', 'description', 'error']}
              />
            </>
          )}
          <div className={styles.end}>
            <Button variant="default" onClick={close}>
              {text('cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {title === undefined ? featureText('createClient') : text('record.create')}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}
