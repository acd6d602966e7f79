/** The write plans of tokens that show a secret: creating a token, and replacing one. */

import { withChanges } from '@trellis/schema/resources/stored-values.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { hashToken, makeToken } from '../../../kernel/identity/tokens.ts';
import type { Sealer } from '../../../kernel/lib/sealer.ts';
import type { Model } from '../../../kernel/pipeline/model.ts';
import { Refusal } from '../../../kernel/pipeline/refusal.ts';
import type { Target } from '../../../kernel/pipeline/storage.ts';
import { definePlan } from '../../../kernel/pipeline/write/define-plan.ts';
import type { StoredResponse } from '../../../kernel/pipeline/write/idempotency/idempotency.ts';
import type { Plan } from '../../../kernel/pipeline/write/plan.ts';
import {
  type PlanAdditions,
  type ResponseShape,
  recordResponse,
  replayOf,
  stampOf,
} from '../../../kernel/pipeline/write/plans.ts';
import { applyChange, applyCreation } from '../../../kernel/pipeline/write/steps/change.ts';
import { checkTokenRights, endOf, ownerReads, type TokenValues } from './rules.ts';
import { secretHash } from './storage.ts';

/** Characters of a token that are kept so that people can recognize it. */
const shownCharacters = 12;

/** A new token, and its stored form. @param organizationId uuid */
export function newToken(organizationId: string) {
  const token = makeToken(organizationId);
  return {
    token,
    values: { [secretHash]: hashToken(token), start: token.slice(0, shownCharacters) },
  };
}

/** What a secret in a stored response is bound to. @param tokenId uuid */
export function bindingOf(organizationId: string, tokenId: string): string {
  return `${organizationId}/${tokenId}`;
}

/**
 * A create that also makes the token. The response that is stored under the idempotency key contains it sealed; it is opened when
 * the response is sent, so that a retry gets the same response and nobody else can read the token.
 */
export function newSecret(organizationId: string, tokenSealer: Sealer): PlanAdditions {
  const { token, values } = newToken(organizationId);
  return {
    values,
    complete: (outcome, tokenId) => ({
      ...outcome,
      response: withSecret(outcome.response, tokenSealer.seal(token, bindingOf(organizationId, tokenId))),
      shown: { recordId: tokenId, as: 'other' },
    }),
  };
}

/**
 * Makes a token in place of another one: with the same user, client, scopes, resources and lifetime. The old one is accepted for a
 * while longer, unless it ends before.
 * @param overlapSeconds for how long
 */
export function planRotation(
  model: Model,
  target: Target,
  overlapSeconds: number,
  tokenSealer: Sealer,
  shape: ResponseShape,
): Plan<'action'> {
  const { organizationId } = target;
  const { token, values: made } = newToken(organizationId);
  const id = newUuid();
  return definePlan({
    kind: 'action',
    model,
    lock: model.statements.lock(target),
    reads: ownerReads(target),
    decide({ actor, instant, rows }, locked) {
      const before = locked as StoredRecord<TokenValues>;
      const refused = checkTokenRights(actor, before.values, rows.role);
      if (refused instanceof Refusal) return refused;
      const { lifetimeDays, neverExpires } = before.values;
      const after: StoredRecord = {
        ...before,
        id,
        version: 1,
        createdAt: instant,
        updatedAt: instant,
        createdBy: actor.userId,
        updatedBy: actor.userId,
        values: {
          ...before.values,
          ...made,
          expiresAt: neverExpires ? null : endOf(instant, lifetimeDays),
          lastUsedAt: null,
        },
      };
      const ends = new Date(Date.parse(instant) + overlapSeconds * 1_000).toISOString();
      const known = before.values.expiresAt;
      const values = withChanges(before.values, {
        expiresAt: known !== null && known < ends ? known : ends,
      });
      const stamp = stampOf({ instant, actor });
      const replaced = applyChange(model, organizationId, before, { values, events: ['updated'] }, stamp);
      const created = applyCreation(model, organizationId, after);
      const response = recordResponse(model.resource, after, 200, shape);
      return {
        steps: [...replaced.steps, ...created.steps],
        events: [...replaced.events, ...created.events],
        response: withSecret(response, tokenSealer.seal(token, bindingOf(organizationId, id))),
        shown: { recordId: id, as: 'other' },
        publishes: [],
      };
    },
    replay: { ...replayOf(model, target), show: null },
    confirm: null,
  });
}

function withSecret(response: StoredResponse, sealed: string): StoredResponse {
  if (response.body === null) return response;
  return { ...response, body: JSON.stringify({ ...JSON.parse(response.body), secret: sealed }) };
}
