/** One's passkeys. */
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { type Factors, signInApi } from '../../api/sign-in.ts';
import { addPasskey, hasPasskeys, PasskeyCancelled } from '../../session/passkeys.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useText } from '../../text/text.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { Section, useFactorChange } from './Section.tsx';
import { texts } from './texts.ts';

export function PasskeySection({ factors }: { readonly factors: Factors }) {
  const text = useText();
  const featureText = useFeatureText(texts);
  const { formatDate } = useIntl();
  const [name, setName] = useState<string | null>(null);
  const create = useFactorChange(addPasskey);
  const remove = useFactorChange((id: string) => signInApi.removePasskey(id));
  const failure =
    create.failure instanceof PasskeyCancelled ? remove.failure : (create.failure ?? remove.failure);
  return (
    <Section
      title={featureText('passkeys')}
      about={featureText(hasPasskeys() ? 'passkeysAbout' : 'passkeysMissing')}
      action={
        name === null &&
        hasPasskeys() && (
          <Button variant="default" onClick={() => setName('')}>
            {featureText('addPasskey')}
          </Button>
        )
      }
    >
      <FailureNotice error={failure} />
      {factors.passkeys.map((passkey) => (
        <div key={passkey.id} className={`${shared.box} ${shared.spread}`}>
          <span>
            {passkey.name}{' '}
            <span className={shared.about}>
              {passkey.lastUsedAt === null
                ? featureText('neverUsed')
                : featureText('lastUsed', { date: formatDate(passkey.lastUsedAt, { dateStyle: 'medium' }) })}
            </span>
          </span>
          <Button
            variant="subtle"
            color="gray"
            aria-label={featureText('removePasskey', { name: passkey.name })}
            disabled={remove.isPending}
            onClick={() => remove.mutate(passkey.id)}
          >
            {text('remove')}
          </Button>
        </div>
      ))}
      {name !== null && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate(name, { onSuccess: () => setName(null) });
          }}
        >
          <Stack gap="md" maw={380}>
            <TextInput
              label={featureText('passkeyName')}
              description={featureText('passkeyNameHint')}
              autoFocus
              required
              withAsterisk={false}
              maxLength={120}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Group gap={8}>
              <Button type="submit" loading={create.isPending}>
                {featureText('createPasskey')}
              </Button>
              <Button variant="default" onClick={() => setName(null)}>
                {text('cancel')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  );
}
