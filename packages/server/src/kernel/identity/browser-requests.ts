/**
 * Checks of requests that carry a session cookie: that a page of this server sent them, and that they name the organization and
 * the user. Browsers attach cookies also to requests of other sites, and to requests of a page that was opened for a previous
 * user.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@trellis/schema/problem.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';

/** Names the organization of a request with a session. No response allows other origins to send it. */
const organizationHeader = 'Trellis-Organization';

/** Names the user of a request with a session. */
export const userHeader = 'Trellis-User';

/** Names the scopes that a request with a session needs, where it needs fewer than the session has. */
const sessionScopesHeader = 'Trellis-Session-Scopes';

/**
 * Refuses requests that no page of the same origin has sent, according to Fetch Metadata (https://www.w3.org/TR/fetch-metadata/), or to
 * `Origin` in browsers without it.
 */
export function checkSameOrigin(headers: IncomingHttpHeaders, origin: string): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined ? headers.origin === origin : site === 'same-origin') return;
  throw new Problem('cross_site_request');
}

/** The organization that is meant, a uuid. @throws Problem invalid_header when it is missing or no id */
export function readOrganizationHeader(headers: IncomingHttpHeaders): string {
  const detail = 'With a session, every request must name the organization by its id, org_….';
  return readId(headers, organizationHeader, 'org', detail);
}

/** The user that is meant, a uuid. @throws Problem invalid_header when it is missing or no id */
export function readUserHeader(headers: IncomingHttpHeaders): string {
  const detail = 'With a session, every request must name the user by its id, user_….';
  return readId(headers, userHeader, 'user', detail);
}

/** Refuses a request that names another user than the one signed in. @throws Problem wrong_user */
export function checkUser(expectedId: string, userId: string): void {
  if (expectedId !== userId) throw new Problem('wrong_user');
}

function readId(headers: IncomingHttpHeaders, name: string, prefix: 'org' | 'user', detail: string): string {
  const given = headers[name.toLowerCase()];
  const uuid = typeof given === 'string' ? decodeId(prefix, given) : null;
  if (uuid !== null) return uuid;
  throw new Problem('invalid_header', `${name}: ${detail}`, {
    errors: [{ header: name, code: given === undefined ? 'required' : 'invalid', detail }],
  });
}

/** Whether the request is to be made with the token that cannot publish. @throws Problem invalid_header for another value */
export function requestsDraftScopes(headers: IncomingHttpHeaders): boolean {
  const given = headers['trellis-session-scopes'];
  if (given === undefined) return false;
  if (given === 'drafts') return true;
  throw invalidScopes('invalid', 'Must be "drafts", or absent for everything that the session may do.');
}

/** A token has its own scopes, which the header does not limit, so sending both is an error. @throws Problem invalid_header */
export function refuseSessionScopes(headers: IncomingHttpHeaders): void {
  if (headers['trellis-session-scopes'] === undefined || headers.authorization === undefined) return;
  throw invalidScopes(
    'unexpected',
    'Only the requests of a session have this header. A bearer token has its own scopes.',
  );
}

function invalidScopes(code: string, detail: string): Problem {
  return new Problem('invalid_header', `${sessionScopesHeader}: ${detail}`, {
    errors: [{ header: sessionScopesHeader, code, detail }],
  });
}
