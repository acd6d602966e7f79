/** The operation that describes the caller. It is available to every token. */

import { Problem } from '@trellis/schema/problem.ts';
import { listPermissions } from '@trellis/schema/rights/permissions.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import { defineRow, flag, instant, nullable, text, texts } from '../../kernel/database/row.ts';
import { handleRead, respondWithJson } from '../../kernel/http/calls.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import type { Operation } from '../../kernel/http/operation.ts';
import type { Actor } from '../../kernel/identity/actor.ts';

const callerRow = defineRow({
  key: text('o.key'),
  name: text('o.name'),
  mfaRequired: flag('o.mfa_required'),
  userName: text('u.name'),
  email: nullable(text('u.email')),
  clientName: text('c.name'),
  clientKind: text('c.kind'),
  resources: texts('t.resources'),
  expiresAt: nullable(instant('t.expires_at')),
  authenticatedAt: nullable(instant('t.authenticated_at')),
  methods: nullable(texts('t.sign_in_methods')),
  multiFactor: flag('t.multi_factor'),
  roleName: nullable(text('r.name')),
  responsibleUserId: nullable(text('m.responsible_user_id')),
});
const readCaller: Statement = {
  name: 'read_caller',
  text: `SELECT ${callerRow.list}
    FROM trellis.tokens t
    JOIN trellis.organizations o ON o.id = t.organization_id
    JOIN trellis.clients c ON c.organization_id = t.organization_id AND c.id = t.client_id
    JOIN trellis.users u ON u.id = t.user_id
    JOIN trellis.memberships m ON m.organization_id = t.organization_id AND m.user_id = t.user_id
    LEFT JOIN trellis.roles r ON r.organization_id = t.organization_id AND r.id = $3
    WHERE t.organization_id = $1 AND t.id = $2`,
};

/** `GET /v1/me`. */
export function meOperation(context: HttpContext): Operation {
  return {
    operationId: 'getMe',
    method: 'GET',
    path: '/v1/me',
    tag: 'Me',
    summary: 'Read the caller',
    description:
      'Returns the organization, user and client of the token, the role of the user with its permissions, and the interfaces that the token is for. Every valid token may call it.',
    requirement: { scopes: [], module: null, permission: null },
    pathParameters: [],
    queryParameters: [],
    body: null,
    success: { status: 200, description: 'The caller.', schemaName: 'Me', headers: [] },
    conditional: false,
    problems: [],
    handle: (call) =>
      handleRead(context, call, async (actor) => {
        const me = await readMe(context, actor);
        return respondWithJson(call, null, () => JSON.stringify(me));
      }),
  };
}

async function readMe({ database, writes }: HttpContext, actor: Actor): Promise<Record<string, unknown>> {
  const { organizationId, userId, clientId, tokenId, role } = actor;
  const [found] = await database.query({ organizationId, userId }, [
    step(readCaller, [organizationId, tokenId, role.id]),
  ]);
  const caller = callerRow.first(found);
  // The token was there when it was authorized, and is never deleted while somebody uses it.
  if (caller === undefined) throw new Problem('token_invalid');
  const { key, name, mfaRequired, responsibleUserId, resources, expiresAt } = caller;
  return {
    organization: {
      id: encodeId('org', organizationId),
      key,
      name,
      defaultCountry: actor.country,
      mfaRequired,
    },
    user: {
      id: encodeId('user', userId),
      name: caller.userName,
      email: caller.email,
      kind: responsibleUserId === null ? 'PERSON' : 'SERVICE',
      responsibleUserId: responsibleUserId === null ? null : encodeId('user', responsibleUserId),
    },
    client: { id: encodeId('client', clientId), name: caller.clientName, kind: caller.clientKind },
    role: {
      id: encodeId('role', role.id),
      key: role.key,
      name: caller.roleName ?? role.key,
      builtIn: role.builtIn !== null,
      grants: listPermissions(role.rights),
    },
    tokenId: encodeId('token', tokenId),
    resources,
    scopes: [...actor.scopes],
    modules: [...actor.modules],
    expiresAt,
    trashSeconds: writes.trashRetentionSeconds,
    signIn: signInOf(caller),
  };
}

/** How and when the person signed in; null for a bearer token. */
function signInOf({
  authenticatedAt,
  methods,
  multiFactor,
}: ReturnType<typeof callerRow.read>): Record<string, unknown> | null {
  return authenticatedAt === null ? null : { authenticatedAt, methods: methods ?? [], multiFactor };
}
