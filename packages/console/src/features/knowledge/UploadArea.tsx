/** The place where files are dropped or chosen, and the uploads of the tab. */
import { ActionIcon, Box, Button, NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import details from '../../ui/details.module.css';
import { Icon } from '../../ui/icons.tsx';
import { describeError } from '../../ui/problem-text.ts';
import shared from '../../ui/shared.module.css';
import { showToast } from '../../ui/toasts/toasts.ts';
import { useDropZone } from '../../ui/use-drop-zone.ts';
import styles from './Knowledge.module.css';
import { texts } from './texts.ts';
import { type Upload, UploadNotConfirmed, type Uploads, useUploads, type Visibility } from './uploads.ts';

const visibilities: readonly Visibility[] = ['PRIVATE', 'ORGANIZATION'];

interface AreaProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly isAdding: boolean;
}

/** It stays at the end of the window, so that files can be dropped however long the list is. */
export function UploadArea({ input, isAdding }: AreaProps) {
  const featureText = useFeatureText(texts);
  const { formatList } = useIntl();
  const [uploads, list] = useUploads();
  const [visibility, setVisibility] = useState<Visibility>('PRIVATE');
  const take = (files: FileList | null) => {
    if (files === null || files.length === 0) return;
    // The list of an input is emptied before it fails.
    const taken = [...files];
    uploads.add(taken, visibility).catch(() => {
      const names = formatList(taken.map(({ name }) => name));
      showToast({ kind: 'failure', message: featureText('notTaken', { names }) });
    });
  };
  const zone = useDropZone(take);
  return (
    <section
      className={`${details.drop} ${shared.stack} ${styles.area}`}
      aria-label={featureText('uploads')}
      {...zone}
    >
      <div className={`${shared.group} ${styles.tools}`}>
        <span className={shared.about}>{featureText('drop')}</span>
        <Button autoFocus={isAdding} variant="default" size="xs" onClick={() => input.current?.click()}>
          {featureText('choose')}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            take(event.currentTarget.files);
            event.currentTarget.value = '';
          }}
        />
        <NativeSelect
          size="xs"
          aria-label={featureText('visibleTo')}
          data={visibilities.map((value) => ({
            value,
            label: `${featureText('visibleTo')} ${featureText(value === 'PRIVATE' ? 'PRIVATE' : 'ORGANIZATION')}`,
          }))}
          value={visibility}
          onChange={(event) =>
            setVisibility(visibilities.find((value) => value === event.currentTarget.value) ?? 'PRIVATE')
          }
        />
      </div>
      {list.length === 0 && <p className={shared.about}>{featureText('searchedKinds')}</p>}
      {list.length > 0 && (
        <ul className={`${shared.list} ${styles.uploads}`}>
          {list.map((upload) => (
            <UploadRow key={upload.key} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
    </section>
  );
}

function UploadRow({ upload, uploads }: { readonly upload: Upload; readonly uploads: Uploads }) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const { key, file, state, recordId, error } = upload;
  const why =
    error instanceof UploadNotConfirmed ? featureText('notConfirmed') : describeError(error, text, names);
  const isOpen = state === 'waiting' || state === 'sending';
  return (
    <li className={`${shared.group} ${styles.upload}`}>
      <Box component="span" className={shared.cut} flex={1}>
        {recordId === null ? (
          file.name
        ) : (
          <Link to={`/knowledge-files/${recordId}` as string} className={shared.link}>
            {file.name}
          </Link>
        )}
      </Box>
      <span
        className={`${shared.group} ${shared.small} ${styles.state}`}
        data-state={state}
        role={state === 'failed' ? 'alert' : 'status'}
      >
        {state === 'sending' && <progress className={styles.progress} aria-label={featureText('sending')} />}
        {state === 'failed' ? why : featureText(state)}
      </span>
      {state === 'failed' && (
        <Button variant="default" size="compact-xs" onClick={() => uploads.retry(key)}>
          {text('retry')}
        </Button>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={26}
        aria-label={featureText(isOpen ? 'cancel' : 'forget', { name: file.name })}
        onClick={() => void uploads.remove(key)}
      >
        <Icon name="close" size={14} />
      </ActionIcon>
    </li>
  );
}
