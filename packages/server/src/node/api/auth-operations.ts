/** The list of all operations below `/auth`, which drives the routes, the document and the tests. */

import { invitationOperations } from '../../features/access/invitations/auth-operations.ts';
import type { SignInContext } from '../../features/sign-in/context.ts';
import { factorOperations } from '../../features/sign-in/http/factor-operations.ts';
import type { AuthOperation } from '../../features/sign-in/http/operation.ts';
import { sessionOperations } from '../../features/sign-in/http/session-operations.ts';
import { signInOperations } from '../../features/sign-in/http/sign-in-operations.ts';

export function authOperations(context: SignInContext): AuthOperation[] {
  return [
    ...signInOperations(context),
    ...invitationOperations(context),
    ...sessionOperations(context),
    ...factorOperations(context),
  ];
}
