/** The operations on invitations that the shared ones do not cover: those that show a link, and revoking. */

import { invitations } from '@trellis/schema/resources/invitations.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { handleWrite } from '../../../kernel/http/calls.ts';
import type { HttpContext } from '../../../kernel/http/context.ts';
import type { Call, Operation, OperationResponse } from '../../../kernel/http/operation.ts';
import { ownOperations } from '../../../kernel/http/own-operations.ts';
import { type SharedOperations, targetOf } from '../../../kernel/http/resource-operations.ts';
import { deriveSecret, makeSecret } from '../../../kernel/identity/secrets.ts';
import type { Model } from '../../../kernel/pipeline/model.ts';
import { invitationMessage, invitedStep } from './mail.ts';
import { bindingOf, type LinkSecrets, planResend, planRevocation, withNewLinks } from './plans.ts';

/** Completes create and resend, and replaces delete. */
export function invitationOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  const { tokenSealer: sealer, origin } = context;
  return {
    delete: {
      ...shared.delete,
      summary: 'Revoke an invitation',
      description:
        'Revokes an invitation that is pending: its link is refused, and the record remains with the status REVOKED. An invitation that was accepted or revoked, or has expired, is deleted permanently.',
      success: { ...shared.delete.success, description: 'Revoked or deleted.' },
      problems: ['version_mismatch'],
      handle: (call) =>
        handleWrite(context, call, () => planRevocation(model, targetOf(model.resource, call))),
    },
    ...ownOperations(context, model, shared, invitations, {
      creation: ({ place: { organizationId } }) =>
        withNewLinks(organizationId, newSecrets(context, organizationId), sealer),
      actions: {
        resendInvitation: ({ target, shape }) =>
          planResend(model, target, newSecrets(context, target.organizationId), sealer, shape),
      },
      open: (sealed, organizationId, id) =>
        invitationLink(origin(), sealer.open(sealed, bindingOf(organizationId, id))),
      shown: (call, response) => mailInvitation(context, call, response),
    }),
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
