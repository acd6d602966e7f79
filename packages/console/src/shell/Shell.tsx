/** The frame of all pages behind the sign-in: navigation at the left, on narrow screens in a drawer. */
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Organization } from '../api/sign-in.ts';
import { PendingStatus } from '../pending/PendingStatus.tsx';
import { useWorkspace } from '../session/workspace.ts';
import { useText } from '../text/text.ts';
import { Icon, Logo } from '../ui/icons.tsx';
import { readSingleKeys } from '../ui/keys.ts';
import shared from '../ui/shared.module.css';
import { useToast } from '../ui/toasts/toasts.ts';
import { Navigation } from './Navigation.tsx';
import styles from './Shell.module.css';
import { ViewedRole } from './ViewedRole.tsx';

// Loaded when they are first opened.
const loadPalette = () => import('./Palette.tsx').then((module) => ({ default: module.Palette }));
const Palette = lazy(loadPalette);
const NavigationDrawer = lazy(() =>
  import('./NavigationDrawer.tsx').then((module) => ({ default: module.NavigationDrawer })),
);
const ToastArea = lazy(() =>
  import('../ui/toasts/ToastArea.tsx').then((module) => ({ default: module.ToastArea })),
);
const KeysDialog = lazy(() => import('./KeysDialog.tsx').then((module) => ({ default: module.KeysDialog })));

interface Props {
  readonly organizations: readonly Organization[];
  readonly choose: (id: string) => void;
}

export function Shell({ organizations, choose }: Props) {
  const text = useText();
  const [drawer, setDrawer] = useDisclosure(false);
  // Beside the navigation of a window that has become wide it would be there twice.
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const [palette, setPalette] = useDisclosure(false);
  useEffect(() => {
    // The first key of the shortcut loads the palette, so that what is typed after it is not lost. A failure is met again when
    // it is opened.
    const load = (event: KeyboardEvent) => {
      if (event.key === 'Control' || event.key === 'Meta') void loadPalette().catch(() => undefined);
    };
    window.addEventListener('keydown', load);
    return () => window.removeEventListener('keydown', load);
  }, []);
  const [keys, setKeys] = useDisclosure(false);
  const [singleKeys, setSingleKeys] = useState(readSingleKeys);
  useHotkeys([['mod+K', setPalette.toggle]], [], true);
  useHotkeys(
    singleKeys
      ? [
          ['shift+?', setKeys.open],
          ['?', setKeys.open],
        ]
      : [],
  );
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [shownPath, setShownPath] = useState(path);
  if (shownPath !== path) {
    setShownPath(path);
    setDrawer.close();
  }
  const navigation = (
    <Navigation
      organizations={organizations}
      choose={choose}
      openPalette={setPalette.open}
      openKeys={setKeys.open}
    />
  );
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {text('shell.skip')}
      </a>
      <div className={styles.bar}>
        <button
          type="button"
          className={`${shared.plain} ${styles.barButton}`}
          aria-label={text('shell.menu')}
          onClick={setDrawer.open}
        >
          <Icon name="menu" size={18} />
        </button>
        <div className={styles.barMiddle}>
          <Logo size={20} />
          <PendingStatus />
        </div>
        <button
          type="button"
          className={`${shared.plain} ${styles.barButton}`}
          aria-label={text('palette.open')}
          onClick={setPalette.open}
        >
          <Icon name="search" size={18} />
        </button>
      </div>
      <aside className={styles.side}>{navigation}</aside>
      <main id="content" className={styles.content} tabIndex={-1}>
        <ViewedRole />
        <Outlet />
      </main>
      <Suspense>
        <Toasts />
        {drawer && isNarrow && <NavigationDrawer close={setDrawer.close}>{navigation}</NavigationDrawer>}
        {palette && <Palette opened close={setPalette.close} openKeys={setKeys.open} />}
        {keys && (
          <KeysDialog opened close={setKeys.close} singleKeys={singleKeys} setSingleKeys={setSingleKeys} />
        )}
      </Suspense>
    </div>
  );
}

function Toasts() {
  const [isNeeded, setIsNeeded] = useState(false);
  const toast = useToast();
  const { viewedRole } = useWorkspace();
  if (toast !== null && !isNeeded) setIsNeeded(true);
  return <Suspense>{isNeeded && <ToastArea offersActions={viewedRole === null} />}</Suspense>;
}
