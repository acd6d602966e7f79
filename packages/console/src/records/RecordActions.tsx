/** The menu with the actions of a record other than editing, and the confirmation of a deletion. */
import { useNavigate } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type ReactNode, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { collectionPath, recordPathOf } from '../resources/places.ts';
import { titleOf } from '../resources/values.ts';
import { ActionItems } from './actions/ActionItems.tsx';
import { useActions } from './actions/use-actions.tsx';
import { describeAsCurl } from './curl.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { RecordMenu } from './RecordMenu.tsx';
import { useDeletedToast } from './use-restore.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly record: ApiRecord;
  /** The pending request of the form as a shell command; absent: the request that reads the record. */
  readonly change?: string | null;
  /**
   * Stores the edits that exist only on the page. The confirmation opens afterwards, so the deletion comes after the stored edits and
   * nothing is sent after it.
   */
  readonly store?: () => Promise<void>;
  /** Menu entries before the common ones. */
  readonly items?: ReactNode;
}

export function RecordActions({ resource, parentId, record, change = null, store, items }: Props) {
  const navigate = useNavigate();
  const sayDeleted = useDeletedToast();
  const [isDeleting, setIsDeleting] = useState(false);
  const { offered, dialog } = useActions({ resource, parentId, record, store });
  const path = `/v1${recordPathOf(resource, parentId, record.id)}`;
  return (
    <>
      <RecordMenu
        record={record}
        curl={change ?? describeAsCurl({ method: 'GET', path })}
        isDirty={change !== null}
        items={
          <>
            {items}
            <ActionItems offered={offered} />
          </>
        }
        askToDelete={() => {
          if (store === undefined) setIsDeleting(true);
          else void store().then(() => setIsDeleting(true));
        }}
      />
      {dialog}
      {isDeleting && (
        <DeleteDialog
          resource={resource}
          parentId={parentId}
          record={record}
          close={() => setIsDeleting(false)}
          deleted={() => {
            void navigate({ to: collectionPath(resource, parentId), ignoreBlocker: true });
            sayDeleted({ resource, parentId, id: record.id, title: titleOf(resource, record) });
          }}
        />
      )}
    </>
  );
}
