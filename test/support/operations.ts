/** The operations of several interfaces without a server: they can be described but not called, because they have no database. */

import type { SignInContext } from '@trellis/server/features/sign-in/context.ts';
import { buildSignInDocument } from '@trellis/server/features/sign-in/http/document.ts';
import { identifyOperation } from '@trellis/server/features/visitors/http/document.ts';
import type { OperationDescription } from '@trellis/server/kernel/http/operation.ts';
import { SessionCookie } from '@trellis/server/kernel/identity/session-cookie.ts';
import { authOperations } from '@trellis/server/node/api/auth-operations.ts';
import { operationsWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';

/** The operations below `/auth`. */
export const authOperationList = authOperations({} as SignInContext);

/** The document of the operations below `/auth`. */
export function signInDocument(origin: string): Record<string, unknown> {
  return buildSignInDocument(authOperationList, new SessionCookie(Buffer.alloc(32), () => origin));
}

const described: readonly OperationDescription[] = [
  ...operationsWithoutServer('http://localhost:3000'),
  identifyOperation,
  ...authOperationList,
];

/** The schemas of the bodies of the tenant API, of the identify call and of the operations below `/auth`. */
export const bodySchemas = described.flatMap(({ operationId, body }) =>
  body === null ? [] : [{ operationId, schema: body.schema }],
);

/** Where the only object of a body is whose members are not ours to describe: the credential of a passkey. */
export const foreignPointer = '/response';
