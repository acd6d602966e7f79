/** The navigation: the organization, the palette, resources by module, and the user menu. Entries that the user may not read say why. */
import { Box, Stack, VisuallyHidden } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { hasOperation, modules, type Resource } from '@trellis/schema/resources/resource.ts';
import type { Organization } from '../api/sign-in.ts';
import { PendingStatus } from '../pending/PendingStatus.tsx';
import { resourceByName, resources } from '../resources/declared.ts';
import { useListRefusal } from '../resources/list-refusal.ts';
import { collectionPath, findPlace } from '../resources/places.ts';
import { presentationOf } from '../resources/presentation.ts';
import { readingEvents, readingVisitors, useRightRefusal } from '../session/missing-right.ts';
import { useNames } from '../text/names.ts';
import { type TextId, useText } from '../text/text.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { modKey } from '../ui/keys.ts';
import { LazyTooltip } from '../ui/LazyTooltip.tsx';
import { usePageAbove } from '../ui/page-above.ts';
import shared from '../ui/shared.module.css';
import { furtherPages } from './further-pages.ts';
import styles from './Navigation.module.css';
import { OrganizationMenu, PersonMenu } from './NavigationMenus.tsx';

interface Props {
  readonly organizations: readonly Organization[];
  readonly choose: (id: string) => void;
  readonly openPalette: () => void;
  readonly openKeys: () => void;
}

const webhooks = resourceByName('webhook-endpoints');

/** The resources that have lists. */
const listed = resources.filter((resource) => hasOperation(resource, 'list'));

/** The resources of each module. Those that belong to none are below the settings. */
const groups: readonly { readonly label: TextId; readonly resources: readonly Resource[] }[] = [
  ...modules.map((module) => ({
    label: `module.${module}` as const,
    resources: listed.filter((resource) => resource.module === module),
  })),
].filter((group) => group.resources.length > 0);

/** Paths of the settings, each below one entry. */
const settings = ['/organization', '/members', '/invitations', '/roles', '/clients', '/tokens'];

export function Navigation({ organizations, choose, openPalette, openKeys }: Props) {
  const text = useText();
  const names = useNames();
  const refusal = useListRefusal();
  const refusalOf = useRightRefusal();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const place = findPlace(path);
  const above = usePageAbove();
  const further = furtherPages.find(({ to }) => to === path || to === above);
  return (
    <nav className={styles.navigation} aria-label={text('shell.navigation')}>
      <Stack gap={8} p="10px 10px 8px">
        <OrganizationMenu organizations={organizations} choose={choose} />
        <button type="button" className={`${shared.item} ${styles.search}`} onClick={openPalette}>
          <Icon name="search" size={15} />
          <span>{text('palette.open')}</span>
          <kbd className={shared.key}>{modKey}K</kbd>
        </button>
      </Stack>
      <div className={styles.groups}>
        <ul className={shared.list}>
          <li>
            <Item to="/" icon="home" label={text('home.title')} active={path === '/'} />
          </li>
        </ul>
        {groups.map((group) => (
          <section key={group.label} aria-label={text(group.label)}>
            <h2 className={`${shared.small} ${styles.group}`}>{text(group.label)}</h2>
            <ul className={shared.list}>
              {group.resources.map((resource) => (
                <li key={resource.name}>
                  <Item
                    to={collectionPath(resource, null)}
                    icon={presentationOf(resource).icon ?? 'list'}
                    label={names.plural(resource)}
                    refusal={refusal(resource)}
                    active={further === undefined && place?.resource.name === resource.name}
                  />
                </li>
              ))}
              {furtherPages
                .filter(({ resource }) => group.resources.includes(resource))
                .map(({ resource, to, icon, title }) => (
                  <li key={to}>
                    <Item
                      to={to}
                      icon={icon}
                      label={text(title)}
                      refusal={refusal(resource)}
                      active={further?.to === to}
                    />
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <section aria-label={text('module.none')}>
          <h2 className={`${shared.small} ${styles.group}`}>{text('module.none')}</h2>
          <ul className={shared.list}>
            <li>
              <Item
                to="/events"
                icon="activity"
                label={text('events.title')}
                refusal={refusalOf(readingEvents)}
                active={path === '/events'}
              />
            </li>
            <li>
              <Item
                to={collectionPath(webhooks, null)}
                icon="webhook"
                label={names.plural(webhooks)}
                refusal={refusal(webhooks)}
                active={place?.resource.name === webhooks.name}
              />
            </li>
            <li>
              <Item
                to="/visitors"
                icon="users"
                label={text('visitors.title')}
                refusal={refusalOf(readingVisitors)}
                active={path === '/visitors'}
              />
            </li>
            <li>
              <Item to="/trash" icon="trash" label={text('trash.title')} active={path === '/trash'} />
            </li>
            <li>
              <Item
                to="/settings"
                icon="settings"
                label={text('settings.title')}
                active={settings.some((start) => path.startsWith(start)) || path === '/settings'}
              />
            </li>
          </ul>
        </section>
      </div>
      <Box p="0 10px 8px">
        <PendingStatus />
      </Box>
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
  /** Whether its page is shown. */
  readonly active: boolean;
}

function Item({ to, icon, label, refusal = null, active }: ItemProps) {
  if (refusal !== null) {
    return (
      <LazyTooltip
        label={refusal}
        position="right"
        events={{ hover: true, focus: true, touch: true }}
        multiline
        maw={280}
      >
        <button type="button" className={`${shared.item} ${styles.item}`} aria-disabled data-refused>
          <Icon name={icon} size={15} />
          <span>
            {label}
            <VisuallyHidden>. {refusal}</VisuallyHidden>
          </span>
          <Icon name="lock" size={13} />
        </button>
      </LazyTooltip>
    );
  }
  return (
    <Link
      to={to}
      // By itself it would also mark the list of a record that belongs below another entry.
      activeOptions={{ exact: true }}
      className={`${shared.item} ${styles.item}`}
      data-active={active || undefined}
      aria-current={active ? 'page' : undefined}
    >
      <Icon name={icon} size={15} />
      <span>{label}</span>
    </Link>
  );
}
