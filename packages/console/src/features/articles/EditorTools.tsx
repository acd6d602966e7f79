/** The toolbar above the text: formatting, find, contents, and the side views. */

import { openSearchPanel } from '@codemirror/search';
import type { StateCommand } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { ActionIcon, Button, Group, Menu, Tooltip, VisuallyHidden } from '@mantine/core';
import { useId, useState } from 'react';
import { useFeatureText } from '../../text/feature.ts';
import { Icon } from '../../ui/icons.tsx';
import shared from '../../ui/shared.module.css';
import styles from './ArticleEditor.module.css';
import type { EditorHandle } from './BodyEditor.tsx';
import { type Heading, listHeadings, mostHeadings } from './headings.ts';
import {
  insertLink,
  toggleBold,
  toggleCode,
  toggleHeading,
  toggleItalic,
  toggleList,
  toggleQuote,
} from './markdown-commands.ts';
import { ToolIcon, type ToolIconName } from './ToolIcon.tsx';
import { texts } from './texts.ts';

interface Props {
  /** Null while it is loaded. */
  readonly editor: EditorHandle | null;
  readonly isReadOnly: boolean;
  /** Marks and headings are those of Markdown. */
  readonly isMarkdown: boolean;
  /** Whether there is room for few tools; the others are in a menu. */
  readonly isCompact: boolean;
  readonly upload: () => void;
  /** Why no files can be uploaded; null if they can. */
  readonly uploadRefusal: string | null;
  readonly openLibrary: () => void;
  readonly hasPreview: boolean;
  /** Null if there is no room for it. */
  readonly setHasPreview: ((shown: boolean) => void) | null;
  readonly hasDetails: boolean;
  readonly setHasDetails: ((shown: boolean) => void) | null;
  readonly isFull: boolean;
  readonly setIsFull: (full: boolean) => void;
}

const formats = [
  { id: 'bold', icon: 'bold', command: toggleBold, keys: 'Ctrl B' },
  { id: 'italic', icon: 'italic', command: toggleItalic, keys: 'Ctrl I' },
  { id: 'heading', icon: 'heading', command: toggleHeading },
  { id: 'list', icon: 'list', command: toggleList },
  { id: 'quote', icon: 'quote', command: toggleQuote },
  { id: 'code', icon: 'code', command: toggleCode, keys: 'Ctrl E' },
  { id: 'link', icon: 'link', command: insertLink },
] as const satisfies readonly {
  readonly id: keyof typeof texts;
  readonly icon: ToolIconName;
  readonly command: StateCommand;
  readonly keys?: string;
}[];

export function EditorTools(props: Props) {
  const {
    editor,
    isReadOnly,
    isMarkdown,
    isCompact,
    upload,
    uploadRefusal,
    openLibrary,
    hasPreview,
    setHasPreview,
    hasDetails,
    setHasDetails,
    isFull,
    setIsFull,
  } = props;
  const featureText = useFeatureText(texts);
  const run = (command: StateCommand) => {
    if (editor === null) return;
    const { view } = editor;
    command({ state: view.state, dispatch: (transaction) => view.dispatch(transaction) });
    view.focus();
  };
  const find = () => {
    if (editor !== null) openSearchPanel(editor.view);
  };
  if (isCompact) {
    return (
      <div className={`${shared.spread} ${styles.tools}`} role="toolbar" aria-label={featureText('tools')}>
        <Tool
          icon="image"
          label={featureText('image')}
          refusal={uploadRefusal}
          disabled={isReadOnly}
          onClick={upload}
        />
        {isMarkdown && <Contents editor={editor} />}
        <Menu position="bottom-end" width={220} returnFocus={false}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={30} aria-label={featureText('moreTools')}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {(isMarkdown && !isReadOnly ? formats : []).map(({ id, icon, command }) => (
              <Menu.Item key={id} leftSection={<ToolIcon name={icon} />} onClick={() => run(command)}>
                {featureText(id)}
              </Menu.Item>
            ))}
            {!isReadOnly && (
              <Menu.Item leftSection={<ToolIcon name="library" />} onClick={openLibrary}>
                {featureText('library')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<ToolIcon name="search" />} onClick={find}>
              {featureText('find')}
            </Menu.Item>
            <Menu.Item
              leftSection={<ToolIcon name={isFull ? 'shrink' : 'expand'} />}
              onClick={() => setIsFull(!isFull)}
            >
              {featureText(isFull ? 'leaveFullScreen' : 'fullScreen')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    );
  }
  return (
    <div className={`${shared.spread} ${styles.tools}`} role="toolbar" aria-label={featureText('tools')}>
      <Group gap={2} wrap="nowrap">
        {(isMarkdown ? formats : []).map(({ id, icon, command, ...more }) => (
          <Tool
            key={id}
            icon={icon}
            label={featureText(id)}
            keys={'keys' in more ? more.keys : undefined}
            disabled={isReadOnly}
            onClick={() => run(command)}
          />
        ))}
        <Tool
          icon="image"
          label={featureText('image')}
          refusal={uploadRefusal}
          disabled={isReadOnly}
          onClick={upload}
        />
        <Tool icon="library" label={featureText('library')} disabled={isReadOnly} onClick={openLibrary} />
      </Group>
      <Group gap={2} wrap="nowrap">
        <Tool icon="search" label={featureText('find')} keys="Ctrl F" onClick={find} />
        {isMarkdown && <Contents editor={editor} />}
        <Tool
          icon={isFull ? 'shrink' : 'expand'}
          label={featureText(isFull ? 'leaveFullScreen' : 'fullScreen')}
          onClick={() => setIsFull(!isFull)}
        />
        {setHasPreview !== null && (
          <Toggle label={featureText('preview')} isOn={hasPreview} set={setHasPreview} />
        )}
        {setHasDetails !== null && (
          <Toggle label={featureText('details')} isOn={hasDetails} set={setHasDetails} />
        )}
      </Group>
    </div>
  );
}

interface ToolProps {
  readonly icon: ToolIconName;
  readonly label: string;
  readonly keys?: string | undefined;
  readonly disabled?: boolean;
  /** Why it cannot be used, which is said where it is; null if it can. */
  readonly refusal?: string | null;
  readonly onClick: () => void;
}

function Tool({ icon, label, keys, disabled = false, refusal = null, onClick }: ToolProps) {
  const id = useId();
  if (refusal !== null && !disabled) {
    return (
      <>
        <Tooltip
          label={refusal}
          events={{ hover: true, focus: true, touch: true }}
          multiline
          maw={300}
          withinPortal={false}
        >
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={label}
            data-disabled
            aria-disabled
            aria-describedby={id}
          >
            <ToolIcon name={icon} />
          </ActionIcon>
        </Tooltip>
        <VisuallyHidden id={id}>{refusal}</VisuallyHidden>
      </>
    );
  }
  return (
    <Tooltip label={keys === undefined ? label : `${label} · ${keys}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        <ToolIcon name={icon} />
      </ActionIcon>
    </Tooltip>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly set: (on: boolean) => void;
}

function Toggle({ label, isOn, set }: ToggleProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      className={styles.toggle ?? ''}
      aria-pressed={isOn}
      onClick={() => set(!isOn)}
    >
      {label}
    </Button>
  );
}

/** The headings, which are listed when the menu is opened. */
function Contents({ editor }: { readonly editor: EditorHandle | null }) {
  const featureText = useFeatureText(texts);
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  const goTo = (position: number) => {
    if (editor === null) return;
    const { view } = editor;
    view.dispatch({
      selection: { anchor: Math.min(position, view.state.doc.length) },
      effects: EditorView.scrollIntoView(position, { y: 'start', yMargin: 56 }),
    });
    view.focus();
  };
  return (
    <Menu
      position="bottom-end"
      width={320}
      returnFocus={false}
      withinPortal={false}
      onOpen={() => setHeadings(editor === null ? [] : listHeadings(editor.view.state))}
    >
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={featureText('contents')}>
          <ToolIcon name="contents" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={styles.contents ?? ''}>
        {headings.length === 0 && <Menu.Label>{featureText('noHeadings')}</Menu.Label>}
        {headings.map(({ position, level, text }) => (
          <Menu.Item key={position} data-level={level} onClick={() => goTo(position)}>
            {text}
          </Menu.Item>
        ))}
        {headings.length === mostHeadings && (
          <Menu.Label>{featureText('moreHeadings', { count: mostHeadings })}</Menu.Label>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
