/**
 * Step 6: whether the change is allowed: by the rules of the resource, and by the caller's right to publish where it
 * concerns what readers see. The table of transitions is read in `../transitions.ts`, by the decision.
 */

import { publishScopeOf } from '@trellis/schema/resources/resource.ts';
import { type Actor, permit, type Requirement } from '../../identity/actor.ts';
import type { Caller } from './authorize.ts';
import { type Outcome, type Publishable, Refusal, tokenFor, type WriteRequest } from './plan.ts';

/**
 * The outcome of a decision that is allowed.
 * @throws Problem insufficient_scope, permission_denied where the right to publish is missing; else what the rules refuse
 */
export function checkTransition(
  request: WriteRequest,
  { actor }: Caller,
  decided: Outcome | Refusal,
): Outcome {
  const token = tokenFor('checkTransition', request);
  if (token !== null && actor !== null) {
    for (const resource of decided.publishes) requirePublish(token.requirement, resource, actor);
  }
  if (decided instanceof Refusal) throw decided.problem;
  return decided;
}

/**
 * Publishing has a scope of its own where drafts and what readers see are apart; elsewhere the role decides. A refusal
 * names the scopes of the operation too: whoever makes a new token needs to know all of them.
 * @throws Problem insufficient_scope, module_disabled, permission_denied
 */
export function requirePublish({ scopes }: Requirement, resource: Publishable, actor: Actor): void {
  permit(actor, {
    scopes: [...new Set([...scopes, publishScopeOf(resource)])],
    module: resource.module,
    permission: { resource: resource.name, action: 'publish' },
  });
}
