/**
 * The step `checkTransition`: checks that the change is allowed by the rules of the resource, and by the caller's right
 * to publish if it affects what readers see. The decision reads the table of transitions in `../transitions.ts`.
 */

import { publishScopeOf } from '@trellis/schema/resources/resource.ts';
import { type Actor, permit, type Requirement } from '../../../identity/actor.ts';
import { type Publishable, Refusal } from '../../refusal.ts';
import type { WriteKind } from '../kinds.ts';
import type { Outcome } from '../plan.ts';
import type { Caller } from './authorize.ts';

/**
 * The outcome of an allowed decision.
 * @throws Problem insufficient_scope or permission_denied without the right to publish; otherwise the refusal by the
 *   rules
 */
export function checkTransition(
  { token, actor }: Caller,
  decided: Outcome<WriteKind> | Refusal,
): Outcome<WriteKind> {
  if (token !== null) {
    for (const resource of decided.publishes ?? []) requirePublish(token.requirement, resource, actor);
  }
  if (decided instanceof Refusal) throw decided.problem;
  return decided;
}

/**
 * Checks the right to publish: a scope for resources that have one, and the role. A refusal also names the scopes of
 * the operation, so that a new token can get all of them.
 * @throws Problem insufficient_scope, module_disabled, permission_denied
 */
export function requirePublish({ scopes }: Requirement, resource: Publishable, actor: Actor): void {
  permit(actor, {
    scopes: [...new Set([...scopes, publishScopeOf(resource)])],
    module: resource.module,
    permission: { resource: resource.name, action: 'publish' },
  });
}
