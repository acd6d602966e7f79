/** The operation that tells who calls: any token may ask. */

import { Problem } from '@trellis/schema/problem.ts';
import { listPermissions } from '@trellis/schema/rights/permissions.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type Row, type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { parseTextArray, parseTimestamp } from '../database/values.ts';
import { answerJson, answerRead } from '../http/calls.ts';
import type { HttpContext } from '../http/context.ts';
import type { Operation } from '../http/operation.ts';
import type { Actor } from '../identity/actor.ts';

const readCaller: Statement = {
  name: 'read_caller',
  text: `SELECT o.key, o.name, o.mfa_required, u.name, u.email, c.name, c.kind, t.resources, t.expires_at,
      t.authenticated_at, t.sign_in_methods, t.multi_factor, r.name, m.responsible_user_id
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
    summary: 'Read who calls',
    description:
      'Returns the organization, user and client of the token, the role of the user with its permissions, and what the token is for. Any token may ask.',
    requirement: { scopes: [], module: null, permission: null },
    pathParameters: [],
    queryParameters: [],
    body: null,
    success: { status: 200, description: 'The caller.', schemaName: 'Me', headers: [] },
    conditional: false,
    problems: [],
    handle: (call) =>
      answerRead(context, call, async (actor) => {
        const me = await readMe(context.database, actor);
        return answerJson(call, null, () => JSON.stringify(me));
      }),
  };
}

async function readMe(database: Database, actor: Actor): Promise<Record<string, unknown>> {
  const { organizationId, userId, clientId, tokenId, role } = actor;
  const [found] = await database.query({ organizationId, userId }, [
    step(readCaller, [organizationId, tokenId, role.id]),
  ]);
  const row = found?.rows[0];
  // The token was there when it was authorized, and is never deleted while somebody uses it.
  if (row === undefined) throw new Problem('token_invalid');
  const responsible = row[13];
  const [key, name, mfaRequired, userName, email, clientName, kind, resources, expiresAt] = row;
  return {
    organization: {
      id: encodeId('org', organizationId),
      key,
      name,
      defaultCountry: actor.country,
      mfaRequired: mfaRequired === 't',
    },
    user: {
      id: encodeId('user', userId),
      name: userName,
      email,
      kind: responsible ? 'SERVICE' : 'PERSON',
      responsibleUserId: responsible ? encodeId('user', responsible) : null,
    },
    client: { id: encodeId('client', clientId), name: clientName, kind },
    role: {
      id: encodeId('role', role.id),
      key: role.key,
      name: row[12] ?? role.key,
      builtIn: role.builtIn !== null,
      grants: listPermissions(role.rights),
    },
    tokenId: encodeId('token', tokenId),
    resources: parseTextArray(resources ?? '{}'),
    scopes: [...actor.scopes],
    modules: [...actor.modules],
    expiresAt: expiresAt ? parseTimestamp(expiresAt) : null,
    signIn: readSignIn(row),
  };
}

/** How and when the person signed in; null for a bearer token. */
function readSignIn(row: Row): Record<string, unknown> | null {
  const [authenticatedAt, methods, multiFactor] = row.slice(9);
  if (!authenticatedAt) return null;
  return {
    authenticatedAt: parseTimestamp(authenticatedAt),
    methods: parseTextArray(methods ?? '{}'),
    multiFactor: multiFactor === 't',
  };
}
