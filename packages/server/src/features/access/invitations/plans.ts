/** The write plans of invitations: making one with its link, sending it again, and revoking it. */

import { Problem } from '@trellis/schema/problem.ts';
import { hashSecret } from '../../../kernel/identity/secrets.ts';
import type { Sealer } from '../../../kernel/lib/sealer.ts';
import type { Model } from '../../../kernel/pipeline/model.ts';
import { Refusal } from '../../../kernel/pipeline/refusal.ts';
import type { Target } from '../../../kernel/pipeline/storage.ts';
import { definePlan } from '../../../kernel/pipeline/write/define-plan.ts';
import type { Outcome, Plan } from '../../../kernel/pipeline/write/plan.ts';
import {
  type PlanAdditions,
  planAction,
  type ResponseShape,
  replayOf,
  stampOf,
} from '../../../kernel/pipeline/write/plans.ts';
import { applyChange, applyRemoval } from '../../../kernel/pipeline/write/steps/change.ts';
import {
  checkInvitedRole,
  checkOthers,
  checkSender,
  expiryOf,
  othersOfInvitation,
  roleOfInvitation,
} from './rules.ts';
import { secretHash, storeMailedLinkStep } from './storage.ts';

/** What the links of an invitation are bound to. @param invitationId uuid */
export function bindingOf(organizationId: string, invitationId: string): string {
  return `${organizationId}/${invitationId}`;
}

/** The secrets of the two links of an invitation. */
export interface LinkSecrets {
  /** Of the link that is shown, a new one each time. */
  readonly shown: string;
  /**
   * Of the link that is mailed, which is the same in every mail of an invitation: a mail that does not arrive takes nothing away from the
   * ones before. @param invitationId uuid
   */
  mailed(invitationId: string): string;
}

/**
 * A create that also makes the links. The response that is stored under the idempotency key contains its secret, sealed; a
 * retry gets the same link, and nobody else can read it.
 */
export function withNewLinks(organizationId: string, secrets: LinkSecrets, sealer: Sealer): PlanAdditions {
  return {
    values: { [secretHash]: hashOf(secrets.shown) },
    complete: (outcome, id) => withLinks(outcome, organizationId, id, secrets, sealer),
  };
}

/**
 * Gives an invitation that nobody has accepted a new link and seven more days. The one that was shown before is refused; the one that is
 * mailed stays. Its hash is stored again, because the key it is made of may be another one by now.
 */
export function planResend(
  model: Model,
  target: Target,
  secrets: LinkSecrets,
  sealer: Sealer,
  shape: ResponseShape,
): Plan<'action'> {
  const { organizationId } = target;
  return planAction(
    model,
    target,
    {
      role: roleOfInvitation(organizationId, target.id),
      others: othersOfInvitation(organizationId, target.id),
    },
    shape,
    ({ values }, { actor, instant, rows }) => {
      const isOpen = values.status === 'PENDING' || values.status === 'EXPIRED';
      const refused = checkSender(actor) ?? checkInvitedRole(actor.role, rows.role.rows[0]);
      if (refused !== null) return refused;
      if (!isOpen) {
        const was = String(values.status).toLowerCase();
        return new Refusal(
          new Problem('invalid_transition', `The invitation was ${was}. Create another one.`),
        );
      }
      const inTheWay = checkOthers(String(values.email), rows.others.rows[0]);
      if (inTheWay !== null) return inTheWay;
      const renewed = {
        ...values,
        [secretHash]: hashOf(secrets.shown),
        status: 'PENDING',
        expiresAt: expiryOf(instant),
      };
      return { values: renewed, events: ['resent'] };
    },
    { complete: (outcome, id) => withLinks(outcome, organizationId, id, secrets, sealer) },
  );
}

/** Revokes an invitation that is pending; deletes the record of one that cannot be accepted any more. */
export function planRevocation(model: Model, target: Target): Plan<'delete'> {
  const { organizationId } = target;
  return definePlan({
    kind: 'delete',
    model,
    lock: model.statements.lock(target),
    reads: { role: roleOfInvitation(organizationId, target.id) },
    decide({ actor, instant, rows }, before) {
      const refused = checkInvitedRole(actor.role, rows.role.rows[0]);
      if (refused !== null) return refused;
      const stamp = stampOf({ instant, actor });
      const values = { ...before.values, status: 'REVOKED' };
      const { steps, events } =
        before.values.status === 'PENDING'
          ? applyChange(model, organizationId, before, { values, events: ['revoked'] }, stamp)
          : applyRemoval(model, organizationId, before, [], stamp);
      return {
        steps,
        events,
        response: { status: 204, location: null, etag: null, body: null },
        shown: { recordId: before.id, as: 'other' },
        publishes: [],
      };
    },
    replay: { ...replayOf(model, target), show: null },
  });
}

function hashOf(secret: string): string {
  return hashSecret('invitation', secret).toString('hex');
}

/** The outcome with the hash of the mailed link, and the sealed secret of the shown one in its response. */
function withLinks(
  outcome: Outcome,
  organizationId: string,
  id: string,
  { shown, mailed }: LinkSecrets,
  sealer: Sealer,
): Outcome {
  const { response } = outcome;
  const link = sealer.seal(shown, bindingOf(organizationId, id));
  const body = response.body === null ? null : JSON.stringify({ ...JSON.parse(response.body), link });
  return {
    ...outcome,
    steps: [...outcome.steps, storeMailedLinkStep(organizationId, id, hashOf(mailed(id)))],
    response: { ...response, body },
    shown: { recordId: id, as: 'other' },
  };
}
