/** The problems of failed sign-ins. */
import { Problem } from '@trellis/schema/problem.ts';

/** A 401 names what would be accepted (RFC 9110, 15.5.2): the interfaces take bearer tokens. */
const challenge = { 'www-authenticate': 'Bearer' };

/** The one response to everything that does not prove who somebody is. @param detail where it gives nothing away */
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
