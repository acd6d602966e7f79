/** The heading of a column: sorts the list, is dragged to another place, has a border that is dragged, and a menu for all of that. */
import { Menu } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { FocusEvent } from 'react';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Icon } from '../../ui/icons.tsx';
import shared from '../../ui/shared.module.css';
import type { View } from '../view.ts';
import { defaultSort, sortsOf } from './sorts.ts';
import styles from './TableHead.module.css';
import { texts } from './texts.ts';
import type { Columns } from './use-columns.ts';
import { useSortLabels } from './use-sort-labels.ts';

export type Control = 'sort' | 'menu';

interface Props {
  readonly resource: Resource;
  readonly column: string;
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
  readonly columns: Columns;
  readonly isNarrow: boolean;
  /** The control that is the stop of Tab; null for none. */
  readonly stop: Control | null;
  readonly noteFocus: (control: Control) => void;
}

export function Heading(props: Props) {
  const { resource, column, view, change, columns, isNarrow, stop, noteFocus } = props;
  const featureText = useFeatureText(texts);
  const names = useNames();
  const sorting = sortsOf(resource).find((sort) => sort.column === column);
  const name = names.field(column);
  const { dragged } = columns;
  const current = view.sort === '' ? defaultSort : view.sort;
  const direction =
    sorting === undefined || !sorting.orders.includes(current)
      ? null
      : current.startsWith('-')
        ? 'descending'
        : 'ascending';
  if (isNarrow) {
    return (
      <div role="columnheader" className={styles.heading}>
        {name}
      </div>
    );
  }
  const label = (
    <span className={shared.cut} data-label>
      {name}
    </span>
  );
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const { control } = target.dataset;
    if (control === 'sort' || control === 'menu') noteFocus(control);
  };
  return (
    <div
      role="columnheader"
      aria-label={name}
      {...(sorting === undefined ? {} : { 'aria-sort': direction ?? 'none' })}
      className={styles.heading}
      data-heading={column}
      data-dragged={dragged?.column === column || undefined}
      data-drop={dropSide(view.columns, column, dragged)}
      onPointerDown={(event) => {
        const { target, currentTarget } = event;
        // Its menu is elsewhere in the document.
        if (!(target instanceof Element) || !currentTarget.contains(target)) return;
        if (isBorder(target)) columns.pressBorder(column, event);
        else columns.press(column, event);
      }}
      onDoubleClick={({ target }) => {
        if (isBorder(target)) columns.fit(column);
      }}
      onFocus={onFocus}
    >
      {sorting === undefined ? (
        label
      ) : (
        <button
          type="button"
          className={`${shared.plain} ${styles.sort}`}
          data-control="sort"
          tabIndex={stop === 'sort' ? 0 : -1}
          onClick={() => {
            const [first, second] = sorting.orders;
            change({ sort: current === first ? second : first });
          }}
        >
          {label}
          <span className={styles.direction} data-direction={direction ?? undefined}>
            <Icon name={direction === null ? 'sort' : 'chevronDown'} size={12} />
          </span>
        </button>
      )}
      <HeadingMenu {...props} label={featureText('menu', { name })} />
      <span className={styles.border} title={featureText('resize')} data-border />
    </div>
  );
}

function HeadingMenu({
  resource,
  column,
  view,
  change,
  columns,
  stop,
  label,
}: Props & { readonly label: string }) {
  const featureText = useFeatureText(texts);
  const sortLabels = useSortLabels();
  const sorting = sortsOf(resource).find((sort) => sort.column === column);
  const isTitle = column === resource.titleField;
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <button
          type="button"
          className={`${shared.plain} ${styles.menu}`}
          data-control="menu"
          tabIndex={stop === 'menu' ? 0 : -1}
          aria-label={label}
        >
          <Icon name="more" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {sorting !== undefined && (
          <>
            {sortLabels(sorting).map(({ order, label: orderLabel }) => (
              <Menu.Item key={order} onClick={() => change({ sort: order })}>
                {orderLabel}
              </Menu.Item>
            ))}
            <Menu.Divider />
          </>
        )}
        {!isTitle && (
          <>
            <Menu.Item
              disabled={!columns.canMove(column, -1)}
              rightSection={<Keys>Alt ←</Keys>}
              onClick={() => columns.move(column, -1, 'menu')}
            >
              {featureText('left')}
            </Menu.Item>
            <Menu.Item
              disabled={!columns.canMove(column, 1)}
              rightSection={<Keys>Alt →</Keys>}
              onClick={() => columns.move(column, 1, 'menu')}
            >
              {featureText('right')}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Item
          closeMenuOnClick={false}
          rightSection={<Keys>Alt ⇧ →</Keys>}
          onClick={() => columns.widen(column, 1)}
        >
          {featureText('wider')}
        </Menu.Item>
        <Menu.Item
          closeMenuOnClick={false}
          rightSection={<Keys>Alt ⇧ ←</Keys>}
          onClick={() => columns.widen(column, -1)}
        >
          {featureText('narrower')}
        </Menu.Item>
        <Menu.Item onClick={() => columns.fit(column)}>{featureText('fit')}</Menu.Item>
        <Menu.Item disabled={view.widths[column] === undefined} onClick={() => columns.reset(column)}>
          {featureText('reset')}
        </Menu.Item>
        {!isTitle && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => columns.hide(column)}>{featureText('hide')}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The keys of an item, which are its shortcut and not a part of its name. */
function Keys({ children }: { readonly children: string }) {
  return (
    <kbd className={shared.key} aria-hidden>
      {children}
    </kbd>
  );
}

function isBorder(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.dataset.border !== undefined;
}

/** The side of a heading that a dragged one would stand at. */
function dropSide(
  columns: readonly string[],
  column: string,
  dragged: Columns['dragged'],
): 'before' | 'after' | undefined {
  if (dragged === null || columns[dragged.place] !== column || dragged.column === column) return undefined;
  return columns.indexOf(dragged.column) < dragged.place ? 'after' : 'before';
}
