/** What has failed and needs somebody: schedules, text extraction, webhooks. Nothing is shown where nothing has. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FailingEndpoint } from '@trellis/client/generated/types.ts';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/Moment.tsx';
import shared from '../../ui/shared.module.css';
import styles from './HomePage.module.css';
import { HomeSection } from './HomeSection.tsx';
import { texts } from './texts.ts';
import { readFailedFiles, toFailed, useWaitingWork } from './work.ts';

interface Failure {
  readonly key: string;
  readonly title: string;
  readonly href: string;
  readonly reason: string;
  readonly instant: string | null;
}

export function FailureSection() {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const refusal = useRefusal();
  const mayRead = (resource: string) => refusal(resourceByName(resource), 'read') === null;
  const work = useWaitingWork();
  const files = useQuery({
    queryKey: ['v1', 'knowledge-files', 'failed'],
    queryFn: ({ signal }) => readFailedFiles(api, signal),
    enabled: mayRead('knowledge-files'),
  });
  const failures: readonly Failure[] = [
    ...(work.data?.failedSchedules ?? []).map(toFailed).map((item) => ({
      ...item,
      key: item.id,
      reason: item.reason ?? featureText('failedSchedule'),
    })),
    ...(files.data ?? []).map((item) => ({
      ...item,
      key: item.id,
      reason: item.reason ?? featureText('failedFile'),
    })),
    ...(work.data?.endpoints ?? []).map((endpoint) => ({
      key: endpoint.id,
      title: endpoint.target,
      href: `/webhook-endpoints/${endpoint.id}`,
      reason: describeEndpoint(endpoint, featureText),
      instant: endpoint.failedDelivery?.attemptedAt ?? null,
    })),
  ];
  // Beside the articles it is shown already.
  const error = files.error ?? (mayRead('articles') ? null : work.error);
  if (failures.length === 0 && error === null) return null;
  return (
    <HomeSection title={featureText('failed')} error={error}>
      <ul className={shared.rows}>
        {failures.map(({ key, title, href, reason, instant }) => (
          <li key={key} className={styles.entry} data-failed>
            <span className={styles.warning}>
              <Icon name="warning" size={15} />
            </span>
            <Link to={href} className={`${shared.name} ${shared.cut} ${shared.cover} ${styles.link}`}>
              {title}
            </Link>
            <span className={shared.small}>
              {reason} {instant !== null && <Moment value={instant} />}
            </span>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}

function describeEndpoint(
  { disabledReason, failedDelivery }: FailingEndpoint,
  featureText: ReturnType<typeof useFeatureText<typeof texts>>,
): string {
  if (disabledReason !== null) return featureText('endpointDisabled', { reason: disabledReason });
  const status = failedDelivery?.status ?? null;
  return featureText('deliveryFailed', {
    type: failedDelivery?.eventType ?? '',
    status: status === null ? 'none' : String(status),
  });
}
