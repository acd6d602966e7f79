/** The problems of failed sign-ins. */
import { Problem } from '@trellis/schema/problem.ts';

/** A 401 must name the accepted authentication schemes (RFC 9110, 15.5.2): the interfaces accept bearer tokens. */
const challenge = { 'www-authenticate': 'Bearer' };

/** The response to every failed sign-in, so that it reveals nothing. @param detail only where it reveals nothing either */
export function signInFailed(detail?: string, cause?: unknown): Problem {
  return new Problem('sign_in_failed', detail, { headers: challenge, cause });
}

/** The response to a cookie that is missing or worth nothing. */
export function invalidSession(): Problem {
  return new Problem('session_invalid', undefined, { headers: challenge });
}

/** The response to a link that was used, has expired or never was. */
export function invalidLink(): Problem {
  return new Problem('link_invalid');
}
