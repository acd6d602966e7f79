/** The list of all operations below `/auth`, which drives the routes, the document and the tests. */
import type { SignInContext } from '../context.ts';
import { factorOperations } from './factor-operations.ts';
import { invitationOperations } from './invitation-operations.ts';
import type { AuthOperation } from './operation.ts';
import { sessionOperations } from './session-operations.ts';
import { signInOperations } from './sign-in-operations.ts';

export function authOperations(context: SignInContext): AuthOperation[] {
  return [
    ...signInOperations(context),
    ...invitationOperations(context),
    ...sessionOperations(context),
    ...factorOperations(context),
  ];
}
