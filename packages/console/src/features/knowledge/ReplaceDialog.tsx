/** Puts another file in the place of one: the record and what refers to it stay. A public picture is made public again once it has been read. */
import { Button, FileInput, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { etagOf } from '@trellis/client/response.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useRef, useState } from 'react';
import { recordKeys } from '../../resources/queries.ts';
import { refreshQueries } from '../../resources/refresh-queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { describeError } from '../../ui/problem-text.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { isPictureFile } from './picture-file.ts';
import { publishWhenRead } from './publish-when-read.ts';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly file: KnowledgeFile;
  readonly close: () => void;
}

export function ReplaceDialog({ resource, file: shown, close }: Props) {
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const { api } = useWorkspace();
  const queries = useQueryClient();
  // What the person was told: the file that is shown changes meanwhile.
  const [file] = useState(shown);
  const [content, setContent] = useState<File | null>(null);
  const [key, setKey] = useState(makeIdempotencyKey);
  const stopping = useRef(new AbortController());
  useEffect(() => {
    const stop = new AbortController();
    stopping.current = stop;
    return () => stop.abort();
  }, []);
  const isPublic = file.publicSince !== null;
  const [isUnfit, setIsUnfit] = useState(false);
  const replace = useMutation({
    mutationFn: async (chosen: File) => {
      const { signal } = stopping.current;
      await api.use((client) =>
        client.call('putKnowledgeFileContent', {
          path: { id: file.id },
          query: { fileName: chosen.name },
          body: chosen,
          ifMatch: etagOf(file.version),
          idempotencyKey: key,
          signal,
        }),
      );
      return isPublic ? await publishWhenRead(api, file.id, signal) : null;
    },
    onSuccess: (failure) => {
      if (failure === null) showToast({ kind: 'done', message: featureText('replaced') });
      else {
        const reason =
          failure.error === null ? featureText('unreadable') : describeError(failure.error, text, names);
        showToast({ kind: 'failure', message: featureText('notPublished', { reason }) });
      }
      close();
    },
    onSettled: () => refreshQueries(queries, recordKeys.all(resource)),
  });
  return (
    <Dialog
      onClose={close}
      title={featureText('replaceTitle', { name: file.name })}
      withCloseButton={!replace.isPending}
      closeOnEscape={!replace.isPending}
      closeOnClickOutside={!replace.isPending}
    >
      <Stack gap="md">
        <Text size="sm">{featureText('replaceAbout')}</Text>
        {isPublic && <Text size="sm">{featureText('replacePublicAbout')}</Text>}
        <FileInput
          data-autofocus
          label={featureText('newFile')}
          placeholder={featureText('chooseNew')}
          value={content}
          disabled={replace.isPending}
          error={isUnfit ? featureText('notAPicture') : undefined}
          onChange={async (chosen) => {
            setIsUnfit(chosen !== null && file.picturePath !== null && !(await isPictureFile(chosen)));
            setContent(chosen);
            setKey(makeIdempotencyKey());
            replace.reset();
          }}
        />
        <FailureNotice error={replace.error} />
        <Text size="sm" role="status">
          {replace.isPending && featureText('replacing')}
        </Text>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" disabled={replace.isPending} onClick={close}>
            {text('cancel')}
          </Button>
          <Button
            disabled={content === null || isUnfit}
            loading={replace.isPending}
            onClick={() => {
              if (content !== null) replace.mutate(content);
            }}
          >
            {featureText('replace')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
