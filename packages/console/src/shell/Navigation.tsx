/** The navigation: the organization, the palette, resources by module, and the person. What one may not read says why. */
import { Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { resources } from '@trellis/schema/resources/index.ts';
import { modules, type Resource } from '@trellis/schema/resources/resource.ts';
import type { Organization } from '../api/sign-in.ts';
import { useWorkspace } from '../app/workspace.ts';
import { particularOf } from '../particular/registry.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import hidden from '../parts/Refusable.module.css';
import { collectionPath } from '../records/places.ts';
import { useRefusal } from '../rights/missing-right.ts';
import { useSignOut } from '../sign-in/OrganizationPage.tsx';
import { useNames } from '../text/names.ts';
import { type TextId, useText } from '../text/text.ts';
import { modKey } from './keys.ts';
import styles from './Navigation.module.css';

interface Props {
  readonly organizations: readonly Organization[];
  readonly choose: (id: string) => void;
  readonly openPalette: () => void;
  readonly openKeys: () => void;
}

/** The resources of each module, those that belong to no module last. */
export const groups: readonly { readonly label: TextId; readonly resources: readonly Resource[] }[] = [
  ...modules.map((module) => ({
    label: `module.${module}` as const,
    resources: resources.filter((resource) => resource.module === module),
  })),
  { label: 'module.none' as const, resources: resources.filter(({ module }) => module === null) },
].filter((group) => group.resources.length > 0);

export function Navigation({ organizations, choose, openPalette, openKeys }: Props) {
  const text = useText();
  const names = useNames();
  const refusal = useRefusal();
  return (
    <nav className={styles.navigation} aria-label={text('shell.navigation')}>
      <div className={styles.top}>
        <OrganizationMenu organizations={organizations} choose={choose} />
        <button type="button" className={styles.search} onClick={openPalette}>
          <Icon name="search" size={15} />
          <span>{text('palette.open')}</span>
          <kbd className={styles.key}>{modKey}K</kbd>
        </button>
      </div>
      <div className={styles.groups}>
        <ul className={styles.list}>
          <li>
            <Item to="/" icon="home" label={text('home.title')} exact />
          </li>
        </ul>
        {groups.map((group) => (
          <section key={group.label} aria-label={text(group.label)}>
            <h2 className={styles.group}>{text(group.label)}</h2>
            <ul className={styles.list}>
              {group.resources.map((resource) => (
                <li key={resource.name}>
                  <Item
                    to={collectionPath(resource, null)}
                    icon={particularOf(resource.name).icon ?? 'list'}
                    label={names.plural(resource)}
                    refusal={refusal(resource, 'read')}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <PersonMenu openKeys={openKeys} />
    </nav>
  );
}

interface ItemProps {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
  /** Null or absent: it may be opened. */
  readonly refusal?: string | null;
  readonly exact?: boolean;
}

function Item({ to, icon, label, refusal = null, exact = false }: ItemProps) {
  if (refusal !== null) {
    return (
      <Tooltip
        label={refusal}
        position="right"
        events={{ hover: true, focus: true, touch: true }}
        multiline
        maw={280}
      >
        <button type="button" className={styles.item} aria-disabled data-refused>
          <Icon name={icon} size={15} />
          <span>
            {label}
            <span className={hidden.hidden}>. {refusal}</span>
          </span>
          <Icon name="lock" size={13} />
        </button>
      </Tooltip>
    );
  }
  return (
    <Link
      to={to}
      className={styles.item}
      activeOptions={{ exact, includeSearch: false }}
      activeProps={{ 'data-active': true }}
    >
      <Icon name={icon} size={15} />
      <span>{label}</span>
    </Link>
  );
}

function OrganizationMenu({ organizations, choose }: Pick<Props, 'organizations' | 'choose'>) {
  const text = useText();
  const { organization } = useWorkspace();
  const navigate = useNavigate();
  const name = (
    <>
      <span className={styles.initial} aria-hidden="true">
        {organization.name.slice(0, 1).toUpperCase()}
      </span>
      <span className={styles.organizationName}>{organization.name}</span>
    </>
  );
  if (organizations.length < 2) return <div className={styles.organization}>{name}</div>;
  return (
    <Menu width={220} position="bottom-start">
      <Menu.Target>
        <button
          type="button"
          className={styles.organization}
          aria-label={text('organization.switch', { name: organization.name })}
        >
          {name}
          <Icon name="chevronDown" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {organizations.map(({ id, name: label }) => (
          <Menu.Item
            key={id}
            rightSection={id === organization.id && <Icon name="check" size={14} />}
            onClick={() => {
              if (id === organization.id) return;
              choose(id);
              void navigate({ to: '/' });
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function PersonMenu({ openKeys }: Pick<Props, 'openKeys'>) {
  const text = useText();
  const { signedIn, organization } = useWorkspace();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const names = useNames();
  const { name, email } = signedIn.user;
  const schemes = ['auto', 'light', 'dark'] as const;
  return (
    <Menu width={224} position="top-start">
      <Menu.Target>
        <button type="button" className={styles.person}>
          <span className={hidden.hidden}>{text('person.menu')}</span>
          <span className={styles.initial} aria-hidden="true" data-round>
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.personText}>
            <span className={styles.personName}>{name}</span>
            <span className={styles.personRole}>{names.value(organization.role)}</span>
          </span>
          <Icon name="more" size={15} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<Icon name="key" />}>
          {text('account.title')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="keyboard" />} onClick={openKeys}>
          {text('keys.title')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{text('theme.title')}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            leftSection={<Icon name={scheme === 'dark' ? 'moon' : scheme === 'light' ? 'sun' : 'globe'} />}
            rightSection={scheme === colorScheme && <Icon name="check" size={14} />}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
          >
            {text(`theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => signOut.mutate()}>
          {text('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
