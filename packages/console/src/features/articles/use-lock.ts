/** Why an article cannot be edited as it is. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { checkRight, rightFor } from '@trellis/schema/rights/check-right.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../../api/api.ts';
import { parentIdOf } from '../../resources/places.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { texts } from './texts.ts';
import { useSiteTime } from './use-site-time.ts';

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
  const at = valueAt(record, 'versionData.scheduledFor');
  const status = valueAt(record, 'versionData.status');
  const tell = useSiteTime(status === 'SCHEDULED' ? parentIdOf(resource, record) : null);
  const refused = refusal(resource, 'update');
  if (refused !== null) return { reason: refused, isScheduled: false };
  const grant = checkRight(rights, rightFor(resource, 'update'));
  if (grant === 'own' && record.createdBy !== signedIn.user.id)
    return { reason: featureText('lockedOwn'), isScheduled: false };
  const publishing = refusal(resource, 'publish');
  if (status === 'APPROVED' && publishing !== null)
    return { reason: featureText('lockedApproved', { reason: publishing }), isScheduled: false };
  if (status !== 'SCHEDULED') return null;
  return { reason: featureText('lockedScheduled', { date: tell(String(at)) }), isScheduled: true };
}
