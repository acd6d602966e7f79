/** A session: in which browser, since when and how somebody is signed in, and when it was last used. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Person } from '../../fields/Person.tsx';
import { useFeatureText } from '../../text/feature.ts';
import { Moment } from '../../ui/Moment.tsx';
import { useMethodNames } from '../events/methods.ts';
import styles from './SettingsPage.module.css';
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
  /** What can be done with it. */
  readonly children: ReactNode;
}

export function SessionRow({ session, userId, isCurrent = false, children }: Props) {
  const own = useFeatureText(texts);
  const device = useDeviceName(session.device);
  const methodNames = useMethodNames();
  return (
    <li className={styles.row}>
      <div className={styles.main}>
        <span className={styles.name}>
          {userId === undefined ? device : <Person id={userId} />}{' '}
          {isCurrent && <span className={styles.badge}>{own('thisSession')}</span>}
        </span>
        <span className={styles.detail}>
          {userId !== undefined && `${device} · `}
          {own('signedInBy', { methods: methodNames(session.methods) })} ·{' '}
          <Moment value={session.authenticatedAt} />
        </span>
      </div>
      <span className={styles.fact}>
        {own('lastSeen')} <Moment value={session.lastUsedAt} />
      </span>
      <div className={styles.action}>{children}</div>
    </li>
  );
}

/** What a browser is called. @param device as sessions name it */
export function useDeviceName(device: string): string {
  const own = useFeatureText(texts);
  return device === '' ? own('unknownDevice') : device;
}

/** Asks whether a session is to end. */
export function EndButton({ device, ask }: { readonly device: string; readonly ask: () => void }) {
  const own = useFeatureText(texts);
  const name = useDeviceName(device);
  return (
    <Button variant="default" size="xs" aria-label={own('endSessionOn', { device: name })} onClick={ask}>
      {own('endSession')}
    </Button>
  );
}
