/** A picture of a record that readers would not see, as said before the record is published. */
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { useState } from 'react';
import { isOpenedWithPicture } from '../../../records/publish-picture.ts';
import { resourceByName } from '../../../resources/declared.ts';
import { useRefusal } from '../../../session/missing-right.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { GuardedButton } from '../../../ui/GuardedButton.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PublicityDialog } from '../PublicityDialog.tsx';
import { texts as fileTexts } from '../texts.ts';
import { texts } from './texts.ts';
import { usePicture } from './use-picture.ts';

export function BeforePublication({ id }: { readonly id: string }) {
  const featureText = useFeatureText(texts);
  const fileText = useFeatureText(fileTexts);
  const refusal = useRefusal();
  const [isAsking, setIsAsking] = useState(false);
  const resource = resourceByName(knowledgeFiles.name);
  const { data: file } = usePicture(id);
  if (file?.picturePath == null || file.publicSince !== null) return null;
  const missing =
    refusal(resource, 'publish') ?? (isOpenedWithPicture(file) ? refusal(resource, 'update') : null);
  return (
    <Notice kind="hint" icon="image">
      {featureText('hiddenFromReaders', { name: file.name })}{' '}
      {file.status === 'NOT_APPLICABLE' && (
        <GuardedButton
          size="compact-xs"
          variant="default"
          refusal={missing}
          onClick={() => setIsAsking(true)}
        >
          {fileText('makePublic')}
        </GuardedButton>
      )}
      {isAsking && <PublicityDialog resource={resource} file={file} close={() => setIsAsking(false)} />}
    </Notice>
  );
}
