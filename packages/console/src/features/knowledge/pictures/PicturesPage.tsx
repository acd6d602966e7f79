/** The library of pictures: the knowledge files that are pictures, to look at, found by name and by what they show. */
import '../../../ui/input-styles.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { useRef } from 'react';
import { resourceByName } from '../../../resources/declared.ts';
import { useRefusal } from '../../../session/missing-right.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { useText } from '../../../text/text.ts';
import { Empty } from '../../../ui/Empty.tsx';
import { GuardedButton } from '../../../ui/GuardedButton.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import shared from '../../../ui/shared.module.css';
import { UploadArea } from '../UploadArea.tsx';
import { PictureGrid } from './PictureGrid.tsx';
import { PictureSearch } from './PictureSearch.tsx';
import styles from './Pictures.module.css';
import { texts } from './texts.ts';

export function PicturesPage() {
  const text = useText();
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const { search = '' } = useSearch({ strict: false });
  const resource = resourceByName(knowledgeFiles.name);
  const unreadable = refusal(resource, 'read');
  const refused = refusal(resource, 'create');
  if (unreadable !== null)
    return (
      <>
        <PageHead title={text('pictures.title')} />
        <Empty icon="lock" title={text('list.forbidden')} about={unreadable} />
      </>
    );
  const upload = (
    <GuardedButton
      refusal={refused}
      leftSection={<Icon name="upload" />}
      onClick={() => input.current?.click()}
    >
      {featureText('upload')}
    </GuardedButton>
  );
  return (
    <>
      <PageHead title={text('pictures.title')} actions={upload} />
      <div className={shared.tools}>
        <PictureSearch
          initial={search}
          search={(words) =>
            void navigate({ to: '.', search: words === '' ? {} : { search: words }, replace: true })
          }
        />
      </div>
      <div className={styles.page}>
        <PictureGrid search={search} first={upload} />
      </div>
      {refused === null && <UploadArea input={input} isAdding={false} />}
    </>
  );
}
