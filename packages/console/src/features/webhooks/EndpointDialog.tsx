/** Makes or changes an endpoint. */

import { Button, MultiSelect, NativeSelect, Pill, Stack, TextInput } from '@mantine/core';
import { requestOf } from '@trellis/client/api-client.ts';
import type { WebhookEndpoint } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { useState } from 'react';
import { type Draft, faultsAt, withValue } from '../../fields/draft.ts';
import { MultipleSelect } from '../../fields/MultipleSelect.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import {
  EventTypeName,
  filterEventTypes,
  renderEventType,
  useEventTypeChoices,
  useEventTypeName,
} from '../events/EventTypes.tsx';
import { texts } from './texts.ts';
import styles from './Webhooks.module.css';

/** An endpoint as a response shows it; one that was just made has its secret. */
export type EndpointResponse = WebhookEndpoint & { readonly secret?: string };

interface Props {
  /** Null for a new one. */
  readonly endpoint: WebhookEndpoint | null;
  readonly close: () => void;
  readonly saved: (endpoint: EndpointResponse) => void;
}

const empty = { url: '', eventTypes: [], siteIds: null, payload: 'THIN', description: null } as const;

export function EndpointDialog({ endpoint, close, saved }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const nameOf = useEventTypeName();
  const choices = useEventTypeChoices();
  const stored: Pick<WebhookEndpoint, keyof typeof empty> = endpoint ?? empty;
  const [draft, setDraft] = useState<Draft>({});
  const shown = { ...stored, ...draft } as typeof stored;
  const set = (name: keyof typeof stored, value: unknown) =>
    setDraft(withValue(draft, name, value, stored[name]));
  const resource = resourceByName('webhook-endpoints');
  const save = useWrite<EndpointResponse>({
    written: { resource, record: endpoint },
    changes: [recordKeys.all(resource)],
    done: saved,
  });
  const faults = faultsOf(save.failure, names);
  return (
    <Dialog onClose={close} size={560} title={featureText(endpoint === null ? 'add' : 'edit')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (endpoint === null) {
            save.mutate(requestOf('createWebhookEndpoint', { body: { ...empty, ...draft } }));
            return;
          }
          const given = { path: { id: endpoint.id }, ifMatch: etagOf(endpoint.version) };
          save.mutate(requestOf('updateWebhookEndpoint', { ...given, body: draft }));
        }}
      >
        <Stack gap="md">
          {faults.length === 0 && <FailureNotice error={save.failure} />}
          <TextInput
            label={featureText('url')}
            description={featureText('urlAbout')}
            placeholder="https://"
            data-autofocus
            value={shown.url}
            error={faultsAt(faults, '/url')}
            onChange={(event) => set('url', event.currentTarget.value)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <MultiSelect
            label={featureText('types')}
            description={featureText('typesAbout')}
            data={[{ value: '*', label: nameOf('*') }, ...choices]}
            searchable
            selectFirstOptionOnChange
            hidePickedOptions
            filter={filterEventTypes}
            renderOption={renderEventType}
            renderPill={({ value, onRemove }) => (
              <Pill className={styles.type ?? ''} withRemoveButton onRemove={() => onRemove?.()}>
                <EventTypeName type={String(value)} />
              </Pill>
            )}
            nothingFoundMessage={featureText('noType')}
            maxDropdownHeight={260}
            value={[...shown.eventTypes]}
            error={faults.find(({ pointer }) => pointer?.startsWith('/eventTypes'))?.detail}
            onChange={(types) => set('eventTypes', types)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <NativeSelect
            label={featureText('sites')}
            data={[
              { value: 'all', label: featureText('allSites') },
              { value: 'some', label: featureText('someSites') },
            ]}
            value={shown.siteIds === null ? 'all' : 'some'}
            onChange={(event) =>
              set('siteIds', event.currentTarget.value === 'all' ? null : (stored.siteIds ?? []))
            }
          />
          {shown.siteIds !== null && (
            <MultipleSelect
              target={resourceByName('sites')}
              parentId={null}
              label={featureText('chosenSites')}
              description={featureText('chosenSitesAbout')}
              value={shown.siteIds}
              fault={faults.find(({ pointer }) => pointer?.startsWith('/siteIds'))?.detail ?? null}
              onChange={(ids) => set('siteIds', ids)}
            />
          )}
          <NativeSelect
            label={featureText('payload')}
            data={[
              { value: 'THIN', label: featureText('thin') },
              { value: 'FULL', label: featureText('full') },
            ]}
            value={shown.payload}
            error={faultsAt(faults, '/payload')}
            onChange={(event) => set('payload', event.currentTarget.value)}
          />
          <TextInput
            label={featureText('description')}
            value={shown.description ?? ''}
            error={faultsAt(faults, '/description')}
            onChange={(event) => {
              const { value } = event.currentTarget;
              set('description', value === '' ? null : value);
            }}
          />
          <div className={styles.end}>
            <Button variant="default" onClick={close}>
              {text('cancel')}
            </Button>
            <Button
              type="submit"
              loading={save.isPending}
              disabled={endpoint !== null && Object.keys(draft).length === 0}
            >
              {featureText(endpoint === null ? 'create' : 'save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}
