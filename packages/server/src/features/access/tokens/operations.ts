/** What makes the secrets of tokens, besides what their declaration says. */
import { longestOverlapSeconds, tokens } from '@trellis/schema/resources/tokens.ts';
import type { HttpContext } from '../../../kernel/http/context.ts';
import type { Operation } from '../../../kernel/http/operation.ts';
import { ownOperations } from '../../../kernel/http/own-operations.ts';
import type { SharedOperations } from '../../../kernel/http/resource-operations.ts';
import type { Model } from '../../../kernel/pipeline/model.ts';
import { bindingOf, newSecret, planRotation } from './plans.ts';

export function tokenOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  const { tokenSealer } = context;
  return ownOperations(context, model, shared, tokens, {
    creation: ({ place }) => newSecret(place.organizationId, tokenSealer),
    actions: {
      rotateToken: ({ target, input: { overlapSeconds = longestOverlapSeconds }, shape }) =>
        planRotation(model, target, overlapSeconds, tokenSealer, shape),
    },
    open: (sealed, organizationId, id) => tokenSealer.open(sealed, bindingOf(organizationId, id)),
  });
}
