/** The settings of the organization itself. Only owners see them. */

import { Box, Button, Checkbox, Group, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Organization } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';
import { organizations } from '@trellis/schema/resources/organizations.ts';
import { modules } from '@trellis/schema/resources/resource.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { useState } from 'react';
import { CountrySelect } from '../../fields/CountrySelect.tsx';
import { type Draft, faultsAt, withValue } from '../../fields/draft.ts';
import { nestValues } from '../../outbox/store/fields.ts';
import { useWrite } from '../../records/use-write.ts';
import { useRightRefusal } from '../../session/missing-right.ts';
import { sessionKeys } from '../../session/session.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import shared from '../../ui/shared.module.css';
import styles from './SettingsPage.module.css';
import { SettingsPage } from './SettingsPage.tsx';
import { texts } from './texts.ts';

const key = ['v1', organizations.name, 'own'] as const;

export function OrganizationPage() {
  const featureText = useFeatureText(texts);
  const text = useText();
  const { api } = useWorkspace();
  const refusal = useRightRefusal()(rightFor(organizations, 'read'));
  const organization = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.read('getOrganization', { signal }),
    enabled: refusal === null,
    refetchOnWindowFocus: false,
  });
  return (
    <SettingsPage title={featureText('organization')}>
      {refusal !== null && <Empty icon="lock" title={text('list.forbidden')} about={refusal} />}
      <FailureNotice error={organization.error} />
      {refusal === null && organization.isPending && <Loading />}
      {organization.data !== undefined && <OrganizationForm organization={organization.data} />}
    </SettingsPage>
  );
}

function OrganizationForm({ organization }: { readonly organization: Organization }) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const { signedIn } = useWorkspace();
  const refused = useRightRefusal()(rightFor(organizations, 'update'));
  const [draft, setDraft] = useState<Draft>({});
  // The name and the modules are shown by the navigation, too.
  const save = useWrite({
    written: { resource: organizations, record: organization },
    changes: [key, sessionKeys.organizations, ['entered']],
    done: () => setDraft({}),
  });
  const faults = faultsOf(save.failure, names);
  const shown = { ...organization, ...draft } as Organization;
  const set = (name: keyof Organization, value: unknown) =>
    setDraft(withValue(draft, name, value, organization[name]));
  const isDirty = Object.keys(draft).length > 0;
  const hasOneFactor = !signedIn.session.multiFactor && shown.mfaRequired;
  return (
    <Box
      component="form"
      className={shared.fields}
      maw={560}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDirty) return;
        const ifMatch = etagOf(organization.version);
        save.mutate(requestOf('updateOrganization', { body: nestValues(Object.entries(draft)), ifMatch }));
      }}
    >
      {refused !== null && <Notice kind="hint">{refused}</Notice>}
      {faults.length === 0 && <FailureNotice error={save.failure} />}
      {save.isSuccess && !isDirty && <Notice kind="success">{featureText('saved')}</Notice>}
      <TextInput
        label={names.field('name')}
        value={shown.name}
        error={faultsAt(faults, '/name')}
        disabled={refused !== null}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <CountrySelect
        label={featureText('country')}
        description={featureText('countryAbout')}
        clearable
        value={shown.defaultCountry}
        error={faultsAt(faults, '/defaultCountry')}
        disabled={refused !== null}
        onChange={(country) => set('defaultCountry', country)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <fieldset className={`${shared.fields} ${styles.group}`}>
        <legend>{featureText('modules')}</legend>
        <p className={shared.about}>{featureText('modulesAbout')}</p>
        {modules.map((module) => (
          <Checkbox
            key={module}
            label={text(`module.${module}`)}
            checked={shown.modules.includes(module)}
            disabled={refused !== null}
            onChange={(event) => {
              const rest = shown.modules.filter((other) => other !== module);
              const chosen = event.currentTarget.checked ? [...rest, module] : rest;
              set(
                'modules',
                modules.filter((other) => chosen.includes(other)),
              );
            }}
          />
        ))}
      </fieldset>
      <Switch
        label={featureText('mfa')}
        description={featureText('mfaAbout')}
        checked={shown.mfaRequired}
        disabled={refused !== null}
        onChange={(event) => set('mfaRequired', event.currentTarget.checked)}
      />
      {hasOneFactor && <Notice kind="hint">{featureText('mfaMissing')}</Notice>}
      <Group gap={8}>
        <Button type="submit" loading={save.isPending} disabled={!isDirty}>
          {text('record.save')}
        </Button>
        {isDirty && (
          <Button variant="default" onClick={() => setDraft({})}>
            {text('record.discard')}
          </Button>
        )}
      </Group>
    </Box>
  );
}
