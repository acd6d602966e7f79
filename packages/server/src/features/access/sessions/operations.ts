/**
 * The operations on sessions. People see and end their own; members who may remove members see and end all of the organization.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { sessions } from '@trellis/schema/resources/sessions.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { handleRead, handleWrite, respondWithJson, respondWithPage } from '../../../kernel/http/calls.ts';
import type { HttpContext } from '../../../kernel/http/context.ts';
import type { Call, Operation, PathParameter, QueryParameter } from '../../../kernel/http/operation.ts';
import { cursorParameter, limitParameter } from '../../../kernel/http/resource-parameters.ts';
import { exampleId } from '../../../kernel/http/schemas.ts';
import { listSessions, planSessionEnd, readSession } from './sessions.ts';

const sessionId: PathParameter = {
  name: 'id',
  resource: sessions.name,
  description: 'Id of the session.',
  schema: { type: 'string', maxLength: 64 },
  example: exampleId('ses'),
};
const userParameter: QueryParameter = {
  name: 'userId',
  description: 'Only sessions of this user.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  example: exampleId('user'),
};

/** Who is signed in has every scope; which sessions they see follows from their role, whatever it is. */
const requirement = { scopes: ['members:manage'], module: null, permission: null } as const;

const whose =
  'Your own sessions; with the right to remove members, those of everybody in the organization. A bearer token needs the scope `members:manage`.';

/** `/v1/sessions`. */
export function sessionOperations(context: HttpContext): Operation[] {
  const common = { tag: 'Sessions', body: null, conditional: false } as const;
  return [
    {
      ...common,
      operationId: 'listSessions',
      method: 'GET',
      path: `/v1${sessions.path}`,
      summary: 'List sessions',
      description: `Lists the active sessions, most recently opened first. ${whose}`,
      requirement,
      pathParameters: [],
      queryParameters: [limitParameter(limits.listPageSize), cursorParameter, userParameter],
      success: {
        status: 200,
        description: 'One page of sessions.',
        schemaName: 'SessionList',
        headers: [],
      },
      isListing: true,
      problems: ['cursor_invalid', 'cursor_mismatch'],
      handle: (call) =>
        handleRead(context, call, async (actor, { limit, cursor, userId }) => {
          const { organizationId } = call.credentials;
          const binding = { organizationId, route: 'listSessions', query: { userId: userId ?? '' } };
          const whoseId = userId === undefined ? null : decodeId('user', userId);
          const isNobody = userId !== undefined && whoseId === null;
          const after = cursor === undefined ? null : context.cursors.open(binding, cursor);
          const wanted = { userId: whoseId, after, limit: Number(limit ?? limits.listPageSize.default) };
          const { items, next } = isNobody
            ? { items: [], next: null }
            : await listSessions(context.database, actor, wanted);
          const nextCursor = next === null ? null : context.cursors.seal(binding, next);
          return respondWithPage(
            call,
            items.map((item) => JSON.stringify(item)),
            items.map(({ id }) => id),
            nextCursor,
          );
        }),
    },
    {
      ...common,
      operationId: 'getSession',
      method: 'GET',
      path: `/v1${sessions.path}/{id}`,
      summary: 'Read a session',
      description: `Returns an active session. ${whose}`,
      requirement,
      pathParameters: [sessionId],
      queryParameters: [],
      success: { status: 200, description: 'The session.', schemaName: 'Session', headers: [] },
      problems: [],
      handle: (call) =>
        handleRead(context, call, async (actor) => {
          const record = await readSession(context.database, actor, idOf(call));
          return respondWithJson(call, null, () => JSON.stringify(record));
        }),
    },
    {
      ...common,
      operationId: 'deleteSession',
      method: 'DELETE',
      path: `/v1${sessions.path}/{id}`,
      summary: 'End a session',
      description: `Ends a session in this organization, from the next write and within two seconds for reads. Another sign-in is needed to enter it again from that browser. ${whose}`,
      requirement: { ...requirement, needsRecentSignIn: true },
      pathParameters: [sessionId],
      queryParameters: [],
      success: { status: 204, description: 'Ended.', schemaName: null, headers: ['Idempotent-Replayed'] },
      problems: ['permission_denied', 'version_mismatch'],
      handle: (call) => handleWrite(context, call, () => planSessionEnd(call.credentials, idOf(call))),
    },
  ];
}

/** A malformed id gets the same 404 as an unknown one. */
function idOf(call: Call): string {
  const uuid = decodeId(sessions.idPrefix, call.params.id ?? '');
  if (uuid === null) throw new Problem('not_found');
  return uuid;
}
