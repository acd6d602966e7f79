/** The command palette: finds screens at once, and records of every resource that one may read while one types. */
import { Loader, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useWorkspace } from '../app/workspace.ts';
import { particularOf } from '../particular/registry.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { collectionPath, parentIdOf, readLastParent, recordPathOf } from '../records/places.ts';
import { type Found, searchRecords } from '../records/queries.ts';
import { useRefusal } from '../rights/missing-right.ts';
import { useSignOut } from '../sign-in/OrganizationPage.tsx';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import styles from './Palette.module.css';

interface Entry {
  readonly key: string;
  readonly group: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail?: string;
  readonly run: () => void;
}

interface Props {
  readonly opened: boolean;
  readonly close: () => void;
  readonly openKeys: () => void;
}

export function Palette({ opened, close, openKeys }: Props) {
  const text = useText();
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
          <PaletteContent close={close} openKeys={openKeys} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteContent({ close, openKeys }: Omit<Props, 'opened'>) {
  const text = useText();
  const id = useId();
  const [query, setQuery] = useState('');
  const [activeIndex, setActiveIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const screens = useScreens(openKeys);
  const found = useFoundRecords(query);
  const words = query.trim().toLowerCase();
  const entries: readonly Entry[] = [
    ...screens.filter(({ label }) => label.toLowerCase().includes(words)),
    ...found.entries,
  ];
  const active = Math.min(activeIndex, entries.length - 1);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
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
    <div className={styles.palette}>
      <div className={styles.head}>
        <Icon name="search" />
        <input
          className={styles.input}
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length > 0 ? `${id}-${active}` : undefined}
          aria-label={text('palette.open')}
          placeholder={text('palette.placeholder')}
          data-autofocus
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
        className={styles.list}
        id={`${id}-list`}
        role="listbox"
        aria-label={text('palette.open')}
        ref={list}
      >
        {entries.map((entry, index) => (
          <div key={entry.key} role="presentation">
            {entry.group !== entries[index - 1]?.group && (
              <div className={styles.group} role="presentation">
                {entry.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys of the list */}
            <div
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              data-index={index}
              className={styles.entry}
              onClick={() => run(entry)}
              onMouseMove={() => setActiveIndex(index)}
            >
              <Icon name={entry.icon} />
              <span className={styles.label}>{entry.label}</span>
              {entry.detail !== undefined && <span className={styles.detail}>{entry.detail}</span>}
            </div>
          </div>
        ))}
      </div>
      {entries.length === 0 && !found.isSearching && (
        <p className={styles.none} role="status">
          {text('palette.none', { query })}
        </p>
      )}
      {found.failed && (
        <p className={styles.none} role="alert">
          {text('palette.failed')}
        </p>
      )}
    </div>
  );
}

/** Screens and commands. */
function useScreens(openKeys: () => void): readonly Entry[] {
  const text = useText();
  const names = useNames();
  const refusal = useRefusal();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const go = (to: string) => () => void navigate({ to });
  const screen = (icon: IconName, label: string, to: string): Entry => ({
    key: to,
    group: text('palette.screens'),
    icon,
    label,
    run: go(to),
  });
  const command = (icon: IconName, label: string, run: () => void): Entry => ({
    key: label,
    group: text('palette.commands'),
    icon,
    label,
    run,
  });
  const readable = resources.filter((resource) => refusal(resource, 'read') === null);
  const creatable = resources.filter((resource) => refusal(resource, 'create') === null);
  return [
    screen('home', text('home.title'), '/'),
    ...readable.map((resource) =>
      screen(
        particularOf(resource.name).icon ?? 'list',
        names.plural(resource),
        collectionPath(resource, null),
      ),
    ),
    screen('key', text('account.title'), '/account'),
    ...creatable.map((resource) =>
      command(
        'plus',
        text('record.new', { name: names.singular(resource) }),
        go(`${collectionPath(resource, null)}/new`),
      ),
    ),
    command('keyboard', text('keys.title'), openKeys),
    command('signOut', text('signOut'), () => signOut.mutate()),
  ];
}

/** The best records of each resource for a text. */
function useFoundRecords(query: string) {
  const names = useNames();
  const refusal = useRefusal();
  const navigate = useNavigate();
  const { api } = useWorkspace();
  const [settled] = useDebouncedValue(query.trim(), 150);
  const searched = useMemo(
    () =>
      resources.flatMap((resource) => {
        const parentId = resource.parent === null ? null : readLastParent(resource.parent.resource);
        return resource.parent !== null && parentId === null ? [] : [{ resource, parentId }];
      }),
    [],
  );
  const isLongEnough = settled.length >= limits.searchText.min;
  const results = useQueries({
    queries: searched.map(({ resource, parentId }) => ({
      queryKey: ['v1', 'palette', resource.name, parentId, settled],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        searchRecords(api, resource, parentId, settled, 5, signal),
      enabled: isLongEnough && refusal(resource, 'read') === null,
      staleTime: 30_000,
    })),
  });
  const entries = searched.flatMap(({ resource, parentId }, index): Entry[] =>
    (results[index]?.data ?? []).map((found: Found) => ({
      key: found.id,
      group: names.plural(resource),
      icon: particularOf(resource.name).icon ?? 'list',
      label: found.title,
      ...(found.detail === null ? {} : { detail: found.detail }),
      run: () =>
        void navigate({
          to: recordPathOf(resource, parentIdOf(resource, found.record) ?? parentId, found.id),
        }),
    })),
  );
  return {
    entries: isLongEnough ? entries : [],
    isSearching: isLongEnough && results.some(({ isFetching }) => isFetching),
    failed: isLongEnough && results.some(({ isError }) => isError),
  };
}
