/** The buttons of the organization and of the person. Their menus are loaded when they are first wanted. */
import { Box, VisuallyHidden } from '@mantine/core';
import { type ComponentProps, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { Organization } from '../api/sign-in.ts';
import { useRoleName } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import shared from '../ui/shared.module.css';
import styles from './Navigation.module.css';

const loadOrganizationMenu = () => import('./OrganizationMenuList.tsx');
const OrganizationMenuList = lazy(() =>
  loadOrganizationMenu().then((module) => ({ default: module.OrganizationMenuList })),
);
const loadPersonMenu = () => import('./PersonMenuList.tsx');
const PersonMenuList = lazy(() => loadPersonMenu().then((module) => ({ default: module.PersonMenuList })));

interface OrganizationMenuProps {
  readonly organizations: readonly Organization[];
  readonly choose: (id: string) => void;
}

export function OrganizationMenu({ organizations, choose }: OrganizationMenuProps) {
  const text = useText();
  const { organization } = useWorkspace();
  const name = (
    <>
      <span className={styles.initial} aria-hidden="true">
        {organization.name.slice(0, 1).toUpperCase()}
      </span>
      <Box component="span" className={`${shared.cut} ${shared.title}`} flex={1}>
        {organization.name}
      </Box>
    </>
  );
  if (organizations.length < 2) return <div className={`${shared.item} ${styles.organization}`}>{name}</div>;
  return (
    <WithMenu
      load={loadOrganizationMenu}
      button={(props) => (
        <button
          {...props}
          type="button"
          className={`${shared.item} ${styles.organization}`}
          aria-label={text('organization.switch', { name: organization.name })}
        >
          {name}
          <Icon name="chevronDown" size={14} />
        </button>
      )}
      menu={(button) => (
        <OrganizationMenuList button={button} organizations={organizations} choose={choose} />
      )}
    />
  );
}

export function PersonMenu({ openKeys }: { readonly openKeys: () => void }) {
  const text = useText();
  const role = useRoleName();
  const { signedIn } = useWorkspace();
  const { name } = signedIn.user;
  return (
    <WithMenu
      load={loadPersonMenu}
      button={(props) => (
        <button {...props} type="button" className={`${shared.item} ${styles.person}`}>
          <VisuallyHidden>{text('person.menu')}</VisuallyHidden>
          <span className={styles.initial} aria-hidden="true" data-round>
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.personText}>
            <span className={`${shared.cut} ${shared.label}`}>{name}</span>
            <span className={shared.small}>{role}</span>
          </span>
          <Icon name="more" size={15} />
        </button>
      )}
      menu={(button) => <PersonMenuList button={button} openKeys={openKeys} />}
    />
  );
}

interface WithMenuProps {
  /** Loads the menu, starting when the button is hovered or focused. */
  readonly load: () => Promise<unknown>;
  readonly button: (props: ComponentProps<'button'>) => ReactElement;
  /** The menu, open, with its button. */
  readonly menu: (button: ReactElement) => ReactNode;
}

function WithMenu({ load, button, menu }: WithMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const preload = () => {
    // A failed load is retried by the click.
    load().catch(() => undefined);
  };
  const closed = button({
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onPointerEnter: preload,
    onFocus: preload,
  });
  return isWanted ? <Suspense fallback={closed}>{menu(button({}))}</Suspense> : closed;
}
