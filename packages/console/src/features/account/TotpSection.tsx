/** The authenticator app, and the recovery codes for who loses it. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import { isProblem } from '../../api/problem.ts';
import { type Factors, signInApi } from '../../api/sign-in.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useText } from '../../text/text.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import details from '../../ui/details.module.css';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './AccountPage.module.css';
import { Section, useFactorChange } from './Section.tsx';
import { texts } from './texts.ts';

export function TotpSection({ factors }: { readonly factors: Factors }) {
  const text = useText();
  const featureText = useFeatureText(texts);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useFactorChange(() => signInApi.beginTotp());
  const remove = useFactorChange(() => signInApi.removeTotp());
  const replace = useFactorChange(() => signInApi.replaceRecoveryCodes());
  const showCodes = (made: { readonly recoveryCodes: readonly string[] }) => {
    setCodes(made.recoveryCodes);
    begin.reset();
  };
  const about = factors.hasTotp
    ? featureText('hasTotp', { count: factors.recoveryCodesLeft })
    : featureText('noTotp');
  return (
    <Section
      title={featureText('totp')}
      about={about}
      action={
        factors.hasTotp ? (
          <Group gap={8}>
            <Button
              variant="default"
              loading={replace.isPending}
              onClick={() => replace.mutate(undefined, { onSuccess: showCodes })}
            >
              {featureText('newCodes')}
            </Button>
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
              {text('remove')}
            </Button>
          </Group>
        ) : (
          begin.data === undefined && (
            <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate(undefined)}>
              {featureText('setUpTotp')}
            </Button>
          )
        )
      }
    >
      <FailureNotice error={begin.failure ?? remove.failure ?? replace.failure} />
      {begin.data !== undefined && (
        <TotpEnrolment {...begin.data} done={showCodes} cancel={() => begin.reset()} />
      )}
      {codes !== null && (
        <Stack gap="sm">
          <Notice kind="hint">{featureText('codesShownOnce')}</Notice>
          <ul className={`${shared.list} ${shared.box} ${details.code} ${styles.codes}`}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <Group gap={8}>
            <CopyButton value={codes.join('\n')} label={featureText('copyCodes')} />
            <Button variant="default" onClick={() => setCodes(null)}>
              {featureText('codesKept')}
            </Button>
          </Group>
        </Stack>
      )}
    </Section>
  );
}

interface EnrolmentProps {
  readonly challenge: string;
  readonly secret: string;
  readonly uri: string;
  readonly done: (made: { readonly recoveryCodes: readonly string[] }) => void;
  readonly cancel: () => void;
}

function TotpEnrolment({ challenge, secret, uri, done, cancel }: EnrolmentProps) {
  const text = useText();
  const featureText = useFeatureText(texts);
  const [code, setCode] = useState('');
  const confirm = useFactorChange((value: string) => signInApi.confirmTotp(challenge, value));
  const isWrongCode = isProblem(confirm.failure, 'validation_failed');
  return (
    <form
      className={styles.enrol}
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate(code.replaceAll(' ', ''), { onSuccess: done });
      }}
    >
      <QrCode text={uri} label={featureText('qrCode')} />
      <Stack gap="md">
        <Text size="md">{featureText('scan')}</Text>
        <pre className={shared.codeBlock}>{secret}</pre>
        {!isWrongCode && <FailureNotice error={confirm.failure} />}
        <TextInput
          label={text('secondFactor.code')}
          error={isWrongCode ? featureText('wrongCode') : undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group gap={8}>
          <Button type="submit" loading={confirm.isPending}>
            {featureText('confirmTotp')}
          </Button>
          <Button variant="default" onClick={cancel}>
            {text('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A QR code as one path: a square for each dark module. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => {
    const { data } = encode(text, { border: 0 });
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size: data.length, path: squares.join('') };
  }, [text]);
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
