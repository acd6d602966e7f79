/** The creation of clients, which also makes the publishable key of those of the kind BROWSER. */

import { acceptInput, handleWrite } from '../../http/calls.ts';
import type { HttpContext } from '../../http/context.ts';
import type { Operation } from '../../http/operation.ts';
import { placeOf, type SharedOperations } from '../../http/resource-operations.ts';
import { makePublishableKey } from '../../identity/publishable-key.ts';
import type { Model } from '../../pipeline/model.ts';
import { planCreate } from '../../pipeline/write/plans.ts';

export function clientOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  return {
    create: {
      ...shared.create,
      handle: (call) =>
        handleWrite(context, call, ({ body, minimal }) => {
          const input = acceptInput(model.input.create(body));
          const place = placeOf(model.resource, call);
          return planCreate(
            context.models,
            model,
            place,
            input,
            { minimal },
            {
              values: {
                publishableKey: makePublishableKey(place.organizationId),
              },
            },
          );
        }),
    },
  };
}
