/** The operations on invitations that the shared ones do not cover: those that show a link, and revoking. */

import { invitations } from '@trellis/schema/resources/invitations.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { acceptInput, handleWrite } from '../../http/calls.ts';
import type { HttpContext } from '../../http/context.ts';
import type { Call, Operation, OperationResponse } from '../../http/operation.ts';
import { placeOf, requirementOf, type SharedOperations, targetOf } from '../../http/resource-operations.ts';
import { idParameter } from '../../http/resource-parameters.ts';
import { deriveSecret, makeSecret } from '../../identity/sign-in/secrets.ts';
import type { Model } from '../../pipeline/model.ts';
import { planCreate } from '../../pipeline/write/plans.ts';
import { invitationMessage, invitedStep } from './mail.ts';
import { bindingOf, type LinkSecrets, planResend, planRevocation, withNewLinks } from './plans.ts';

const linkIs =
  'The `link` in this response is never shown again. Where the server sends mail, a link is mailed to the address as well.';

/** Replaces create and delete, and adds resend. */
export function invitationOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  const { resource } = model;
  const sealer = context.tokenSealer;
  return {
    create: {
      ...shared.create,
      handle: async (call) => {
        const response = await handleWrite(context, call, ({ body, minimal }) => {
          const input = acceptInput(model.input.create(body));
          const place = placeOf(resource, call);
          const secrets = newSecrets(context, place.organizationId);
          const additions = withNewLinks(place.organizationId, secrets, sealer);
          return planCreate(context.models, model, place, input, { minimal }, additions);
        });
        mailInvitation(context, call, response);
        return reveal(context, call, response);
      },
    },
    delete: {
      ...shared.delete,
      summary: 'Revoke an invitation',
      description:
        'Revokes an invitation that is pending: its link is refused, and the record remains with the status REVOKED. An invitation that was accepted or revoked, or has expired, is deleted permanently.',
      success: { ...shared.delete.success, description: 'Revoked or deleted.' },
      problems: ['version_mismatch'],
      handle: (call) => handleWrite(context, call, () => planRevocation(model, targetOf(resource, call))),
    },
    resend: {
      operationId: 'resendInvitation',
      method: 'POST',
      path: `/v1${resource.path}/{id}/resend`,
      tag: resource.title.plural,
      summary: 'Send an invitation again',
      description: `Makes a new link for an invitation that is pending or has expired, valid for seven days. The link that was shown before is refused; all mails of an invitation contain the same link. ${linkIs}`,
      requirement: requirementOf(resource, 'create'),
      pathParameters: [
        idParameter('id', resource.name, resource.idPrefix, `Id of the ${resource.singular}.`),
      ],
      queryParameters: [],
      body: null,
      conditional: false,
      success: {
        status: 200,
        description: 'The invitation, with its new link.',
        schemaName: 'InvitationWithLink',
        headers: ['ETag', 'Idempotent-Replayed', 'Preference-Applied'],
      },
      problems: ['version_mismatch', 'invalid_transition', 'conflict', 'quota_reached'],
      handle: async (call) => {
        const response = await handleWrite(context, call, ({ minimal }) =>
          planResend(
            model,
            targetOf(resource, call),
            newSecrets(context, call.credentials.organizationId),
            sealer,
            { minimal },
          ),
        );
        mailInvitation(context, call, response);
        return reveal(context, call, response);
      },
    },
  };
}

/** The secrets of an invitation that is made or sent again. */
function newSecrets(context: HttpContext, organizationId: string): LinkSecrets {
  return {
    shown: makeSecret(),
    mailed: (invitationId) => mailedSecret(context, organizationId, invitationId),
  };
}

/** The secret of the mailed link. @param invitationId uuid */
function mailedSecret({ mailedLinkKey }: HttpContext, organizationId: string, invitationId: string): string {
  return deriveSecret(mailedLinkKey, bindingOf(organizationId, invitationId));
}

/** Opens the secret, which is sealed in the stored response, and makes a link of it. */
function reveal(
  { tokenSealer, origin }: HttpContext,
  call: Call,
  response: OperationResponse,
): OperationResponse {
  if (typeof response.body !== 'string') return response;
  const { link, ...record } = JSON.parse(response.body);
  const id = decodeId(invitations.idPrefix, record.id) ?? '';
  const secret = tokenSealer.open(link, bindingOf(call.credentials.organizationId, id));
  const body = JSON.stringify({ ...record, link: invitationLink(origin(), secret) });
  return { ...response, body };
}

/** The link of an invitation. Its secret is in the fragment, which is not sent to servers. */
function invitationLink(origin: string, secret: string): string {
  return `${origin}/console/invitation#${secret}`;
}

/** Mails a link to who is invited, unless the response is that of an earlier request, which has mailed one. */
function mailInvitation(
  context: HttpContext,
  { credentials, params, requestId, operation }: Call,
  response: OperationResponse,
): void {
  const { mail, database, origin } = context;
  if (mail === null || response.headers['idempotent-replayed'] !== undefined) return;
  const shownId = params.id ?? response.headers.location?.split('/').at(-1) ?? '';
  const id = decodeId(invitations.idPrefix, shownId) ?? '';
  const { organizationId } = credentials;
  mail.send({ requestId, route: operation.path }, async () => {
    const [found] = await database.query(credentials, [invitedStep(organizationId, id)]);
    const row = found?.rows[0];
    if (row === undefined) return null;
    const secret = mailedSecret(context, organizationId, id);
    return { message: invitationMessage(row, invitationLink(origin(), secret)), organizationId };
  });
}
