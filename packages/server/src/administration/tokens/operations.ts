/** The operations on tokens that show a secret: creating a token, and replacing one. */

import { integer } from '@trellis/schema/resources/fields.ts';
import { tokens } from '@trellis/schema/resources/tokens.ts';
import { createBodySchema } from '@trellis/schema/validation/body-schemas.ts';
import { createBodyCheck } from '@trellis/schema/validation/check-body.ts';
import { refuseFaults } from '@trellis/schema/validation/faults.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { acceptInput, handleWrite } from '../../http/calls.ts';
import type { HttpContext } from '../../http/context.ts';
import type { Call, Operation, OperationResponse } from '../../http/operation.ts';
import { placeOf, requirementOf, type SharedOperations, targetOf } from '../../http/resource-operations.ts';
import { idParameter } from '../../http/resource-parameters.ts';
import type { Model } from '../../pipeline/model.ts';
import { planCreate } from '../../pipeline/write/plans.ts';
import { bindingOf, newSecret, planRotation } from './plans.ts';

/** For how long a token that was replaced may still be accepted, in seconds. */
const longestOverlapSeconds = 86_400;

const rotationSchema = createBodySchema({
  fields: {
    overlapSeconds: integer({
      min: 0,
      max: longestOverlapSeconds,
      default: longestOverlapSeconds,
      description: 'For how long the old token is still accepted; a day unless given.',
      example: 3_600,
    }),
  },
});
const checkRotation = createBodyCheck(rotationSchema);

/** Replaces create by one that shows the token, and adds the rotation. */
export function tokenOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  const { resource } = model;
  return {
    create: {
      ...shared.create,
      handle: async (call) =>
        reveal(
          context,
          call,
          await handleWrite(context, call, ({ body, minimal }) => {
            const input = acceptInput(model.input.create(body));
            const place = placeOf(resource, call);
            const additions = newSecret(place.organizationId, context.tokenSealer);
            return planCreate(context.models, model, place, input, { minimal }, additions);
          }),
        ),
    },
    rotate: {
      operationId: 'rotateToken',
      method: 'POST',
      path: `/v1${resource.path}/{id}/rotate`,
      tag: resource.title.plural,
      summary: 'Replace a token',
      description:
        'Makes a token with the same user, client, scopes, resources and lifetime, under an id of its own. It is the `secret` in this response, and never shown again. The old token is accepted for `overlapSeconds` more, unless it expires before.',
      requirement: requirementOf(resource, 'create'),
      pathParameters: [idParameter('id', resource.name, resource.idPrefix, 'Id of the token.')],
      queryParameters: [],
      body: {
        schemaName: 'TokenRotationCreate',
        schema: rotationSchema,
        mediaTypes: ['application/json'],
        example: { overlapSeconds: 3_600 },
      },
      conditional: false,
      success: {
        status: 200,
        description: 'The new token.',
        schemaName: 'TokenWithSecret',
        headers: ['ETag', 'Idempotent-Replayed', 'Preference-Applied'],
      },
      problems: ['version_mismatch', 'validation_failed', 'unknown_field'],
      handle: async (call) =>
        reveal(
          context,
          call,
          await handleWrite(context, call, ({ body, minimal }) => {
            const checked = checkRotation(body);
            refuseFaults(checked.faults);
            const { overlapSeconds = longestOverlapSeconds } = checked.body as { overlapSeconds?: number };
            const target = targetOf(resource, call);
            return planRotation(model, target, overlapSeconds, context.tokenSealer, { minimal });
          }),
        ),
    },
  };
}

/** Opens the secret, which is sealed in the stored response, for the caller. */
function reveal({ tokenSealer }: HttpContext, call: Call, response: OperationResponse): OperationResponse {
  if (typeof response.body !== 'string') return response;
  const { secret, ...record } = JSON.parse(response.body);
  const tokenId = decodeId(tokens.idPrefix, record.id) ?? '';
  const token = tokenSealer.open(secret, bindingOf(call.credentials.organizationId, tokenId));
  return { ...response, body: JSON.stringify({ ...record, secret: token }) };
}
