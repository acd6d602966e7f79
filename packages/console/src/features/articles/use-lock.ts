/** Why an article cannot be edited as it is. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { checkRight, rightFor } from '@trellis/schema/rights/check-right.ts';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../../api/api.ts';
import { valueAt } from '../../resources/values.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { texts } from './texts.ts';

export interface Lock {
  readonly reason: string;
  /** Whether taking back the schedule opens it. */
  readonly isScheduled: boolean;
}

/** The lock by the status and the rights of the person; null when it can be edited. */
export function useLock(resource: Resource, record: ApiRecord): Lock | null {
  const { rights, signedIn } = useWorkspace();
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const { formatDate } = useIntl();
  const refused = refusal(resource, 'update');
  if (refused !== null) return { reason: refused, isScheduled: false };
  const grant = checkRight(rights, rightFor(resource, 'update'));
  if (grant === 'own' && record.createdBy !== signedIn.user.id)
    return { reason: featureText('lockedOwn'), isScheduled: false };
  const status = valueAt(record, 'versionData.status');
  const publishing = refusal(resource, 'publish');
  if (status === 'APPROVED' && publishing !== null)
    return { reason: featureText('lockedApproved', { reason: publishing }), isScheduled: false };
  if (status !== 'SCHEDULED') return null;
  const at = valueAt(record, 'versionData.scheduledFor');
  const date = formatDate(String(at), { dateStyle: 'medium', timeStyle: 'short' });
  return { reason: featureText('lockedScheduled', { date }), isScheduled: true };
}
