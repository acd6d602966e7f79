/** A month of a site, and the drafts without a date beside it. Who may write plans drafts, and who may publish moves what is scheduled. */

import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { articles } from '@trellis/schema/resources/articles.ts';
import { checkRight, rightFor } from '@trellis/schema/rights/check-right.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { toInstant, toWallTime } from '@trellis/schema/values/zones.ts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../../../api/api.ts';
import { useRefusal } from '../../../session/missing-right.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { Icon } from '../../../ui/icons.tsx';
import { FailureNotice, Notice } from '../../../ui/Notice.tsx';
import shared from '../../../ui/shared.module.css';
import { statusOfArticle } from '../moves.ts';
import { ScheduleDialog } from '../ScheduleDialog.tsx';
import { Agenda } from './Agenda.tsx';
import { Backlog } from './Backlog.tsx';
import styles from './Calendar.module.css';
import { addDays, addMonths, atDay, dayOf, firstDayOf, isMonth, usualTimeOf, weeksOf } from './days.ts';
import { MonthGrid } from './MonthGrid.tsx';
import { PlanDialog } from './PlanDialog.tsx';
import type { Planning } from './PlanMenu.tsx';
import { texts } from './texts.ts';
import { useDragging } from './use-dragging.ts';
import { useEntries } from './use-entries.ts';
import { useMoves } from './use-moves.ts';

/** What is to be planned: a draft, or if null one that is chosen or made. */
interface Planned {
  /** The proposed time on the clock of the site. */
  readonly time: string;
  readonly record: ApiRecord | null;
}

interface MonthProps {
  readonly site: ApiRecord;
  /** `2027-03`; another text for the present month. */
  readonly wanted: string;
  readonly show: (month: string) => void;
}

export function Month({ site, wanted, show }: MonthProps) {
  const featureText = useFeatureText(texts);
  const { formatDate, locale } = useIntl();
  const refusal = useRefusal();
  const siteId = site.id;
  const zone = typeof site.timezone === 'string' ? site.timezone : 'UTC';
  const today = dayOf(new Date(), zone);
  const month = isMonth(wanted) ? wanted : today.slice(0, 7);
  const weeks = weeksOf(month, firstDayOf(locale));
  const start = toInstant(`${weeks[0]?.[0]}T00:00`, zone) ?? new Date();
  const { rights, signedIn } = useWorkspace();
  const writing = refusal(articles, 'update');
  const mayPublish = refusal(articles, 'publish') === null;
  const mayCreate = refusal(articles, 'create') === null;
  const isOwnOnly = checkRight(rights, rightFor(articles, 'update')) === 'own';
  const moves = useMoves(siteId, zone, mayPublish);
  const { entries, backlog, hasMore, error, isPending } = useEntries(
    siteId,
    start.toISOString(),
    moves.moved,
  );
  const dragging = useDragging();
  const [planned, setPlanned] = useState<Planned | null>(null);
  const isNarrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false });
  const mayChange = ({ createdBy }: ApiRecord) =>
    writing === null && (!isOwnOnly || createdBy === signedIn.user.id);
  const mayMove = (record: ApiRecord) => {
    const status = statusOfArticle(record);
    // What is in review is left as it is.
    if (status === 'IN_REVIEW') return false;
    return mayChange(record) && (status === 'DRAFT' || mayPublish);
  };
  const planning: Planning = {
    mayMove,
    mayRemove: (record) => mayChange(record) && ['DRAFT', 'SCHEDULED'].includes(statusOfArticle(record)),
    mayPublish,
    askTime: (record) => {
      if (statusOfArticle(record) !== 'DRAFT') return void moves.schedule(record, null);
      const at = valueAt(record, 'versionData.scheduledFor');
      const time =
        typeof at === 'string' && Date.parse(at) > Date.now() ? toWallTime(new Date(at), zone) : null;
      setPlanned({ time: time ?? usualTimeOf(addDays(today, 1), zone), record });
    },
    askToSchedule: (record) => void moves.schedule(record, null),
    remove: moves.remove,
  };
  const drafts = backlog.filter(
    ({ record }) => statusOfArticle(record) === 'DRAFT' && planning.mayMove(record),
  );
  const mayPlan = mayCreate || drafts.length > 0;
  const planDay = (day: string) => setPlanned({ time: usualTimeOf(day, zone), record: null });
  const refused = writing ?? refusal(articles, 'publish');
  const days = Map.groupBy(entries, ({ at }) => dayOf(at, zone));
  const given = { siteId, zone, month, today, days, isPending, planning };
  return (
    <>
      <div className={`${shared.group} ${shared.group}`}>
        <h2 className={styles.month} aria-live="polite">
          {formatDate(`${month}-15T12:00:00Z`, { month: 'long', year: 'numeric', timeZone: 'UTC' })}
        </h2>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={featureText('earlier')}
          onClick={() => show(addMonths(month, -1))}
        >
          <Icon name="chevronLeft" />
        </ActionIcon>
        <Button variant="default" size="sm" onClick={() => show(today.slice(0, 7))}>
          {featureText('today')}
        </Button>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={featureText('later')}
          onClick={() => show(addMonths(month, 1))}
        >
          <Icon name="chevronRight" />
        </ActionIcon>
        {mayPlan && (
          <Button
            size="sm"
            leftSection={<Icon name="plus" />}
            onClick={() => planDay(month > today.slice(0, 7) ? `${month}-01` : addDays(today, 1))}
          >
            {featureText('plan')}
          </Button>
        )}
      </div>
      <p className={shared.about}>{featureText('zone', { zone })}</p>
      {refused !== null && entries.some(({ status }) => status === 'SCHEDULED') && (
        <p className={shared.about}>{refused}</p>
      )}
      <FailureNotice error={error} />
      {hasMore && <Notice kind="hint">{featureText('notAll')}</Notice>}
      <div className={styles.plans}>
        {isNarrow ? (
          <div>
            <Agenda {...given} />
          </div>
        ) : (
          <MonthGrid
            {...given}
            weeks={weeks}
            dragging={dragging}
            planDay={mayPlan ? planDay : null}
            drop={({ record, at }, day) => {
              if (at !== null && day === dayOf(at, zone)) return;
              const to = at === null ? toInstant(usualTimeOf(day, zone), zone) : atDay(at, day, zone);
              // The usual time of a day that is over is later today, and nothing is moved there without being asked for.
              if (to !== null) void moves.put(record, day < today ? new Date(0) : to);
            }}
          />
        )}
        <Backlog
          siteId={siteId}
          zone={zone}
          entries={backlog}
          planning={planning}
          dragging={dragging}
          isNarrow={isNarrow}
        />
      </div>
      {planned !== null && (
        <PlanDialog
          siteId={siteId}
          zone={zone}
          time={planned.time}
          record={planned.record}
          drafts={drafts}
          mayCreate={mayCreate}
          plan={(record, at) => {
            setPlanned(null);
            void moves.put(record, at);
          }}
          close={() => setPlanned(null)}
        />
      )}
      {moves.question !== null && (
        <ScheduleDialog
          resource={articles}
          record={moves.question.proposed}
          parentId={siteId}
          shown={moves.question.shown}
          isWaiting={false}
          close={moves.close}
          schedule={(scheduledFor, unpublishAt) =>
            moves.question !== null && moves.confirm(moves.question, scheduledFor, unpublishAt)
          }
        />
      )}
    </>
  );
}
