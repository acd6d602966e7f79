/** The menu of a list's saved views: opens them, saves a new one, and changes the one that is open. */
import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { DeleteDialog } from '../../records/DeleteDialog.tsx';
import { collectionPath, recordPathOf } from '../../resources/places.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { copyText } from '../../ui/copy-text.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { GuardedItem } from '../../ui/GuardedItem.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { parametersOf, type View } from '../view.ts';
import { NewViewDialog } from './NewViewDialog.tsx';
import { readSavedView, type SavedView, savedViews } from './saved-view.ts';
import { texts } from './texts.ts';
import { useLiveViews, useSavedViews, useViewRefusal } from './use-saved-views.ts';
import { ViewDialog } from './ViewDialog.tsx';
import styles from './Views.module.css';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly view: View;
}

type Dialog = 'create' | 'edit' | 'delete';

export function ViewsMenu({ resource, parentId, view }: Props) {
  const featureText = useFeatureText(texts);
  const navigate = useNavigate();
  const refusal = useRefusal();
  const viewRefusal = useViewRefusal();
  const [isOpened, setIsOpened] = useState(false);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  useLiveViews();
  const views = useSavedViews(resource, isOpened || view.savedId !== '');
  const refused = refusal(savedViews, 'read');
  const current = views.data?.find(({ id }) => id === view.savedId);
  const path = collectionPath(resource, parentId);
  const show = (saved: SavedView | null) => {
    const search = saved === null ? {} : parametersOf(resource, readSavedView(resource, saved).view);
    void navigate({ to: path, search });
  };
  const copyLink = ({ id }: SavedView) => {
    const link = `${window.location.origin}/console${recordPathOf(savedViews, null, id)}`;
    return copyText(link, { done: featureText('linkCopied'), failed: featureText('linkFailed') });
  };
  if (refused !== null) {
    return (
      <GuardedButton
        refusal={refused}
        size="xs"
        leftSection={<Icon name="list" size={14} />}
        onClick={() => undefined}
      >
        {featureText('views')}
      </GuardedButton>
    );
  }
  const sections = [
    { label: featureText('mine'), views: views.data?.filter(({ shared }) => !shared) ?? [] },
    { label: featureText('shared'), views: views.data?.filter(({ shared }) => shared) ?? [] },
  ].filter((section) => section.views.length > 0);
  return (
    <>
      <Menu position="bottom-start" width={290} withinPortal={false} opened={isOpened} onChange={setIsOpened}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            className={styles.button ?? ''}
            data-current={current !== undefined || undefined}
            leftSection={<Icon name="list" size={14} />}
            rightSection={<Icon name="chevronDown" size={14} />}
            {...(current === undefined
              ? {}
              : { 'aria-label': featureText('current', { name: current.name }) })}
          >
            {current?.name ?? featureText('views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={shared.scroll}>
            {views.isPending && <Loading />}
            {views.isError && <FailureNotice error={views.error} />}
            {views.isSuccess && sections.length === 0 && (
              <div className={styles.none}>
                <strong>{featureText('none')}</strong>
                <span>{featureText('noneAbout')}</span>
              </div>
            )}
            {sections.map((section) => (
              <div key={section.label} role="group" aria-label={section.label}>
                <Menu.Label aria-hidden>{section.label}</Menu.Label>
                {section.views.map((saved) => (
                  <Menu.RadioItem
                    key={saved.id}
                    value={saved.id}
                    checked={saved.id === current?.id}
                    checkIcon={<Icon name="check" size={14} />}
                    styles={{ itemIndicator: { width: 14 } }}
                    closeMenuOnClick
                    onClick={() => show(saved)}
                  >
                    {saved.name}
                  </Menu.RadioItem>
                ))}
              </div>
            ))}
          </div>
          <Menu.Divider />
          {view.savedId !== '' && (
            <Menu.Item leftSection={<Icon name="close" size={14} />} onClick={() => show(null)}>
              {featureText('showAll')}
            </Menu.Item>
          )}
          <GuardedItem
            icon="plus"
            label={featureText('saveAs')}
            refusal={refusal(savedViews, 'create')}
            onClick={() => setDialog('create')}
          />
          {current !== undefined && (
            <>
              <GuardedItem
                icon="user"
                label={featureText('edit')}
                refusal={viewRefusal(current, 'update')}
                onClick={() => setDialog('edit')}
              />
              <GuardedItem
                icon="copy"
                label={featureText('copyLink')}
                refusal={null}
                onClick={() => void copyLink(current)}
              />
              <GuardedItem
                icon="trash"
                label={featureText('delete')}
                refusal={viewRefusal(current, 'delete')}
                onClick={() => setDialog('delete')}
              />
            </>
          )}
          <GuardedItem
            icon="columns"
            label={featureText('manage')}
            refusal={null}
            onClick={() =>
              void navigate({ to: collectionPath(savedViews, null), search: { resource: resource.name } })
            }
          />
        </Menu.Dropdown>
      </Menu>
      {dialog === 'create' && <NewViewDialog resource={resource} view={view} close={() => setDialog(null)} />}
      {dialog === 'edit' && current !== undefined && (
        <ViewDialog
          resource={resource}
          view={view}
          saved={current}
          close={() => setDialog(null)}
          done={() => setDialog(null)}
        />
      )}
      {dialog === 'delete' && current !== undefined && (
        <DeleteDialog
          resource={savedViews}
          parentId={null}
          record={current}
          close={() => setDialog(null)}
          deleted={() => {
            setDialog(null);
            show(null);
          }}
        />
      )}
    </>
  );
}
