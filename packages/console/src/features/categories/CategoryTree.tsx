/** The tree of a site's categories, in which they are moved by buttons, keys and dragging. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type ReactNode, useMemo, useState } from 'react';
import type { Api } from '../../api/api.ts';
import { readFirst } from '../../api/pages.ts';
import { ParentSwitch } from '../../lists/ListPage.tsx';
import { useLiveChanges } from '../../live/live.ts';
import { collectionPath } from '../../resources/places.ts';
import { presentationOf } from '../../resources/presentation.ts';
import { listRecords, recordKeys } from '../../resources/queries.ts';
import { refreshQueries } from '../../resources/refresh-queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Empty } from '../../ui/Empty.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import shared from '../../ui/shared.module.css';
import { CategoryRow } from './CategoryRow.tsx';
import styles from './CategoryTree.module.css';
import { texts } from './texts.ts';
import {
  buildTree,
  idsWithin,
  indexTree,
  neighbouringTargets,
  obstacleOf,
  type Place,
  placesIn,
  type Target,
  type TreeRecord,
} from './tree.ts';
import { useMoves } from './use-moves.ts';
import { type Control, useRowFocus } from './use-row-focus.ts';

/** More are not drawn as a tree. */
const mostCategories = 2_000;

/** The same as long as the list is not read. */
const none: readonly TreeRecord[] = [];

interface Props {
  readonly resource: Resource;
  readonly parentId: string;
  /** Buttons beside the one that creates. */
  readonly actions: ReactNode;
}

export function CategoryTree({ resource, parentId, actions }: Props) {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const names = useNames();
  const text = useText();
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const listKey = recordKeys.list(resource, parentId, 'tree');
  const list = useQuery({
    queryKey: listKey,
    queryFn: ({ signal }) => readTree(api, resource, parentId, signal),
  });
  useLiveChanges(async (changes) => {
    if (changes.some(({ type }) => type.startsWith(`${resource.singular}.`)))
      await refreshQueries(queries, listKey);
  });
  const moves = useMoves(resource, parentId, list.data?.records ?? none);
  const tree = useMemo(() => indexTree(buildTree(moves.records)), [moves.records]);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  /** Id of the category that is being dragged. */
  const [dragged, setDragged] = useState<string | null>(null);
  // None of these can be dropped into itself.
  const draggedIds = useMemo(
    () => (dragged === null ? new Set<string>() : idsWithin(tree, dragged)),
    [tree, dragged],
  );
  const [obstacle, setObstacle] = useState<string | null>(null);
  const focus = useRowFocus();

  /** @param control has the focus; null when it is elsewhere, as while dragging */
  const move = (place: Place, target: Target, control: Control | null) => {
    const found = obstacleOf(tree, place, target);
    setObstacle(found === null ? null : featureText(found, { count: limits.categoryDepth }));
    if (found !== null) return;
    void moves.move(tree, place, target);
    if (target.parentId !== null) setCollapsed((ids) => without(ids, target.parentId ?? ''));
    if (control !== null) focus.restore(place.node.id, control);
  };
  const drop = (target: Target) => {
    const place = dragged === null ? undefined : tree.places.get(dragged);
    if (place !== undefined) move(place, target, null);
    setDragged(null);
  };
  const createRefusal = refusal(resource, 'create');
  const updateRefusal = refusal(resource, 'update');
  const createButton = (
    <GuardedButton
      refusal={createRefusal}
      onClick={() => void navigate({ to: `${collectionPath(resource, parentId)}/new` })}
      leftSection={<Icon name="plus" />}
    >
      {text('record.new', { name: names.noun(resource) })}
    </GuardedButton>
  );
  const isEmpty = list.isSuccess && tree.roots.length === 0;
  return (
    <>
      <PageHead
        title={names.plural(resource)}
        aside={<ParentSwitch resource={resource} parentId={parentId} />}
        actions={
          <>
            {actions}
            {createButton}
          </>
        }
      />
      <div className={styles.page}>
        <FailureNotice error={list.error ?? moves.failure} />
        {obstacle !== null && <Notice kind="failure">{obstacle}</Notice>}
        {list.isPending && <Loading />}
        {isEmpty && (
          <Empty
            icon={presentationOf(resource).icon ?? 'list'}
            title={text('list.empty', { name: names.nouns(resource) })}
            about={text('list.emptyAbout')}
          >
            {createButton}
          </Empty>
        )}
        {tree.roots.length > 0 && (
          <>
            <p className={shared.small}>
              {updateRefusal ?? <span className={styles.tip}>{featureText('hint')}</span>}
            </p>
            <ul ref={focus.list} className={shared.list} aria-label={featureText('tree')}>
              {placesIn(tree, collapsed).map((place) => {
                const { id } = place.node;
                return (
                  <CategoryRow
                    key={id}
                    resource={resource}
                    siteId={parentId}
                    place={place}
                    targets={updateRefusal === null ? neighbouringTargets(tree, place) : null}
                    isCollapsed={collapsed.has(id)}
                    toggle={() =>
                      setCollapsed((ids) => (ids.has(id) ? without(ids, id) : new Set([...ids, id])))
                    }
                    move={(target, control) => move(place, target, control)}
                    isDragged={dragged === id}
                    accepts={dragged !== null && !draggedIds.has(id)}
                    drag={(isDragged) => setDragged(isDragged ? id : null)}
                    drop={drop}
                  />
                );
              })}
            </ul>
          </>
        )}
        {list.data?.hasMore && (
          <Notice kind="hint">{featureText('tooMany', { count: mostCategories })}</Notice>
        )}
      </div>
    </>
  );
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((one) => one !== id));
}

async function readTree(api: Api, resource: Resource, parentId: string, signal: AbortSignal) {
  const query = { fields: 'version,name,slug,parentId,position', limit: '100' };
  const { items, hasMore } = await readFirst(mostCategories, (cursor) =>
    listRecords(api, resource, parentId, query, cursor, signal),
  );
  return { records: items as unknown as readonly TreeRecord[], hasMore };
}
