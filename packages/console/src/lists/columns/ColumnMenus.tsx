/** The menus of a list's tools that sort it and choose its columns. They also serve cards, which have no headings. */
import { Button, Menu } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Icon } from '../../ui/icons.tsx';
import shared from '../../ui/shared.module.css';
import { columnsOf, defaultColumns, type View } from '../view.ts';
import { addColumn } from './order.ts';
import { defaultSort, sortsOf } from './sorts.ts';
import { texts } from './texts.ts';
import { useSortLabels } from './use-sort-labels.ts';

interface Props {
  readonly resource: Resource;
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
}

export function SortMenu({ resource, view, change }: Props) {
  const featureText = useFeatureText(texts);
  const sortLabels = useSortLabels();
  const current = view.sort === '' ? defaultSort : view.sort;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="sort" size={14} />}>
          {featureText('sort')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sortsOf(resource)
          .flatMap(sortLabels)
          .map(({ order, label }) => (
            <Menu.RadioItem
              key={order}
              value={order}
              checked={order === current}
              checkIcon={<Icon name="check" size={14} />}
              styles={{ itemIndicator: { width: 14 } }}
              closeMenuOnClick
              onClick={() => change({ sort: order })}
            >
              {label}
            </Menu.RadioItem>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function ColumnsMenu({ resource, view, change }: Props) {
  const text = useText();
  const featureText = useFeatureText(texts);
  const names = useNames();
  const declared = columnsOf(resource);
  return (
    <Menu position="bottom-end" closeOnItemClick={false} width={220}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="columns" size={14} />}>
          {text('list.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={shared.scroll ?? ''}>
        {declared.map((column) => {
          const isShown = view.columns.includes(column);
          return (
            <Menu.CheckboxItem
              key={column}
              checked={isShown}
              disabled={column === resource.titleField}
              onChange={() =>
                change({
                  columns: isShown
                    ? view.columns.filter((other) => other !== column)
                    : addColumn(view.columns, column, declared),
                })
              }
            >
              {names.field(column)}
            </Menu.CheckboxItem>
          );
        })}
        <Menu.Divider />
        <Menu.Item onClick={() => change({ columns: defaultColumns(resource), widths: {} })}>
          {featureText('defaults')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
