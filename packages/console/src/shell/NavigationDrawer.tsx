/** The navigation in a drawer, for narrow screens. */
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/text.ts';
import { Logo } from '../ui/icons.tsx';
import styles from './NavigationDrawer.module.css';

interface Props {
  readonly close: () => void;
  readonly children: ReactNode;
}

export function NavigationDrawer({ close, children }: Props) {
  const text = useText();
  return (
    <Drawer.Root opened onClose={close} size={280} classNames={{ content: styles.drawer ?? '' }}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={text('shell.menu')}>
        <Drawer.Body p={0} className={styles.body ?? ''}>
          <Drawer.Header className={styles.head ?? ''}>
            <Logo size={20} />
            <Drawer.CloseButton aria-label={text('close')} />
          </Drawer.Header>
          <div className={styles.navigation}>{children}</div>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
