/** What can be done with an article of the calendar besides opening it. */
import { ActionIcon, Menu } from '@mantine/core';
import type { ApiRecord } from '../../../api/api.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { Icon } from '../../../ui/icons.tsx';
import { statusOfArticle } from '../moves.ts';
import { texts } from './texts.ts';

/** What the person may do with the articles of the calendar, and how it is done. */
export interface Planning {
  /** Whether it may be put on another day. */
  readonly mayMove: (record: ApiRecord) => boolean;
  /** Whether its date may be taken away. */
  readonly mayRemove: (record: ApiRecord) => boolean;
  readonly mayPublish: boolean;
  /** Asks for a time: of a draft that for which it is planned, of others that at which they are published. */
  readonly askTime: (record: ApiRecord) => void;
  readonly askToSchedule: (record: ApiRecord) => void;
  readonly remove: (record: ApiRecord) => void;
}

interface Props {
  readonly record: ApiRecord;
  readonly title: string;
  readonly isDated: boolean;
  readonly planning: Planning;
  readonly className?: string | undefined;
}

/** Nothing where there is nothing that the person may do. */
export function PlanMenu({ record, title, isDated, planning, className }: Props) {
  const featureText = useFeatureText(texts);
  const status = statusOfArticle(record);
  const mayMove = planning.mayMove(record);
  const mayRemove = isDated && planning.mayRemove(record);
  if (!mayMove && !mayRemove) return null;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon
          data-plan-of={record.id}
          className={className ?? ''}
          variant="subtle"
          color="gray"
          size={24}
          aria-label={featureText('actions', { title })}
        >
          <Icon name="more" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayMove && status !== 'APPROVED' && (
          <Menu.Item leftSection={<Icon name="calendar" />} onClick={() => planning.askTime(record)}>
            {featureText(isDated ? 'otherTime' : 'chooseTime')}
          </Menu.Item>
        )}
        {mayMove && status !== 'SCHEDULED' && planning.mayPublish && (
          <Menu.Item leftSection={<Icon name="clock" />} onClick={() => planning.askToSchedule(record)}>
            {featureText('schedule')}
          </Menu.Item>
        )}
        {mayRemove && (
          <Menu.Item leftSection={<Icon name="close" />} onClick={() => planning.remove(record)}>
            {featureText(status === 'SCHEDULED' ? 'unschedule' : 'removeDate')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
