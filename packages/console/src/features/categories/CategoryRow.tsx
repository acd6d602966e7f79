/** A category in the tree, which can be opened, expanded and moved. */
import { ActionIcon, Box, Menu, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type CSSProperties, type DragEvent, type KeyboardEvent, useState } from 'react';
import { recordPathOf } from '../../resources/places.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Icon } from '../../ui/icons.tsx';
import shared from '../../ui/shared.module.css';
import { hasLeft } from '../../ui/use-drop-zone.ts';
import styles from './CategoryTree.module.css';
import { texts } from './texts.ts';
import type { neighbouringTargets, Place, Target } from './tree.ts';
import { type Control, controlOf } from './use-row-focus.ts';

type Direction = keyof ReturnType<typeof neighbouringTargets>;

const directions: readonly Direction[] = ['up', 'down', 'into', 'out'];
const keys: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'into',
  ArrowLeft: 'out',
};

interface Props {
  readonly resource: Resource;
  readonly siteId: string;
  readonly place: Place;
  /** Where it can be moved from here; null where nothing may be moved. */
  readonly targets: ReturnType<typeof neighbouringTargets> | null;
  readonly isCollapsed: boolean;
  readonly toggle: () => void;
  /** @param control has the focus */
  readonly move: (target: Target, control: Control | null) => void;
  readonly isDragged: boolean;
  /** Whether something is being dragged that can be dropped here. */
  readonly accepts: boolean;
  /** Whether it is being dragged from now on. */
  readonly drag: (isDragged: boolean) => void;
  readonly drop: (target: Target) => void;
}

/** Where in a row something is dropped. */
type Zone = 'before' | 'inside' | 'after';

export function CategoryRow(props: Props) {
  const { resource, siteId, place, targets, isCollapsed, toggle, move, isDragged, accepts, drag, drop } =
    props;
  const { node, parent, siblings, index } = place;
  const featureText = useFeatureText(texts);
  const [zone, setZone] = useState<Zone | null>(null);
  const isMovable = targets !== null;
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys in the menu come here too, although it is drawn elsewhere.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (targets === null || !event.altKey || !isInside) return;
    const direction = keys[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    if (targets[direction] !== null) move(targets[direction], controlOf(event.target));
  };
  const onDragOver = (event: DragEvent) => {
    if (!accepts) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientY - top) / height;
    setZone(share < 0.3 ? 'before' : share > 0.7 ? 'after' : 'inside');
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    if (!accepts || zone === null) return;
    const parentId = parent?.id ?? null;
    if (zone === 'inside') drop({ parentId: node.id, before: null });
    else drop({ parentId, before: zone === 'before' ? node.id : (siblings[index + 1]?.id ?? null) });
    setZone(null);
  };
  return (
    <li
      className={styles.row}
      data-id={node.id}
      style={{ '--level': node.level } as CSSProperties}
      data-zone={accepts ? zone : null}
      data-dragged={isDragged}
      draggable={isMovable}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', node.name);
        drag(true);
      }}
      onDragEnd={() => drag(false)}
      onDragOver={onDragOver}
      onDragLeave={(event) => {
        if (hasLeft(event)) setZone(null);
      }}
      onDrop={onDrop}
      onKeyDown={onKeyDown}
    >
      {node.children.length === 0 ? (
        <Box component="span" flex="none" w={24} />
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          data-control="toggle"
          aria-expanded={!isCollapsed}
          aria-label={featureText(isCollapsed ? 'open' : 'close', { name: node.name })}
          onClick={toggle}
        >
          <Icon name={isCollapsed ? 'chevronRight' : 'chevronDown'} size={14} />
        </ActionIcon>
      )}
      <Link
        to={recordPathOf(resource, siteId, node.id)}
        className={`${shared.cut} ${styles.name}`}
        draggable={false}
        data-control="open"
      >
        {node.name}
        {parent !== null && <VisuallyHidden> {featureText('below', { name: parent.name })}</VisuallyHidden>}
      </Link>
      <span className={`${shared.small} ${shared.cut} ${styles.slug}`}>{node.slug}</span>
      {isMovable && (
        <div className={styles.tools}>
          {(['up', 'down'] as const).map((direction) => (
            <ActionIcon
              key={direction}
              variant="subtle"
              color="gray"
              size={28}
              className={styles.step ?? ''}
              data-control={direction}
              aria-label={`${featureText(direction)}: ${node.name}`}
              // Stays in the order of Tab: a button that moved a category to the end has the focus.
              data-disabled={targets[direction] === null}
              aria-disabled={targets[direction] === null}
              onClick={() => {
                if (targets[direction] !== null) move(targets[direction], direction);
              }}
            >
              <span className={styles[direction]}>
                <Icon name="chevronDown" size={14} />
              </span>
            </ActionIcon>
          ))}
          <Menu position="bottom-end" width={230}>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={28}
                data-control="menu"
                aria-label={featureText('moveMenu', { name: node.name })}
              >
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {directions.map((direction) => (
                <Menu.Item
                  key={direction}
                  disabled={targets[direction] === null}
                  onClick={() => {
                    if (targets[direction] !== null) move(targets[direction], 'menu');
                  }}
                >
                  {featureText(direction)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
    </li>
  );
}
