/** The list of pending and refused changes: what each is, since when and why it is pending, and the possible actions. */
import { Button, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { lazy, Suspense, useState } from 'react';
import { useChanges, usePendingChanges } from '../outbox/edit/use-changes.ts';
import type { Change } from '../outbox/store/change.ts';
import {
  isConflict,
  mayRetry,
  needsExplicitSave,
  notConfirmed,
  outcomeUnknown,
} from '../outbox/store/refusal.ts';
import { collectionPath, type Place, placeOfRequest, recordPathOf } from '../resources/places.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Moment } from '../ui/Moment.tsx';
import { Notice } from '../ui/Notice.tsx';
import { describeError } from '../ui/problem-text.ts';
import styles from './Pending.module.css';
import { reasonsOf } from './refusal-reasons.ts';
import { texts } from './texts.ts';

const ChangeConflict = lazy(() =>
  import('./ChangeConflict.tsx').then((module) => ({ default: module.ChangeConflict })),
);

export function PendingDialog({ close }: { readonly close: () => void }) {
  const text = useText();
  const names = useNames();
  const featureText = useFeatureText(texts);
  const changes = useChanges();
  const waiting = usePendingChanges();
  const [discarding, setDiscarding] = useState<Change | null>(null);
  const [merging, setMerging] = useState<Change | null>(null);
  if (merging !== null) {
    return (
      <Suspense>
        <ChangeConflict change={merging} close={() => setMerging(null)} />
      </Suspense>
    );
  }
  if (discarding !== null) {
    return (
      <DiscardDialog
        change={discarding}
        close={() => setDiscarding(null)}
        discard={() => {
          void changes.dismiss(discarding);
          setDiscarding(null);
        }}
      />
    );
  }
  return (
    <Dialog size="lg" onClose={close} title={featureText('title')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {featureText(
            waiting.changes.length === 0 ? 'none' : waiting.isPersistent ? 'about' : 'aboutMemory',
          )}
        </Text>
        {waiting.obstacle !== null && (
          <Notice kind="failure">{describeError(waiting.obstacle, text, names)}</Notice>
        )}
        <ol className={styles.list}>
          {waiting.changes.map((change) => (
            <Entry
              key={change.sequence}
              change={change}
              close={close}
              discard={() => setDiscarding(change)}
              review={() => setMerging(change)}
            />
          ))}
        </ol>
        <div className={styles.buttons}>
          {waiting.obstacle !== null && (
            <Button variant="default" onClick={changes.resume}>
              {featureText('tryAgain')}
            </Button>
          )}
          <Button onClick={close}>{text('close')}</Button>
        </div>
      </Stack>
    </Dialog>
  );
}

interface EntryProps {
  readonly change: Change;
  readonly close: () => void;
  readonly discard: () => void;
  readonly review: () => void;
}

function Entry({ change, close, discard, review }: EntryProps) {
  const featureText = useFeatureText(texts);
  const changes = useChanges();
  const { request, label, madeAt } = change;
  const place = placeOfRequest(request.path);
  const kind = request.method === 'DELETE' ? 'delete' : place?.recordId === null ? 'create' : 'update';
  return (
    <li className={styles.entry}>
      <div className={styles.what}>
        <span className={styles.label}>{featureText(kind, { name: label })}</span>
        <span className={styles.when}>
          <Moment value={new Date(madeAt).toISOString()} />
        </span>
      </div>
      <Reason change={change} resource={place?.resource ?? null} />
      <div className={styles.actions}>
        {isConflict(change) && (
          <Button size="xs" onClick={review}>
            {featureText('review')}
          </Button>
        )}
        {mayRetry(change) && (
          <Button size="xs" variant="default" onClick={() => void changes.retry(change)}>
            {featureText('retry')}
          </Button>
        )}
        {place !== null && <OpenButton change={change} place={place} close={close} />}
        <Button size="xs" variant="default" onClick={discard}>
          {featureText('discard')}
        </Button>
      </div>
    </li>
  );
}

interface OpenProps {
  readonly change: Change;
  readonly place: Place;
  readonly close: () => void;
}

/** Links to the form that the change comes from. */
function OpenButton({ change: { request, sequence }, place, close }: OpenProps) {
  const featureText = useFeatureText(texts);
  const navigate = useNavigate();
  const { resource, parentId, recordId } = place;
  const open = () => {
    close();
    if (recordId === null)
      void navigate({
        to: `${collectionPath(resource, parentId)}/new`,
        search: { change: String(sequence) },
      });
    else
      void navigate({
        to: recordPathOf(resource, parentId, recordId),
        // Pages that show a record to read have the form behind it.
        search: request.method === 'PATCH' ? { edit: 'yes' } : {},
      });
  };
  return (
    <Button size="xs" variant="default" onClick={open}>
      {featureText('open')}
    </Button>
  );
}

/** Why a change is not saved yet. */
function Reason({ change, resource }: { readonly change: Change; readonly resource: Resource | null }) {
  const { refusal, record, sequence } = change;
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { changes, obstacle } = usePendingChanges();
  const isBehind = changes.some((one) => one.record === record && one.sequence < sequence);
  if (refusal === null) {
    if (obstacle !== null) return null;
    return <p className={styles.reason}>{featureText(isBehind ? 'behind' : 'sending')}</p>;
  }
  const reasons =
    refusal.code === 'version_mismatch'
      ? [featureText(isConflict(change) ? 'conflict' : 'outdated')]
      : refusal.code === outcomeUnknown
        ? [featureText('unknown')]
        : refusal.code === notConfirmed
          ? [featureText('notConfirmed')]
          : needsExplicitSave(change)
            ? [featureText('needsExplicitSave')]
            : reasonsOf(refusal, resource, { names, item: (number) => featureText('item', { number }) });
  return (
    <div className={styles.reason} data-refused>
      {reasons.map((reason, index) => (
        <p key={index}>{reason}</p>
      ))}
    </div>
  );
}

interface DiscardProps {
  readonly change: Change;
  readonly close: () => void;
  readonly discard: () => void;
}

function DiscardDialog({ change, close, discard }: DiscardProps) {
  const featureText = useFeatureText(texts);
  const mayBeDone = change.refusal === null && change.firstSentAt !== null;
  return (
    <Dialog onClose={close} title={featureText('discardTitle')}>
      <Stack gap="lg">
        <Text size="md">
          {featureText('discardAbout', { name: change.label })} {mayBeDone && featureText('discardSent')}
        </Text>
        <div className={styles.buttons}>
          <Button variant="default" data-autofocus onClick={close}>
            {featureText('keep')}
          </Button>
          <Button color="red.9" onClick={discard}>
            {featureText('discard')}
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
}
