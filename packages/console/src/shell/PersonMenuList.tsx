/** The menu of the person: sign-in methods, keys, colours, signing out. */
import { Menu, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useWorkspace } from '../app/workspace.ts';
import { Icon } from '../parts/icons.tsx';
import { useSignOut } from '../sign-in/use-sign-out.ts';
import { useText } from '../text/text.ts';
import { useChanges } from '../waiting/changes.ts';

interface Props {
  readonly button: ReactElement;
  readonly openKeys: () => void;
}

const schemes = ['auto', 'light', 'dark'] as const;

export function PersonMenuList({ button, openKeys }: Props) {
  const text = useText();
  const { email } = useWorkspace().signedIn.user;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const { leave } = useChanges();
  return (
    <Menu width={224} position="top-start" defaultOpened>
      <Menu.Target>{button}</Menu.Target>
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
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => leave(() => signOut.mutate())}>
          {text('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
