/** A knowledge file to read: its content, whether its text can be searched, and who may see it. The form stands behind a button. */
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { Fragment, useState } from 'react';
import { Person } from '../../fields/Person.tsx';
import { Status } from '../../fields/Status.tsx';
import { ActionButton } from '../../records/actions/ActionButton.tsx';
import { ReadingFrame } from '../../records/ReadingFrame.tsx';
import { RecordPage } from '../../records/RecordPage.tsx';
import type { RecordPageProps } from '../../resources/presentation.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import details from '../../ui/details.module.css';
import { saveFile } from '../../ui/download.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { useSize } from '../../ui/use-size.ts';
import { FilePreview } from './FilePreview.tsx';
import { PublicPicture } from './PublicPicture.tsx';
import { ReplaceDialog } from './ReplaceDialog.tsx';
import { texts } from './texts.ts';
import { UsedIn } from './UsedIn.tsx';

/** How often a file whose text is being read is looked at, in ms. */
const refreshMs = 1_500;

export function FilePage(props: RecordPageProps) {
  const { resource, recordId } = props;
  const { api } = useWorkspace();
  const { edit } = useSearch({ strict: false });
  const file = useQuery({
    queryKey: recordKeys.record(resource, recordId),
    queryFn: ({ signal }) => api.read('getKnowledgeFile', { path: { id: recordId }, signal }),
    enabled: edit === undefined,
    refetchInterval: ({ state: { data } }) => (data?.status === 'PROCESSING' ? refreshMs : false),
  });
  // The form also reports why the file cannot be read.
  if (edit !== undefined || file.isLoadingError) return <RecordPage {...props} />;
  if (file.data === undefined) return <Loading />;
  return <FileView {...props} file={file.data} />;
}

function FileView({ resource, file }: RecordPageProps & { readonly file: KnowledgeFile }) {
  const featureText = useFeatureText(texts);
  const size = useSize();
  const { api } = useWorkspace();
  const text = useText();
  const refusalOf = useRefusal();
  const refusal = refusalOf(resource, 'update');
  // Readers see it.
  const replaceRefusal = refusal ?? (file.publicSince === null ? null : refusalOf(resource, 'publish'));
  const [isReplacing, setIsReplacing] = useState(false);
  const isPicture = file.picturePath !== null;
  const hasContent = file.status !== 'PENDING_UPLOAD';
  const download = useMutation({
    mutationFn: async () => {
      const { body } = await api.use((client) =>
        client.call('getKnowledgeFileContent', { path: { id: file.id } }),
      );
      saveFile(await new Response(body).blob(), file.fileName ?? file.name);
    },
  });
  return (
    <ReadingFrame
      resource={resource}
      record={file}
      title={file.name}
      {...(isPicture ? { up: { label: text('pictures.title'), href: '/pictures' } } : {})}
      aside={file.status === 'NOT_APPLICABLE' ? undefined : <Status value={file.status} />}
      actions={
        hasContent && (
          <>
            <GuardedButton variant="default" refusal={replaceRefusal} onClick={() => setIsReplacing(true)}>
              {featureText('replace')}
            </GuardedButton>
            <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
              {featureText('download')}
            </Button>
          </>
        )
      }
    >
      <FailureNotice error={download.error} />
      {file.status === 'FAILED' && (
        <Notice kind="failure" title={featureText(isPicture ? 'readingFailed' : 'extractionFailed')}>
          {file.failureReason}{' '}
          <ActionButton
            action="extractKnowledgeFileText"
            resource={resource}
            parentId={null}
            record={file}
            size="xs"
          />
        </Notice>
      )}
      {file.status === 'PROCESSING' && (
        <Notice kind="hint">{featureText(isPicture ? 'readingPicture' : 'processing')}</Notice>
      )}
      <p className={shared.about}>
        <Readers file={file} />
        {file.sizeBytes !== null && ` · ${size(file.sizeBytes)}`}
      </p>
      {file.description !== null && <p className={details.text}>{file.description}</p>}
      {file.status === 'NOT_APPLICABLE' && file.picturePath !== null && (
        <PublicPicture resource={resource} file={file} picturePath={file.picturePath} />
      )}
      <UsedIn file={file} />
      {hasContent ? <FilePreview file={file} /> : <p className={shared.none}>{featureText('noContent')}</p>}
      {file.extractedCharacters !== null && (
        <p className={shared.about}>{featureText('searchable', { count: file.extractedCharacters })}</p>
      )}
      {isReplacing && <ReplaceDialog resource={resource} file={file} close={() => setIsReplacing(false)} />}
    </ReadingFrame>
  );
}

/** Who may see the file. */
function Readers({
  file: { visibility, ownerUserId, allowedUserIds, allowedRoles },
}: {
  readonly file: KnowledgeFile;
}) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  if (visibility === 'ORGANIZATION') return <>{featureText('seenByAll')}</>;
  const people = visibility === 'RESTRICTED' ? allowedUserIds.filter((id) => id !== ownerUserId) : [];
  const roles = visibility === 'RESTRICTED' ? allowedRoles : [];
  return (
    <>
      {featureText('seenBy')} <Person id={ownerUserId} />
      {people.map((id) => (
        <Fragment key={id}>
          , <Person id={id} />
        </Fragment>
      ))}
      {roles.map((role) => `, ${names.value(role)}`)}
    </>
  );
}
