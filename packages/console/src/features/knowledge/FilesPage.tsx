/** The list of knowledge files, with a place to drop new ones. */
import { useRef } from 'react';
import { ListPage } from '../../lists/ListPage.tsx';
import type { ListPageProps } from '../../resources/presentation.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { UploadArea } from './UploadArea.tsx';

export function FilesPage(props: ListPageProps) {
  return <Files {...props} isAdding={false} />;
}

/** The same with the focus on the choice of files: a file without content would be of no use. */
export function NewFilePage(props: ListPageProps) {
  return <Files {...props} isAdding />;
}

function Files({ resource, parentId, isAdding }: ListPageProps & { readonly isAdding: boolean }) {
  const refusal = useRefusal()(resource, 'create');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <ListPage resource={resource} parentId={parentId} create={() => input.current?.click()} />
      {refusal === null && <UploadArea input={input} isAdding={isAdding} />}
    </>
  );
}
