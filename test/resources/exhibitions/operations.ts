/** What the approval of an exhibition changes, besides what its declaration says. */
import type { HttpContext } from '@trellis/server/kernel/http/context.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import { ownOperations } from '@trellis/server/kernel/http/own-operations.ts';
import type { SharedOperations } from '@trellis/server/kernel/http/resource-operations.ts';
import type { Model } from '@trellis/server/kernel/pipeline/model.ts';
import { planAction } from '@trellis/server/kernel/pipeline/write/plans.ts';
import { exhibitions } from './exhibitions.ts';

/** Approving again changes nothing. */
export function exhibitionOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  return ownOperations(context, model, shared, exhibitions, {
    actions: {
      approveExhibition: ({ target, input: { note = null }, shape }) =>
        planAction(model, target, {}, shape, ({ values }, { instant }) =>
          values.approvedAt === null
            ? { values: { ...values, approvedAt: instant, approvalNote: note }, events: ['updated'] }
            : { values, events: [] },
        ),
    },
  });
}
