/**
 * Checks of the header section of a request, on every route. They refuse ambiguous requests that `node:http` accepts: a proxy
 * that interprets them differently would allow request smuggling.
 */
import type { IncomingMessage } from 'node:http';
import { Problem } from '@trellis/schema/problem.ts';

/** Maximum number of header lines of a request. */
const maxHeaderLines = 200;

/**
 * Fields with a single value (RFC 9110, 5.3). When they are repeated, node:http takes the first value or joins the values.
 * A repeated Idempotency-Key is refused elsewhere, as a malformed one.
 */
const singletons = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
  'if-range',
  'last-event-id',
  'origin',
  'range',
  'sec-fetch-site',
  'trellis-organization',
  'trellis-session-scopes',
  'trellis-user',
  'x-client-key',
]);

/**
 * @throws Problem malformed_request, unsupported_transfer_coding, headers_too_large, invalid_header, expectation_failed
 */
export function checkRequestHead(request: IncomingMessage): void {
  const { headers, rawHeaders, httpVersionMajor } = request;
  if (httpVersionMajor !== 1)
    throw new Problem('malformed_request', 'Only HTTP/1.1 and HTTP/1.0 are understood.');
  const coding = headers['transfer-encoding'];
  // RFC 9112, 6.1: a body in a coding that is not decoded here would be misread.
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    throw new Problem('unsupported_transfer_coding');
  }
  if (rawHeaders.length > 2 * maxHeaderLines) {
    throw new Problem('headers_too_large', `A request has at most ${maxHeaderLines} header lines.`);
  }
  if (headers.expect !== undefined && headers.expect.trim().toLowerCase() !== '100-continue') {
    throw new Problem('expectation_failed');
  }
  // Only if any names are repeated.
  if (Object.keys(headers).length < rawHeaders.length / 2) refuseRepeated(rawHeaders);
  checkHost(request);
}

function refuseRepeated(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? '';
    const name = given.toLowerCase();
    if (seen.has(name) && singletons.has(name))
      throw invalidHeader(given, 'repeated', 'Give this header only once.');
    seen.add(name);
  }
}

/** RFC 9112, 3.2. */
function checkHost({ headers: { host }, httpVersion }: IncomingMessage): void {
  if (host === undefined) {
    if (httpVersion === '1.1') throw invalidHeader('Host', 'required', 'This header is required.');
    return;
  }
  if (/[\s/?#@\\]/.test(host))
    throw invalidHeader('Host', 'invalid', 'Must be a host, with a port or without.');
}

function invalidHeader(header: string, code: string, detail: string): Problem {
  return new Problem('invalid_header', `${header}: ${detail}`, { errors: [{ header, code, detail }] });
}
