/** The frame of the settings: one area, with the way to each of its pages at the side. */
import '../../ui/input-styles.ts';
import { Link, useRouterState } from '@tanstack/react-router';
import { organizations } from '@trellis/schema/resources/organizations.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal, useRightRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import shared from '../../ui/shared.module.css';
import { organizationPath } from '../events/subject.tsx';
import styles from './SettingsPage.module.css';
import { texts } from './texts.ts';

interface Props {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsPage({ title, actions, children }: Props) {
  const text = useText();
  return (
    <>
      <PageHead
        title={title}
        up={{ label: text('settings.title'), href: '/settings' }}
        {...(actions === undefined ? {} : { actions })}
      />
      <div className={styles.area}>
        <AreaNavigation />
        <div className={shared.fields}>{children}</div>
      </div>
    </>
  );
}

/** The pages of the settings, with why one may not open some of them; null: one may. */
export function useSettingsPages() {
  const text = useText();
  const featureText = useFeatureText(texts);
  const names = useNames();
  const refusal = useRefusal();
  const refusalOf = useRightRefusal();
  const [members, roles, tokens] = ['members', 'roles', 'tokens'].map(resourceByName);
  const readRefusal = (resource: typeof members) =>
    resource === undefined ? null : refusal(resource, 'read');
  return [
    {
      href: organizationPath,
      label: featureText('organization'),
      refusal: refusalOf(rightFor(organizations, 'read')),
      also: [],
    },
    {
      href: '/members',
      label: names.plural(resourceByName('members')),
      refusal: readRefusal(members),
      also: [],
    },
    {
      href: '/invitations',
      label: names.plural(resourceByName('invitations')),
      refusal: readRefusal(resourceByName('invitations')),
      also: [],
    },
    { href: '/roles', label: featureText('roles'), refusal: readRefusal(roles), also: [] },
    { href: '/clients', label: featureText('access'), refusal: readRefusal(tokens), also: ['/tokens'] },
    { href: '/sessions', label: text('sessions.title'), refusal: null, also: [] },
    { href: '/account', label: text('account.title'), refusal: null, also: [] },
  ] as const;
}

function AreaNavigation() {
  const featureText = useFeatureText(texts);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const navigation = useRef<HTMLElement>(null);
  // On a narrow screen the pages stand in one line, which is longer than the screen.
  useEffect(() => {
    const line = navigation.current;
    const shown = line?.querySelector<HTMLElement>('[aria-current]');
    if (line && shown) line.scrollLeft = shown.offsetLeft + shown.offsetWidth / 2 - line.clientWidth / 2;
  });
  return (
    <nav ref={navigation} className={styles.navigation} aria-label={featureText('areas')}>
      <ul className={`${shared.list} ${styles.pages}`}>
        {useSettingsPages().map(({ href, label, refusal, also }) => {
          const isShown = [href, ...also].some((start) => path === start || path.startsWith(`${start}/`));
          return (
            <li key={href}>
              <Link
                to={href as string}
                className={shared.item}
                aria-current={isShown ? 'page' : undefined}
                title={refusal ?? undefined}
              >
                {label}
                {refusal !== null && <Icon name="lock" size={13} />}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
