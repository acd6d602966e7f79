/** The feature of exhibitions: what their approval changes, besides what their declaration says. */
import type { Feature } from '@trellis/server/kernel/feature.ts';
import { ownOperations } from '@trellis/server/kernel/http/own-operations.ts';
import { planAction } from '@trellis/server/kernel/pipeline/write/plans.ts';
import { exhibitions } from './exhibitions.ts';

export const exhibitionsFeature: Feature = {
  name: 'exhibitions',
  serve: (context) => ({
    ownOperations: {
      [exhibitions.name]: (model, shared) =>
        ownOperations(context, model, shared, exhibitions, {
          actions: {
            // Approving again changes nothing.
            approveExhibition: ({ target, input: { note = null }, shape }) =>
              planAction(model, target, {}, shape, ({ values }, { instant }) =>
                values.approvedAt === null
                  ? { values: { ...values, approvedAt: instant, approvalNote: note }, events: ['updated'] }
                  : { values, events: [] },
              ),
          },
        }),
    },
  }),
};
