/** Shows that a list differs from the saved view that it was opened from, and saves or reverts the changes. */
import { Box, Button, CloseButton, Group } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type ReactNode, useState } from 'react';
import { useIntl } from 'react-intl';
import { usePendingChanges } from '../../outbox/edit/use-changes.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { showToast } from '../../ui/toasts/toasts.ts';
import type { View } from '../view.ts';
import { NewViewDialog } from './NewViewDialog.tsx';
import { contentsOf, isSameView, readSavedView, type SavedView, savedViews } from './saved-view.ts';
import { texts } from './texts.ts';
import { useSavedViews, useViewRefusal } from './use-saved-views.ts';
import { useViewWrite } from './use-view-write.ts';
import styles from './Views.module.css';

interface Props {
  readonly resource: Resource;
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
}

export function ViewBar({ resource, view, change }: Props) {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const views = useSavedViews(resource, true);
  if (refusal(savedViews, 'read') !== null || !views.isSuccess) return null;
  const saved = views.data.find(({ id }) => id === view.savedId);
  if (saved !== undefined)
    return <Difference key={saved.id} resource={resource} view={view} change={change} saved={saved} />;
  // A view that was just made is in the list as soon as that is read again.
  if (views.isFetching) return null;
  return (
    <Bar icon="search" message={featureText('missing')}>
      <CloseButton aria-label={featureText('dismiss')} onClick={() => change({ savedId: '' })} />
    </Bar>
  );
}

function Difference(props: Props & { readonly saved: SavedView }) {
  const { resource, view, saved } = props;
  const { view: opened, dropped } = readSavedView(resource, saved);
  const isChanged = !isSameView(resource, opened, view);
  if (!isChanged && dropped.length === 0) return null;
  return <DifferenceBar {...props} opened={opened} dropped={dropped} isChanged={isChanged} />;
}

interface DifferenceProps extends Props {
  readonly saved: SavedView;
  /** The list as the view has it. */
  readonly opened: View;
  /** What the view names and the list no longer has. */
  readonly dropped: readonly string[];
  readonly isChanged: boolean;
}

function DifferenceBar({ resource, view, change, saved, opened, dropped, isChanged }: DifferenceProps) {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const viewRefusal = useViewRefusal();
  const { formatList } = useIntl();
  const { obstacle } = usePendingChanges();
  const [isNaming, setIsNaming] = useState(false);
  // The bar disappears as soon as the list of views shows the saved state.
  const write = useViewWrite(() => showToast({ kind: 'done', message: featureText('saved') }));
  const { name } = saved;
  const message = [
    ...(dropped.length > 0 ? [featureText('dropped', { name, names: formatList(dropped) })] : []),
    ...(isChanged ? [featureText('changed', { name })] : []),
    ...(write.isPending && obstacle !== null ? [featureText('kept')] : []),
  ].join(' ');
  const save = () => write.mutate({ view: saved, body: contentsOf(resource, view) });
  return (
    <>
      <Bar icon={dropped.length > 0 ? 'warning' : 'filter'} message={message}>
        <GuardedButton
          refusal={viewRefusal(saved, 'update')}
          size="xs"
          loading={write.isPending}
          onClick={save}
        >
          {featureText('save')}
        </GuardedButton>
        <GuardedButton
          refusal={refusal(savedViews, 'create')}
          size="xs"
          variant="default"
          onClick={() => setIsNaming(true)}
        >
          {featureText('saveAs')}
        </GuardedButton>
        {isChanged && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => change(opened)}>
            {featureText('reset')}
          </Button>
        )}
      </Bar>
      {write.isError && (
        <div className={styles.failure}>
          <FailureNotice error={write.error} />
        </div>
      )}
      {isNaming && <NewViewDialog resource={resource} view={view} close={() => setIsNaming(false)} />}
    </>
  );
}

interface BarProps {
  readonly icon: 'warning' | 'filter' | 'search';
  readonly message: string;
  readonly children: ReactNode;
}

function Bar({ icon, message, children }: BarProps) {
  return (
    <div className={`${shared.group} ${shared.box} ${styles.bar}`}>
      <Icon name={icon} size={14} />
      <Box component="p" flex="1 1 240px" m={0} role="status">
        {message}
      </Box>
      <Group gap={8}>{children}</Group>
    </div>
  );
}
