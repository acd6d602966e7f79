/** The picture that a record refers to, as a small copy: in a row of a list, or where the record is read. */
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { RecordLink } from '../../../fields/RecordLink.tsx';
import { resourceByName } from '../../../resources/declared.ts';
import type { PictureProps } from '../../../resources/presentation.ts';
import styles from './Pictures.module.css';
import { Thumbnail } from './Thumbnail.tsx';
import { usePicture } from './use-picture.ts';

export function PictureOfRecord({ id, isInRow }: PictureProps) {
  const { data: file, isError } = usePicture(id);
  // The place is taken from the beginning, so that nothing moves.
  if (file === undefined && !isError)
    return <span className={styles.shown} data-row={isInRow || undefined} />;
  if (file?.picturePath == null) return <RecordLink resource={resourceByName(knowledgeFiles.name)} id={id} />;
  return (
    <span className={styles.shown} data-row={isInRow || undefined}>
      <Thumbnail file={file} alternativeText={file.alternativeText ?? file.name} />
    </span>
  );
}
