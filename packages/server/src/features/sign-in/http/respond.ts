/** The shared parts of the sign-in operations: reading the attempt, and responding to it. */
import { describeAccount } from '../accounts.ts';
import type { SignInContext } from '../context.ts';
import { describeSession, endSession } from '../sessions.ts';
import type { Attempt, SignInResult } from '../sign-in.ts';
import type { AuthCall, AuthResponse } from './operation.ts';

/** The origin of an attempt, and the requested properties of the session. */
export function attemptOf({ network, browser, device, body, requestId }: AuthCall): Attempt {
  return { network, browser, device, requestId, staySignedIn: body.staySignedIn === true };
}

/** Responds to a sign-in. The session that the browser had before ends: it has one cookie. */
export async function respondToSignIn(
  { auth }: SignInContext,
  call: AuthCall,
  result: SignInResult,
): Promise<AuthResponse> {
  if ('challenge' in result) {
    return { body: { status: 'SECOND_FACTOR_REQUIRED', challenge: result.challenge } };
  }
  if (call.current !== null) await endSession(auth, call.current.session, call.requestId);
  const { session, secret } = result.opened;
  return {
    body: {
      status: 'SIGNED_IN',
      user: describeAccount(result.account),
      session: describeSession(session),
    },
    cookie: { secret, keep: result.staySignedIn },
    knownFor: result.account.userId,
  };
}
