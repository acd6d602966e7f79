/** Says in the head of the page whether everything is saved, and why not. */

import { Button, VisuallyHidden } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import { usePendingChanges } from '../../outbox/edit/use-changes.ts';
import { autosaveRefused, type Refusal } from '../../outbox/store/refusal.ts';
import { reasonsOf } from '../../pending/refusal-reasons.ts';
import { texts as pendingTexts } from '../../pending/texts.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { describeError } from '../../ui/problem-text.ts';
import shared from '../../ui/shared.module.css';
import { showToast } from '../../ui/toasts/toasts.ts';
import styles from './ArticleEditor.module.css';
import { texts } from './texts.ts';
import type { ArticleEditing } from './use-article.ts';

/** How often the age of the last save is updated, in ms. */
const tickMs = 1_000;

/** What is asked for again after a refusal, and what the button says, by the state of the article. */
const askings = {
  published: { groups: ['articleData'], label: 'apply' },
  approved: { groups: ['versionData'], label: 'saveApproved' },
  scheduled: { groups: ['articleData', 'versionData'], label: 'saveAnyway' },
} as const;

interface Props {
  readonly resource: Resource;
  readonly article: ArticleEditing;
}

export function SaveStatus({ resource, article }: Props) {
  const { record, state, isTyped, held, isApprovedTextHeld, isHeldBySchedule, obstacle, sync, save } =
    article;
  const featureText = useFeatureText(texts);
  const waitingText = useFeatureText(pendingTexts);
  const text = useText();
  const names = useNames();
  const publishing = useRefusal()(resource, 'publish');
  const { isPersistent } = usePendingChanges();
  const isHeld = held.length > 0 || isApprovedTextHeld || isHeldBySchedule;
  const isSaved = state.kind === 'saved' && !isTyped && !isHeld;
  const ago = useAge(isSaved ? state.at : null);
  const asking = isHeldBySchedule
    ? askings.scheduled
    : askings[valueAt(record, 'versionData.status') === 'APPROVED' ? 'approved' : 'published'];
  const attempt = (step: Promise<void>) =>
    void step.catch((error: unknown) =>
      showToast({ kind: 'failure', message: describeError(error, text, names) }),
    );
  if (state.kind === 'failed') {
    return (
      <span className={`${shared.small} ${shared.group} ${styles.status}`} data-kind="failure" role="status">
        {describeError(state.error, text, names)}
        <Button variant="default" size="compact-xs" onClick={() => save()}>
          {text('retry')}
        </Button>
      </span>
    );
  }
  if (article.ownFaults.length > 0 && state.kind !== 'conflict') {
    return (
      <span className={`${shared.small} ${shared.group} ${styles.status}`} data-kind="failure" role="status">
        {featureText('notSaved', { reason: featureText('fieldsAtFault') })}
      </span>
    );
  }
  if (state.kind === 'conflict') {
    return (
      <span className={`${shared.small} ${shared.group} ${styles.status}`} data-kind="failure" role="status">
        {featureText('notSavedConflict')}
        <Button variant="default" size="compact-xs" onClick={() => attempt(sync.decide())}>
          {featureText('decide')}
        </Button>
      </span>
    );
  }
  if (state.kind === 'refused') {
    const { refusal } = state;
    const isFields = refusal.code === 'validation_failed';
    // It was saved automatically, and somebody else has scheduled, approved or published the article since it was read.
    const needsExplicitSave = refusal.code === autosaveRefused || refusal.code === 'insufficient_scope';
    const reasonOf = ({ code }: Refusal): string => {
      if (code === autosaveRefused) return featureText('scheduledMeanwhile');
      if (code === 'insufficient_scope') return featureText('needsExplicitSave');
      if (isFields) return featureText('fieldsAtFault');
      const item = (number: number) => waitingText('item', { number });
      return reasonsOf(refusal, resource, { names, item }).join(' ');
    };
    return (
      <span className={`${shared.small} ${shared.group} ${styles.status}`} data-kind="failure" role="status">
        {featureText('notSaved', { reason: reasonOf(refusal) })}
        {needsExplicitSave && (
          <GuardedButton
            variant="default"
            size="compact-xs"
            refusal={publishing}
            onClick={() => attempt(sync.insist())}
          >
            {featureText('saveAnyway')}
          </GuardedButton>
        )}
        {state.isExplicit && !needsExplicitSave && (
          <GuardedButton
            variant="default"
            size="compact-xs"
            refusal={publishing}
            onClick={() => save(...asking.groups)}
          >
            {featureText(asking.label)}
          </GuardedButton>
        )}
        {!isFields && (
          <Button variant="default" size="compact-xs" onClick={() => attempt(sync.giveUp())}>
            {featureText('giveUp')}
          </Button>
        )}
      </span>
    );
  }
  if (state.kind === 'saved' && isHeldBySchedule) {
    return (
      <span className={`${shared.small} ${shared.group} ${styles.status}`} data-kind="failure" role="status">
        {featureText('notSaved', { reason: featureText('scheduledMeanwhile') })}
        <GuardedButton
          variant="default"
          size="compact-xs"
          refusal={publishing}
          onClick={() => save('articleData', 'versionData')}
        >
          {featureText('saveAnyway')}
        </GuardedButton>
      </span>
    );
  }
  if (state.kind === 'saved' && isApprovedTextHeld) {
    return (
      <span className={`${shared.small} ${shared.group} ${styles.status}`} data-kind="waiting" role="status">
        {featureText('approvedHeld')}
        <GuardedButton
          variant="default"
          size="compact-xs"
          refusal={publishing}
          onClick={() => save('versionData')}
        >
          {featureText('saveApproved')}
        </GuardedButton>
      </span>
    );
  }
  const shown =
    state.kind === 'saving'
      ? obstacle === null
        ? featureText('saving')
        : featureText(isPersistent ? 'offline' : 'offlineMemory', {
            reason: describeError(obstacle, text, names),
          })
      : isTyped || state.kind === 'unsaved'
        ? featureText('unsaved')
        : held.length > 0
          ? featureText('unsavedHeld')
          : ago === null
            ? featureText('saved')
            : featureText('savedAgo', { ago });
  return (
    <span
      className={`${shared.small} ${shared.group} ${styles.status}`}
      data-kind={obstacle === null ? 'quiet' : 'waiting'}
    >
      {/* The age would be read out every second. */}
      <span aria-hidden="true">{shown}</span>
      <VisuallyHidden role="status">{isSaved ? featureText('saved') : ''}</VisuallyHidden>
    </span>
  );
}

/** How long ago an instant was, in words; null without one. */
function useAge(at: number | null): string | null {
  const { formatRelativeTime } = useIntl();
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (at === null) return;
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), tickMs);
    return () => clearInterval(timer);
  }, [at]);
  if (at === null) return null;
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1_000));
  if (seconds < 60) return formatRelativeTime(-seconds, 'second', { style: 'narrow' });
  if (seconds < 3_600) return formatRelativeTime(-Math.floor(seconds / 60), 'minute', { style: 'narrow' });
  return formatRelativeTime(-Math.floor(seconds / 3_600), 'hour', { style: 'narrow' });
}
