/** The status of an article, and the moves from it: those that are possible, and one sentence for each reason why others are not. */

import { Button, Menu } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useEffect, useRef, useState } from 'react';
import { recordPathOf } from '../../resources/places.ts';
import { titleOf } from '../../resources/values.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { isFocusLost } from '../../ui/keep-focus.ts';
import { MenuNote } from '../../ui/MenuNote.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { type MoveTarget, movesOf, nextMove, statusOfArticle } from './moves.ts';
import { PublishDialog } from './PublishDialog.tsx';
import { illustratedOf } from './pictures-in-text.ts';
import { ReturnDialog } from './ReturnDialog.tsx';
import { ScheduleDialog } from './ScheduleDialog.tsx';
import { texts } from './texts.ts';
import { unsavedReason } from './unsaved-reason.ts';
import type { ArticleEditing } from './use-article.ts';
import { usePendingRequest } from './use-pending-request.ts';
import { usePublishedToast } from './use-published-toast.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly article: ArticleEditing;
}

export function StatusMenu({ resource, parentId, article }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { signedIn } = useWorkspace();
  const refusal = useRefusal();
  const { record, sync } = article;
  const [dialog, setDialog] = useState<MoveTarget | null>(null);
  const { isWaiting, failure, clearFailure, run } = usePendingRequest();
  const statusButton = useRef<HTMLButtonElement>(null);
  const isMoved = useRef(false);
  // The button that was pressed is gone after the move.
  useEffect(() => {
    if (!isMoved.current || isWaiting || dialog !== null) return;
    isMoved.current = false;
    if (isFocusLost()) statusButton.current?.focus({ preventScroll: true });
  }, [isWaiting, dialog]);
  const sayPublished = usePublishedToast(resource, parentId);
  const writing = refusal(resource, 'update');
  const publishing = refusal(resource, 'publish');
  const moves = movesOf(record);
  const status = names.value(statusOfArticle(record));
  const next = nextMove(moves, publishing === null);
  // The published text must be the one on the page.
  const reason = unsavedReason(article);
  const unsaved = reason === null ? null : featureText(reason);
  const reasonOf = ({ needsPublish }: { readonly needsPublish: boolean }) =>
    writing ?? (needsPublish ? publishing : null) ?? unsaved;
  const possible = moves.filter((move) => reasonOf(move) === null);
  const notes = new Set(moves.flatMap((move) => reasonOf(move) ?? []));
  const send = (versionData: { readonly status: MoveTarget; readonly [field: string]: unknown }) => {
    const path = `/v1${recordPathOf(resource, parentId, record.id)}`;
    const label = titleOf(resource, record);
    const move = async () => {
      const after = await sync.send({ method: 'PATCH', path, body: { versionData } }, label);
      if (versionData.status === 'PUBLISHED') sayPublished(after);
    };
    void run(move).then(() => {
      isMoved.current = true;
      setDialog(null);
    });
  };
  const choose = (to: MoveTarget) => {
    const needsReason = to === 'DRAFT' && statusOfArticle(record) === 'IN_REVIEW';
    if (to === 'SCHEDULED' || to === 'PUBLISHED' || needsReason) setDialog(to);
    else send({ status: to });
  };
  const readShown = () => illustratedOf(article.edited.collect());
  return (
    <>
      <Menu position="bottom-end" width={300} withinPortal={false}>
        <Menu.Target>
          <Button
            ref={statusButton}
            variant="default"
            rightSection={<Icon name="chevronDown" size={14} />}
            loading={isWaiting}
            aria-label={featureText('status', { status })}
          >
            {status}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {possible.map(({ to }) => (
            <Menu.Item key={to} onClick={() => choose(to)}>
              {featureText(`move.${to}`)}
            </Menu.Item>
          ))}
          <MenuNote sentences={[...notes, featureText('noOther', { status })]} />
        </Menu.Dropdown>
      </Menu>
      {next !== null && writing === null && (
        <GuardedButton
          refusal={unsaved}
          loading={isWaiting}
          // The second press of a double click was meant for the move before, whose button was in this place.
          onClick={({ detail }) => {
            if (detail < 2) choose(next);
          }}
        >
          {featureText(`move.${next}`)}
        </GuardedButton>
      )}
      {dialog === 'PUBLISHED' && (
        <PublishDialog
          title={titleOf(resource, { ...article.edited.collect() })}
          shown={readShown()}
          isWaiting={isWaiting}
          publish={() => send({ status: 'PUBLISHED' })}
          close={() => setDialog(null)}
        />
      )}
      {dialog === 'DRAFT' && (
        <ReturnDialog
          title={titleOf(resource, record)}
          isOwn={valueAt(record, 'versionData.submittedBy') === signedIn.user.id}
          isWaiting={isWaiting}
          send={(returnNote) => send({ status: 'DRAFT', returnNote })}
          close={() => setDialog(null)}
        />
      )}
      {dialog === 'SCHEDULED' && (
        <ScheduleDialog
          resource={resource}
          record={record}
          parentId={parentId}
          shown={readShown()}
          isWaiting={isWaiting}
          close={() => setDialog(null)}
          schedule={(scheduledFor, unpublishAt) => send({ status: 'SCHEDULED', scheduledFor, unpublishAt })}
        />
      )}
      {failure !== null && (
        <Dialog onClose={clearFailure} title={featureText('moveFailed')}>
          <Notice kind="failure">{failure}</Notice>
        </Dialog>
      )}
    </>
  );
}
