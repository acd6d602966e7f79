/** The command palette: finds pages immediately, and records of every readable resource while the user types. */
import { Box, Loader, Modal, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { organizations } from '@trellis/schema/resources/organizations.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useChanges } from '../outbox/edit/use-changes.ts';
import { resources } from '../resources/declared.ts';
import { useListRefusal } from '../resources/list-refusal.ts';
import { collectionPath, parentIdOf, recordPathOf } from '../resources/places.ts';
import { presentationOf } from '../resources/presentation.ts';
import { useRefusal, useRightRefusal } from '../session/missing-right.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import shared from '../ui/shared.module.css';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { furtherPages } from './further-pages.ts';
import styles from './Palette.module.css';
import { useFoundRecords } from './use-found-records.ts';

interface Entry {
  readonly key: string;
  readonly group: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail?: string;
  /** Whether it opens another page, which then has the focus. */
  readonly isPage?: boolean;
  readonly run: () => void;
}

interface Props {
  readonly opened: boolean;
  readonly close: () => void;
  readonly openKeys: () => void;
}

export function Palette({ opened, close, openKeys }: Props) {
  const text = useText();
  const giveUpFocus = useReturnFocus();
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      size={560}
      yOffset="12vh"
      centered={false}
      transitionProps={{ duration: 80 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={text('palette.open')}>
        <Modal.Body p={0}>
          <PaletteContent close={close} giveUpFocus={giveUpFocus} openKeys={openKeys} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface ContentProps extends Omit<Props, 'opened'> {
  readonly giveUpFocus: () => void;
}

function PaletteContent({ close, giveUpFocus, openKeys }: ContentProps) {
  const text = useText();
  const id = useId();
  const [query, setQuery] = useState('');
  const [activeIndex, setActiveIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // The dialog sets the focus a moment later, and keystrokes until then would be lost.
  useLayoutEffect(() => input.current?.focus(), []);
  const [actions] = useState(findPageActions);
  const screens = useScreens(openKeys);
  const found = useRecordEntries(query);
  const words = query.trim().toLowerCase();
  const own = actions
    .filter(({ label }) => !screens.some((screen) => screen.label === label))
    .map((action): Entry => ({ ...action, group: text('palette.page'), icon: 'chevronRight' }));
  // What is typed names a page more often than an action.
  const known = words === '' ? [...own, ...screens] : [...screens, ...own];
  const entries: readonly Entry[] = [
    ...known.filter(({ label }) => label.toLowerCase().includes(words)),
    ...found.entries,
  ];
  const active = Math.min(activeIndex, entries.length - 1);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    if (entry.isPage === true) giveUpFocus();
    close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActiveIndex((active + step + entries.length) % Math.max(entries.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[active]);
    }
  };
  return (
    <div>
      <div className={styles.head}>
        <Icon name="search" />
        <input
          className={`${shared.plain} ${styles.input}`}
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length > 0 ? `${id}-${active}` : undefined}
          aria-label={text('palette.open')}
          placeholder={text('palette.placeholder')}
          data-autofocus
          ref={input}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActiveIndex(0);
          }}
          onKeyDown={onKeyDown}
        />
        {found.isSearching && <Loader size={14} aria-label={text('loading')} />}
      </div>
      <div
        className={`${shared.scroll} ${styles.list}`}
        id={`${id}-list`}
        role="listbox"
        aria-label={text('palette.open')}
        ref={list}
      >
        {entries.map((entry, index) => (
          <div key={entry.key} role="presentation">
            {entry.group !== entries[index - 1]?.group && (
              <Box className={shared.small} p="10px 10px 4px" role="presentation">
                {entry.group}
              </Box>
            )}
            <div
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              data-index={index}
              className={`${shared.item} ${styles.entry}`}
              onClick={() => run(entry)}
              onMouseMove={() => setActiveIndex(index)}
            >
              <Icon name={entry.icon} />
              <span className={shared.cut}>{entry.label}</span>
              {entry.detail !== undefined && (
                <span className={`${shared.small} ${shared.cut} ${styles.detail}`}>{entry.detail}</span>
              )}
            </div>
          </div>
        ))}
      </div>
      {entries.length === 0 && !found.isSearching && (
        <Box component="p" className={shared.about} p="12px 16px 20px" role="status">
          {text('palette.none', { query })}
        </Box>
      )}
      {found.failed && (
        <Box component="p" className={shared.about} p="12px 16px 20px" role="alert">
          {text('palette.failed')}
        </Box>
      )}
    </div>
  );
}

/** The actions in the head of the page, as its buttons name them. */
function findPageActions(): readonly Pick<Entry, 'key' | 'label' | 'run'>[] {
  const buttons = document.querySelectorAll<HTMLElement>('[data-page-actions] :is(button, a[href])');
  return [...buttons].flatMap((button, index) => {
    const label = (button.ariaLabel ?? button.textContent).trim();
    const isRefused = button.matches(':disabled, [data-disabled], [aria-disabled="true"]');
    if (label === '' || isRefused || !button.checkVisibility()) return [];
    const press = () => {
      button.focus({ preventScroll: true });
      button.click();
    };
    // Once the palette is gone, since it keeps the focus within itself.
    return [{ key: `action ${index}`, label, run: () => void setTimeout(press) }];
  });
}

/** Screens and commands. */
function useScreens(openKeys: () => void): readonly Entry[] {
  const text = useText();
  const names = useNames();
  const refusal = useListRefusal();
  const refusalOfAction = useRefusal();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { leave } = useChanges();
  const { setColorScheme } = useMantineColorScheme();
  const refusalOf = useRightRefusal();
  const go = (to: string) => () => void navigate({ to });
  const screen = (icon: IconName, label: string, to: string): Entry => ({
    key: to,
    group: text('palette.screens'),
    icon,
    label,
    isPage: true,
    run: go(to),
  });
  const command = (icon: IconName, label: string, run: () => void): Entry => ({
    key: label,
    group: text('palette.commands'),
    icon,
    label,
    run,
  });
  const readable = resources.filter((resource) => refusal(resource) === null);
  const creatable = resources.filter(
    (resource) => refusalOfAction(resource, 'create') === null && refusal(resource) === null,
  );
  return [
    screen('home', text('home.title'), '/'),
    screen('list', text('events.title'), '/events'),
    screen('globe', text('visitors.title'), '/visitors'),
    ...furtherPages
      .filter(({ resource }) => refusal(resource) === null)
      .map(({ icon, title, to }) => screen(icon, text(title), to)),
    screen('trash', text('trash.title'), '/trash'),
    screen('upload', text('import.title'), '/import'),
    screen('columns', text('settings.title'), '/settings'),
    ...(refusalOf(rightFor(organizations, 'read')) === null
      ? [screen('columns', text('palette.organization'), '/organization')]
      : []),
    ...readable.map((resource) =>
      screen(presentationOf(resource).icon ?? 'list', names.plural(resource), collectionPath(resource, null)),
    ),
    screen('key', text('account.title'), '/account'),
    screen('clock', text('sessions.title'), '/sessions'),
    ...creatable.map((resource) =>
      command(
        'plus',
        text(presentationOf(resource).createText ?? 'record.new', { name: names.noun(resource) }),
        go(`${collectionPath(resource, null)}/new`),
      ),
    ),
    ...(['light', 'dark', 'auto'] as const).map((scheme) =>
      command(scheme === 'dark' ? 'moon' : 'sun', `${text('theme.title')}: ${text(`theme.${scheme}`)}`, () =>
        setColorScheme(scheme),
      ),
    ),
    command('keyboard', text('keys.title'), openKeys),
    command('signOut', text('signOut'), () => leave(() => signOut.mutate())),
  ];
}

/** The entries of records that are found for a text. */
function useRecordEntries(query: string) {
  const names = useNames();
  const navigate = useNavigate();
  const { found, isSearching, failed } = useFoundRecords(query);
  const entries = found.map(
    ({ resource, parentId, record }): Entry => ({
      key: record.id,
      group: names.plural(resource),
      icon: presentationOf(resource).icon ?? 'list',
      label: record.title,
      ...(record.detail === null ? {} : { detail: record.detail }),
      isPage: true,
      run: () =>
        void navigate({
          to: recordPathOf(resource, parentIdOf(resource, record.record) ?? parentId, record.id),
        }),
    }),
  );
  return { entries, isSearching, failed };
}
