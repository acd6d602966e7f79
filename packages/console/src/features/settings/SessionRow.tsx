/** A session: in which browser, since when and how somebody is signed in, and when it was last used. */
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Person } from '../../fields/Person.tsx';
import { useFeatureText } from '../../text/feature.ts';
import { Moment } from '../../ui/Moment.tsx';
import shared from '../../ui/shared.module.css';
import { useMethodNames } from '../events/methods.ts';
import { texts } from './texts.ts';

interface Props {
  /** Instants are RFC 3339. */
  readonly session: {
    /** Empty if the browser names neither itself nor its system. */
    readonly device: string;
    readonly methods: readonly string[];
    readonly authenticatedAt: string;
    readonly lastUsedAt: string;
  };
  /** Whose it is, where that is not said otherwise. */
  readonly userId?: string;
  readonly isCurrent?: boolean;
  /** Its actions. */
  readonly children: ReactNode;
}

export function SessionRow({ session, userId, isCurrent = false, children }: Props) {
  const featureText = useFeatureText(texts);
  const device = useDeviceName(session.device);
  const methodNames = useMethodNames();
  return (
    <li className={shared.row}>
      <div className={shared.main}>
        <span className={shared.name}>
          {userId === undefined ? device : <Person id={userId} />}{' '}
          {isCurrent && <span className={shared.badge}>{featureText('thisSession')}</span>}
        </span>
        <span className={shared.note}>
          {userId !== undefined && `${device} · `}
          {featureText('signedInBy', { methods: methodNames(session.methods) })} ·{' '}
          <Moment value={session.authenticatedAt} />
        </span>
      </div>
      <span className={shared.fact}>
        {featureText('lastSeen')} <Moment value={session.lastUsedAt} />
      </span>
      <Group justify="flex-end" flex="0 0 96px" ms="auto">
        {children}
      </Group>
    </li>
  );
}

/** What a browser is called. @param device as sessions name it */
export function useDeviceName(device: string): string {
  const featureText = useFeatureText(texts);
  return device === '' ? featureText('unknownDevice') : device;
}

/** Asks whether a session is to end. */
export function EndButton({ device, ask }: { readonly device: string; readonly ask: () => void }) {
  const featureText = useFeatureText(texts);
  const name = useDeviceName(device);
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={featureText('endSessionOn', { device: name })}
      onClick={ask}
    >
      {featureText('endSession')}
    </Button>
  );
}
