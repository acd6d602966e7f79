/** Asks what a new picture shows and who may see it, and uploads it. */
import '@mantine/core/styles/RadioIndicator.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { requestOf } from '@trellis/client/api-client.ts';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { uploadKnowledgeFile } from '@trellis/client/upload.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { isWebPicture } from '@trellis/schema/values/pictures.ts';
import { useEffect, useRef, useState } from 'react';
import { useWriteKey } from '../../../fields/draft.ts';
import { resourceByName } from '../../../resources/declared.ts';
import { recordKeys } from '../../../resources/queries.ts';
import { refreshQueries } from '../../../resources/refresh-queries.ts';
import { useRefusal } from '../../../session/missing-right.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { useNames } from '../../../text/names.ts';
import { useText } from '../../../text/text.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FailureNotice, Notice } from '../../../ui/Notice.tsx';
import { describeError } from '../../../ui/problem-text.ts';
import shared from '../../../ui/shared.module.css';
import { showToast } from '../../../ui/toasts/toasts.ts';
import { WithAddress } from '../FilePreview.tsx';
import { StatementsOf } from '../PictureStatements.tsx';
import { publishWhenRead } from '../publish-when-read.ts';
import { texts as fileTexts } from '../texts.ts';
import styles from './Pictures.module.css';
import { texts } from './texts.ts';

/** Characters of an alternative text, as the field of the file has. */
const maxCharacters = 1_000;

const readers = ['PUBLIC', 'ORGANIZATION', 'PRIVATE'] as const;

interface Props {
  readonly file: File;
  /** Called with the id of the stored picture. */
  readonly use: (id: string) => void;
  readonly close: () => void;
}

export function NewPictureDialog({ file, use, close }: Props) {
  const featureText = useFeatureText(texts);
  const fileText = useFeatureText(fileTexts);
  const text = useText();
  const names = useNames();
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const resource = resourceByName(knowledgeFiles.name);
  const publishRefusal = useRefusal()(resource, 'publish');
  const [shows, setShows] = useState('');
  const [seenBy, setSeenBy] = useState<string>('ORGANIZATION');
  const [isUnfit, setIsUnfit] = useState(false);
  const keyOf = useWriteKey();
  const stopping = useRef(new AbortController());
  useEffect(() => {
    const stop = new AbortController();
    stopping.current = stop;
    return () => stop.abort();
  }, []);
  const upload = useMutation({
    mutationFn: async () => {
      const { signal } = stopping.current;
      const name = file.name === '' ? featureText('picture') : file.name;
      const visibility = seenBy === 'PRIVATE' ? 'PRIVATE' : 'ORGANIZATION';
      const record = { name, visibility, alternativeText: shows.trim() || null } as const;
      const idempotencyKey = keyOf(JSON.stringify(record));
      const { body } = await api.use((client) =>
        uploadKnowledgeFile(client, { record, content: file, fileName: name, idempotencyKey, signal }),
      );
      if (body.picturePath === null) {
        // Its name has promised what its bytes are not. Reading its text may have changed its version already.
        const removal = requestOf('deleteKnowledgeFile', { path: { id: body.id } });
        await api.write({ ...removal, idempotencyKey: `${idempotencyKey}:removal` });
        return null;
      }
      return { body, failure: seenBy === 'PUBLIC' ? await publishWhenRead(api, body.id, signal) : null };
    },
    onSuccess: (stored) => {
      if (stored === null) return setIsUnfit(true);
      const { body, failure } = stored;
      if (failure !== null) {
        const reason =
          failure.error === null ? fileText('unreadable') : describeError(failure.error, text, names);
        showToast({ kind: 'failure', message: fileText('notPublished', { reason }) });
      }
      queries.setQueryData<KnowledgeFile>(recordKeys.record(resource, body.id), body);
      use(body.id);
    },
    onSettled: () => refreshQueries(queries, recordKeys.all(resource)),
  });
  return (
    <Dialog
      onClose={close}
      title={featureText('newTitle')}
      withCloseButton={!upload.isPending}
      closeOnEscape={!upload.isPending}
      closeOnClickOutside={!upload.isPending}
    >
      <form
        onSubmit={(event) => {
          // The form that it belongs to is not submitted with it.
          event.preventDefault();
          event.stopPropagation();
          upload.mutate();
        }}
      >
        <Stack gap="md">
          {isWebPicture(file.type) ? (
            <WithAddress bytes={file} mediaType={file.type}>
              {(address) => <img src={address} alt="" className={`${shared.frame} ${styles.preview}`} />}
            </WithAddress>
          ) : (
            <p className={shared.about}>{file.name}</p>
          )}
          {isUnfit && <Notice kind="failure">{featureText('notAPicture', { name: file.name })}</Notice>}
          <TextInput
            data-autofocus
            label={featureText('shows')}
            description={featureText('showsAbout')}
            maxLength={maxCharacters}
            disabled={upload.isPending}
            value={shows}
            onChange={({ currentTarget }) => setShows(currentTarget.value)}
          />
          <Radio.Group label={featureText('whoSees')} value={seenBy} onChange={setSeenBy}>
            <Stack gap="xs" mt="xs">
              {readers.map((reader) => {
                const refusal = reader === 'PUBLIC' ? publishRefusal : null;
                return (
                  <Radio
                    key={reader}
                    value={reader}
                    label={featureText(reader)}
                    description={refusal ?? featureText(`about.${reader}`)}
                    disabled={refusal !== null || upload.isPending}
                    classNames={{ description: styles.readerAbout ?? '' }}
                  />
                );
              })}
            </Stack>
          </Radio.Group>
          {seenBy === 'PUBLIC' && (
            <StatementsOf
              name={`${file.name} ${file.size} ${file.lastModified}`}
              mediaType={file.type}
              read={() => file.arrayBuffer()}
            />
          )}
          <FailureNotice error={upload.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={upload.isPending} onClick={close}>
              {text('cancel')}
            </Button>
            <Button type="submit" loading={upload.isPending} disabled={isUnfit}>
              {featureText('use')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
