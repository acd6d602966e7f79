/** The menu of the person: sign-in methods, keys, colours, language, signing out. */
import { Menu, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { useChanges } from '../outbox/edit/use-changes.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useLanguageChoice } from '../text/language.ts';
import type { Language } from '../text/text.ts';
import { useText } from '../text/text.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { showToast } from '../ui/toasts/toasts.ts';
import { texts } from './texts.ts';

interface Props {
  readonly button: ReactElement;
  readonly openKeys: () => void;
}

const schemes = ['auto', 'light', 'dark'] as const;
/** Each language in its own name, for those who cannot read the current one. */
const languages = [
  { language: 'en', name: 'English' },
  { language: 'de', name: 'Deutsch' },
] as const;

export function PersonMenuList({ button, openKeys }: Props) {
  const text = useText();
  const { email } = useWorkspace().signedIn.user;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const featureText = useFeatureText(texts);
  const { chosen, choose } = useLanguageChoice();
  const change = (language: Language | null) => {
    choose(language).catch(() => showToast({ kind: 'failure', message: text('problem.unreachable') }));
  };
  const signOut = useSignOut();
  const { leave } = useChanges();
  return (
    // In the navigation rather than at the end of the page, where it would be in no landmark.
    <Menu width={224} position="top-start" defaultOpened withinPortal={false}>
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
        <Choices label={text('theme.title')}>
          {schemes.map((scheme) => (
            <Choice
              key={scheme}
              value={scheme}
              isChosen={scheme === colorScheme}
              icon={scheme === 'dark' ? 'moon' : scheme === 'light' ? 'sun' : 'globe'}
              choose={() => setColorScheme(scheme)}
            >
              {text(`theme.${scheme}`)}
            </Choice>
          ))}
        </Choices>
        <Menu.Divider />
        <Choices label={featureText('language')}>
          <Choice value="auto" isChosen={chosen === null} choose={() => change(null)}>
            {featureText('likeBrowser')}
          </Choice>
          {languages.map(({ language, name }) => (
            <Choice
              key={language}
              value={language}
              isChosen={chosen === language}
              choose={() => change(language)}
            >
              <span lang={language}>{name}</span>
            </Choice>
          ))}
        </Choices>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => leave(() => signOut.mutate())}>
          {text('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Items of which one is chosen. */
function Choices({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div role="group" aria-label={label}>
      <Menu.Label aria-hidden>{label}</Menu.Label>
      {children}
    </div>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly isChosen: boolean;
  readonly icon?: IconName;
  readonly choose: () => void;
  readonly children: ReactNode;
}

function Choice({ value, isChosen, icon, choose, children }: ChoiceProps) {
  return (
    <Menu.RadioItem
      value={value}
      checked={isChosen}
      checkIcon={<Icon name="check" size={14} />}
      styles={{ itemIndicator: { width: 16 } }}
      rightSection={icon !== undefined && <Icon name={icon} />}
      onClick={choose}
    >
      {children}
    </Menu.RadioItem>
  );
}
